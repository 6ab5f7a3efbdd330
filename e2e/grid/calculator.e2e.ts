import { expect } from '@playwright/test'
import { expectClean } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('another area, two megawatts, reload: the same request and the same answer', async ({ page }) => {
  await signIn(page, people.auditor, '/insights/revenuePotentialCalculator')
  await page.getByRole('combobox', { name: 'Select Area' }).click()
  await page.getByRole('option', { name: 'DK1' }).click()
  await expect(page.getByRole('combobox', { name: 'Select Market' })).toHaveValue('FCR')
  await page.getByRole('textbox', { name: /Capacity \(MW\)/ }).fill('2')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/area=DK1&capacity=2/)
  await page.reload()
  await expect(page.getByRole('textbox', { name: /Capacity \(MW\)/ })).toHaveValue('2')
  await expect(page.getByRole('region', { name: 'Revenue in DKK' })).toBeVisible()
  await expect(page.getByText(/Price per MW per/)).toBeVisible()
  await expectClean(page)
})

test('which markets an asset can join, with the rule that decides', async ({ page }) => {
  await signIn(page, people.sudoer, '/insights/revenuePotentialCalculator?area=DK2')
  const fit = page.getByRole('region', { name: 'Which markets can my asset join?' })
  await expect(fit.getByRole('row', { name: /^FCR No – Not sold in DK2/ })).toBeVisible()
  await fit.getByRole('textbox', { name: 'Response time (s)' }).fill('8')
  await expect(fit.getByRole('row', { name: /^FCR-D-INC No – Must respond within 7,5 s/ })).toBeVisible()
})
