import { expect, type Page } from '@playwright/test'
import { cutIn } from '../support/narrow.ts'
import { people, signIn } from '../support/people.ts'
import { publicPaths, signedInPaths } from '../support/screens.ts'
import { test } from '../support/test.ts'

// A window of 1280 pixels at 400 % zoom is 320 wide.
test.use({ viewport: { width: 320, height: 640 } })

const isWhole = async (page: Page, path: string) => {
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  expect.soft(await cutIn(page), path).toEqual([])
}

test('every public screen at 400 %: no text is cut and nothing scrolls sideways', async ({ page }) => {
  for (const path of publicPaths) await isWhole(page, path)
})

test('every screen behind sign-in at 400 %: no text is cut and nothing scrolls sideways', async ({ page }) => {
  test.setTimeout(240_000) // each screen is loaded anew
  await signIn(page, people.sudoer)
  for (const path of signedInPaths) await isWhole(page, path)
})
