import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { tableHeaders, tableStream, type Cell, type TableFile } from './table-file.ts'

const file = (format: 'xlsx' | 'csv', rows: Iterable<Cell[]>): TableFile => ({
  format,
  fileName: 'Power cost DK2 2026-11-20',
  sheet: 'Power cost',
  columns: [
    { header: 'Start (Europe/Berlin)' },
    { header: 'Price (DKK/MWh)', numberFormat: '#,##0.000' },
    { header: 'Note' },
  ],
  rows,
})

const rows: Cell[][] = [
  ['2026-11-20 00:00:00', -189.1, '=HYPERLINK("http://x")'],
  ['2026-11-20 01:00:00', null, 'a,"b"\nc'],
]

test('L2 text that a spreadsheet would run is plain text in csv', async () => {
  const text = (await buffer(tableStream(file('csv', rows)))).toString('utf8')
  expect(text).toBe(
    '\uFEFFStart (Europe/Berlin),Price (DKK/MWh),Note\r\n' +
      `2026-11-20 00:00:00,-189.1,"'=HYPERLINK(""http://x"")"\r\n` +
      '2026-11-20 01:00:00,,"a,""b""\nc"\r\n',
  )
  for (const start of ['+', '-', '@', '\t', '\r']) {
    const cell = (await buffer(tableStream(file('csv', [[`${start}1`, 1, '']])))).toString('utf8').split('\r\n')[1]
    expect(cell).toContain(`'${start}1`)
  }
})

test('L2 an xlsx keeps numbers as numbers and formulas as text', async () => {
  const book = await readXlsx(await buffer(tableStream(file('xlsx', rows))))
  const [sheet] = book.sheets
  expect(sheet?.name).toBe('Power cost')
  expect(sheet?.rows[0]).toEqual(['Start (Europe/Berlin)', 'Price (DKK/MWh)', 'Note'])
  expect(sheet?.rows[1]).toEqual(['2026-11-20 00:00:00', -189.1, '=HYPERLINK("http://x")'])
})

test('a long table streams in pieces, not as one', async () => {
  const many = function* (): Generator<Cell[]> {
    for (let i = 0; i < 50_000; i++) yield ['2026-11-20 00:00:00', i, 'x']
  }
  for (const format of ['csv', 'xlsx'] as const) {
    let chunks = 0
    for await (const chunk of tableStream(file(format, many())))
      chunks += Buffer.from(chunk as Buffer).length > 0 ? 1 : 0
    expect(chunks).toBeGreaterThan(5)
  }
})

test('the file name is safe in a header', () => {
  expect(tableHeaders({ ...file('csv', []), fileName: 'a"; x=\r\nb æ' })['content-disposition']).toBe(
    'attachment; filename="a_x_b_.csv"',
  )
})

const office = spawnSync('soffice', ['--version']).status === 0

test.skipIf(!office)('LibreOffice opens the file and reads the same numbers', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-office-'))
  writeFileSync(join(folder, 'a.xlsx'), await buffer(tableStream(file('xlsx', rows))))
  const done = spawnSync(
    'soffice',
    [
      '--headless',
      `-env:UserInstallation=file://${folder}/profile`,
      '--convert-to',
      'csv',
      '--outdir',
      folder,
      join(folder, 'a.xlsx'),
    ],
    { timeout: 110_000 },
  )
  expect(done.status).toBe(0)
  const text = readFileSync(join(folder, 'a.csv'), 'utf8')
  rmSync(folder, { recursive: true, force: true })
  expect(text).toContain('-189.100')
  expect(text).toContain('=HYPERLINK(')
})
