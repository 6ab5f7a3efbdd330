import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tools/run.ts'

const examples: Record<string, string> = {
  $name: 'FCR-D-INC',
  $licenseId: '00000000-0000-4000-8000-000000000000',
  $source: 'alert',
  $market: 'FCR-D-INC',
  $: 'nowhere',
}

const pathsIn = (files: string[], row: RegExp): string[] =>
  files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(row)].map(([, path = '']) => path))

const filled = (path: string): string =>
  path.replace(/\$\w*/g, (parameter) => {
    const example = examples[parameter]
    if (!example) throw new Error(`${path}: say in e2e/support/screens.ts what ${parameter} may be`)
    return example
  })

/** Every row of `web/src/portal/screens`, parsed as text: the rows contain components, which only the portal's build can load. */
export const signedInPaths = pathsIn(
  globSync(join(root, 'web/src/portal/screens/*.ts')),
  /^ {2}'(\/[^']*)': screen\(/gm,
).map(filled)

export const publicPaths = pathsIn([join(root, 'web/src/routes.tsx')], /^ {2}'(\/[^']+)': \{/gm)

/** Tabs that are not the first of their screen. */
export const tabPaths = [
  '/cfm/tools?tab=sites',
  '/demandResponse/FCR-D-INC?tab=market',
  '/demandResponse/FCR-D-INC?tab=requestBid',
  '/demandResponse/FCR-D-INC?tab=signal',
  '/demandResponse/FCR-D-INC?tab=soldCapacity',
  '/e3-App/FCR-D-INC?tab=alerts',
  '/e3-App/FCR-D-INC?tab=details',
  '/e3-App/FCR?tab=alerts&subTab=triggered',
  '/e3-App/evCharging?tab=chargers',
  '/e3-App/evCharging?tab=tag',
  '/e3-App/evCharging?tab=tag&subTab=group',
  '/e3-App/evCharging?tab=transactions',
  '/eConomics?tab=comparison',
  '/eConomics?tab=reconciliation',
  '/eConomics?tab=statements',
  '/emailSubscriptions?tab=add',
  '/insights/carbonemission?tab=prognosis',
  '/insights/dataHub?tab=allMeters',
  '/insights/loadShifting?tab=backtest',
  '/insights/loadShifting?tab=savings',
]

/** Each screen and tab that the gallery shows. */
export const screens = {
  home: '/',
  'day-ahead': '/insights/dayahead',
  carbon: '/insights/carbonemission',
  prognosis: '/insights/carbonemission?tab=prognosis',
  calculator: '/insights/revenuePotentialCalculator',
  events: '/demandResponse/FCR-D-INC',
  market: '/demandResponse/FCR-D-INC?tab=market',
  fcr: '/demandResponse/FCR?tab=market',
  signal: '/demandResponse/FCR?tab=signal',
  e3: '/e3-App/FCR-D-INC',
  'e3-alerts': '/e3-App/FCR-D-INC?tab=alerts',
  'e3-triggered': '/e3-App/FCR?tab=alerts&subTab=triggered',
  'e3-details': '/e3-App/FCR-D-INC?tab=details',
  system: '/systemOverview',
  profile: '/profile',
  company: '/company',
  security: '/security',
  'api-keys': '/apikeys',
  webhooks: '/webhooks',
  reports: '/reports',
  'email-subscriptions': '/emailSubscriptions',
  'add-emails': '/emailSubscriptions?tab=add',
  'arrange-home': '/?edit=true',
  'all-meters': '/insights/dataHub?tab=allMeters',
  'data-hub': '/insights/dataHub',
  'ev-charging': '/e3-App/evCharging',
  'ev-tags': '/e3-App/evCharging?tab=tag',
  'ev-tag-groups': '/e3-App/evCharging?tab=tag&subTab=group',
  'ev-transactions': '/e3-App/evCharging?tab=transactions',
  'ev-chargers': '/e3-App/evCharging?tab=chargers',
  'cfm-dashboard': '/cfmdashboard',
  'cfm-tools': '/cfm/tools',
  'cfm-sites': '/cfm/tools?tab=sites',
  mobilepay: '/cfm/mobilepay',
  'bid-requests': '/demandResponse/FCR-D-INC?tab=requestBid',
  'sold-capacity': '/demandResponse/FCR-D-INC?tab=soldCapacity',
  economics: '/eConomics',
  comparison: '/eConomics?tab=comparison',
  reconciliation: '/eConomics?tab=reconciliation',
  statements: '/eConomics?tab=statements',
  'load-shifting': '/insights/loadShifting',
  'load-savings': '/insights/loadShifting?tab=savings',
  'load-backtests': '/insights/loadShifting?tab=backtest',
  'support-notes': '/insights/supportNotes',
  'version-history': '/insights/versionhistory',
  audit: '/audit',
  'demand-response': '/demandResponse',
  insights: '/insights',
}
