import type { Dataset } from './datasets.ts'
import { JsonNumber, parseExactJson, plainDecimal } from './json.ts'

/** One published price. Prices are decimal text exactly as in the body, per `unit`; null was published as null. */
export type PriceRow = {
  market: string
  area: string
  product: string
  auction: string
  startsAtMs: number
  durationS: number
  priceEur: string | null
  priceDkk: string | null
  unit: string
}

export type ParseFailure = { ok: false; kind: 'html' | 'truncated' | 'not-json' | 'schema'; detail: string }
export type Parsed = { ok: true; rows: PriceRow[]; warnings: string[] } | ParseFailure

/** What was asked for: half-open instants, and areas. */
export type Asked = { fromMs: number; toMs: number; areas: readonly string[] }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

const instant = (value: unknown): number | null => {
  if (typeof value !== 'string' || !instantPattern.test(value)) return null
  const ms = Date.parse(`${value}Z`)
  return Number.isNaN(ms) ? null : ms
}

/** What numeric(14, 6) holds. */
const priceLimit = 1e8

const price = (value: unknown): string | null | undefined => {
  if (value === null) return null
  if (!(value instanceof JsonNumber) || !(Math.abs(Number(value.text)) < priceLimit)) return undefined
  return plainDecimal(value)
}

class BadRow extends Error {}

const readRow = (record: unknown, index: number, dataset: Dataset): PriceRow => {
  const refuse = (column: string, expected: string) => new BadRow(`record ${index}: ${column}: expected ${expected}`)
  if (!isRecord(record)) throw refuse('record', 'an object')
  const startsAtMs = instant(record[dataset.timeColumn])
  if (startsAtMs === null) throw refuse(dataset.timeColumn, 'a UTC time such as 2026-11-20T10:00:00')
  const area = record[dataset.areaColumn]
  if (typeof area !== 'string' || area === '') throw refuse(dataset.areaColumn, 'the name of an area')
  const priceEur = price(record[dataset.eurColumn])
  if (priceEur === undefined) throw refuse(dataset.eurColumn, 'a number or null')
  const priceDkk = price(record[dataset.dkkColumn])
  if (priceDkk === undefined) throw refuse(dataset.dkkColumn, 'a number or null')
  const { market, unit } = dataset
  return { market, area, product: '', auction: '', startsAtMs, durationS: 0, priceEur, priceDkk, unit }
}

const unwrap = (text: string): { records: unknown[]; total: number | null } | ParseFailure => {
  const start = text.trimStart()
  if (start.startsWith('<')) return { ok: false, kind: 'html', detail: start.slice(0, 80) }
  let body: unknown
  try {
    body = parseExactJson(text)
  } catch (error) {
    const kind = start.startsWith('{') ? 'truncated' : 'not-json'
    return { ok: false, kind, detail: error instanceof Error ? error.message.slice(0, 200) : String(error) }
  }
  if (!isRecord(body)) return { ok: false, kind: 'schema', detail: 'expected an object' }
  const { records, total } = body
  if (!Array.isArray(records)) return { ok: false, kind: 'schema', detail: 'expected a list named records' }
  return { records, total: total instanceof JsonNumber ? Number(total.text) : null }
}

/**
 * The rows of a body, sorted by area and time, or why the body cannot be trusted. All or nothing: one bad record refuses the
 * whole body, so that half a day is never written. Rows that were not asked for are left out with a warning.
 */
export const parsePrices = (text: string, dataset: Dataset, asked: Asked): Parsed => {
  const body = unwrap(text)
  if ('ok' in body) return body
  const { records, total } = body
  if (total !== null && total !== records.length)
    return { ok: false, kind: 'schema', detail: `the body says ${total} rows and holds ${records.length}` }
  const byKey = new Map<string, PriceRow>()
  const left = { foreign: 0, repeated: 0 }
  try {
    records.forEach((record, index) => {
      const row = readRow(record, index, dataset)
      if (row.startsAtMs < asked.fromMs || row.startsAtMs >= asked.toMs || !asked.areas.includes(row.area))
        return void left.foreign++
      const key = `${row.area} ${row.startsAtMs}`
      const before = byKey.get(key)
      if (before && (before.priceEur !== row.priceEur || before.priceDkk !== row.priceDkk))
        throw new BadRow(`record ${index}: two prices for ${row.area} at ${new Date(row.startsAtMs).toISOString()}`)
      if (before) left.repeated++
      byKey.set(key, row)
    })
  } catch (error) {
    if (error instanceof BadRow || error instanceof RangeError)
      return { ok: false, kind: 'schema', detail: error.message }
    throw error
  }
  const rows = [...byKey.values()].toSorted((a, b) => compare(a.area, b.area) || a.startsAtMs - b.startsAtMs)
  rows.forEach((row, i) => {
    const next = rows[i + 1]
    row.durationS = dataset.durationMs(row.startsAtMs, next?.area === row.area ? next.startsAtMs : undefined) / 1000
  })
  const noPrice = rows.filter((row) => row.priceEur === null && row.priceDkk === null).length
  const warnings = [
    ...(left.foreign > 0 ? [`${left.foreign} rows that were not asked for`] : []),
    ...(left.repeated > 0 ? [`${left.repeated} rows stood twice`] : []),
    ...(noPrice > 0 ? [`${noPrice} rows without a price`] : []),
  ]
  return { ok: true, rows, warnings }
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
