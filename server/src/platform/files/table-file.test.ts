import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre'
import { afterAll, expect, test } from 'vitest'
import { fileDays, tableHeaders, tableStream, titleOf, type Cell, type TableFile } from './table-file.ts'

const hourMs = 3_600_000

const file = (rows: Iterable<Cell[]>, about?: Record<string, string>): TableFile => ({
  fileName: 'Power cost DK2 2026-11-20',
  sheet: 'Power cost',
  ...(about ? { about } : {}),
  columns: [
    { header: 'Start', dateKind: 'instants' },
    { header: 'Price (DKK/MWh)', numberFormat: '#,##0.000' },
    { header: 'Note' },
  ],
  rows,
})

const rows: Cell[][] = [
  [new Date('2026-11-19T23:00:00Z'), -189.1, '=HYPERLINK("http://x")'],
  [new Date('2026-11-20T00:00:00Z'), null, 'a,"b"\nc'],
]
const about = { Unit: 'DKK/MWh', Source: 'Energi Data Service, DayAheadPrices' }

const text = async (one: TableFile) => (await buffer(tableStream(one, 'csv'))).toString('utf8')

test('L2 formulas are plain text in csv with any separator, and contain no line breaks', async () => {
  expect(await text(file(rows))).toBe(
    '\uFEFFStart (Europe/Berlin),Start (UTC),Price (DKK/MWh),Note\r\n' +
      `2026-11-20 00:00:00,2026-11-19T23:00:00.000Z,-189.1,"'=HYPERLINK(""http://x"")"\r\n` +
      '2026-11-20 01:00:00,2026-11-20T00:00:00.000Z,,"a,""b"" c"\r\n',
  )
  const noteOf = async (note: string) => (await text(file([[null, null, note]]))).split('\r\n')[1]?.replace(/^,,,/, '')
  for (const start of ['=', '+', '-', '@', '＝']) {
    expect(await noteOf(`${start}1`)).toBe(`'${start}1`)
    expect(await noteOf(`a;${start}1`)).toBe(`"a;'${start}1"`)
    expect(await noteOf(`a; "${start}1`)).toBe(`"a;' ""${start}1"`)
    expect(await noteOf(`a\t${start}1`)).toBe(`"a\t'${start}1"`)
  }
  expect(await noteOf('\t1')).toBe(`"'\t1"`)
  expect(await noteOf('\t=1')).toBe(`"'\t'=1"`)
  expect(await noteOf('a\t\t=1')).toBe(`"a\t'\t'=1"`)
  expect(await noteOf('a\r\nb\u2028c')).toBe('a b c')
})

test('L3 a text of tabs is escaped in linear time', async () => {
  const note = `a${'\t'.repeat(250_000)}b`
  expect(await text(file([[null, null, note]]))).toContain(note)
})

test('a csv has one header row, and values of the whole file are columns', async () => {
  const lines = (await text(file(rows, about))).split('\r\n')
  expect(lines[0]).toBe('\uFEFFStart (Europe/Berlin),Start (UTC),Price (DKK/MWh),Note,Unit,Source')
  expect(lines[2]).toBe(
    '2026-11-20 01:00:00,2026-11-20T00:00:00.000Z,,"a,""b"" c",DKK/MWh,"Energi Data Service, DayAheadPrices"',
  )
})

test('L2 an xlsx has numbers, dates and formulas as text below its header lines', async () => {
  const book = await readXlsx(await buffer(tableStream(file(rows, about), 'xlsx')))
  const [sheet] = book.sheets
  expect(sheet?.name).toBe('Power cost')
  expect(sheet?.rows.slice(0, 2)).toEqual(Object.entries(about).map((line) => expect.arrayContaining(line)))
  expect(sheet?.rows[3]).toEqual(['Start (Europe/Berlin)', 'Start (UTC)', 'Price (DKK/MWh)', 'Note'])
  // Cells of a sheet have no time zone: the first column is local time.
  expect(sheet?.rows[4]).toEqual([
    new Date('2026-11-20T00:00:00Z'),
    new Date('2026-11-19T23:00:00Z'),
    -189.1,
    '=HYPERLINK("http://x")',
  ])
})

test('the repeated hour in October has equal local times and different UTC times', async () => {
  const twice = [0, 1].map((hour): Cell[] => [new Date(Date.parse('2026-10-25T00:00:00Z') + hour * hourMs), 1, ''])
  const [sheet] = (await readXlsx(await buffer(tableStream(file(twice), 'xlsx')))).sheets
  const [first, second] = sheet?.rows.slice(1) ?? []
  expect(first?.[0]).toEqual(second?.[0])
  expect([first?.[1], second?.[1]]).toEqual([new Date('2026-10-25T00:00:00Z'), new Date('2026-10-25T01:00:00Z')])
})

test('an unknown instant has two empty cells', async () => {
  const unknown = file([[null, 7, 'x']])
  expect((await text(unknown)).split('\r\n')[1]).toBe(',,7,x')
  const [sheet] = (await readXlsx(await buffer(tableStream(unknown, 'xlsx')))).sheets
  expect(sheet?.rows[1]?.slice(2)).toEqual([7, 'x'])
})

test('days and months are dates in a sheet and ISO text in csv', async () => {
  const dates: TableFile = {
    ...file([['2026-11-20', '2026-11']]),
    columns: [
      { header: 'Date', dateKind: 'days' },
      { header: 'Month', dateKind: 'months' },
    ],
  }
  expect((await text(dates)).split('\r\n')[1]).toBe('2026-11-20,2026-11')
  const [sheet] = (await readXlsx(await buffer(tableStream(dates, 'xlsx')))).sheets
  expect(sheet?.rows[1]).toEqual([new Date('2026-11-20'), new Date('2026-11-01')])
})

test('a long table is streamed in parts', async () => {
  const many = function* (): Generator<Cell[]> {
    for (let i = 0; i < 50_000; i++) yield [new Date(i * 1000), i, 'x']
  }
  for (const format of ['csv', 'xlsx'] as const) {
    let chunks = 0
    for await (const chunk of tableStream(file(many()), format))
      chunks += Buffer.from(chunk as Buffer).length > 0 ? 1 : 0
    expect(chunks).toBeGreaterThan(5)
  }
})

test('the file name is escaped in the header', () => {
  expect(tableHeaders({ ...file([]), fileName: 'a"; x=\r\nb æ' }, 'csv')['content-disposition']).toBe(
    'attachment; filename="a_x_b_.csv"',
  )
})

const office = spawnSync('soffice', ['--version']).status === 0
/** Created at the first conversion, which takes longer than the conversion itself. */
const profile = mkdtempSync(join(tmpdir(), 'gridmast-office-profile-'))
afterAll(() => rmSync(profile, { recursive: true, force: true }))

/** The file converted by LibreOffice; the full filter name, because the short ones differ between versions. */
const converted = (from: { name: string; body: Buffer; reads?: string }, to: 'fods' | 'csv'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-office-'))
  try {
    writeFileSync(join(folder, from.name), from.body)
    const done = spawnSync(
      'soffice',
      [
        '--headless',
        `-env:UserInstallation=file://${profile}`,
        ...(from.reads ? [`--infilter=${from.reads}`] : []),
        '--convert-to',
        to === 'csv'
          ? 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'
          : 'fods:OpenDocument Spreadsheet Flat XML',
        '--outdir',
        folder,
        join(folder, from.name),
      ],
      { timeout: 110_000 },
    )
    expect(done.status).toBe(0)
    return readFileSync(join(folder, `a.${to}`), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.skipIf(!office)('LibreOffice reads the same numbers and times from a sheet', { timeout: 120_000 }, async () => {
  const text = converted({ name: 'a.xlsx', body: await buffer(tableStream(file(rows), 'xlsx')) }, 'csv')
  expect(text).toContain('2026-11-20 00:00:00,2026-11-19 23:00:00,-189.100,')
  expect(text).toContain('=HYPERLINK(')
})

test.skipIf(!office)('L2 LibreOffice evaluates nothing of a csv with any separator', { timeout: 240_000 }, async () => {
  const traps = [
    '=1+1',
    'a;=1+1',
    'a;"=1+1"',
    ';";=1+1',
    'a\t=1+1',
    'a\n=1+1',
    'a\r\n=1+1;=1+1',
    '@SUM(1)',
    '-1+1',
    '"";=1+1',
    ' =1+1',
  ]
  const body = await buffer(tableStream(file(traps.map((trap): Cell[] => [null, null, trap])), 'csv'))
  for (const separator of [';', ',', '\t', ';,'].map((marks) =>
    marks
      .split('')
      .map((mark) => mark.charCodeAt(0))
      .join('/'),
  )) {
    // 76 is UTF-8; the third value from the end enables formulas.
    const text = converted(
      { name: 'a.csv', body, reads: `Text - txt - csv (StarCalc):${separator},34,76,1,,0,false,true,false,true` },
      'fods',
    )
    expect(text).toContain('1+1')
    expect(text).not.toContain('table:formula')
  }
})

test.each([
  ['2026-11-01', '2026-11-07', '2026-11-01--2026-11-07'],
  ['2026-11-01', '2026-11-01', '2026-11-01'],
  ['2026-09', '2026-11', '2026-09--2026-11'],
])('the days %s to %s are in the name of a file, not in its title', (first, last, days) => {
  const fileName = `Audit trail ${fileDays(first, last)}`
  expect(fileName).toBe(`Audit trail ${days}`)
  expect(titleOf({ fileName })).toBe('Audit trail')
})
