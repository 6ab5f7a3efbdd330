import { expect } from '@playwright/test'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

for (const look of looks)
  test(`a company without trueGreen lands on its charge fleet: ${look.colorScheme}, ${look.width} px`, async ({
    page,
  }) => {
    await useLook(page, look)
    await signIn(page, people.vestkyst, '/')
    await expect(page).toHaveURL(/\/cfmdashboard$/)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await expect(attention.getByText('Never connected.')).toBeVisible()
    await expect(attention.getByRole('link', { name: 'Rampe 4' }).first()).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('list', { name: 'Chargers by state' })).toContainText('Faulted')
    await expectClean(page)
    await attention.getByRole('link', { name: 'Rampe 4' }).first().click()
    await expect(page.getByRole('heading', { name: /^Rampe 4/ })).toBeVisible()
  })

test('tags are imported from a file: the effect of each row, its errors, then the tags', async ({ page }) => {
  const tag = `T${Date.now()}`
  await signIn(page, people.expert, '/cfm/tools')
  await page.locator('input[type=file]').setInputFiles({
    name: 'tags.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Navn;Tag-ID;Gruppe;Aktiv\r\nKølebil ${tag};${tag};Kølebiler;ja\r\n;X1;;ja\r\n`),
  })
  const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('New')
  await expect(rows.nth(2)).toContainText('This field is required')
  await expectClean(page)
  await page.getByRole('button', { name: 'Save 1 tag' }).click()
  await expect(page.getByText('1 tag saved')).toBeVisible()
  await page.goto('/e3-App/evCharging?tab=tag')
  await expect(page.getByRole('row', { name: new RegExp(tag) })).toContainText('Kølebiler')
})

test('R1 an auditor has no access to the tools', async ({ page }) => {
  await signIn(page, people.auditor, '/cfm/tools')
  await expect(page.getByText('Oops! You are not authorized to access this!')).toBeVisible()
})
