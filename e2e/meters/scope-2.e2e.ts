import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { downloadBy } from '../support/downloads.ts'
import { expectClean } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const report = (page: Page) => page.getByRole('region', { name: 'Scope 2, location-based' })

/** The demo's users add their keys after the start; until then there is no choice. */
const open = async (page: Page, email: string) => {
  await signIn(page, email, '/insights/scope2')
  const count = page.getByText(/^\d+ meters$/).first()
  await expect(async () => {
    if (!(await count.isVisible())) await page.reload()
    await expect(count).toBeVisible({ timeout: 3000 })
  }).toPass()
}

test('a report on the meters of the company is created, lists unknown values, and is downloaded as PDF and Excel', async ({
  page,
}) => {
  await open(page, people.sudoer)
  await page.getByRole('button', { name: 'Create report' }).click()
  await expect(report(page).getByText('Time covered')).toBeVisible({ timeout: 60_000 })
  await expect(page).toHaveURL(/report=/)
  await report(page).getByText('By meter', { exact: true }).click()
  await expect(page).toHaveURL(/by=meters/)
  await expectClean(page)
  for (const [item, start] of [
    ['Download PDF', '%PDF-1.7'],
    ['Download Excel by meter', 'PK'],
  ] as const) {
    await report(page).getByRole('button', { name: 'Export' }).click()
    const download = await downloadBy(page, () => page.getByRole('menuitem', { name: item }).click())
    expect((await readFile(await download.path())).toString('latin1').startsWith(start)).toBe(true)
  }
})

test('an auditor finds the report in the list and opens it again', async ({ page }) => {
  await open(page, people.auditor)
  const list = page.getByRole('region', { name: 'Reports' })
  await list.getByRole('button', { name: /–/ }).first().click()
  await expect(report(page).getByText(/by sudoer@nordhavn\.example$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create report' })).toBeEnabled()
})
