import type { ClickHouseClient } from '@clickhouse/client'
import { instant, int, ints, rows, tsMs } from './sql.ts'

/** What was measured in one interval; `first` and `last` serve counters. Null where nothing was measured. */
export type Bucket = {
  count: number
  sum: number
  min: number | null
  max: number | null
  first: number | null
  last: number | null
}

export type IntervalsQuery = { signalNo: number; edgesMs: readonly number[] }

const minuteMs = 60_000
const fewTouched = 200

const nothing: Bucket = { count: 0, sum: 0, min: null, max: null, first: null, last: null }

type Part = [
  edge: number,
  count: number,
  sum: number,
  min: number,
  max: number,
  first: number,
  firstAt: number,
  last: number,
  lastAt: number,
]

/** One bucket an interval `[edges[i], edges[i + 1])`; edges ascend and may lie anywhere, so local days of 23 and 25 hours work. */
export const readIntervals = async (
  client: ClickHouseClient,
  { signalNo, edgesMs }: IntervalsQuery,
): Promise<Bucket[]> => {
  const [fromMs, toMs] = [edgesMs[0], edgesMs.at(-1)]
  if (fromMs === undefined || toMs === undefined || edgesMs.length < 2) return []
  edgesMs.forEach((edge, i) => {
    if (i > 0 && edge <= (edgesMs[i - 1] ?? edge)) throw new RangeError('The edges of intervals must ascend')
  })
  const wholeMinutes = edgesMs.every((edge) => edge % minuteMs === 0)
  const parts = await (wholeMinutes ? fromMinutes : fromRaw)(client, signalNo, edgesMs)
  return edgesMs.slice(0, -1).map((edge) => joined(parts.get(edge) ?? []))
}

/** Puts what came from roll-ups and what came from raw of one interval together. */
const joined = (parts: Part[]): Bucket => {
  const [earliest, latest] = [parts.toSorted((a, b) => a[6] - b[6])[0], parts.toSorted((a, b) => b[8] - a[8])[0]]
  if (!earliest || !latest) return nothing
  return {
    count: parts.reduce((count, part) => count + part[1], 0),
    sum: parts.reduce((sum, part) => sum + part[2], 0),
    min: Math.min(...parts.map((part) => part[3])),
    max: Math.max(...parts.map((part) => part[4])),
    first: earliest[5],
    last: latest[7],
  }
}

/** The interval that an instant lies in, by its first edge. An evenly spaced grid needs no list. */
const edgeOf = (time: string, edgesMs: readonly number[]) => {
  const [first = 0, second = first] = edgesMs
  const step = second - first
  const isEven = edgesMs.every((edge, i) => edge === first + i * step)
  return isEven
    ? `${int(first)} + intDiv(${time} - ${int(first)}, ${int(step)}) * ${int(step)}`
    : `roundDown(${time}, [${ints(edgesMs)}]::Array(Int64))`
}

const group = (found: Part[]): Map<number, Part[]> => Map.groupBy(found, ([edge]) => edge)

/** A list of edges may be longer than the usual limit of a query's text. */
const longText = 'settings max_query_size = 4194304'

const fromRaw = async (client: ClickHouseClient, signalNo: number, edgesMs: readonly number[], spans?: string[]) => {
  const whole = `ts >= ${instant(edgesMs[0] ?? 0)} and ts < ${instant(edgesMs.at(-1) ?? 0)}`
  return group(
    await rows<Part>(
      client,
      `select ${edgeOf(tsMs, edgesMs)} as edge, count(), sum(value), min(value), max(value),
         argMin(value, ts), min(${tsMs}), argMax(value, ts), max(${tsMs})
       from gridmast.samples final where signal_no = ${int(signalNo)} and (${spans ? spans.join(' or ') : whole}) group by edge ${longText}`,
    ),
  )
}

const fromMinutes = async (client: ClickHouseClient, signalNo: number, edgesMs: readonly number[]) => {
  const at = 'toInt64(toUnixTimestamp(minute)) * 1000'
  const found = await rows<[...Part, touched: number[]]>(
    client,
    `select ${edgeOf(at, edgesMs)} as edge, sum(count), sum(sum), min(min), max(max),
       argMinIf(first, minute, rolled), minIf(${at} + first_at_ms, rolled), argMaxIf(last, minute, rolled), maxIf(${at} + last_at_ms, rolled),
       groupArrayIf(${at}, not rolled)
     from gridmast.minutes final
     where signal_no = ${int(signalNo)} and minute >= toDateTime(${int((edgesMs[0] ?? 0) / 1000)}, 'UTC')
       and minute < toDateTime(${int((edgesMs.at(-1) ?? 0) / 1000)}, 'UTC') group by edge ${longText}`,
  )
  const touched = found.flatMap((row) => row[9])
  if (touched.length > fewTouched) return fromRaw(client, signalNo, edgesMs)
  const parts = group(found.filter(([, count]) => count > 0).map((row) => row.slice(0, 9) as Part)) // the tenth is `touched`
  if (touched.length === 0) return parts
  const spans = touched.map((minute) => `(ts >= ${instant(minute)} and ts < ${instant(minute + minuteMs)})`)
  for (const [edge, raw] of await fromRaw(client, signalNo, edgesMs, spans))
    parts.set(edge, [...(parts.get(edge) ?? []), ...raw])
  return parts
}
