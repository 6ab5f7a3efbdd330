import type { ClickHouseClient } from '@clickhouse/client'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import {
  bucketsOf,
  type Extremes,
  mergeExtremes,
  bucketWidthMs,
  joinBuckets,
  joinSamples,
  type Points,
} from './decimate.ts'
import type { Samples } from './samples.ts'
import { bucketsOfMinutes, fewMinutes, type HeldMinutes } from './minutes.ts'
import type { Recent } from './rollups.ts'
import { instant, int, ints, maximumAt, minimumAt, type Read, rows, tsMs, columns } from './sql.ts'

type BucketQuery = Span & { signalNo: number; widthMs: number }

/** State of the roll-ups, read before any samples. */
export type Freshness = {
  rolledVersion: number
  mayHaveChanged: Recent['mayHaveChanged']
  /** Older samples may exist as whole minutes only. */
  keptSinceMs: number
  held: (signalNo: number, span: Span) => Samples | undefined
  minutes: Pick<HeldMinutes, 'read' | 'held'>
}

export const heldOf = ({ held }: Pick<Freshness, 'held'>, signalNo: number, spans: readonly Span[]) => {
  const all: { x: number[]; y: number[] } = { x: [], y: [] }
  for (const span of spans) {
    const samples = held(signalNo, span)
    if (!samples) return undefined
    for (const [i, tMs] of samples.x.entries()) {
      all.x.push(tMs)
      all.y.push(samples.y[i] ?? 0)
    }
  }
  return all
}

/** With more pieces one raw read of the whole span is faster: each piece is a condition of the query. */
export const fewPieces = 40

/** The last two minutes change constantly, so they are read from raw without a check. */
export const trustedToMs = (rolledVersion: number): number =>
  Math.floor((rolledVersion / 1000 - 2 * minuteMs) / minuteMs) * minuteMs

/** Non-empty buckets of a span in order: from roll-ups where minutes fit the buckets and are current, else from raw. */
const readExtremes = async (
  read: Read,
  query: BucketQuery,
  { rolledVersion, mayHaveChanged, held, minutes }: Freshness,
): Promise<Map<number, Extremes>> => {
  const { fromMs, toMs, widthMs, signalNo } = query
  const inner = wholeMinutes(fromMs, Math.min(toMs, trustedToMs(rolledVersion)))
  if (widthMs < 2 * minuteMs || inner.fromMs >= inner.toMs) return read((client) => fromRaw(client, query, [query]))
  const outer = [
    { fromMs, toMs: inner.fromMs },
    { fromMs: inner.toMs, toMs },
  ].filter((span) => span.fromMs < span.toMs)
  const merged = inner.toMs - inner.fromMs <= fewMinutes * minuteMs ? minutes.read(read, signalNo, inner) : undefined
  const rolledUp = async (except: number[]) =>
    merged
      ? bucketsOfMinutes(await merged, widthMs, new Set(except))
      : read((client) => fromMinutes(client, { ...query, ...inner }, except))
  const [buckets, edges, changed] = await Promise.all([
    rolledUp([]),
    // The minutes without roll-ups are usually the last ones, which memory has: one query less per chart of today.
    heldBuckets({ held }, query, outer) ?? read((client) => fromRaw(client, query, outer)),
    mayHaveChanged(signalNo, inner, rolledVersion)
      ? read((client) => changedMinutes(client, { ...query, ...inner }, rolledVersion))
      : [],
  ])
  if (changed.length === 0) return joined(buckets, edges)
  const pieces = piecesOf(changed)
  if (pieces.length > fewPieces) return read((client) => fromRaw(client, query, [query]))
  const [unchanged, fresh] = await Promise.all([rolledUp(changed), read((client) => fromRaw(client, query, pieces))])
  return joined(joined(unchanged, edges), fresh)
}

const heldBuckets = (from: Pick<Freshness, 'held'>, { signalNo, widthMs }: BucketQuery, spans: readonly Span[]) => {
  const samples = heldOf(from, signalNo, spans)
  if (!samples) return undefined
  return new Map(bucketsOf(samples.x, samples.y, widthMs).map((one) => [Math.floor(one.firstAtMs / widthMs), one]))
}

export const piecesOf = (minutes: number[]): Span[] => {
  const pieces: Span[] = []
  for (const minute of minutes.toSorted((a, b) => a - b)) {
    const last = pieces.at(-1)
    if (last?.toMs === minute * minuteMs) last.toMs += minuteMs
    else pieces.push({ fromMs: minute * minuteMs, toMs: (minute + 1) * minuteMs })
  }
  return pieces
}

const wholeMinutes = (fromMs: number, toMs: number): Span => ({
  fromMs: Math.ceil(fromMs / minuteMs) * minuteMs,
  toMs: Math.floor(toMs / minuteMs) * minuteMs,
})

const joined = (a: Map<number, Extremes>, b: Map<number, Extremes>): Map<number, Extremes> => {
  if (b.size === 0) return a
  const all = new Map(a)
  for (const [bucket, more] of b) {
    const part = all.get(bucket)
    all.set(bucket, part ? mergeExtremes(part, more) : more)
  }
  return new Map([...all].toSorted(([x], [y]) => x - y))
}

/** Minutes with raw rows newer than the roll-ups; an index over versions limits the read to the newest rows. */
export const changedMinutes = async (
  client: ClickHouseClient,
  { signalNo, fromMs, toMs }: Span & { signalNo: number },
  rolledVersion: number,
): Promise<number[]> => {
  const answer = await rows<[number]>(
    client,
    `select distinct intDiv(${tsMs}, 60000) from gridmast.samples
     where signal_no = ${int(signalNo)} and ts >= ${instant(fromMs)} and ts < ${instant(toMs)} and version > ${int(rolledVersion)}`,
  )
  return answer.map(([minute]) => minute)
}

type BucketRow = [bucket: number, ...Counted]
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

const fromRaw = async (
  client: ClickHouseClient,
  { signalNo, widthMs }: { signalNo: number; widthMs: number },
  spans: Span[],
): Promise<Map<number, Extremes>> => {
  const within = spans.map(({ fromMs, toMs }) => `(ts >= ${instant(fromMs)} and ts < ${instant(toMs)})`)
  const answer = await rows<BucketRow>(
    client,
    `select intDiv(${tsMs}, ${int(widthMs)}) as bucket, count(), min(value), ${minimumAt('value', tsMs)}, max(value), ${maximumAt('value', tsMs)},
       argMin(value, ts), min(${tsMs}), argMax(value, ts), max(${tsMs})
     from gridmast.samples final where signal_no = ${int(signalNo)} and (${within.join(' or ')}) group by bucket order by bucket`,
  )
  return new Map(answer.map(([bucket, ...row]) => [bucket, extremes(row)]))
}

const fromMinutes = async (
  client: ClickHouseClient,
  { signalNo, fromMs, toMs, widthMs }: BucketQuery,
  except: number[],
): Promise<Map<number, Extremes>> => {
  const at = 'toInt64(toUnixTimestamp(minute)) * 1000'
  const where = `
    from gridmast.minutes final
    prewhere signal_no = ${int(signalNo)} and minute >= toDateTime(${int(fromMs / 1000)}, 'UTC') and minute < toDateTime(${int(toMs / 1000)}, 'UTC')
      ${except.length > 0 ? `and intDiv(toUnixTimestamp(minute), 60) not in (${ints(except)})` : ''}`
  const answer = await rows<BucketRow>(
    client,
    `select intDiv(${at}, ${int(widthMs)}) as bucket, sum(count),
       min(min), ${minimumAt('minutes.min', `${at} + min_at_ms`)}, max(max), ${maximumAt('minutes.max', `${at} + max_at_ms`)},
       argMin(first, minute), min(${at} + first_at_ms), argMax(last, minute), max(${at} + last_at_ms)
     ${where} group by bucket order by bucket`,
  )
  return new Map(answer.map(([bucket, ...row]) => [bucket, extremes(row)]))
}

export type WindowQuery = Span & { signalNo: number; maxPoints: number }

/** Most devices send every second: with more seconds than points, single samples are not tried. */
const likelyStepMs = 1000

const finestOfMinutesMs = 120_000

/** A span in at most `maxPoints` points: all samples when they fit, else the extremes of equal buckets (see decimation.md). */
export const readWindow = async (read: Read, query: WindowQuery, freshness: Freshness): Promise<Points> => {
  const { fromMs, toMs, maxPoints } = query
  if (toMs <= fromMs || maxPoints < 2) return { x: [], y: [] }
  const isKept = fromMs >= freshness.keptSinceMs
  if (isKept && toMs - fromMs <= maxPoints * likelyStepMs) {
    const points = await readSamples(read, query)
    if (points) return points
  }
  const widthMs = Math.max(bucketWidthMs(fromMs, toMs, maxPoints), isKept ? 0 : finestOfMinutesMs)
  const buckets = [...(await readExtremes(read, { ...query, widthMs }, freshness)).values()]
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const points = isKept && count <= maxPoints ? await readSamples(read, query) : undefined
  return points ?? joinBuckets(buckets, widthMs, maxPoints)
}

export const windowOf = ({ x, y }: Samples, { fromMs, toMs, maxPoints }: WindowQuery): Points => {
  if (toMs <= fromMs || maxPoints < 2) return { x: [], y: [] }
  const points = x.length <= maxPoints ? joinSamples(x, y) : undefined
  if (points && points.x.length <= maxPoints) return points
  const widthMs = bucketWidthMs(fromMs, toMs, maxPoints)
  return joinBuckets(bucketsOf(x, y, widthMs), widthMs, maxPoints)
}

/** Undefined when the samples and the nulls of their gaps exceed `maxPoints`. */
const readSamples = async (
  read: Read,
  { signalNo, fromMs, toMs, maxPoints }: WindowQuery,
): Promise<Points | undefined> => {
  // Columns instead of rows save 1 ms of 4 on half an hour (measured).
  const { at = [], value = [] } = await read((client) =>
    columns<'at' | 'value'>(
      client,
      `select ${tsMs} as at, value from gridmast.samples final
       prewhere signal_no = ${int(signalNo)} and ts >= ${instant(fromMs)} and ts < ${instant(toMs)} order by ts limit ${int(maxPoints + 1)}`,
    ),
  )
  if (at.length > maxPoints) return undefined
  const points = joinSamples(at, value)
  return points.x.length <= maxPoints ? points : undefined
}
