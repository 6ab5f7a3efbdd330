import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { expectClean, looks, useLook } from './support/axe.ts'
import { people, signIn } from './support/people.ts'
import { test } from './support/test.ts'

const path = '/demandResponse/FCR-D-INC?tab=requestBid'
const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** The demo asks for the others' weeks by itself. */
const chooseLab = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'Lab' }).click()
}
const rowOf = (page: Page) => page.getByRole('table', { name: 'Bid requests' }).getByRole('row').nth(1)

test('an expert asks for bids by keyboard alone, sees what they would have earned, changes and deletes the request', async ({
  page,
}) => {
  await signIn(page, people.expert, path)
  await page.getByRole('button', { name: 'Create Request' }).click()
  await chooseLab(page)
  await cell(page, '00–01 MW').fill('0,2')
  await page.keyboard.press('Control+d')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('1,5')
  await page.keyboard.press('Control+d')
  await expect(cell(page, '23–24 MW')).toHaveValue('0,200')
  await expect(page.getByText(/^won \d+ of \d+/).first()).toBeVisible()
  await cell(page, 'Note').fill('As agreed')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(m.bidRequestCreated)).toBeVisible()
  await expect(rowOf(page)).toContainText('Pending')
  await rowOf(page).getByRole('button', { name: /^Edit/ }).click()
  await expect(cell(page, '12–13 EUR/MW')).toHaveValue('1,50')
  await cell(page, '12–13 MW').fill('0,3')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(m.bidRequestUpdated)).toBeVisible()
  await rowOf(page)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(m.bidRequestDeleted)).toBeVisible()
  await page.getByText('Past', { exact: true }).click()
  await expect(page).toHaveURL(/filter=past/)
  await expect(rowOf(page)).toContainText('Withdrawn')
})

test('a column of a sheet is pasted, and what was typed is not lost by leaving', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, people.expert, path)
  await page.getByRole('button', { name: 'Create Request' }).click()
  await page.evaluate(() => navigator.clipboard.writeText('0,1\t10\n0,2\t20,5\n0.3\t30'))
  await cell(page, '03–04 MW').focus()
  await page.keyboard.press('Control+v')
  await expect(cell(page, '04–05 EUR/MW')).toHaveValue('20,50')
  await expect(cell(page, '05–06 MW')).toHaveValue('0,300')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Leave without saving?')).toBeVisible()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(cell(page, '05–06 MW')).toHaveValue('0,300')
})

test('R1 an auditor reads only; a day with nothing sold still shows what stood ready', async ({ page }) => {
  await signIn(page, people.auditor, path)
  await expect(page.getByText(/^Total Count/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Request' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Sold Capacity (kW)' }).click()
  await expect(page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })).toBeVisible()
})

test('what is sold ahead is told as expected, at risk or unknown, with whom to call; home says the same', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await signIn(page, people.expert, '/demandResponse/FCR-D-INC?tab=soldCapacity')
  // The demo makes its bids of this week as soon as the prices of the month are there; the guard looks every five minutes.
  const panel = page.getByRole('region', { name: 'Slots at risk' }).first()
  await expect(panel).toBeVisible({ timeout: 200_000 })
  await expect(panel).toContainText(/Vagt|expected to be there|nothing is known yet/)
  await expectClean(page)
  await page.goto('/')
  await expect(page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })).toHaveCount(2)
})

for (const look of looks)
  test(`the form and the tabs are clean: ${look.colorScheme}, ${look.width}`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.expert, path)
    await page.getByRole('button', { name: /Create Request|Opret anmodning/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectClean(page)
  })
