import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const path = '/emailSubscriptions'
const rowOf = (page: Page, email: string) => page.getByRole('row', { name: new RegExp(email) })
const add = async (page: Page, emails: string, instance: string) => {
  await page.getByRole('tab', { name: 'Add Emails' }).click()
  await page.getByRole('combobox', { name: 'Emails' }).pressSequentially(emails)
  await page.getByRole('combobox', { name: 'Instance' }).click()
  await page.getByRole('option', { name: instance }).click()
  await page.getByRole('button', { name: 'Add Emails' }).click()
}

test('an expert adds several addresses at once, switches one off and removes it, from the profile menu', async ({
  page,
}) => {
  await signIn(page, people.expert)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('dialog', { name: 'Profile menu' }).getByText('Email Subscriptions').click()
  await add(page, 'vagt@nordhavn.example, drift@nordhavn.example ', 'Nordhavn Køl 1')
  await expect(page.getByText(m.subscriptionsAdded)).toBeVisible()
  await expect(rowOf(page, 'vagt@')).toContainText('Nordhavn Køl 1')
  const activation = rowOf(page, 'drift@').getByRole('switch', { name: /^Activation/ })
  await expect(activation).toBeChecked()
  await activation.click()
  await expect(page.getByText(m.updateSuccess)).toBeVisible()
  await page.reload()
  await expect(rowOf(page, 'drift@').getByRole('switch', { name: /^Activation/ })).not.toBeChecked()
  await add(page, 'VAGT@nordhavn.example ', 'Nordhavn Køl 1')
  await expect(page.getByText(`VAGT@nordhavn.example: ${m.alreadySubscribed}`)).toBeVisible()
  await page.getByRole('tab', { name: 'Emails', exact: true }).click()
  await page.getByRole('button', { name: /^Remove drift@/ }).click()
  await expect(rowOf(page, 'drift@')).toHaveCount(0)
})

test('the filter is in the address, and the file contains the filtered rows', async ({ page }) => {
  await signIn(page, people.sudoer, path)
  await page.getByRole('textbox', { name: 'Filter' }).fill('vagt')
  await expect(page).toHaveURL(/filter=vagt/)
  await page.reload()
  await expect(rowOf(page, 'vagt@')).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloadBy(page, () => page.getByRole('menuitem', { name: 'Download CSV' }).click())
  expect(await readFile(await download.path(), 'utf8')).toContain(
    '1,vagt@nordhavn.example,Nordhavn Køl 1,fcr_based,Yes,Yes',
  )
})

test('R1 an auditor reads them and cannot change them', async ({ page }) => {
  await signIn(page, people.auditor, path)
  await expect(rowOf(page, 'vagt@')).toContainText('On')
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expect(page.getByRole('switch')).toHaveCount(0)
})

test('T1 another customer sees no subscription', async ({ page }) => {
  await signIn(page, people.vestkyst, path)
  await expect(page.getByText('No Records To Display')).toBeVisible()
})

test('S5 a link with an invalid signature removes no subscription, and leaves the address bar', async ({ page }) => {
  await page.goto(`/auth/unsubscribe/${'A'.repeat(64)}`)
  await expect(page).toHaveURL(/\/auth\/unsubscribe$/)
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(m.undoExpired)
  await expectClean(page)
})

for (const look of looks)
  test(`both tabs are axe clean, ${look.colorScheme} ${look.width}`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, path)
    await expect(page.getByText('vagt@nordhavn.example')).toBeVisible()
    await expectClean(page)
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/subs-shots/list-${look.width}.png` })
    await page.getByRole('tab').last().click()
    await expectClean(page)
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/subs-shots/add-${look.width}.png` })
  })
