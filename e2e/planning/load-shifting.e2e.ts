import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const path = '/insights/loadShifting'
const backtests = `${path}?tab=backtest`
const form = (page: Page) => page.getByRole('form', { name: 'New plan' })
/** The page reads the loads once, and chargers of a demo connect in its first minute. */
const choose = (page: Page, name: RegExp) =>
  expect(async () => {
    await page.reload()
    await page.getByRole('combobox', { name: 'What is planned' }).click()
    await page.getByRole('option', { name }).first().click({ timeout: 2000 })
  }).toPass({ timeout: 90_000 })
const site = /\(\d+ chargers\)/

test(
  'a sudoer plans a charging site, compares it with its baseline and accepts it: the schedule is sent',
  { tag: '@product' },
  async ({ page }) => {
    await signIn(page, people.sudoer, path)
    await choose(page, site)
    await form(page).getByRole('textbox', { name: 'Energy need' }).fill('20')
    await form(page).getByRole('slider', { name: 'Weights' }).focus()
    await page.keyboard.press('End')
    await expect(form(page).getByText('Cost 100 %')).toBeVisible()
    await page.getByRole('button', { name: 'Create plan' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await expect(result).toContainText('Saved against baseline', { timeout: 60_000 })
    await expect(result).toContainText('20,0')
    await expect(page.getByText('Baseline: immediately, at full power')).toBeVisible()
    await page.getByRole('button', { name: 'Send plan to chargers' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Send|Replace and send)$/ })
      .click()
    await expect(page.getByText(m.planAccepted)).toBeVisible()
    await expect(result).toContainText('Followed')
    await expect(page.getByRole('region', { name: 'Sent to' })).toBeVisible()
  },
)

test('a need that cannot be met names the smallest value that works, and the form keeps the typed values', async ({
  page,
}) => {
  await signIn(page, people.sudoer, path)
  await choose(page, /Nordhavn Køl 1/)
  const need = form(page).getByRole('textbox', { name: 'Energy need' })
  await need.fill('900000')
  await page.getByText('Site, capacity tariff and baseline').click()
  await page.getByRole('checkbox', { name: /whole need must be met/ }).check()
  await page.getByRole('button', { name: 'Create plan' }).click()
  await expect(page.getByText('No plan is possible')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/is [\d.,]+ kWh?\. With [\d.,]+ kWh? a plan is possible\./).first()).toBeVisible()
  await expect(need).toHaveValue(/^900\.?000$/)
})

test('a backtest runs in the background and is listed with the earlier backtests', async ({ page }) => {
  await signIn(page, people.sudoer, backtests)
  await choose(page, site)
  await page.getByRole('textbox', { name: 'Energy need a day' }).fill('30')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  const card = page.getByRole('region', { name: 'Backtest', exact: true })
  // The progress depends on the demo's days of prices.
  await expect(card.or(page.getByRole('region', { name: 'Result' }))).toContainText(
    /days are planned|Waiting to start|Loading prices|benchmark is being calculated|Saved against no plan|No prices are available/,
  )
  const earlier = page.getByRole('region', { name: 'Earlier backtests' })
  await expect(earlier.getByRole('row').nth(1)).toContainText(/Done|Not possible/, { timeout: 90_000 })
  await page.reload()
  await expect(earlier.getByRole('row').nth(1)).toContainText(/Done|Not possible/)
})

test('R1 an auditor sees plans and backtests, and cannot create, send or stop one', async ({ page }) => {
  await signIn(page, people.auditor, path)
  await expect(page.getByRole('region', { name: 'Plans' }).getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('button', { name: /Create plan|Send plan|Stop following/ })).toHaveCount(0)
  await page.goto(backtests)
  await expect(page.getByRole('region', { name: 'Earlier backtests' }).getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('button', { name: /Run backtest|Stop/ })).toHaveCount(0)
})

for (const look of looks)
  test(`plan, savings and backtests are clean in ${look.colorScheme} at ${look.width}`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, path)
    for (const tab of ['', '?tab=savings', '?tab=backtest']) {
      await page.goto(`${path}${tab}`)
      await expect(page.getByRole('region').first()).toBeVisible()
      await expect(page.locator('[class*=Skeleton]')).toHaveCount(0)
      await expectClean(page)
    }
  })
