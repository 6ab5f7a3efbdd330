import type { DeliveryScore, Direction } from '@gridmast/contract/delivery/events.ts'
import { minuteMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import { type Activation, findActivations } from '#delivery/scoring/activations.ts'
import { products } from '#delivery/scoring/products.ts'
import { firstFrom, type Samples, speaksMs } from '#delivery/scoring/samples.ts'
import { idOf } from '#platform/records/ids.ts'
import type { Readings } from '#readings/readings.ts'
import { judge, readTrigger, type Subject, triggerNo } from './judge.ts'
import { toDeliveryScore } from './to-event.ts'

/** An instance on a market. */
export type Watched = Omit<Subject, 'tests'> & {
  instanceId: string
  /** It answers this market since then: what ended before is left as it is. */
  sinceMs: number
}

/** A row of the table `event`, as a function of what is stored. */
export type Row = {
  eventId: string
  source: 'telemetry' | 'edge'
  direction: Direction
  startMs: number
  /** Null while it runs. */
  endMs: number | null
  deltaLoad: number | null
  processedDeltaLoad: number | null
  extremeHz: number | null
  maxSetPoint: number | null
  consumptionKwh: number | null
  isEstimated: boolean
  capacityKw: number
  /** The capacity is what was sold, not what is registered. */
  isSold: boolean
  score: number | null
  verdict: string | null
  outcome: DeliveryScore | null
  /** Samples from here on do not change it; null while it runs. */
  untilMs: number | null
  /** All samples before have come. */
  isFinal: boolean
  edgeEventId: string | null
}
/** With what happened to it, which stays however often it is written again. */
export type StoredRow = Row & { late: boolean; toldMs: number | null }

/** An activation as its edge saw it. */
export type EdgeReport = {
  edgeEventId: string
  direction: Direction
  startMs: number
  endMs: number | null
  maxSetPoint: number | null
  hz: number | null
  receivedMs: number
}

/** What was won in one auction of a period. */
export type SoldSpan = Span & { product: string; kw: number; decidedMs: number }

/** What the records have around a span. */
export type Known = Span & {
  rows: readonly StoredRow[]
  reports: readonly EdgeReport[]
  tests: readonly Span[]
  sold: readonly SoldSpan[]
}
/** All rows around the span, and what of them is new or gone. */
export type Examined = {
  rows: readonly Row[]
  save: readonly Row[]
  remove: readonly StoredRow[]
  /** Ids of removed rows that became a part of another one. */
  moved: readonly { from: string; to: string }[]
  /** The newest sample that asks. */
  horizonMs: number
}

type From = {
  readings: Pick<Readings, 'samples' | 'latest'>
  /** At least what overlaps the span. */
  reload: (span: Span) => Promise<Known>
  nowMs: number
}

/** Rest of 60 s ends an activation, and 5 min of silence: what is further away does not touch it. */
const reachMs = 7 * minuteMs
/** The edge's clock and ours, and what each of them calls the beginning. */
const edgeRoomMs = minuteMs
/** An edge's report waits so long for its telemetry. */
export const reportPatienceMs = 2 * minuteMs
/** Nothing runs longer than this without a rest of a minute: 7 min doubled eleven times are ten days. */
const mostSteps = 11

const endOf = ({ endMs }: { endMs: number | null }) => endMs ?? Infinity
/** Where a span must be looked at from and to, so that it begins and ends in rest, and what is found there. */
const findAround = async (watched: Watched, span: Span, first: Known, { readings, reload, nowMs }: From) => {
  const product = products[watched.market]
  const readyAgainMs = 'latch' in product ? product.latch.readyAgainS * 1000 : 0
  // A quarter of an hour is judged as a whole.
  const roomMs = reachMs + Math.max(readyAgainMs, product.judged.by === 'band' ? quarterMs : 0)
  const no = triggerNo(watched.market, watched.nos)
  const horizonMs = no === undefined ? -Infinity : ((await readings.latest([no])).get(no)?.tMs ?? -Infinity)
  let known = first
  const near = known.rows.filter((row) => {
    const meterMs = Math.max(0, (row.untilMs ?? 0) - endOf(row))
    return row.startMs - meterMs <= span.toMs + roomMs && endOf(row) + meterMs >= span.fromMs - roomMs
  })
  let fromMs = Math.min(span.fromMs, ...near.map(({ startMs }) => startMs)) - roomMs
  let toMs = Math.max(span.toMs, ...near.map((row) => Math.min(endOf(row), horizonMs))) + roomMs
  for (let step = 1; ; step++) {
    if (fromMs < known.fromMs || toMs > known.toMs) known = await reload({ fromMs, toMs })
    const trigger = await readTrigger(readings, { ...watched, tests: known.tests }, { fromMs, toMs })
    const isHorizon = toMs > horizonMs
    const untilMs = isHorizon && nowMs > horizonMs ? nowMs : undefined
    const found = findActivations(product, trigger, untilMs)
    const nothingBefore = (trigger.x[0] ?? Infinity) - fromMs > roomMs
    const isCutBefore = found.some(({ startKnown }) => !startKnown) && !nothingBefore
    // FFR is not asked again for 15 minutes: what follows may hang on it.
    const isCutBehind = !isHorizon && found.some((one) => one.endMs === null || one.startMs + readyAgainMs > toMs)
    if ((!isCutBefore && !isCutBehind) || step > mostSteps)
      return { known, trigger, found, fromMs, toMs, isHorizon, horizonMs }
    if (isCutBefore) fromMs -= roomMs * 2 ** step
    if (isCutBehind) toMs += roomMs * 2 ** step
  }
}

type Ranged = { direction: Direction; startMs: number; endMs: number | null }
const overlaps = (a: Ranged, b: Ranged) => a.direction === b.direction && a.startMs < endOf(b) && b.startMs < endOf(a)

/**
 * An activation keeps the id of the row that it overlaps, the oldest of several; a row that was split gives its id to its first part. A new
 * activation has an id of instance, market and start.
 */
const identify = ({ instanceId, market }: Watched, found: readonly Activation[], rows: readonly StoredRow[]) => {
  const ids = new Map<Activation, string>()
  const taken = new Set<string>()
  const give = (one: Activation, eventId: string) => {
    ids.set(one, eventId)
    taken.add(eventId)
  }
  const oldest = rows.toSorted((a, b) => a.startMs - b.startMs)
  for (const isSameRow of [(row: Ranged, one: Ranged) => overlaps(row, one) && row.startMs === one.startMs, overlaps])
    for (const one of found) {
      const row = ids.has(one) ? undefined : oldest.find((row) => !taken.has(row.eventId) && isSameRow(row, one))
      if (row) give(one, row.eventId)
    }
  for (const one of found) {
    if (ids.has(one)) continue
    const parts = ['event', instanceId, market, new Date(one.startMs).toISOString()]
    const isUsed = (eventId: string) => taken.has(eventId) || rows.some((row) => row.eventId === eventId)
    // The row that began here has moved, and keeps its id.
    while (isUsed(idOf(...parts))) parts.push('again')
    give(one, idOf(...parts))
  }
  return ids
}

const toRow = async (
  watched: Watched,
  one: Activation,
  eventId: string,
  { known, horizonMs }: { known: Known; horizonMs: number },
  { readings, nowMs }: From,
): Promise<Row> => {
  const { direction, startMs, endMs } = one
  const before = known.rows.find((row) => row.eventId === eventId)
  // What it was judged by stays, when another capacity is registered or sold later.
  const soldKw = before ? (before.isSold ? before.capacityKw : null) : soldKwAt(known.sold, one)
  const capacityKw = before?.capacityKw ?? soldKw ?? watched.capacityKw
  const { score, consumption, untilMs } = await judge(
    ...([readings, { ...watched, capacityKw, tests: known.tests }, one, nowMs] as const),
  )
  const report = known.reports.find((seen) => isSame(seen, one))
  return {
    eventId,
    source: 'telemetry',
    direction,
    startMs,
    endMs,
    capacityKw,
    isSold: soldKw !== null,
    deltaLoad: one.deltaLoadPct,
    processedDeltaLoad: score?.processedDeltaLoadPct ?? null,
    extremeHz: one.extremeHz,
    maxSetPoint: one.maxSetPointPct,
    consumptionKwh: consumption?.kWh ?? null,
    isEstimated: consumption?.isEstimated ?? false,
    score: score?.score ?? null,
    verdict: score?.verdict ?? null,
    outcome: score && toDeliveryScore(score),
    untilMs,
    isFinal: untilMs !== null && horizonMs >= untilMs - 1000,
    edgeEventId: report?.edgeEventId ?? null,
  }
}

/** What was sold for an activation when it began: the equipment was told what had been decided by then. Null where that is nothing. */
const soldKwAt = (sold: readonly SoldSpan[], { startMs, direction }: Pick<Activation, 'startMs' | 'direction'>) => {
  const otherWay = direction === 'increased' ? '-DEC' : '-INC'
  const kw = sold
    .filter(({ fromMs, toMs, decidedMs }) => fromMs <= startMs && startMs < toMs && decidedMs <= startMs)
    .filter(({ product }) => !product.endsWith(otherWay))
    .reduce((sum, one) => sum + one.kw, 0)
  return kw > 0 ? kw : null
}

/** Overlapping but for a minute, and the same way. */
const isSame = (report: EdgeReport, one: { direction: Direction; startMs: number; endMs: number | null }) =>
  report.direction === one.direction &&
  report.startMs - edgeRoomMs <= endOf(one) &&
  (report.endMs ?? report.startMs) + edgeRoomMs >= one.startMs

const reportRow = (watched: Watched, report: EdgeReport): Row => ({
  eventId: idOf('event', report.edgeEventId),
  source: 'edge',
  direction: report.direction,
  startMs: report.startMs,
  endMs: report.endMs,
  capacityKw: watched.capacityKw,
  isSold: false,
  deltaLoad: null,
  processedDeltaLoad: null,
  extremeHz: report.hz,
  maxSetPoint: report.maxSetPoint,
  consumptionKwh: null,
  isEstimated: false,
  score: null,
  verdict: null,
  outcome: null,
  untilMs: report.endMs,
  isFinal: true,
  edgeEventId: report.edgeEventId,
})

const hasSamples = (samples: Samples, row: StoredRow) =>
  (samples.x[firstFrom(samples, row.startMs)] ?? Infinity) <= endOf(row)

/**
 * Which rows of an instance on a market there are around a span: a function of the samples, the edge's reports and the set points by hand, whatever
 * came when. Rows of which the samples are no longer kept stay as they are.
 */
export const examine = async (watched: Watched, span: Span, first: Known, from: From): Promise<Examined> => {
  const around = await findAround(watched, span, first, from)
  const { known, trigger, found, fromMs, toMs, isHorizon, horizonMs } = around
  const isBefore = (one: { endMs: number | null }) => endOf(one) <= watched.sinceMs
  const live = found.filter((one) => !isBefore(one))
  const ids = identify(watched, live, known.rows)
  const rows: Row[] = []
  for (const one of live) rows.push(await toRow(watched, one, ids.get(one) ?? '', around, from))

  // An activation that begins with the last samples of the window may need the next one to be seen.
  const sureMs = isHorizon ? Infinity : toMs - speaksMs - 1000
  const isInside = ({ startMs }: { startMs: number }) => startMs >= fromMs && startMs < sureMs
  const foundIds = new Set(rows.map(({ eventId }) => eventId))
  const elsewhere = known.rows.filter(
    (row) =>
      !foundIds.has(row.eventId) &&
      (isBefore(row) || (row.source === 'telemetry' && (!isInside(row) || !hasSamples(trigger, row)))),
  )
  const unmatched = known.reports.filter(
    (report) =>
      (report.endMs ?? report.startMs) > watched.sinceMs &&
      ![...rows, ...elsewhere].some((one) => isSame(report, one)) &&
      from.nowMs - report.receivedMs >= reportPatienceMs,
  )
  const kept = new Set([
    ...elsewhere.map(({ eventId }) => eventId),
    ...unmatched.map((one) => idOf('event', one.edgeEventId)),
  ])
  const all = [
    ...rows,
    ...unmatched
      .filter((report) => report.startMs >= fromMs && report.startMs < toMs)
      .map((one) => reportRow(watched, one)),
  ]
  const saved = new Set(all.map(({ eventId }) => eventId))
  const remove = known.rows.filter(({ eventId }) => !saved.has(eventId) && !kept.has(eventId))
  return {
    rows: all,
    horizonMs,
    save: all.filter((row) => !known.rows.some((before) => before.eventId === row.eventId && isUnchanged(row, before))),
    remove,
    moved: remove.flatMap(({ eventId, ...row }) => {
      const to = rows.find((one) => overlaps(row, one))
      return to ? [{ from: eventId, to: to.eventId }] : []
    }),
  }
}

const told = [
  ...(['source', 'direction', 'startMs', 'endMs', 'deltaLoad', 'processedDeltaLoad', 'extremeHz'] as const),
  ...(['maxSetPoint', 'consumptionKwh', 'isEstimated', 'capacityKw', 'isSold', 'score', 'verdict'] as const),
  ...(['untilMs', 'isFinal', 'edgeEventId'] as const),
]
const isUnchanged = (row: Row, before: Row) => told.every((key) => row[key] === before[key])
