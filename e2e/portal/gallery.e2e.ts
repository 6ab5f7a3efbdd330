// npm run gallery: a picture of each screen, light and dark, wide and phone, English and Danish, in the colours of two customers, in
// e2e/gallery/ for manual inspection; four of them are in docs/ for the README. GALLERY_URL uses a running demo.
import { storageKeys } from '@gridmast/contract/limits.ts'
import { historyProgress } from '@gridmast/contract/operator/system.ts'
import { expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import { type ReadmePicture, recordPicture } from '../../tools/readme-pictures.ts'
import { root } from '../../tools/run.ts'
import { people, signIn } from '../support/people.ts'
import { screens } from '../support/screens.ts'
import { test } from '../support/test.ts'

const folder = process.env['GALLERY_DIR'] ?? join(import.meta.dirname, 'gallery')

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
