import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { dayBounds, quarterMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { datasets, type DatasetName } from './datasets.ts'
import { parseBody, type Parsed, type PriceRow } from './parse.ts'
import { JsonNumber, parseExactJson, plainDecimal } from './records.ts'

const recorded = join(import.meta.dirname, '../../../../demo/recorded')

const recordedDay = (file: string, dataset: DatasetName, date: string) => {
  const [head = '', ...lines] = gunzipSync(readFileSync(join(recorded, file)))
    .toString('utf8')
    .replace('\ufeff', '')
    .trim()
    .split(/\r?\n/)
  const separator = head.includes(';') ? ';' : ','
  const columns = head.split(separator)
  const records = lines
    .map((line) => line.split(separator).map((cell) => cell.replace(' ', 'T').replace('+00:00', '')))
    .filter((cells) => cells[1]?.startsWith(date))
    .map(
      (cells) =>
        `{${cells.map((cell, i) => `"${columns[i]}":${i < 3 ? `"${cell}"` : cell.replace(',', '.')}`).join(',')}}`,
    )
  return `{"total":${records.length},"filters":"{}","limit":0,"dataset":"${dataset}","records":[${records.join(',')}]}`
}

const readDay = (body: string, dataset: DatasetName, date: string, areas = ['DK1', 'DK2']) =>
  parseBody(body, datasets[dataset], { ...dayBounds(date), areas })

const rowsOf = (parsed: Parsed): PriceRow[] => {
  if (!parsed.ok) throw new Error(`${parsed.kind}: ${parsed.detail}`)
  return parsed.prices
}

const body = (...records: string[]) =>
  `{"total":${records.length},"filters":"","limit":0,"dataset":"DayAheadPrices","records":[${records.join(',')}]}`
const record = (fields: Record<string, unknown>) =>
  JSON.stringify({
    TimeUTC: '2026-11-20T10:00:00',
    TimeDK: '2026-11-20T11:00:00',
    PriceArea: 'DK1',
    DayAheadPriceEUR: 1,
    DayAheadPriceDKK: 7.46,
    ...fields,
  })

describe('recorded days', () => {
  test.each([
    ['eds_DayAheadPrices_15min_DK2_2025-10-27_2026-03-15.csv.gz', 'DayAheadPrices', '2025-11-20', 96],
    ['eds_Elspotprices_hourly_DK2_2024-11-07_2025-08-31.csv.gz', 'Elspotprices', '2025-03-30', 23],
    ['eds_Elspotprices_hourly_DK1_2018-01-01_2021-08-31.csv.gz', 'Elspotprices', '2020-10-25', 25],
    ['eds_Elspotprices_hourly_DK2_2018-01-01_2021-08-31.csv.gz', 'Elspotprices', '2019-03-31', 23],
  ] as const)('%s: %s of %s has %i rows that tile the day', (file, dataset, date, count) => {
    const rows = rowsOf(readDay(recordedDay(file, dataset, date), dataset, date))
    expect(rows).toHaveLength(count)
    let at = dayBounds(date).fromMs
    for (const row of rows) {
      expect(row.startsAtMs).toBe(at)
      at += row.durationS * 1000
    }
    expect(at).toBe(dayBounds(date).toMs)
  })

  test('digits stay as they were published', () => {
    const date = '2026-03-15'
    const file = 'eds_DayAheadPrices_15min_DK2_2025-10-27_2026-03-15.csv.gz'
    const last = rowsOf(readDay(recordedDay(file, 'DayAheadPrices', date), 'DayAheadPrices', date)).at(-1)
    expect(last).toEqual({
      market: 'day-ahead',
      area: 'DK2',
      product: '',
      auction: '',
      startsAtMs: Date.parse('2026-03-15T22:45:00Z'),
      durationS: 900,
      priceEur: '37.139999',
      priceDkk: '277.532357',
      volumeMw: null,
      unit: 'MWh',
    })
  })

  test('a record seen at hourly steps before the change to quarters lasts an hour', () => {
    const seen =
      '{"TimeUTC":"2025-09-27T20:00:00","TimeDK":"2025-09-27T22:00:00","PriceArea":"DK1","DayAheadPriceEUR":104.44,"DayAheadPriceDKK":779.54}'
    const [row] = rowsOf(readDay(body(seen), 'DayAheadPrices', '2025-09-27'))
    expect(row).toMatchObject({ priceEur: '104.44', priceDkk: '779.54', durationS: 3600 })
  })

  test('quarters before the change last a quarter, and a hole after it stays a hole', () => {
    const at = (TimeUTC: string) => record({ TimeUTC })
    const early = rowsOf(
      readDay(body(at('2025-09-27T20:00:00'), at('2025-09-27T20:15:00')), 'DayAheadPrices', '2025-09-27'),
    )
    expect(early[0]?.durationS).toBe(900)
    const late = rowsOf(
      readDay(body(at('2026-11-20T10:00:00'), at('2026-11-20T11:00:00')), 'DayAheadPrices', '2026-11-20'),
    )
    expect(late.map((row) => row.durationS * 1000)).toEqual([quarterMs, quarterMs])
  })
})

describe('odd records', () => {
  const read = (...records: string[]) => readDay(body(...records), 'DayAheadPrices', '2026-11-20')

  test('negative prices, nulls, whole numbers, long decimals and exponents', () => {
    const rows = rowsOf(
      read(
        '{"TimeUTC":"2026-11-20T10:00:00","PriceArea":"DK1","DayAheadPriceEUR":-0.01,"DayAheadPriceDKK":null}',
        '{"TimeUTC":"2026-11-20T10:15:00","PriceArea":"DK1","DayAheadPriceEUR":12,"DayAheadPriceDKK":89.50}',
        '{"TimeUTC":"2026-11-20T10:30","PriceArea":"DK1","DayAheadPriceEUR":1.5e-7,"DayAheadPriceDKK":0.1000000000000000055511}',
      ),
    )
    expect(rows.map((row) => [row.priceEur, row.priceDkk])).toEqual([
      ['-0.01', null],
      ['12', '89.50'],
      ['0.00000015', '0.1000000000000000055511'],
    ])
  })

  test('a row without any price is kept and said', () => {
    const parsed = read(record({ DayAheadPriceEUR: null, DayAheadPriceDKK: null }))
    expect(parsed).toMatchObject({ ok: true, warnings: ['1 rows without a price'] })
    expect(rowsOf(parsed)).toHaveLength(1)
  })

  test('no rows is an answer too', () => {
    expect(read()).toEqual({ ok: true, prices: [], samples: [], tariffs: [], warnings: [] })
  })

  test('rows outside of the request are omitted with a warning, a repeated row is kept once', () => {
    const parsed = read(
      record({}),
      record({}),
      record({ PriceArea: 'SYSTEM' }),
      record({ TimeUTC: '2026-11-21T10:00:00' }),
    )
    expect(rowsOf(parsed)).toHaveLength(1)
    expect(parsed).toMatchObject({ warnings: ['2 rows outside of the request', '1 repeated rows'] })
  })

  test.each([
    ['a text for a price', record({ DayAheadPriceEUR: '1.0' })],
    ['a missing column', '{"TimeUTC":"2026-11-20T10:00:00","PriceArea":"DK1","DayAheadPriceEUR":1}'],
    ['a renamed column', record({ TimeUTC: undefined, HourUTC: '2026-11-20T10:00:00' })],
    ['a zone in the time', record({ TimeUTC: '2026-11-20T10:00:00+01:00' })],
    ['an impossible time', record({ TimeUTC: '2026-13-20T10:00:00' })],
    ['no area', record({ PriceArea: null })],
    ['a price beyond the store', record({ DayAheadPriceEUR: 1e8 })],
    ['a record that is a number', '7'],
    ['two prices for one quarter', `${record({})},${record({ DayAheadPriceEUR: 2 })}`],
  ])('L4 %s refuses the whole body', (_, bad) => {
    const text = `{"total":${bad.startsWith('{') ? bad.split('},{').length + 1 : 2},"records":[${record({ PriceArea: 'DK2' })},${bad}]}`
    expect(readDay(text, 'DayAheadPrices', '2026-11-20')).toMatchObject({ ok: false, kind: 'schema' })
  })

  test('L4 fewer records than the body says is not a whole answer', () => {
    const text = `{"total":2,"records":[${record({})}]}`
    expect(readDay(text, 'DayAheadPrices', '2026-11-20')).toMatchObject({ ok: false, kind: 'schema' })
  })

  test.each([
    ['html', '<!DOCTYPE html><html><body>Service unavailable</body></html>'],
    ['truncated', body(record({})).slice(0, -30)],
    ['not-json', 'Too many requests'],
    ['not-json', ''],
    ['schema', '[]'],
    ['schema', '{"error":"no such dataset"}'],
    ['schema', '{"records":{}}'],
  ])('L4 %s is a failure', (kind, text) => {
    expect(readDay(text, 'DayAheadPrices', '2026-11-20')).toMatchObject({ ok: false, kind })
  })
})

describe('numbers', () => {
  test.each([
    ['1.5e-7', '0.00000015'],
    ['1E2', '100'],
    ['-1.25e1', '-12.5'],
    ['12.50', '12.50'],
    ['0e0', '0'],
    ['1.234e2', '123.4'],
  ])('%s is %s', (text, plain) => {
    expect(plainDecimal(new JsonNumber(text))).toBe(plain)
  })

  test('an exponent that would fill the memory is refused', () => {
    expect(() => plainDecimal(new JsonNumber('1e999999'))).toThrow(RangeError)
  })

  test('texts that look like numbers stay texts', () => {
    expect(parseExactJson('{"a":"12","b":[1.0],"c":true}')).toEqual({ a: '12', b: [new JsonNumber('1.0')], c: true })
  })
})
