import { expect } from '@playwright/test'
import { expectClean } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('emission of yesterday, its prognosis for today, and the share of the company', async ({ page }) => {
  await signIn(page, people.auditor, '/insights/carbonemission')
  await expect(page.getByRole('combobox', { name: 'Area' })).toHaveValue('DK2')
  await expect(page.getByRole('region', { name: /^Own emission \(kg CO₂\)/ })).toBeVisible()
  const emission = page.getByRole('region', { name: /^Emission \(g\/kWh CO₂\)/ })
  await expect(emission.getByText(/Last Reported: \d\d\./)).toBeVisible()
  await expectClean(page)
  await page.getByRole('tab', { name: 'Emission Prognosis' }).click()
  await expect(page).toHaveURL(/tab=prognosis/)
  await expect(page.getByRole('region', { name: /^Emission Prognosis/ }).getByText('Estimated')).toBeVisible()
  await page.goBack()
  await expect(emission).toBeVisible()
})

test('a range of the emission next to its prognosis stays in the address', async ({ page }) => {
  await signIn(page, people.auditor, '/insights/carbonemission')
  await page.getByRole('button', { name: 'Time range' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/range=7d/)
  await page.getByRole('combobox', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: 'Emission Prognosis' }).click()
  await expect(page).toHaveURL(/compare=prognosis/)
  await page.reload()
  const emission = page.getByRole('region', { name: /^Emission \(g\/kWh CO₂\) Last 7 days/ })
  await expect(emission.getByText('Emission prognosis', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: /^Own emission \(kg CO₂\) Last 7 days/ })).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(page).not.toHaveURL(/range=/)
})
