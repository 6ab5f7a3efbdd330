import { expect, test } from 'vitest'
import { tablesDocument } from './table-document.ts'
import type { Cell, TableFile } from './table-file.ts'

const of = { title: 'Power', under: 'North', madeAt: new Date('2026-11-27T06:00:00Z'), maxRows: 1000 }
const columns: TableFile['columns'] = [
  { header: 'Time', dateKind: 'instants' },
  { header: 'Power (kW)', numberFormat: '#,##0.0' },
  { header: 'Note' },
]
const startMs = Date.parse('2026-11-26T23:00:00Z')
const rowsOf = (values: (number | null)[]): Cell[][] =>
  values.map((value, i) => [new Date(startMs + i * 1000), value, i === 0 ? 'first' : null])
const drawn = (rows: Cell[][]) => tablesDocument([{ fileName: 'Power', sheet: 'x', columns, rows }], of)

test('a table by time has a chart with a gap above it, and Danish times and numbers', () => {
  const { blocks, landscape } = drawn(rowsOf([1000, null, 2000.5]))
  const chart = blocks.find((block) => block.kind === 'chart')
  expect(chart?.points).toEqual([
    [startMs, 1000],
    [startMs + 1000, null],
    [startMs + 2000, 2000.5],
  ])
  expect(chart?.y.map(({ text }) => text)).toEqual(['1.000,0', '1.500,3', '2.000,5'])
  expect(blocks.find((block) => block.kind === 'table')?.rows).toEqual([
    ['27.11.2026 00:00:00', '1.000,0', 'first'],
    ['27.11.2026 00:00:01', '–', '–'],
    ['27.11.2026 00:00:02', '2.000,5', '–'],
  ])
  expect(landscape).toBe(false)
})

test('a table by day has a chart of its local days', () => {
  const days: TableFile['columns'] = [
    { header: 'Date', dateKind: 'days' },
    { header: 'Sessions', numberFormat: '#,##0' },
  ]
  const rows = [
    ['2026-10-24', 3],
    ['2026-10-25', 5],
    ['2026-10-26', 4],
  ]
  const { blocks } = tablesDocument([{ fileName: 'Sessions', sheet: 'x', columns: days, rows }], of)
  const chart = blocks.find((block) => block.kind === 'chart')
  expect(chart?.points.map(([at]) => new Date(at).toISOString())).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  expect(chart?.x.map(({ text }) => text)).toEqual(['24.10.2026', '25.10.2026', '26.10.2026'])
  expect(chart?.y.map(({ text }) => text)).toEqual(['3', '4', '5'])
})

test('a chart of a day of seconds keeps its least and greatest value in at most 800 points', () => {
  const values = Array.from({ length: 86_400 }, (_, i) => (i === 40_000 ? 900 : i === 50_000 ? -900 : Math.sin(i)))
  const chart = drawn(rowsOf(values)).blocks.find((block) => block.kind === 'chart')
  const points = chart?.points ?? []
  expect(points.length).toBeLessThanOrEqual(800)
  expect(points).toContainEqual([startMs + 40_000_000, 900])
  expect(points).toContainEqual([startMs + 50_000_000, -900])
  expect(points.every(([at], i) => i === 0 || at > (points[i - 1]?.[0] ?? at))).toBe(true)
})

test('a list that is not by time, or newest first, has no chart, and a wide one is on its side', () => {
  expect(drawn(rowsOf([1, 2, 3]).toReversed()).blocks.map(({ kind }) => kind)).toEqual(['title', 'table'])
  const wide = Array.from({ length: 7 }, (_, i) => ({ header: `Column ${i}` }))
  expect(tablesDocument([{ fileName: 'x', sheet: 'x', columns: wide, rows: [] }], of).landscape).toBe(true)
})
