import { expect, type Page } from '@playwright/test'
import { people, signIn } from '../support/people.ts'
import { publicPaths, signedInPaths, tabPaths } from '../support/screens.ts'
import { smallTargetsIn } from '../support/targets.ts'
import { test } from '../support/test.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const isLarge = async (page: Page, path: string) => {
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  expect.soft(await smallTargetsIn(page), path).toEqual([])
}

test('every target of a public screen is 44 × 44 px for a finger', async ({ page }) => {
  for (const path of publicPaths) await isLarge(page, path)
})

test('every target of a screen behind sign-in is 44 × 44 px for a finger', async ({ page }) => {
  test.setTimeout(420_000) // each screen is loaded anew
  await signIn(page, people.sudoer)
  for (const path of [...signedInPaths, ...tabPaths]) await isLarge(page, path)
})

test('every target of the drawer, the menus and the search is 44 × 44 px for a finger', async ({ page }) => {
  await signIn(page, people.sudoer, '/insights')
  for (const name of ['Open menu', /^Notifications/, /Profile menu/]) {
    await page.getByRole('button', { name }).click()
    expect.soft(await smallTargetsIn(page), String(name)).toEqual([])
    await page.keyboard.press('Escape')
  }
})
