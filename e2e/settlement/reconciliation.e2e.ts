import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { formatNumber, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { readXlsx, writeXlsx } from 'hucre'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { settledDay, settledMs } from '../support/settled.ts'
import { test } from '../support/test.ts'

const path = '/eConomics?tab=reconciliation'
const take = (page: Page) => page.getByRole('dialog', { name: 'Import a statement' })
const lines = (page: Page) => page.getByRole('table', { name: 'Lines of the statement' })

type Cells = (string | number)[]
const head = ['Instance', 'Product', 'Day', 'Availability (%)']

const sheetOf = async (name: string, amount: string, row: Cells) => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'Afregning', rows: [[...head, amount], row] }] })),
})
const chooseFile = async (page: Page, file: Awaited<ReturnType<typeof sheetOf>>) =>
  take(page).locator('input[type=file]').setInputFiles(file)

test('the operator’s statement: a wrong currency is refused, its columns are chosen, a difference has its cause and is settled with a note; R1 an auditor only reads it', async ({
  page,
  browser,
}, info) => {
  test.setTimeout(settledMs + 180_000)
  await signIn(page, people.expert, path)
  const { instanceIdName: instance, type, date, customer } = await settledDay(page)
  const theirs = roundDecimal(multiplyDecimals(customer, '0.9'), 2)
  const row = [instance, type, date, 90, Number(theirs)]
  const name = `Afregning ${Date.now()} forsøg ${info.retry}.xlsx`
  await page.getByRole('button', { name: 'Import a statement' }).click()
  await chooseFile(page, await sheetOf(name, 'Beløb (DKK)', row))
  await expect(take(page).getByText(m.statementCurrency('DKK'))).toBeVisible()
  await expect(take(page).getByRole('button', { name: 'Save comparison' })).toHaveCount(0)

  const file = await sheetOf(name, 'Det vi betaler', row)
  await chooseFile(page, file)
  await expect(take(page).getByText(m.statementNoAmount)).toBeVisible()
  await take(page).getByRole('combobox', { name: 'Your amount (EUR)' }).click()
  await page.getByRole('option', { name: 'Det vi betaler' }).click()
  const compared = take(page).getByRole('table', { name: 'Statement and settlements' })
  const own = (table: typeof compared) => table.getByRole('row').filter({ hasText: instance }).filter({ hasText: type })
  await expect(own(compared)).toContainText(formatNumber(theirs, { decimals: 2 }))
  await expect(own(compared)).toContainText('Differs')
  await expect(own(compared)).toContainText('Availability −')
  await expectClean(page)
  await take(page).getByRole('button', { name: 'Save comparison' }).click()

  await expect(page.getByRole('region', { name: 'Statement', exact: true })).toContainText(name)
  await own(lines(page)).getByRole('button', { name: 'Settle' }).click()
  const settle = page.getByRole('dialog', { name: 'Settle a difference' })
  await expect(settle).toContainText(formatDate(date))
  await settle.getByRole('button', { name: 'Mark as settled' }).click()
  await expect(settle.getByText(m.required)).toBeVisible()
  await settle.getByRole('textbox', { name: 'Note' }).fill('Aftalt med driften')
  await settle.getByRole('button', { name: 'Mark as settled' }).click()
  await expect(own(lines(page))).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Marked as settled' }).click()
  await expect(own(lines(page))).toContainText(`Aftalt med driften${people.expert}`)

  await page.getByRole('button', { name: 'All statements' }).click()
  await page.getByRole('button', { name: 'Import a statement' }).click()
  await chooseFile(page, file)
  await expect(take(page).getByText('This file has already been imported. Nothing changes.')).toBeVisible()

  const reader = await (await browser.newContext()).newPage()
  await signIn(reader, people.auditor, new URL(path, page.url()).href)
  for (const look of looks) {
    await useLook(reader, look)
    await reader.goto(new URL(path, page.url()).href)
    await reader.getByRole('button', { name }).click()
    await reader.getByRole('combobox', { name: 'Show' }).click()
    await reader.getByRole('option', { name: 'All', exact: true }).click()
    await expect(reader.getByText('Aftalt med driften')).toBeVisible()
    for (const tool of ['Settle', 'Reopen', 'Remove statement', 'Import a statement'])
      await expect(reader.getByRole('button', { name: tool, exact: true })).toHaveCount(0)
    await expectClean(reader)
  }
  await reader.context().close()
})

test('a month as PDF and Excel, and the recipients of its mail', async ({ page }) => {
  test.setTimeout(settledMs + 60_000)
  await signIn(page, people.expert, '/eConomics?tab=statements')
  const { date, instanceIdName } = await settledDay(page)
  const month = `${date.slice(5, 7)}.${date.slice(0, 4)}`
  const months = page.getByRole('region', { name: 'Monthly statements' })
  await page.reload()
  const rowOf = months.getByRole('row').filter({ hasText: month })
  const pdf = await downloadBy(page, () =>
    rowOf.getByRole('button', { name: `Download the statement of ${month} as PDF` }).click(),
  )
  expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await rowOf.getByRole('button', { name: `Settlements of ${month}` }).click()
  const xlsx = await downloadBy(page, () => page.getByRole('menuitem', { name: 'Download Excel' }).click())
  const { sheets } = await readXlsx(await readFile(await xlsx.path()))
  expect(JSON.stringify(sheets)).toContain(instanceIdName)

  const email = `bogholder${Date.now()}@nordhavn.example`
  await page.getByRole('button', { name: 'Add recipient' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add recipient' })
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Add recipient' }).click()
  await expect(page.getByText(m.statementReaderAdded)).toBeVisible()
  const reader = page.getByRole('region', { name: 'Mailed to' }).getByRole('row').filter({ hasText: email })
  await expect(reader).toContainText('Not yet')
  await reader.getByRole('button', { name: /^Remove/ }).click()
  await expect(reader).toHaveCount(0)
})
