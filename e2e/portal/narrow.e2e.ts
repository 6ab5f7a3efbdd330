import { expect, type Page } from '@playwright/test'
import { cutIn } from '../support/narrow.ts'
import { people, signIn } from '../support/people.ts'
import { publicPaths, signedInPaths, tabPaths } from '../support/screens.ts'
import { test } from '../support/test.ts'

/** The gallery walks all sizes and languages, the journeys the smallest one: a window of 1280 pixels at 400 % zoom. */
const isGallery = Boolean(process.env['GALLERY'])
const smallest = { width: 320, height: 640 }
const sizes = isGallery ? [{ width: 1024, height: 768 }, { width: 390, height: 844 }, smallest] : [smallest]
const withRange = '/demandResponse/FCR-D-INC?tab=market&range=2026-11-18T23:00:00Z/2026-11-20T00:00:00Z'
const languages = { en: 'English', ...(isGallery ? { da: 'Danish' } : {}) }
// Each language on a demo of its own.
test.describe.configure({ mode: 'parallel' })
/** A chart is read again at each width. */
const waiting = { timeout: 30_000 }
const softly = expect.configure({ soft: true, timeout: 4000 })

const isWhole = async (page: Page, path: string) => {
  await page.setViewportSize(sizes[0] ?? smallest)
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible(waiting)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect(page.getByRole('status', { name: /^(Loading|Henter)$/ })).toHaveCount(0, waiting)
    await softly.poll(() => cutIn(page), `${path}, ${size.width} px`).toEqual([])
  }
}

for (const [language, words] of Object.entries(languages)) {
  test.describe(words, () => {
    test.beforeEach(({ page }) => page.addInitScript((chosen) => localStorage.setItem('GM_LANGUAGE', chosen), language))

    test('no text of a public screen is cut and nothing scrolls sideways', async ({ page }) => {
      for (const path of publicPaths) await isWhole(page, path)
    })

    test('no text of a screen behind sign-in is cut and nothing scrolls sideways', async ({ page }) => {
      test.setTimeout(240_000 + 180_000 * sizes.length) // each screen is loaded anew
      await signIn(page, people.sudoer)
      for (const path of [...signedInPaths, ...tabPaths, withRange]) await isWhole(page, path)
    })
  })
}
