import type { ClickHouseClient } from '@clickhouse/client'

/** Runs a query on a free connection. */
export type Read = <T>(query: (client: ClickHouseClient) => Promise<T>) => Promise<T>

/**
 * Whole numbers are the only values that the queries of charts and exports carry (texts are inserted as data), written into the SQL after
 * this check: chDB runs bound parameters one query at a time in the whole process, so a long export would hold up every chart.
 */
export const int = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number`)
  return String(value)
}

export const ints = (values: Iterable<number>): string => Array.from(values, int).join(', ')

export const instant = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${int(ms)}), 'UTC')`

/** The operator's own texts, such as a folder; nothing that came over the network is ever written into SQL. */
export const text = (value: string): string => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`

export const tsMs = 'toUnixTimestamp64Milli(ts)'

/** A whole number that sorts like the float: sign bit turned for positive ones, all bits for negative ones. */
const sortable = (value: string) =>
  `bitXor(reinterpretAsUInt64(${value}), if(reinterpretAsInt64(${value}) < 0, 18446744073709551615, 9223372036854775808))`

const latestTime = '9223372036854775807'

/**
 * When the minimum (maximum) was reached for the first time. `argMin` takes any of equal values (measured: the last one where all rows
 * have one key), a tuple is three times slower; value and time in one wide integer cost 1 ms on 86,400 rows.
 */
export const minimumAt = (value: string, at: string) =>
  `toUInt64(min(bitShiftLeft(toUInt128(${sortable(value)}), 64) + toUInt128(${at})))`
export const maximumAt = (value: string, at: string) =>
  `${latestTime} - toUInt64(max(bitShiftLeft(toUInt128(${sortable(value)}), 64) + toUInt128(${latestTime} - (${at}))))`

/** Values below DateTime64 and above it make no sense here and would wrap around. */
export const earliestMs = 0
export const latestMs = 4_102_444_800_000

/** Rows as arrays in the order of the selected columns; `Row` names them for the compiler. */
export const rows = async <Row extends unknown[]>(client: ClickHouseClient, query: string): Promise<Row[]> => {
  const answer = await client.query({ query, format: 'JSONCompact' })
  const { data } = await answer.json<Row>()
  return data
}

/** Numbers by column name, of no rows no column; of many rows quicker to read than rows (a day of minutes: 1 ms less of 8). */
export const columns = async <Name extends string>(
  client: ClickHouseClient,
  query: string,
): Promise<Partial<Record<Name, number[]>>> => {
  const answer = await client.query({ query, format: 'JSONColumnsWithMetadata' })
  const { data } = await answer.json()
  return data as unknown as Partial<Record<Name, number[]>> // declared as a list of rows, which this format is not
}
