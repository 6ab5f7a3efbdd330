import type { ClickHouseClient } from '@clickhouse/client'
import type { Slot } from '@gridmast/contract/slots.ts'
import { type Read, instant, int, ints, rows, tsMs } from './sql.ts'
import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'
import { changedMinutes, fewPieces, type Freshness, heldOf, piecesOf, trustedToMs } from './window.ts'
import type { Points } from './decimate.ts'
import type { Samples } from './samples.ts'
import { fewMinutes, type Minutes } from './minutes.ts'

/** Statistics of one interval, null without samples; `first` and `last` are for counters. */
export type Bucket = {
  count: number
  sum: number
  min: number | null
  max: number | null
  first: number | null
  firstMs: number | null
  last: number | null
  lastMs: number | null
}

export type IntervalsQuery = { signalNo: number; edgesMs: readonly number[] }

const quarterMs = 15 * minuteMs

const nothing: Bucket = {
  count: 0,
  sum: 0,
  min: null,
  max: null,
  first: null,
  firstMs: null,
  last: null,
  lastMs: null,
}

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

/** One bucket per interval `[edges[i], edges[i + 1])`; edges ascend at any distance, so local days of 23 and 25 hours work. */
export const readIntervals = async (
  read: Read,
  { signalNo, edgesMs }: IntervalsQuery,
  { rolledVersion, mayHaveChanged, held, minutes }: Freshness,
): Promise<Bucket[]> => {
  const [fromMs, toMs] = [edgesMs[0], edgesMs.at(-1)]
  if (fromMs === undefined || toMs === undefined || edgesMs.length < 2) return []
  edgesMs.forEach((edge, i) => {
    if (i > 0 && edge <= (edgesMs[i - 1] ?? edge)) throw new RangeError('The edges of intervals must ascend')
  })
  const isOnMinutes = edgesMs.every((edge) => edge % minuteMs === 0)
  const rolledToMs = isOnMinutes ? Math.min(toMs, trustedToMs(rolledVersion)) : fromMs
  if (rolledToMs <= fromMs) return ofEdges(edgesMs, await read((client) => fromRaw(client, signalNo, edgesMs)))
  const rolled = { signalNo, fromMs, toMs: rolledToMs }
  const changed = mayHaveChanged(signalNo, rolled, rolledVersion)
    ? await read((client) => changedMinutes(client, rolled, rolledVersion))
    : []
  const pieces = [...piecesOf(changed), ...(rolledToMs < toMs ? [{ fromMs: rolledToMs, toMs }] : [])]
  if (pieces.length > fewPieces) return ofEdges(edgesMs, await read((client) => fromRaw(client, signalNo, edgesMs)))
  const samples = heldOf({ held }, signalNo, pieces)
  const isFew = rolledToMs - fromMs <= fewMinutes * minuteMs
  const inMemory = isFew ? minutes.held(signalNo, { fromMs, toMs: rolledToMs }) : undefined
  const parts = await Promise.all([
    inMemory
      ? ofMinutes(inMemory, edgesMs, new Set(changed))
      : read((client) => fromMinutes(client, signalNo, edgesMs, rolledToMs, changed)),
    samples ? fromSamples(samples, edgesMs) : read((client) => fromRaw(client, signalNo, edgesMs, pieces)),
  ])
  return ofEdges(edgesMs, parts.flat())
}

const ofEdges = (edgesMs: readonly number[], parts: readonly Part[]): Bucket[] => {
  const buckets = new Map<number, Bucket>()
  for (const part of parts) buckets.set(part[0], joined(buckets.get(part[0]), part))
  return edgesMs.slice(0, -1).map((edge) => buckets.get(edge) ?? nothing)
}

const joined = (bucket: Bucket = nothing, part: Part): Bucket => {
  const [, count, sum, min, max, first, firstMs, last, lastMs] = part
  const isFirst = bucket.firstMs === null || firstMs < bucket.firstMs
  const isLast = bucket.lastMs === null || lastMs > bucket.lastMs
  return {
    count: bucket.count + count,
    sum: bucket.sum + sum,
    min: Math.min(bucket.min ?? min, min),
    max: Math.max(bucket.max ?? max, max),
    first: isFirst ? first : bucket.first,
    firstMs: isFirst ? firstMs : bucket.firstMs,
    last: isLast ? last : bucket.last,
    lastMs: isLast ? lastMs : bucket.lastMs,
  }
}

const edgeOf = (time: string, edgesMs: readonly number[]) => {
  const [first = 0, second = first] = edgesMs
  const step = second - first
  const isEven = edgesMs.every((edge, i) => edge === first + i * step)
  return isEven
    ? `${int(first)} + intDiv(${time} - ${int(first)}, ${int(step)}) * ${int(step)}`
    : `roundDown(${time}, [${ints(edgesMs)}]::Array(Int64))`
}

const fromSamples = ({ x, y }: Samples, edgesMs: readonly number[]): Part[] => {
  const parts: Part[] = []
  let next = 0
  for (const [i, tMs] of x.entries()) {
    const value = y[i] ?? 0
    while ((edgesMs[next] ?? Infinity) <= tMs) next++
    const edge = edgesMs[next - 1] ?? tMs
    const open = parts.at(-1)
    if (open?.[0] === edge) {
      open[1]++
      open[2] += value
      open[3] = Math.min(open[3], value)
      open[4] = Math.max(open[4], value)
      ;[open[7], open[8]] = [value, tMs]
    } else parts.push([edge, 1, value, value, value, value, tMs, value, tMs])
  }
  return parts
}

const ofMinutes = (minutes: Minutes, edgesMs: readonly number[], except: ReadonlySet<number>): Part[] => {
  const parts: Part[] = []
  let next = 0
  minutes.each((atMs, block, i) => {
    if (except.has(atMs / minuteMs)) return
    while ((edgesMs[next] ?? Infinity) <= atMs) next++
    const edge = edgesMs[next - 1] ?? atMs
    const [count = 0, sum = 0, min = 0, max = 0] = [block.count[i], block.sum[i], block.min[i], block.max[i]]
    const [first = 0, last = 0] = [block.first[i], block.last[i]]
    const [firstAt, lastAt] = [atMs + (block.firstAt[i] ?? 0), atMs + (block.lastAt[i] ?? 0)]
    const open = parts.at(-1)
    if (open?.[0] === edge) {
      open[1] += count
      open[2] += sum
      open[3] = Math.min(open[3], min)
      open[4] = Math.max(open[4], max)
      ;[open[7], open[8]] = [last, lastAt]
    } else parts.push([edge, count, sum, min, max, first, firstAt, last, lastAt])
  })
  return parts
}

/** A list of edges can exceed the default query length. */
const longText = 'settings max_query_size = 4194304'

const fromRaw = (client: ClickHouseClient, signalNo: number, edgesMs: readonly number[], only?: Span[]) => {
  const spans = only ?? [{ fromMs: edgesMs[0] ?? 0, toMs: edgesMs.at(-1) ?? 0 }]
  const within = spans.map(({ fromMs, toMs }) => `(ts >= ${instant(fromMs)} and ts < ${instant(toMs)})`)
  return rows<Part>(
    client,
    `select ${edgeOf(tsMs, edgesMs)} as edge, count(), sum(value), min(value), max(value),
       argMin(value, ts), min(${tsMs}), argMax(value, ts), max(${tsMs})
     from gridmast.samples final where signal_no = ${int(signalNo)} and (${within.join(' or ')}) group by edge ${longText}`,
  )
}

const fromMinutes = (
  client: ClickHouseClient,
  signalNo: number,
  edgesMs: readonly number[],
  toMs: number,
  except: number[],
) => {
  const at = 'toInt64(toUnixTimestamp(minute)) * 1000'
  const fromMs = edgesMs[0] ?? 0
  return rows<Part>(
    client,
    `select ${edgeOf(at, edgesMs)} as edge, sum(count), sum(sum), min(min), max(max),
       argMin(first, minute), min(${at} + first_at_ms), argMax(last, minute), max(${at} + last_at_ms)
     from gridmast.minutes final
     where signal_no = ${int(signalNo)} and minute >= toDateTime(${int(fromMs / 1000)}, 'UTC') and minute < toDateTime(${int(toMs / 1000)}, 'UTC')
       ${except.length > 0 ? `and intDiv(toUnixTimestamp(minute), 60) not in (${ints(except)})` : ''}
     group by edge ${longText}`,
  )
}

type Buckets = { buckets: (query: IntervalsQuery) => Promise<Bucket[]> }

/** Mean of each interval that has samples, at its start. */
export const readMeans = async (readings: Buckets, signalNo: number, edgesMs: readonly number[]): Promise<Points> => {
  const means = (await readings.buckets({ signalNo, edgesMs })).flatMap(({ count, sum }, i) =>
    count > 0 ? [{ x: edgesMs[i] ?? 0, y: sum / count }] : [],
  )
  return { x: means.map(({ x }) => x), y: means.map(({ y }) => y) }
}

/**
 * Energy per hour in kWh from power: mean kW times the elapsed hours. Null, never 0 or an estimate, where a quarter of the hour passed without
 * a sample. The current hour counts up to `nowMs`.
 */
export const hourlyEnergyKwh = async (
  readings: Buckets,
  signalNo: number,
  hours: Slot[],
  nowMs: number,
): Promise<(number | null)[]> => {
  const starts = hours.flatMap(({ fromMs }) => [0, 1, 2, 3].map((quarter) => fromMs + quarter * quarterMs))
  const edgesMs = [...starts, ...hours.slice(-1).map((hour) => hour.toMs)]
  const buckets = await readings.buckets({ signalNo, edgesMs })
  return hours.map((hour, i) => {
    const quarters = buckets.slice(4 * i, 4 * i + 4)
    const isSilent = quarters.some(({ count }, q) => count === 0 && hour.fromMs + (q + 1) * quarterMs <= nowMs)
    const count = quarters.reduce((all, quarter) => all + quarter.count, 0)
    if (isSilent || count === 0) return null
    const sum = quarters.reduce((all, quarter) => all + quarter.sum, 0)
    const passedMs = Math.min(hour.toMs, Math.max(nowMs, hour.fromMs)) - hour.fromMs
    return ((sum / count) * passedMs) / hourMs
  })
}
