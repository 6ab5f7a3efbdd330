import { expect } from '@playwright/test'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const days = (count: number) => {
  const day = new Date(Date.now() - count * 86_400_000)
  return day.toISOString().slice(0, 10)
}

test('the day ahead of two days, hours, reload and back', { tag: '@product' }, async ({ page }) => {
  await signIn(page, people.sudoer, `/insights/dayahead?date=${days(1)}`)
  const card = page.getByRole('region', { name: /^Nordpool/ })
  await expect(card.getByText(/9[26] quarters|100 quarters/)).toBeVisible()
  await page.getByRole('main').getByText('2', { exact: true }).click() // the bell may count two as well
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/days=2/)
  await page.getByText('Hour', { exact: true }).click()
  await expect(page).toHaveURL(/resolution=hour/)
  await page.reload()
  await expect(card.getByText(/4[6-9] hours|50 hours/)).toBeVisible()
  await card.getByRole('button', { name: 'Show as table' }).click()
  await expect(card.getByRole('columnheader', { name: /Tax included/ })).toBeVisible()
})

test('/demandResponse/dayahead leads to the day ahead', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/dayahead')
  await expect(page).toHaveURL(/\/insights\/dayahead/)
})

test('R2 an expert updates a tax and sees it in the prices; an auditor cannot', async ({ page, browser }) => {
  await signIn(page, people.expert, `/insights/dayahead?date=${days(1)}`)
  await page.getByRole('button', { name: 'Update Tax' }).click()
  const field = page.getByRole('textbox', { name: /Tax of DK2/ })
  await expect(field).toHaveValue('119')
  await field.fill('120,5')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByText('Update success!')).toBeVisible()
  await page
    .getByRole('region', { name: /^Nordpool/ })
    .getByRole('button', { name: 'Show as table' })
    .click()
  await expect(page.getByRole('cell', { name: '120,50' }).first()).toBeVisible()
  // Restored for the following journeys.
  await page.getByRole('button', { name: 'Update Tax' }).click()
  await page.getByRole('textbox', { name: /Tax of DK2/ }).fill('119')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByRole('cell', { name: '119,00' }).first()).toBeVisible()
  const other = await browser.newPage()
  await signIn(other, people.auditor, '/insights/dayahead')
  await expect(other.getByRole('button', { name: 'Download Price (Tax Included)' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Update Tax' })).toHaveCount(0)
})

test('a month of prices with tax is downloaded as an Excel file', async ({ page }) => {
  await signIn(page, people.auditor, '/insights/dayahead')
  await page.getByRole('button', { name: 'Download Price (Tax Included)' }).click()
  const form = page.getByRole('dialog', { name: 'Download Price (Tax Included)' })
  const file = await downloadBy(page, () => form.getByRole('button', { name: 'Download', exact: true }).click())
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
})

for (const look of looks)
  test(`the day ahead is axe clean in ${look.colorScheme}, ${look.width} wide`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, '/insights/dayahead')
    await expect(page.getByRole('region', { name: /^Nordpool/ })).toBeVisible()
    await expectClean(page)
  })
