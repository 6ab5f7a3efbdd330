import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const path = '/demandResponse/FCR-D-INC?tab=events'
const menuOf = (page: Page, view: string) => page.getByRole('button', { name: `View: ${view}` })
const choose = async (page: Page, view: string, item: string) => {
  await menuOf(page, view).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const columns = (page: Page) => page.getByRole('table').first().getByRole('columnheader')

/** Saves a view as an earlier version of the portal may have left it. */
const storeView = (page: Page, name: string, search: string) =>
  page.evaluate(
    async ([key, body]) => {
      const answer = await fetch('/api/client/saved-view', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem(key)}` },
        body,
      })
      return ((await answer.json()) as { data: { view: { _id: string } } }).data.view._id // as the contract has it
    },
    [storageKeys.token, JSON.stringify({ list: 'events', name, search })] as const,
  )

test('a view of filters, columns and order is saved for the company, opens by default, and a colleague opens its link', async ({
  page,
  browser,
}) => {
  await signIn(page, people.sudoer, path)
  await page.getByRole('button', { name: 'Columns of the table' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns of the table' })
  await dialog.getByRole('checkbox', { name: /^Capacity used/ }).check()
  await dialog.getByRole('checkbox', { name: /^Duration/ }).uncheck()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await columns(page)
    .getByRole('button', { name: /^Delta Load/ })
    .click()
  await expect(page).toHaveURL(/sort=deltaLoad/)
  await choose(page, 'Standard view', 'Save for the company …')
  await page.getByRole('textbox', { name: 'Name' }).fill('Duty officer')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(menuOf(page, 'Duty officer')).toBeVisible()
  const link = page.url()

  await choose(page, 'Duty officer', 'Open by default')
  await expect(page.getByText(m.settingSaved, { exact: true })).toBeVisible()
  await page.goto(path)
  await expect(menuOf(page, 'Duty officer')).toBeVisible()
  await expect(columns(page).filter({ hasText: 'Capacity used' })).toHaveCount(1)
  await expect(columns(page).filter({ hasText: 'Duration' })).toHaveCount(0)
  await expect(columns(page).filter({ hasText: 'Delta Load' })).toHaveAttribute('aria-sort', 'ascending')

  const context = await browser.newContext()
  const colleague = await context.newPage()
  await signIn(colleague, people.expert, link)
  await expect(menuOf(colleague, 'Duty officer')).toBeVisible()
  await expect(columns(colleague).filter({ hasText: 'Capacity used' })).toHaveCount(1)
  await menuOf(colleague, 'Duty officer').click()
  await expect(colleague.getByRole('menuitem', { name: 'Delete view' })).toHaveCount(0)
  await colleague.goto(path)
  await expect(menuOf(colleague, 'Standard view')).toBeVisible()
  await context.close()
})

test('a view whose column and instance are gone reports it and lists the rest; a private view is not there for others', async ({
  page,
  browser,
}) => {
  await signIn(page, people.sudoer, path)
  const id = await storeView(
    page,
    'Old plant',
    'instance=018f0000-0000-7000-8000-0000000000ff&columns=start,gone,score&sort=score&order=desc',
  )
  await page.goto(`${path}&saved=${id}`)
  await expect(page.getByText('A filter or column of this view no longer exists.', { exact: false })).toBeVisible()
  await expect(columns(page)).toHaveText([/S.No/, /Start time/, /Score/, /Actions/])
  await expect(columns(page).filter({ hasText: 'Score' })).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('row').nth(1)).toBeVisible()

  const context = await browser.newContext()
  const colleague = await context.newPage()
  await signIn(colleague, people.expert, `${path}&saved=${id}`)
  await expect(colleague.getByText('This view does not exist or is not shared with you.')).toBeVisible()
  await expect(colleague.getByRole('row').nth(1)).toBeVisible()
  await context.close()

  await choose(page, 'Old plant', 'Delete view')
  await expect(page.getByText(m.viewDeleted)).toBeVisible()
  await expect(menuOf(page, 'Standard view')).toBeVisible()
})
