import type { FailureKind } from '#connectors/fetch-text.ts'
import { parseJson } from '#platform/http/parse-json.ts'

/** A JSON number in its original spelling: 12.50 stays 12.50. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown

/** Parses without binary floats. Throws a SyntaxError for invalid JSON. */
export const parseExactJson = (text: string): unknown => {
  const keepSource = (_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? new JsonNumber(context.source) : value
  // The type library lacks the third argument, which Node 24 passes.
  return parseJson(text, keepSource as Reviver)
}

/** Plain decimal text of a JSON number: `1.5e-7` becomes `0.00000015`; without an exponent it is unchanged. */
export const plainDecimal = ({ text }: JsonNumber): string => {
  const parts = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  if (Math.abs(Number(exponent)) > 30) throw new RangeError(`not a price: ${text}`)
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const [before, after] = [padded.slice(0, at).replace(/^0+(?=\d)/, ''), padded.slice(at)]
  return `${sign}${before}${after ? `.${after}` : ''}`
}

export class BadRow extends Error {}

export type DatasetRow = Record<string, unknown>
export type Unfit = { ok: false; kind: FailureKind; detail: string }

const isRecord = (value: unknown): value is DatasetRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** The records in the service's wrapper; their number must match its total. */
export const unwrap = (text: string): { ok: true; records: unknown[] } | Unfit => {
  const start = text.trimStart()
  if (start.startsWith('<')) return { ok: false, kind: 'html', detail: start.slice(0, 80) }
  let body: unknown
  try {
    body = parseExactJson(text)
  } catch (error) {
    const kind = start.startsWith('{') ? 'truncated' : 'not-json'
    return { ok: false, kind, detail: error instanceof Error ? error.message.slice(0, 200) : String(error) }
  }
  const schema = (detail: string): Unfit => ({ ok: false, kind: 'schema', detail })
  if (!isRecord(body)) return schema('expected an object')
  const { records, total } = body
  if (!Array.isArray(records)) return schema('expected a list named records')
  const count = total instanceof JsonNumber ? Number(total.text) : null
  if (count !== null && count !== records.length)
    return schema(`the body says ${count} rows and holds ${records.length}`)
  return { ok: true, records }
}

/** Reads columns of one record; an unexpected value throws a BadRow with record and column. */
export const rowReader = (record: unknown, index: number) => {
  const refuse = (column: string, expected: string) => new BadRow(`record ${index}: ${column}: expected ${expected}`)
  if (!isRecord(record)) throw refuse('record', 'an object')
  const readDay = (column: string, value: unknown): string => {
    if (typeof value !== 'string' || !dayPattern.test(value) || Number.isNaN(Date.parse(value.slice(0, 10))))
      throw refuse(column, 'a day such as 2026-11-20T00:00:00')
    return value.slice(0, 10)
  }
  return {
    decimal: (column: string): string | null => {
      const value = record[column]
      if (value === null) return null
      if (!(value instanceof JsonNumber) || !(Math.abs(Number(value.text)) < numberLimit))
        throw refuse(column, 'a number or null')
      return plainDecimal(value)
    },
    text: (column: string, what: string): string => {
      const value = record[column]
      if (typeof value !== 'string' || value === '') throw refuse(column, what)
      return value
    },
    optionalText: (column: string): string | null => {
      const value = record[column]
      if (value === null || value === undefined || value === '') return null
      if (typeof value !== 'string') throw refuse(column, 'a text or null')
      return value
    },
    instantMs: (column: string): number => {
      const value = record[column]
      const ms = typeof value === 'string' && instantPattern.test(value) ? Date.parse(`${value}Z`) : NaN
      if (Number.isNaN(ms)) throw refuse(column, 'a UTC time such as 2026-11-20T10:00:00')
      return ms
    },
    day: (column: string): string => readDay(column, record[column]),
    optionalDay: (column: string): string | null => (record[column] === null ? null : readDay(column, record[column])),
  }
}

export type RowReader = ReturnType<typeof rowReader>

/** The limit of numeric(14, 6). */
const numberLimit = 1e8
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/
const dayPattern = /^\d{4}-\d\d-\d\dT00:00:00$/
