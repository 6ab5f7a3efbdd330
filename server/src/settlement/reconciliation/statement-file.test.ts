import { m } from '@gridmast/contract/messages.ts'
import { writeXlsx } from 'hucre'
import { describe, expect, test } from 'vitest'
import { columnsFor } from '#platform/files/import-table.ts'
import { readTable, type Table } from '#platform/files/read-table.ts'
import { findHead, headings, missingOf, readStatement } from './statement-file.ts'

const tableOf = (lines: string[], merged: Table['merged'] = []): Table => ({
  sheet: null,
  delimiter: ';',
  merged,
  rows: lines.map((line) => line.split(';')),
})
const read = async (table: Table) => {
  const head = findHead(table, undefined)
  const columns = columnsFor(head.names, headings, { given: undefined, last: {} })
  return { head, columns, missing: missingOf(head, columns), ...(await readStatement(head, columns)) }
}
const names = 'Instance;Product;Start (UTC);MW;Price (EUR/MW);Availability (%);Share (%);Customer (EUR)'
const good = 'North Cold;FCR-D-DEC;2026-09-01 10:00;0,4;2,10;95;70;0,56'

test('columns are found by English and Danish names below a title, with Danish numbers', async () => {
  const { missing, rows, mistakes } = await read(
    tableOf([
      'Afregning september 2026;;;;;;;',
      ';;;;;;;',
      'Anlæg;Produkt;Auktion;Dag;Kapacitet (MW);Pris (EUR/MW);Rådighed (%);Andel (%);Udbetaling (EUR);Valuta',
      'Nord;FCR-D-DEC;early;01.09.2026;1.234,5;2,10;95;70;1.727,42;EUR',
    ]),
  )
  expect([missing, mistakes]).toEqual([null, []])
  expect(rows).toEqual([
    {
      row: 4,
      instance: 'Nord',
      product: 'FCR-D-DEC',
      day: '2026-09-01',
      auction: 'D-1 early',
      period: { starts: [], slot: null },
      theirs: {
        mw: '1234.500',
        priceEur: '2.100000',
        availability: '0.95000000',
        share: '0.70000000',
        grossEur: null,
        customerEur: '1727.420000',
      },
    },
  ])
})

test('a percent column without a number above one has fractions', async () => {
  const { rows } = await read(
    tableOf([names, good.replace('95;70', '0,95;70'), good.replace('10:00', '11:00').replace('95;70', '1;65')]),
  )
  expect(rows.map(({ theirs }) => [theirs.availability, theirs.share])).toEqual([
    ['0.95000000', '0.70000000'],
    ['1.00000000', '0.65000000'],
  ])
})

test.each([
  ['a group of thousands where other cells have a decimal comma', ['1.250', '0,56'], '1250.000000'],
  ['a decimal point where other cells have one', ['1.250', '0.56'], '1.250000'],
])('%s', async (_, [first = '', second = ''], customerEur) => {
  const bare = good.replace('0,4;2,10', '1;2')
  const lines = [bare.replace('0,56', first), bare.replace('10:00', '11:00').replace('0,56', second)]
  const { rows, mistakes } = await read(tableOf([names, ...lines]))
  expect([mistakes, rows[0]?.theirs.customerEur]).toEqual([[], customerEur])
})

describe('invalid input', () => {
  test('an ambiguous number is refused with its column', async () => {
    const bare = good.replace('0,4;2,10', '1;2').replace('0,56', '1.250')
    const { rows, mistakes } = await read(tableOf([names, bare]))
    expect([rows, mistakes]).toMatchObject([[], [{ column: 'Customer (EUR)', expected: m.numberUnclear }]])
  })

  test.each([
    ['the name of the column', [names.replace('Customer (EUR)', 'Gross (DKK)'), good], 'DKK'],
    [
      'the column of the currency',
      [`${names};Currency`, `${good};DKK`, `${good.replace('10:00', '11:00')};DKK`],
      'DKK',
    ],
  ])('a statement in another currency, by %s', async (_, lines, currency) => {
    expect((await read(tableOf(lines))).missing).toBe(m.statementCurrency(currency))
  })

  test.each([
    ['one row in another currency', `${good};SEK`, 'Currency', m.onlyEuro],
    ['a share above 100', `${good.replace(';70;', ';170;')};EUR`, 'Share (%)', m.percent],
    ['an amount that is no number', `${good.replace('0,56', 'see note')};EUR`, 'Customer (EUR)', m.number],
    ['no amount', `${good.replace('0,56', '')};EUR`, 'Customer (EUR)', m.required],
    ['no instance', `${good.replace('North Cold', '')};EUR`, 'Instance', m.required],
    ['a start that is none', `${good.replace('2026-09-01 10:00', 'monday')};EUR`, 'Start (UTC)', m.resultStart],
    ['a period twice', `${good};EUR`, 'Start (UTC)', m.statementTwice],
    [
      'a price that its MW make absurd',
      `${good.replace('0,4;2,10', '900000;900000')};EUR`,
      ...(['Price (EUR/MW)', m.number] as const),
    ],
    ['a number out of bounds', `${good.replace('0,56', '9'.repeat(400))};EUR`, 'Customer (EUR)', m.number],
  ])('%s is reported with its cell, and the other rows are read', async (_, line, column, expected) => {
    const { rows, mistakes } = await read(
      tableOf([`${names};Currency`, `${good};EUR`, line, `${good.replace('10:00', '12:00')};EUR`]),
    )
    expect(rows.map((one) => one.row)).toEqual([2, 4])
    expect(mistakes).toMatchObject([{ row: 3, column, expected }])
  })

  test.each([
    ['instance', names.replace('Instance', 'X'), m.statementNoInstance],
    ['start', names.replace('Start (UTC)', 'X'), m.statementNoPeriod],
    ['amount', names.replace('Customer (EUR)', 'X'), m.statementNoAmount],
  ])('a file without a column of the %s is not read', async (_, head, missing) => {
    expect((await read(tableOf([head, good]))).missing).toBe(missing)
  })

  test('merged cells apply to all rows for instance and product, and to none for an amount', async () => {
    const rows = [
      ['Statement', null, null, null],
      ['Instance', 'Product', 'Start (UTC)', 'Customer (EUR)'],
      ['North Cold', 'FCR-D-DEC', '2026-09-01 10:00', 0.56],
      [null, null, '2026-09-01 11:00', 0.56],
      [null, null, '2026-09-01 12:00', 1.12],
      [null, null, '2026-09-01 13:00', null],
    ]
    const merge = (startRow: number, startCol: number, endRow: number, endCol: number) => ({
      startRow,
      startCol,
      endRow,
      endCol,
    })
    const bytes = await writeXlsx({
      sheets: [
        { name: 'S', rows, merges: [merge(0, 0, 0, 3), merge(2, 0, 5, 0), merge(2, 1, 5, 1), merge(4, 3, 5, 3)] },
      ],
    })
    const table = await readTable('north', { name: 'a.xlsx', bytes: Buffer.from(bytes) }, { most: 100, columns: 60 })
    const found = await read(table)
    expect(found.rows.map(({ row, instance, product }) => [row, instance, product])).toEqual([
      [3, 'North Cold', 'FCR-D-DEC'],
      [4, 'North Cold', 'FCR-D-DEC'],
    ])
    expect(found.mistakes).toMatchObject([
      { row: 5, cell: 'D5', found: '1.12', expected: m.mergedCell },
      { row: 6, cell: 'D6', expected: m.mergedCell },
    ])
  })

  test('L3 a cell of 300,000 blanks is no number and costs no time', async () => {
    const { mistakes } = await read(tableOf([names, good.replace('0,56', `1${' '.repeat(300_000)}x`)]))
    expect(mistakes).toMatchObject([{ row: 2, column: 'Customer (EUR)', expected: m.number }])
  })

  test('20,000 overlapping merged cells cost no more than one', async () => {
    const last = 20_000
    const merged = Array.from({ length: last }, (_, i) => ({
      fromRow: last - i,
      toRow: last,
      fromColumn: 0,
      toColumn: 7,
    }))
    const { mistakes } = await read(tableOf([names, ...Array.from({ length: last }, () => good)], merged))
    expect(mistakes).toHaveLength(last)
  })

  test('of 10,000 rows three invalid cells are reported and 9,997 are read, without blocking the process', async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => {
      const at = new Date(Date.UTC(2026, 0, 1) + (i % 5000) * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
      const eur = [17, 4321, 9999].includes(i) ? 'n/a' : '0,56'
      return `${i < 5000 ? 'North Cold' : 'North Heat'};FCR-D-DEC;${at};0,4;2,10;95;70;${eur}`
    })
    let turns = 0
    let next: NodeJS.Immediate | undefined
    const turn = () => {
      next = setImmediate(turn)
      turns++
    }
    turn()
    const { rows, mistakes } = await read(tableOf([names, ...lines]))
    clearImmediate(next)
    expect(turns).toBeGreaterThan(5)
    expect(rows).toHaveLength(9997)
    expect(mistakes.map(({ row, cell }) => [row, cell])).toEqual([
      [19, 'H19'],
      [4323, 'H4323'],
      [10_001, 'H10001'],
    ])
  })
})
