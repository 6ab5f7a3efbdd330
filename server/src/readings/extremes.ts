import type { ClickHouseClient } from '@clickhouse/client'
import { type Extremes, mergeExtremes } from './decimate.ts'
import { instant, int, rows, tsMs } from './sql.ts'

export type Span = { fromMs: number; toMs: number }

type Wanted = Span & { signalNo: number; widthMs: number }

const minuteMs = 60_000

/** Above so many touched minutes one read of the whole span from raw is quicker than many small ones. */
const fewTouched = 200

/** Buckets of a span in order of time, empty ones left out: from roll-ups where minutes fit the buckets and can be trusted, else from raw. */
export const readExtremes = async (client: ClickHouseClient, wanted: Wanted): Promise<Map<number, Extremes>> => {
  const { fromMs, toMs, widthMs } = wanted
  const inner = { fromMs: Math.ceil(fromMs / minuteMs) * minuteMs, toMs: Math.floor(toMs / minuteMs) * minuteMs }
  if (widthMs < 2 * minuteMs || inner.fromMs >= inner.toMs) return fromRaw(client, wanted, [wanted])
  const { buckets, touched } = await fromMinutes(client, { ...wanted, ...inner })
  if (touched.length > fewTouched) return fromRaw(client, wanted, [wanted])
  const rest = [
    { fromMs, toMs: inner.fromMs },
    ...touched.map((minute) => ({ fromMs: minute * minuteMs, toMs: (minute + 1) * minuteMs })),
    { fromMs: inner.toMs, toMs },
  ].filter((span) => span.fromMs < span.toMs)
  if (rest.length === 0) return buckets
  for (const [bucket, raw] of await fromRaw(client, wanted, rest)) {
    const rolled = buckets.get(bucket)
    buckets.set(bucket, rolled ? mergeExtremes(rolled, raw) : raw)
  }
  return new Map([...buckets].toSorted(([a], [b]) => a - b))
}

type Row = [bucket: number, ...Counted]
type Counted = [
  count: number,
  min: number,
  minAtMs: number,
  max: number,
  maxAtMs: number,
  first: number,
  firstAtMs: number,
  last: number,
  lastAtMs: number,
]

const extremes = (row: Counted): Extremes => {
  const [count, min, minAtMs, max, maxAtMs, first, firstAtMs, last, lastAtMs] = row
  return { count, min, minAtMs, max, maxAtMs, first, firstAtMs, last, lastAtMs }
}

export const fromRaw = async (
  client: ClickHouseClient,
  { signalNo, widthMs }: { signalNo: number; widthMs: number },
  spans: Span[],
): Promise<Map<number, Extremes>> => {
  const within = spans.map(({ fromMs, toMs }) => `(ts >= ${instant(fromMs)} and ts < ${instant(toMs)})`)
  const found = await rows<Row>(
    client,
    `select intDiv(${tsMs}, ${int(widthMs)}) as bucket, count(), min(value), argMin(${tsMs}, value), max(value), argMax(${tsMs}, value),
       argMin(value, ts), min(${tsMs}), argMax(value, ts), max(${tsMs})
     from gridmast.samples final where signal_no = ${int(signalNo)} and (${within.join(' or ')}) group by bucket order by bucket`,
  )
  return new Map(found.map(([bucket, ...row]) => [bucket, extremes(row)]))
}

const fromMinutes = async (
  client: ClickHouseClient,
  { signalNo, fromMs, toMs, widthMs }: Wanted,
): Promise<{ buckets: Map<number, Extremes>; touched: number[] }> => {
  const at = 'toInt64(toUnixTimestamp(minute)) * 1000'
  const found = await rows<[...Row, touched: number[]]>(
    client,
    `select intDiv(${at}, ${int(widthMs)}) as bucket, sum(count), min(min), argMin(${at} + min_at_ms, min), max(max), argMax(${at} + max_at_ms, max),
       argMinIf(first, minute, rolled), minIf(${at} + first_at_ms, rolled), argMaxIf(last, minute, rolled), maxIf(${at} + last_at_ms, rolled),
       groupArrayIf(intDiv(toUnixTimestamp(minute), 60), not rolled)
     from gridmast.minutes final
     where signal_no = ${int(signalNo)} and minute >= toDateTime(${int(fromMs / 1000)}, 'UTC') and minute < toDateTime(${int(toMs / 1000)}, 'UTC')
     group by bucket order by bucket`,
  )
  const buckets = new Map<number, Extremes>()
  const touched: number[] = []
  for (const [bucket, count, min, minAtMs, max, maxAtMs, first, firstAtMs, last, lastAtMs, unrolled] of found) {
    for (const minute of unrolled) touched.push(minute)
    if (count > 0) buckets.set(bucket, { count, min, minAtMs, max, maxAtMs, first, firstAtMs, last, lastAtMs })
  }
  return { buckets, touched }
}
