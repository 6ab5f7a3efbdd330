import type { Sentence } from '#i18n/da.ts'
import { shownMarkets } from '@gridmast/contract/screens.ts'
import type { User } from '@gridmast/contract/user.ts'
import {
  IconActivity,
  IconApps,
  IconBolt,
  IconBuilding,
  IconCalculator,
  IconChartArrowsVertical,
  IconChartBar,
  IconChartDots3,
  IconChargingPile,
  IconCoinEuro,
  IconDatabase,
  IconDeviceMobileDollar,
  IconHeartRateMonitor,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLeaf,
  IconListCheck,
  IconMail,
  IconNotes,
  IconPlugConnected,
  IconShieldLock,
  IconTool,
  IconUser,
  IconWaveSine,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { z } from 'zod'
import { subjectOf } from '#lib/user.tsx'
import type { NavEntry } from '#shell/entries.ts'
import { anyOf, homeGate, licenceGate, licenceOf, marketGate, screenGate, type Gate, type Place } from '#shell/gate.ts'
import { licenceTitle } from '#shell/licence-names.ts'
import { carbonSearch } from '#pages/carbon-emission/search.ts'
import { dayAheadSearch } from '#pages/day-ahead/search.ts'
import { homeSearch } from '#pages/home/search.ts'
import { marketSearch } from '#pages/market/search.ts'
import { calculatorSearch } from '#pages/revenue-calculator/search.ts'

/** Where a screen stands: in the sidebar, in the profile menu, or under the entry of that path. */
type Home = 'sidebar' | 'profile' | '/insights' | '/cfm'

/** One screen of the portal. Adding a screen is adding an entry. */
export type Screen = {
  path: string
  /** In the top bar, the window, the sidebar and the palette. */
  title: Sentence
  /** The title where it depends on what the address names. */
  titleOf?: (user: User, place: Place) => string | undefined
  short?: Sentence
  /** What a screen that is not connected yet will hold. */
  words?: Sentence
  icon?: Icon
  in?: Home
  gate?: Gate
  /** Places under it that come from the customer's record. */
  entries?: (user: User) => NavEntry[]
  search?: z.ZodObject
  page: () => Promise<{ default: ComponentType }>
}

const notConnected = () => import('#pages/not-connected/NotConnected.tsx')
const places = () => import('#pages/places/Places.tsx')

const namesOf = (instances: User['customerId']['instances']) => instances.map(({ name }) => name).join(', ')

/** What an app does; the app of a reserve market says whose power it sells. */
const appWords: Record<string, Sentence> = {
  dataHub: 'Meters by CVR key, their consumption and cost, and their export.',
  evCharging: 'Charging sessions, their energy and cost.',
  loadShifting: 'A plan that moves consumption to cheaper and cleaner hours, against the baseline.',
}

const enabledLicences = (
  user: User,
  entryOf: (id: string, type: string) => Pick<NavEntry, 'key' | 'to' | 'params' | 'search'>,
) =>
  Object.entries(user.customerId.enabledLicense).flatMap(([id, { licenseType, enabled }]): NavEntry[] => {
    const title = licenceTitle(licenseType.name)
    const own = user.customerId.instances.filter((instance) => instance.market.includes(licenseType.name))
    const words = appWords[licenseType.name] ?? namesOf(own)
    return enabled
      ? [{ ...entryOf(id, licenseType.name), title, short: title, icon: IconBolt, words, children: [] }]
      : []
  })

const apps = (user: User) =>
  enabledLicences(user, (id, name) => ({
    key: `/e3-App/${encodeURIComponent(name)}`,
    to: '/e3-App/$name',
    params: { name },
    search: { licenseTypeId: id },
  }))

const legacyLicences = (user: User) =>
  enabledLicences(user, (id) => ({ key: `/e3/${id}`, to: '/e3/$licenseId', params: { licenseId: id } }))

const markets = (user: User): NavEntry[] =>
  shownMarkets(subjectOf(user)).map((market) => ({
    key: `/demandResponse/${encodeURIComponent(market)}`,
    to: '/demandResponse/$market',
    params: { market },
    title: market,
    short: market,
    icon: IconActivity,
    words: namesOf(user.customerId.instances.filter((instance) => instance.market.includes(market))),
    children: [],
  }))

const licenceName = (user: User, place: Place) => {
  const licence = licenceOf(user, place)
  return licence && licenceTitle(licence.licenseType.name)
}

/** Screens inside the shell, in the order of the sidebar and the menus. */
export const screenTable: Screen[] = [
  {
    path: '/',
    title: 'E3 Dashboard',
    short: 'Home',
    in: 'sidebar',
    icon: IconLayoutDashboard,
    gate: homeGate,
    search: homeSearch,
    page: () => import('#pages/home/Home.tsx'),
  },
  {
    path: '/dashboard',
    title: 'E3 Dashboard',
    gate: screenGate('dashboard'),
    search: homeSearch,
    page: () => import('#pages/home/Home.tsx'),
  },
  {
    path: '/e3-App',
    title: 'E3 Apps',
    short: 'Apps',
    in: 'sidebar',
    icon: IconApps,
    gate: screenGate('e3App'),
    entries: apps,
    page: places,
  },
  {
    path: '/e3-App/$name',
    title: 'E3 Apps',
    titleOf: licenceName,
    words:
      'Overview, Alerts and Details of the license: power and consumption of each instance, alerts, equipment testing.',
    gate: licenceGate('e3App'),
    page: notConnected,
  },
  {
    path: '/e3',
    title: 'Licenses',
    gate: screenGate('e3'),
    entries: legacyLicences,
    page: places,
  },
  {
    path: '/e3/$licenseId',
    title: 'Licenses',
    titleOf: licenceName,
    words: 'The overview chart of the license, its events and its details.',
    gate: licenceGate('e3'),
    page: notConnected,
  },
  {
    path: '/e3-Legacy/$source',
    title: 'Notification',
    words: 'The alert, its signal around the time it was triggered, and its acknowledgement.',
    gate: screenGate('e3Legacy'),
    page: notConnected,
  },
  {
    path: '/demandResponse',
    title: 'Demand Response',
    short: 'Markets',
    in: 'sidebar',
    icon: IconWaveSine,
    gate: screenGate('demandResponse'),
    entries: markets,
    page: places,
  },
  {
    path: '/demandResponse/$market',
    title: 'Demand Response',
    titleOf: (user, { params }) =>
      user.customerId.biddingMarkets.find((own) => own.toLowerCase() === params['market']?.toLowerCase()),
    gate: marketGate,
    search: marketSearch,
    page: () => import('#pages/market/Market.tsx'),
  },
  {
    path: '/insights',
    title: 'Insights',
    in: 'sidebar',
    icon: IconChartDots3,
    gate: anyOf(
      screenGate('supportNotes'),
      screenGate('carbonemission'),
      screenGate('dayahead'),
      screenGate('versionhistory'),
      screenGate('dataHub'),
      screenGate('revenuePotentialCalculator'),
      screenGate('loadShifting'),
    ),
    page: places,
  },
  {
    path: '/insights/supportNotes',
    title: 'Support Notes',
    words: 'Your notes to the support team: add one, read and edit the others.',
    in: '/insights',
    icon: IconNotes,
    gate: screenGate('supportNotes'),
    page: notConnected,
  },
  {
    path: '/insights/carbonemission',
    title: 'Carbon Emission',
    words: 'Emission of the grid by area and day, and its prognosis.',
    in: '/insights',
    icon: IconLeaf,
    gate: screenGate('carbonemission'),
    search: carbonSearch,
    page: () => import('#pages/carbon-emission/CarbonEmission.tsx'),
  },
  {
    path: '/insights/dayahead',
    title: 'Day ahead',
    words: 'Day-ahead prices of one to three days, with tax, and their download.',
    in: '/insights',
    icon: IconChartBar,
    gate: screenGate('dayahead'),
    search: dayAheadSearch,
    page: () => import('#pages/day-ahead/DayAhead.tsx'),
  },
  {
    path: '/insights/versionhistory',
    title: 'Version History',
    words: 'What changed in each version, with its release date.',
    in: '/insights',
    icon: IconHistory,
    gate: screenGate('versionhistory'),
    page: notConnected,
  },
  {
    path: '/insights/dataHub',
    title: 'Data Hub',
    words: 'Meters by CVR key, their consumption and cost, and their export.',
    in: '/insights',
    icon: IconDatabase,
    gate: screenGate('dataHub'),
    page: notConnected,
  },
  {
    path: '/insights/revenuePotentialCalculator',
    title: 'Revenue Potential Calculator',
    words: 'What a capacity would have earned in a market, month by month.',
    in: '/insights',
    icon: IconCalculator,
    gate: screenGate('revenuePotentialCalculator'),
    search: calculatorSearch,
    page: () => import('#pages/revenue-calculator/RevenueCalculator.tsx'),
  },
  {
    path: '/insights/loadShifting',
    title: 'Load Shifting',
    words: 'A plan that moves consumption to cheaper and cleaner hours, against the baseline.',
    in: '/insights',
    icon: IconChartArrowsVertical,
    gate: screenGate('loadShifting'),
    page: notConnected,
  },
  {
    path: '/eConomics',
    title: 'eConomics',
    words: 'Settlements and revenue by license, instance and day.',
    in: 'sidebar',
    icon: IconCoinEuro,
    gate: screenGate('eConomics'),
    page: notConnected,
  },
  {
    path: '/cfm',
    title: 'CFM',
    in: 'sidebar',
    icon: IconPlugConnected,
    gate: anyOf(screenGate('cfm'), screenGate('cfmdashboard'), screenGate('cfmTools'), screenGate('cfmMobilepay')),
    page: places,
  },
  {
    path: '/cfmdashboard',
    title: 'Charge Fleet Management',
    words: 'Charging sessions, their energy and cost.',
    short: 'CFM',
    in: '/cfm',
    icon: IconChargingPile,
    gate: screenGate('cfmdashboard'),
    page: () => import('#pages/cfm-dashboard/CfmDashboard.tsx'),
  },
  {
    path: '/cfm/tools',
    title: 'CFM Tools',
    short: 'Tools',
    words: 'Import of tags, registration of chargers, firmware and availability.',
    in: '/cfm',
    icon: IconTool,
    gate: screenGate('cfmTools'),
    page: notConnected,
  },
  {
    path: '/cfm/mobilepay',
    title: 'MobilePay',
    words: 'Payments of each charging session, their states and totals.',
    in: '/cfm',
    icon: IconDeviceMobileDollar,
    gate: screenGate('cfmMobilepay'),
    page: notConnected,
  },
  {
    path: '/profile',
    title: 'Edit Profile',
    words: 'Your name, e-mail, phone number and picture.',
    in: 'profile',
    icon: IconUser,
    page: () => import('#pages/account/Profile.tsx'),
  },
  {
    path: '/company',
    title: 'Company profile',
    words: 'Contact persons and invoice address of your company.',
    in: 'profile',
    icon: IconBuilding,
    page: () => import('#pages/account/Company.tsx'),
  },
  {
    path: '/security',
    title: 'Security',
    words: 'Two-step sign-in, and where you are signed in.',
    in: 'profile',
    icon: IconShieldLock,
    gate: screenGate('security'),
    page: () => import('#pages/account/Security.tsx'),
  },
  {
    path: '/apiKeys',
    title: 'API keys',
    words: 'Keys for your own programs to read this portal.',
    in: 'profile',
    icon: IconKey,
    gate: screenGate('apiKeys'),
    page: () => import('#pages/account/ApiKeys.tsx'),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    words: 'Your own addresses that this portal calls, and what was delivered.',
    in: 'profile',
    icon: IconWebhook,
    gate: screenGate('webhooks'),
    page: () => import('#pages/account/Webhooks.tsx'),
  },
  {
    path: '/audit',
    title: 'Audit trail',
    words: 'Who changed what, and when.',
    in: 'profile',
    icon: IconListCheck,
    gate: screenGate('audit'),
    page: () => import('#pages/account/AuditTrail.tsx'),
  },
  {
    path: '/emailSubscriptions',
    title: 'Email Subscriptions',
    words: 'Who is emailed when an instance is activated or a bid is accepted or rejected.',
    in: 'profile',
    icon: IconMail,
    gate: screenGate('emailSubscriptions'),
    page: notConnected,
  },
  {
    path: '/systemOverview',
    title: 'System Overview',
    in: 'profile',
    icon: IconHeartRateMonitor,
    gate: screenGate('systemOverview'),
    page: () => import('#pages/system-overview/SystemOverview.tsx'),
  },
  {
    path: '/$',
    title: 'Page not found',
    page: async () => ({ default: (await import('#shell/NotFoundPage.tsx')).NotFoundPage }),
  },
]
