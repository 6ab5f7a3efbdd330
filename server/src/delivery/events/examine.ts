import type { DeliveryScore, Direction } from '@gridmast/contract/delivery/events.ts'
import { minuteMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import { type Activation, findActivations } from '#delivery/scoring/activations.ts'
import { products } from '#delivery/scoring/products.ts'
import { firstFrom, type Samples, speaksMs } from '#delivery/scoring/samples.ts'
import { idOf } from '#platform/records/ids.ts'
import type { Readings } from '#readings/readings.ts'
import { judge, readTrigger, type Subject, triggerNo } from './judge.ts'
import { toDeliveryScore } from './to-event.ts'

export type Watched = Omit<Subject, 'tests'> & {
  instanceId: string
  /** Start of the instance on this market: earlier activations stay unchanged. */
  sinceMs: number
}

export type Row = {
  eventId: string
  source: 'telemetry' | 'edge'
  direction: Direction
  startMs: number
  endMs: number | null
  deltaLoad: number | null
  processedDeltaLoad: number | null
  extremeHz: number | null
  maxSetPoint: number | null
  consumptionKwh: number | null
  isEstimated: boolean
  capacityKw: number
  isSold: boolean
  score: number | null
  verdict: string | null
  outcome: DeliveryScore | null
  untilMs: number | null
  isFinal: boolean
  edgeEventId: string | null
}
export type StoredRow = Row & { late: boolean; toldMs: number | null }

export type EdgeReport = {
  edgeEventId: string
  direction: Direction
  startMs: number
  endMs: number | null
  maxSetPoint: number | null
  hz: number | null
  receivedMs: number
}

export type SoldSpan = Span & { product: string; kw: number; decidedMs: number }

export type Known = Span & {
  rows: readonly StoredRow[]
  reports: readonly EdgeReport[]
  tests: readonly Span[]
  sold: readonly SoldSpan[]
}
export type Examined = {
  rows: readonly Row[]
  save: readonly Row[]
  remove: readonly StoredRow[]
  moved: readonly { from: string; to: string }[]
  horizonMs: number
}

type From = {
  readings: Pick<Readings, 'samples' | 'latest'>
  reload: (span: Span) => Promise<Known>
  nowMs: number
}

/** An activation ends after 60 s of rest or 5 min of silence: samples further away do not affect it. */
const reachMs = 7 * minuteMs
/** Tolerance between the clocks of edge and server, and between their definitions of the start. */
const edgeRoomMs = minuteMs
export const reportPatienceMs = 2 * minuteMs
/** Limit of an activation without a minute of rest: 7 min doubled eleven times are ten days. */
const mostSteps = 11

const endOf = ({ endMs }: { endMs: number | null }) => endMs ?? Infinity
const findAround = async (watched: Watched, span: Span, first: Known, { readings, reload, nowMs }: From) => {
  const product = products[watched.market]
  const readyAgainMs = 'latch' in product ? product.latch.readyAgainS * 1000 : 0
  // A quarter of an hour is scored as a whole.
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
    // FFR is not activated again for 15 minutes, so later activations may depend on this one.
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
 * An activation keeps the id of the row that it overlaps, the oldest of several; a split row gives its id to its first part. The id of a new
 * activation is derived from instance, market and start.
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
  // The capacity of the first score stays when another one is registered or sold later.
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

/** Sold kW at the start of an activation, by results decided until then (only those had reached the equipment); null without any. */
const soldKwAt = (sold: readonly SoldSpan[], { startMs, direction }: Pick<Activation, 'startMs' | 'direction'>) => {
  const otherWay = direction === 'increased' ? '-DEC' : '-INC'
  const kw = sold
    .filter(({ fromMs, toMs, decidedMs }) => fromMs <= startMs && startMs < toMs && decidedMs <= startMs)
    .filter(({ product }) => !product.endsWith(otherWay))
    .reduce((sum, one) => sum + one.kw, 0)
  return kw > 0 ? kw : null
}

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
 * Rows of an instance on a market around a span: a function of the samples, edge reports and manual set points, whatever the order of arrival.
 * Rows without stored samples stay unchanged.
 */
export const examine = async (watched: Watched, span: Span, first: Known, from: From): Promise<Examined> => {
  const around = await findAround(watched, span, first, from)
  const { known, trigger, found, fromMs, toMs, isHorizon, horizonMs } = around
  const isBefore = (one: { endMs: number | null }) => endOf(one) <= watched.sinceMs
  const live = found.filter((one) => !isBefore(one))
  const ids = identify(watched, live, known.rows)
  const rows: Row[] = []
  for (const one of live) rows.push(await toRow(watched, one, ids.get(one) ?? '', around, from))

  // An activation that begins with the last samples of the window may need the next one to be detected.
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
