import { expect, type Locator, type Page } from '@playwright/test'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { cutIn } from '../support/narrow.ts'
import { people, signIn } from '../support/people.ts'
import { daysAgo } from '../support/settled.ts'
import { test } from '../support/test.ts'

const hub = '/insights/dataHub'
/** Readings of yesterday arrive in the morning, so an older day is complete. */
const wholeDay = `${hub}?date=${daysAgo(2)}`
const meters = (page: Page) => page.getByRole('navigation', { name: 'Meters' })
/** The demo's users add their keys after the start, and Eloverblik answers later. */
const reach = (page: Page, what: Locator) =>
  expect(async () => {
    if (!(await what.isVisible())) await page.reload()
    await expect(what).toBeVisible({ timeout: 4_000 })
  }).toPass({ timeout: 90_000 })

test(
  'a day of a meter: its sums, a formula with its sources, and a month that links to a day',
  { tag: '@product' },
  async ({ page }) => {
    await signIn(page, people.auditor, wholeDay)
    const meter = meters(page).getByRole('button', { name: /Fryserum 2/ })
    await reach(page, meter)
    await meter.click()
    await expect(page).toHaveURL(/device=/)
    await reach(page, page.getByText('96 of 96 quarters measured'))
    await expect(page.getByRole('region', { name: /^Fryserum 2 / }).getByText('Simulated')).toBeVisible()
    await page.getByRole('button', { name: /^Cost of 00:00–00:15: / }).click()
    const formula = page.getByRole('dialog', { name: 'How the cost is calculated' })
    await expect(formula.getByText(/kWh × \(/)).toBeVisible()
    await expect(formula.getByText('Source: Simulated (DayAheadPrices)')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('table', { name: 'The ten most expensive hours' }).getByRole('row')).toHaveCount(11)
    await page.getByText('Month', { exact: true }).click()
    await expect(page).toHaveURL(/view=month/)
    await page
      .getByRole('table', { name: 'Days' })
      .getByRole('button', { name: /^Open 01\./ })
      .click()
    await expect(page).toHaveURL(/date=\d{4}-\d\d-01/)
    await expect(page).not.toHaveURL(/view=/)
  },
)

test('a range of a meter stays in the address until another day is chosen', async ({ page }) => {
  await signIn(page, people.auditor, wholeDay)
  await reach(page, meters(page).getByRole('button', { name: /Fryserum 2/ }))
  await page.getByRole('button', { name: 'Time range' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/range=7d/)
  await page.reload()
  await expect(page.getByRole('region', { name: /^Fryserum 1 Last 7 days/ })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Hours' })).toBeVisible()
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(page).not.toHaveURL(/range=/)
  await expect(page.getByRole('table', { name: 'Readings' })).toBeVisible()
})

test('the data hub in its E3 app: all meters together over a day or a range, and the link to one meter', async ({
  page,
}) => {
  await signIn(page, people.sudoer, '/e3-App/dataHub')
  await expect(page.getByRole('region', { name: /^Data Hub / })).toBeVisible()
  await page.getByRole('button', { name: 'Time range' }).click()
  await page.getByRole('button', { name: 'Last 30 days' }).click()
  await expect(page).toHaveURL(/range=30d/)
  await expect(page.getByRole('region', { name: /^Data Hub Last 30 days/ })).toBeVisible()
  const row = page.getByRole('table', { name: 'Meters' }).getByRole('link', { name: 'Fryserum 1' })
  await reach(page, row)
  await row.click()
  await expect(page).toHaveURL(/\/insights\/dataHub\?device=/)
})

test('Details on a phone: another meter, a month, a formula and the download of several meters, and nothing is cut', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, people.auditor, wholeDay)
  const meter = page
    .getByRole('combobox', { name: 'Meter' })
    .or(page.getByRole('textbox', { name: 'Meter' }))
    .first()
  await reach(page, meter)
  await meter.click()
  await page.getByRole('option', { name: 'Fryserum 2' }).click()
  await expect(page).toHaveURL(/device=/)
  await reach(page, page.getByText('96 of 96 quarters measured'))
  expect.soft(await cutIn(page)).toEqual([])
  await page.getByRole('button', { name: /^Cost of 00:00–00:15: / }).click()
  const formula = page.getByRole('dialog', { name: 'How the cost is calculated' })
  await expect(formula.getByText(/kWh × \(/)).toBeVisible()
  expect.soft(await cutIn(page), 'formula').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Several meters …' }).click()
  const download = page.getByRole('dialog', { name: 'Download Excel' })
  await expect(download.getByRole('checkbox', { name: 'Fryserum 2' })).toBeChecked()
  await expect(download.getByRole('checkbox', { name: 'Fryserum 1' })).not.toBeChecked()
  expect.soft(await cutIn(page), 'download').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByText('Month', { exact: true }).click()
  await expect(page).toHaveURL(/view=month/)
  await expect(page.getByRole('list', { name: 'Days' })).toBeVisible()
  expect.soft(await cutIn(page), 'month').toEqual([])
})

test('axe finds nothing on the data hub', async ({ page }) => {
  await useLook(page, looks[0])
  await signIn(page, people.sudoer, hub)
  await reach(page, page.getByRole('table', { name: 'The ten most expensive hours' }))
  await expect(page.getByText(/(quarters|hours) measured/)).toBeVisible()
  await expectClean(page)
})
