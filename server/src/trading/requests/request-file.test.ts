import { readFileSync } from 'node:fs'
import { m } from '@gridmast/contract/messages.ts'
import { expect, test } from 'vitest'
import { dateOf } from '#platform/files/import-table.ts'
import { readTable } from '#platform/files/read-table.ts'
import { readRequests, slotHours, toForm } from './request-file.ts'

const ids = { licenseId: '018f0000-0000-7000-8000-000000000001', groupId: '018f0000-0000-7000-8000-000000000002' }
const of = (text: string) =>
  readRequests(
    text.split('\n').map((line) => line.split(';')),
    ';',
  )
const formsOf = (text: string) => {
  const { columns, requests } = of(text)
  return requests.map((row) => toForm(columns, row, ids))
}

test('the worked example of the page', async () => {
  const page = readFileSync(new URL('./request-file.md', import.meta.url), 'utf8')
  const example = page.split('```\n')[1] ?? ''
  const { rows, sheet } = await readTable(
    'north',
    { name: 'a.csv', bytes: Buffer.from(example) },
    { most: 10, columns: 100 },
  )
  expect(sheet).toBeNull()
  const { columns, requests, mistakes } = readRequests(rows, null)
  expect(mistakes).toEqual([])
  expect(requests.map((row) => toForm(columns, row, ids))).toMatchObject([
    {
      mistakes: [],
      form: {
        ...ids,
        biddingMarket: 'FCR',
        startDate: '2026-12-24',
        endDate: '2026-12-31',
        customBidding: true,
        note: 'Christmas',
        excludedDays: [
          { date: '2026-12-25', reason: 'Closed' },
          { date: '2026-12-26', reason: 'Closed' },
        ],
        capacity: [0.4, 0.4, 0, 0, 0.4, 0.4],
        price: [12.5, 12.5, 0, 0, 12.5, 12.5],
        regulationPrice: null,
      },
    },
  ])
})

test('Danish dates are read, and other text is unchanged', () => {
  expect(['24.12.2026', '4-1-2026', '2026-12-24', '24.12.26', 'soon'].map(dateOf)).toEqual([
    '2026-12-24',
    '2026-01-04',
    '2026-12-24',
    '24.12.26',
    'soon',
  ])
})

test('an ambiguous number is refused unless another slot of the file decides', () => {
  const [head, row] = [
    'Instance;Market;Start Date;End Date;Note;MW 00:00;MW 04:00',
    'North Cold;FCR;24.12.2026;24.12.2026;x',
  ]
  const mistakesOf = (cells: string) => formsOf(`${head}\n${row};${cells}`).flatMap(({ mistakes }) => mistakes)
  expect(mistakesOf('1.250;2')).toMatchObject([{ cell: 'F2', expected: m.numberUnclear }])
  expect(formsOf(`${head}\n${row};1.250;0.5`)[0]?.form?.capacity.slice(0, 2)).toEqual([1.25, 0.5])
  expect(formsOf(`${head}\n${row};1.250;0,5`)[0]?.form?.capacity.slice(0, 2)).toEqual([1250, 0.5])
})

test('slots begin at the hours of their market', () => {
  expect(slotHours('FCR')).toEqual([0, 4, 8, 12, 16, 20])
  expect(slotHours('FFR')).toHaveLength(24)
  expect(slotHours('SOMETHING')).toEqual([0])
  expect(slotHours('DC-PLANNER')).toEqual([])
})

const head = 'Anlæg;Marked;Startdato;Slutdato;Egne bud;Bemærkning;MW 00:00;mw 4;EUR/MW 00:00;EUR/MW 04'
test.each([
  ['a word', `${head}\nC;FCR;2026-12-24;2026-12-24;ja;x;much;;;`, ['G2', 'MW 00:00', 'much', m.number]],
  ['below 0', `${head}\nC;FCR;2026-12-24;2026-12-24;ja;x;;-1;;`, ['H2', 'mw 4', '-1', m.atLeast(0)]],
  [
    '12 digits',
    `${head}\nC;FCR;2026-12-24;2026-12-24;ja;x;123456789012;;;`,
    ['G2', 'MW 00:00', '123456789012', m.atMost(10_000)],
  ],
  [
    'too many decimals',
    `${head}\nC;FCR;2026-12-24;2026-12-24;ja;x;;;1,234;`,
    ['I2', 'EUR/MW 00:00', '1,234', m.decimals(2)],
  ],
  ['no date', `${head}\nC;FCR;soon;2026-12-24;ja;x;;;;`, ['C2', 'Startdato', 'soon', m.date]],
  ['no note', `${head}\nC;FCR;2026-12-24;2026-12-24;ja;;;;;`, ['F2', 'Bemærkning', '', m.required]],
  ['ends before', `${head}\nC;FCR;2026-12-24;2026-12-23;ja;x;;;;`, ['D2', 'Slutdato', '2026-12-23', m.endBeforeStart]],
  ['neither yes nor no', `${head}\nC;FCR;2026-12-24;2026-12-24;maybe;x;;;;`, ['E2', 'Egne bud', 'maybe', m.activeWord]],
  [
    'a value without custom bidding',
    `${head}\nC;FCR;2026-12-24;2026-12-24;nej;x;;;5;`,
    ['I2', 'EUR/MW 00:00', '5', m.emptyWithoutCustom],
  ],
])('%s is reported with its cell', (_, text, [cell, column, found, expected]) => {
  const [read] = formsOf(text)
  expect(read?.form).toBeNull()
  expect(read?.mistakes).toContainEqual({ row: 2, column, cell, found, expected })
})

test('hours without a slot and an energy price without energy must be empty', () => {
  const [read] = formsOf(
    'Instance;Market;Start Date;End Date;Note;MW 00:00;MW 01:00;EUR/MWh 00:00\nC;FCR;2026-12-24;2026-12-24;x;1;1;9',
  )
  expect(read?.mistakes.map(({ cell, expected }) => [cell, expected])).toEqual([
    ['G2', m.notASlot],
    ['H2', m.noEnergyPrice],
  ])
})

test('an unknown or duplicate column is reported', () => {
  const { mistakes } = of(
    'Instance;Market;Start Date;End Date;Note;Excluded dat;MW 00:00;MW 0;Status\nC;FCR;a;b;c;d;1;2;x',
  )
  expect(mistakes.map(({ cell, found }) => [cell, found])).toEqual([
    ['F1', 'Excluded dat'],
    ['H1', 'MW 0'],
  ])
})

test('an excluded day on a row of its own belongs to the request above', () => {
  const text =
    'Instance;Market;Start Date;End Date;Note;Excluded day;Reason\n' +
    'C;FCR;2026-12-24;2026-12-26;x;2026-12-24;a\n;;;;;2026-12-27;b\n;;;;;2026-12-25;\nD;FCR;2026-12-24;2026-12-24;x;;'
  const read = formsOf(text)
  expect(read).toHaveLength(2)
  expect(read[0]?.mistakes.map(({ cell, expected }) => [cell, expected])).toEqual([['G4', m.required]])
  expect(read[1]?.form).toMatchObject({ customBidding: false, capacity: [], price: [] })
  const outside = formsOf(text.replace('2026-12-25;', '2026-12-25;c'))
  expect(outside[0]?.mistakes.map(({ cell, expected }) => [cell, expected])).toEqual([['F3', m.excludedOutside]])
})
