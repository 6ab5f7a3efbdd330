import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { settledDay, settledMs } from '../support/settled.ts'
import { test } from '../support/test.ts'

const path = '/demandResponse/FCR-D-INC?tab=requestBid'
const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** The demo creates requests for the weeks of the other instances itself. */
const chooseLab = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'Lab' }).click()
}
/** The newest request of the Lab; until the list is read again, the first row is one of the demo's. */
const rowOf = (page: Page) =>
  page.getByRole('table', { name: 'Bid requests' }).getByRole('row').filter({ hasText: 'Lab' }).first()

test(
  'an expert places bids by keyboard alone, sees their earlier earnings, changes and deletes the request',
  { tag: '@product' },
  async ({ page }) => {
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
    await page.getByRole('button', { name: 'Submit request' }).click()
    await expect(page.getByText(m.bidRequestCreated)).toBeVisible()
    await expect(rowOf(page)).toContainText('Pending')
    await rowOf(page).getByRole('button', { name: /^Edit/ }).click()
    await expect(cell(page, '12–13 EUR/MW')).toHaveValue('1,50')
    await cell(page, '12–13 MW').fill('0,3')
    await page.getByRole('button', { name: 'Submit request' }).click()
    await expect(page.getByText(m.bidRequestUpdated)).toBeVisible()
    await rowOf(page)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(m.bidRequestDeleted)).toBeVisible()
    await page.getByText('Past', { exact: true }).click()
    await expect(page).toHaveURL(/filter=past/)
    await expect(rowOf(page)).toContainText('Withdrawn')
  },
)

test('a column of a sheet is pasted, and leaving the page does not lose typed values', async ({ page, context }) => {
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
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Keep editing' })
    .click()
  await expect(cell(page, '05–06 MW')).toHaveValue('0,300')
})

test('R1 an auditor reads only; a day without sold capacity shows the ready capacity', async ({ page }) => {
  await signIn(page, people.auditor, path)
  await expect(page.getByText(/^Total Count \d/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Request' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Sold Capacity (kW)' }).click()
  await expect(page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })).toBeVisible()
})

test('sold capacity is expected, at risk or unknown, with a contact; home shows the same', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page, people.expert, '/demandResponse/FCR-D-INC?tab=soldCapacity')
  // The demo places its bids of this week as soon as the month's prices are available; the check runs every five minutes.
  const panel = page.getByRole('region', { name: 'Slots at risk' }).first()
  await expect(panel).toBeVisible({ timeout: 200_000 })
  await expect(panel).toContainText(/Vagt|Expected capacity covers|No forecast/)
  await expectClean(page)
  await page.goto('/')
  await expect(page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })).toHaveCount(2)
})

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
const csvOf = (rows: (string | number)[][]) => Buffer.from(rows.map((row) => row.join(';')).join('\n'))
const chooseFile = (page: Page, name: string, rows: (string | number)[][]) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: csvOf(rows) })

test('a file with a wrong cell creates nothing and names the cell; corrected it creates all of its requests', async ({
  page,
}) => {
  await signIn(page, people.expert, path)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import bid requests' })
  const download = await downloadBy(page, () => dialog.getByRole('button', { name: 'Download a template' }).click())
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
  const head = [
    'License',
    'Instance',
    'Market',
    'Start Date',
    'End Date',
    'Note',
    'Excluded day',
    'Reason',
    ...['MW', 'EUR/MW'].flatMap((unit) => hours.map((hour) => `${unit} ${hour}`)),
  ]
  const row = (day: string, first: string | number) => [
    '',
    'Lab',
    'FCR-D-INC',
    day,
    day,
    'From a file',
    '',
    '',
    first,
    ...hours.slice(1).map(() => '0,1'),
    ...hours.map(() => 3),
  ]
  await chooseFile(page, 'bids.csv', [head, row('2027-01-11', '0,1'), row('2027-01-12', 'much')])
  const mistakes = dialog.getByRole('table', { name: 'Mistakes' })
  await expect(mistakes.getByRole('row').nth(1)).toContainText('I3')
  await expect(mistakes.getByRole('row').nth(1)).toContainText('much')
  await expect(dialog.getByRole('button', { name: 'Create 2 requests' })).toBeDisabled()
  await expectClean(page)
  await chooseFile(page, 'bids.csv', [head, row('2027-01-11', '0,1'), row('2027-01-12', '0,2')])
  await expect(dialog.getByText('24 slots, up to 0,200 MW')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create 2 requests' }).click()
  await expect(page.getByText('2 bid requests created')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(page)).toContainText('2027')
})

test('the operator’s file: missing columns, unreadable rows and rows without a bid are reported before anything is decided', async ({
  page,
}) => {
  await signIn(page, people.expert, path)
  await page.getByRole('button', { name: 'Result files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Result files' })
  const row = ['Lab', 'FCR-D-INC', 'D-1 early', '2026-11-02T10:00:00Z']
  await chooseFile(page, 'results.csv', [
    ['Instance', 'Product', 'Auction', 'Start (UTC)', 'Given'],
    [...row, '0,1'],
  ])
  await expect(dialog.getByText(m.resultNoOutcome)).toBeVisible()
  const head = ['Instance', 'Product', 'Auction', 'Start (UTC)', 'Accepted (MW)']
  await chooseFile(page, 'results.csv', [head, [...row, 'all of it'], [...row, '0,1']])
  await expect(dialog.getByText('Not readable', { exact: true })).toBeVisible()
  await expect(dialog.getByText('No such bid')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Import 0 results' })).toBeDisabled()
  await expectClean(page)
})

test('a result file that contradicts the published price is shown next to it, and is imported only after a confirmation', async ({
  page,
}) => {
  test.setTimeout(settledMs + 60_000)
  await signIn(page, people.expert, path)
  const { instanceIdName, type, date, modalData } = await settledDay(page)
  const published = modalData.bidStatus.flatMap(({ productName, price }) =>
    price.flatMap((eur, slot) => (eur !== null && modalData.price[slot] != null ? [{ productName, slot, eur }] : [])),
  )
  const [first] = published
  if (!first) throw new Error('a day that earned has a published price')
  await page.getByRole('button', { name: 'Result files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Result files' })
  await chooseFile(page, 'results.csv', [
    ['Instance', 'Product', 'Auction', 'Day', 'Slot', 'Result', 'Marginal price (EUR/MW)'],
    [instanceIdName, type, first.productName, date, first.slot, 'won', '9999'],
  ])
  await expect(dialog.getByText('1 row contradicts the published price.')).toBeVisible()
  const row = dialog.getByRole('table', { name: 'Rows of the file' }).getByRole('row').nth(1)
  await expect(row).toContainText(/Another price than the published one|Won, though the bid is above/)
  await expect(row).toContainText(formatNumber(first.eur, { decimals: 2 }))
  await expect(row).toContainText('9.999,00')
  await expect(dialog.getByRole('button', { name: 'Import 1 result' })).toBeDisabled()
  await expectClean(page)
  await dialog.getByRole('checkbox', { name: /^I have reviewed them/ }).check()
  await expect(dialog.getByRole('button', { name: 'Import 1 result' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Result files' }).click()
  await expect(dialog.getByText(/No result file has been imported/)).toBeVisible()
})

for (const look of looks)
  test(`the form and the tabs are clean: ${look.colorScheme}, ${look.width}`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.expert, path)
    await page.getByRole('button', { name: /Create Request|Opret anmodning/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectClean(page)
  })
