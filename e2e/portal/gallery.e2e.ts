// npm run gallery: a picture of each screen, light and dark, wide and phone, English and Danish, in the colours of two customers, in
// e2e/gallery/ for manual inspection; four of them are in docs/ for the README. GALLERY_URL uses a running demo.
import { storageKeys } from '@gridmast/contract/limits.ts'
import { historyProgress } from '@gridmast/contract/operator/system.ts'
import { expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import { type ReadmePicture, recordPicture } from '../../tools/readme-pictures.ts'
import { root } from '../../tools/run.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const folder = process.env['GALLERY_DIR'] ?? join(import.meta.dirname, 'gallery')

const screens = {
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

const looks = [
  { name: 'light-1440-en', colorScheme: 'light', width: 1440, language: 'en', person: people.sudoer },
  { name: 'dark-1440-da', colorScheme: 'dark', width: 1440, language: 'da', person: people.sudoer },
  { name: 'light-390-da', colorScheme: 'light', width: 390, language: 'da', person: people.sudoer },
  { name: 'dark-390-en', colorScheme: 'dark', width: 390, language: 'en', person: people.sudoer },
  // The other customer has its own green and other licences.
  { name: 'second-colour-light-1440-en', colorScheme: 'light', width: 1440, language: 'en', person: people.vestkyst },
  { name: 'second-colour-dark-390-da', colorScheme: 'dark', width: 390, language: 'da', person: people.vestkyst },
] as const

/** The viewport is as high as the page, so that every chart is visible and drawn. */
const photograph = async (page: Page, name: string, width: number) => {
  await expect(page.getByRole('status', { name: /^(Loading|Henter)$/ })).toHaveCount(0)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(900, height) })
  // Two frames for each chart that draws later.
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame)
  })
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.setViewportSize({ width, height: 900 })
}

type ReadmeView = {
  name: ReadmePicture
  path: string
  person: string
  colorScheme?: 'dark'
  prepare?: (page: Page) => Promise<void>
}

const openScore = async (page: Page) => {
  await page.getByRole('navigation', { name: 'Group' }).getByRole('button', { name: 'Nordhavn Køl 1' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Delivered' })
  await row
    .getByRole('button', { name: /^Data Log/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Delivery score' })).toBeVisible()
}

const readmeViews: ReadmeView[] = [
  { name: 'home', path: '/', person: people.sudoer },
  {
    name: 'event',
    path: '/demandResponse/FCR-D-INC?deltaLoad=60',
    person: people.sudoer,
    colorScheme: 'dark',
    prepare: openScore,
  },
  { name: 'economics', path: '/eConomics', person: people.sudoer },
  { name: 'fleet', path: '/cfmdashboard', person: people.vestkyst },
]

/** Until then a demo shows the progress of its history. */
const pastMs = 40 * 60_000
const tallest = 1700

for (const { name, path, person, colorScheme = 'light', prepare } of readmeViews)
  test(`README ${name}`, async ({ page }) => {
    test.setTimeout(pastMs + 60_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, person, path)
    const imported = page.getByRole('link', { name: /^History is being imported/ })
    await expect(async () => {
      const answered = page.waitForResponse((response) => response.url().endsWith(historyProgress.path))
      await Promise.all([answered, page.reload()])
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expect(imported).toHaveCount(0, { timeout: 1000 })
    }).toPass({ timeout: pastMs, intervals: [15_000] })
    await prepare?.(page)
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width: 1440, height: Math.min(tallest, Math.max(900, height)) })
    await page.waitForTimeout(1500) // live charts animate to their first values
    await page.screenshot({ path: join(root, 'docs', `${name}.png`) })
    recordPicture(name)
  })

for (const { name, colorScheme, width, language, person } of looks)
  test(`pictures ${name}`, async ({ page }) => {
    test.setTimeout(300_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await page.addInitScript((chosen) => localStorage.setItem('GM_LANGUAGE', chosen), language)
    await signIn(page, person)
    for (const [screen, path] of Object.entries(screens)) {
      await page.goto(path)
      await expect(page.locator('main')).toBeVisible()
      await photograph(page, `${screen}-${name}`, width)
    }
    await page.evaluate((key) => localStorage.removeItem(key), storageKeys.token)
    await page.goto('/auth/login')
    await expect(page.locator('form')).toBeVisible()
    await photograph(page, `sign-in-${name}`, width)
  })
