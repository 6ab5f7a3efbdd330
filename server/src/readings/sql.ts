import type { ClickHouseClient } from '@clickhouse/client'

/**
 * Whole numbers are the only values that the queries of this folder carry (texts are inserted as data), written into the SQL after this
 * check: chDB runs bound parameters one query at a time in the whole process, so a long export would hold up every chart.
 */
export const int = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number`)
  return String(value)
}

export const ints = (values: Iterable<number>): string => Array.from(values, int).join(', ')

export const instant = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${int(ms)}), 'UTC')`

export const tsMs = 'toUnixTimestamp64Milli(ts)'

/** Values below DateTime64 and above it make no sense here and would wrap around. */
export const earliestMs = 0
export const latestMs = 4_102_444_800_000

/** Rows as arrays in the order of the selected columns; `Row` names them for the compiler. */
export const rows = async <Row extends unknown[]>(client: ClickHouseClient, query: string): Promise<Row[]> => {
  const answer = await client.query({ query, format: 'JSONCompact' })
  const { data } = await answer.json<Row>()
  return data as unknown as Row[] // the client types JSONCompact rows as objects
}
