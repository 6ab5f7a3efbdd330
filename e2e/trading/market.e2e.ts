import { expect } from '@playwright/test'
import { downloadBy } from '../support/downloads.ts'
import { expectClean } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('tabs in the address: changing the tab resets the others, back and reload keep them', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/FCR-D-INC?tab=market&priceType=D-1')
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('D-1')
  await page.getByRole('tab', { name: 'Signal' }).click()
  await expect(page).toHaveURL(/\?tab=signal$/)
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Signal' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page).toHaveURL(/\?tab=market&priceType=D-1$/)
})

test('the frequency of a quarter of an hour with its two lines, and its auto refresh', async ({ page }) => {
  await signIn(page, people.auditor, '/demandResponse/FCR-D-INC?tab=signal')
  const card = page.getByRole('region', { name: /^Frequency \(Hz\)/ })
  await expect(card).toBeVisible()
  await page.getByRole('switch', { name: 'Auto refresh' }).press(' ')
  await expect(page.getByText(/in \d+ s/)).toBeVisible()
  await card.getByRole('button', { name: 'Show as table' }).click()
  await expect(card.getByRole('cell', { name: /^(49|50),\d{3}$/ }).first()).toBeVisible()
})

test('a market that is called by a set point shows it', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/aFRR?tab=signal')
  await expect(page.getByRole('region', { name: /^Set Point \(%\)/ })).toBeVisible()
})

test('prices of a range of days are downloaded as an Excel file', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/FCR-D-INC?tab=market')
  await page.getByRole('button', { name: 'Bulk Download Excel file' }).click()
  const form = page.getByRole('dialog')
  const file = await downloadBy(page, () => form.getByRole('button', { name: 'Download', exact: true }).click())
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
})

test('prices of a range stay in the address until another day is chosen', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/FCR-D-INC?tab=market')
  await page.getByRole('button', { name: 'Time range' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/range=7d/)
  await page.reload()
  const card = page.getByRole('region', { name: /Pricing \(DKK\/MW\) Last 7 days/ })
  await expect(card.getByText(/^Lowest \d\d\.\d\d\. /)).toBeVisible()
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(page).not.toHaveURL(/range=/)
})

test('prices of today that are 37 hours old are marked as stale', async ({ page }) => {
  await page.route('**/api/client/data/pricing/**', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: object } // as the contract has it
    const lastReported = new Date(Date.now() - 37 * 3_600_000).toISOString()
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, lastReported } } })
  })
  await signIn(page, people.sudoer, '/demandResponse/FCR-D-INC?tab=market')
  const card = page.getByRole('region', { name: /Pricing/ })
  await expect(card.getByText('Stale.')).toBeVisible()
  await expect(card.getByText('Last report 37 h ago.')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' }) // a request of a card that is read again
})

for (const tab of ['market', 'signal'])
  test(`the tab ${tab} is axe clean`, async ({ page }) => {
    await signIn(page, people.sudoer, `/demandResponse/aFRR?tab=${tab}`)
    await expect(page.getByRole('region', { name: tab === 'market' ? /Pricing/ : /^Frequency/ })).toBeVisible()
    await expectClean(page)
  })
