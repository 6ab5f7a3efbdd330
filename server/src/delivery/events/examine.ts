import type { DeliveryScore } from '@gridmast/contract/delivery/events.ts'
import { minuteMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import { type Activation, findActivations } from '#delivery/scoring/activations.ts'
import type { ActivationSpan } from '#delivery/scoring/measured.ts'
import { products } from '#delivery/scoring/products.ts'
import { firstFrom, type Samples, speaksMs } from '#delivery/scoring/samples.ts'
import { idOf } from '#platform/records/ids.ts'
import type { RowOf } from '#platform/records/rows.ts'
import type { Readings } from '#readings/readings.ts'
import { judge, readTrigger, type Subject, triggerNo } from './judge.ts'
import { numberOf, toDeliveryScore } from './to-event.ts'

export type Watched = Omit<Subject, 'tests'> & {
  instanceId: string
  sinceMs: number
}

type Times = 'started_at' | 'ended_at' | 'judged_until' | 'duration_s'
type Keys = 'customer_id' | 'instance_id' | 'market' | 'event_type'

export type EventRow = Omit<RowOf<'event'>, Times | Keys | 'direction' | 'outcome' | 'late' | 'told_at' | 'pushed_at'> &
  ActivationSpan & { untilMs: number | null; outcome: DeliveryScore | null }
export type StoredRow = EventRow & Pick<RowOf<'event'>, 'late' | 'told_at' | 'pushed_at'>

type ReportColumns = 'event_id' | 'max_set_point' | 'external_frequency_hz' | 'received_at'
export type EdgeReport = ActivationSpan & Pick<RowOf<'edge_event'>, ReportColumns>

export type SoldSpan = Span & { product: string; kw: number; decidedMs: number }

export type SpanRows = Span & {
  rows: readonly StoredRow[]
  reports: readonly EdgeReport[]
  tests: readonly Span[]
  sold: readonly SoldSpan[]
}
export type Changes = {
  rows: readonly EventRow[]
  save: readonly EventRow[]
  remove: readonly StoredRow[]
  moved: readonly { from: string; to: string }[]
  horizonMs: number
}

type Sources = {
  readings: Pick<Readings, 'samples' | 'latest'>
  reload: (span: Span) => Promise<SpanRows>
  nowMs: number
}

/** An activation ends after 60 s of rest or 5 min of silence: samples further away do not affect it. */
const reachMs = 7 * minuteMs
/** Tolerance between the clocks of edge and server, and between their definitions of the start. */
const edgeRoomMs = minuteMs
export const reportPatienceMs = 2 * minuteMs
/** Limit of an activation without a minute of rest: 7 min doubled eleven times are ten days. */
const maxSteps = 11

const endOf = ({ endMs }: { endMs: number | null }) => endMs ?? Infinity

const readActivations = async (watched: Watched, span: Span, first: SpanRows, { readings, reload, nowMs }: Sources) => {
  const product = products[watched.market]
  const readyAgainMs = 'latch' in product ? product.latch.readyAgainS * 1000 : 0
  const roomMs = reachMs + Math.max(readyAgainMs, product.judged.by === 'band' ? quarterMs : 0)
  const no = triggerNo(watched.market, watched.nos)
  const horizonMs = no === undefined ? -Infinity : ((await readings.latest([no])).get(no)?.tMs ?? -Infinity)
  let spanRows = first
  const near = spanRows.rows.filter((row) => {
    const meterMs = Math.max(0, (row.untilMs ?? 0) - endOf(row))
    return row.startMs - meterMs <= span.toMs + roomMs && endOf(row) + meterMs >= span.fromMs - roomMs
  })
  let fromMs = Math.min(span.fromMs, ...near.map(({ startMs }) => startMs)) - roomMs
  let toMs = Math.max(span.toMs, ...near.map((row) => Math.min(endOf(row), horizonMs))) + roomMs
  for (let step = 1; ; step++) {
    if (fromMs < spanRows.fromMs || toMs > spanRows.toMs) spanRows = await reload({ fromMs, toMs })
    const trigger = await readTrigger(readings, { ...watched, tests: spanRows.tests }, { fromMs, toMs })
    const isHorizon = toMs > horizonMs
    const untilMs = isHorizon && nowMs > horizonMs ? nowMs : undefined
    const activations = findActivations(product, trigger, untilMs)
    const nothingBefore = (trigger.x[0] ?? Infinity) - fromMs > roomMs
    const isCutBefore = activations.some(({ startKnown }) => !startKnown) && !nothingBefore
    // FFR is not activated again for 15 minutes, so later activations may depend on this one.
    const isCutBehind = !isHorizon && activations.some((one) => one.endMs === null || one.startMs + readyAgainMs > toMs)
    if ((!isCutBefore && !isCutBehind) || step > maxSteps)
      return { spanRows, trigger, activations, fromMs, toMs, isHorizon, horizonMs }
    if (isCutBefore) fromMs -= roomMs * 2 ** step
    if (isCutBehind) toMs += roomMs * 2 ** step
  }
}

const overlaps = (a: ActivationSpan, b: ActivationSpan) =>
  a.direction === b.direction && a.startMs < endOf(b) && b.startMs < endOf(a)

/**
 * An activation keeps the id of the row that it overlaps, the oldest of several; a split row gives its id to its first part. The id of a new
 * activation is derived from instance, market and start.
 */
const identify = ({ instanceId, market }: Watched, activations: readonly Activation[], rows: readonly StoredRow[]) => {
  const ids = new Map<Activation, string>()
  const usedIds = new Set<string>()
  const assign = (activation: Activation, eventId: string) => {
    ids.set(activation, eventId)
    usedIds.add(eventId)
  }
  const oldest = rows.toSorted((a, b) => a.startMs - b.startMs)
  const startsEqual = (row: ActivationSpan, activation: ActivationSpan) =>
    overlaps(row, activation) && row.startMs === activation.startMs
  for (const isSameRow of [startsEqual, overlaps])
    for (const activation of activations) {
      if (ids.has(activation)) continue
      const row = oldest.find((row) => !usedIds.has(row.event_id) && isSameRow(row, activation))
      if (row) assign(activation, row.event_id)
    }
  for (const activation of activations) {
    if (ids.has(activation)) continue
    const parts = ['event', instanceId, market, new Date(activation.startMs).toISOString()]
    const isUsed = (eventId: string) => usedIds.has(eventId) || rows.some((row) => row.event_id === eventId)
    while (isUsed(idOf(...parts))) parts.push('again')
    assign(activation, idOf(...parts))
  }
  return ids
}

const toRow = async (
  watched: Watched,
  activation: Activation,
  eventId: string,
  { spanRows, horizonMs }: { spanRows: SpanRows; horizonMs: number },
  { readings, nowMs }: Sources,
): Promise<EventRow> => {
  const { direction, startMs, endMs } = activation
  const before = spanRows.rows.find((row) => row.event_id === eventId)
  // The capacity of the first score stays when another one is registered or sold later.
  const soldKw = soldKwAt(spanRows.sold, activation)
  const capacity = before ?? {
    capacity_kw: soldKw ?? watched.capacityKw,
    capacity_source: soldKw === null ? 'registered' : 'sold',
  }
  const subject = { ...watched, capacityKw: capacity.capacity_kw, tests: spanRows.tests }
  const { score, consumption, untilMs } = await judge(readings, subject, activation, nowMs)
  return {
    event_id: eventId,
    source: 'telemetry',
    direction,
    startMs,
    endMs,
    capacity_kw: capacity.capacity_kw,
    capacity_source: capacity.capacity_source,
    delta_load: activation.deltaLoadPct,
    processed_delta_load: score?.processedDeltaLoadPct ?? null,
    extreme_hz: activation.extremeHz,
    max_set_point: activation.maxSetPointPct,
    consumption_kwh: consumption?.kWh ?? null,
    consumption_estimated: consumption?.isEstimated ?? false,
    score: score?.score ?? null,
    verdict: score?.verdict ?? null,
    outcome: score && toDeliveryScore(score),
    untilMs,
    is_final: untilMs !== null && horizonMs >= untilMs - 1000,
    edge_event_id: spanRows.reports.find((report) => isSame(report, activation))?.event_id ?? null,
  }
}

/** Sold kW at the start of an activation, by results decided until then (only those had reached the equipment); null without any. */
const soldKwAt = (sold: readonly SoldSpan[], { startMs, direction }: ActivationSpan) => {
  const otherWay = direction === 'increased' ? '-DEC' : '-INC'
  const kw = sold
    .filter(({ fromMs, toMs, decidedMs }) => fromMs <= startMs && startMs < toMs && decidedMs <= startMs)
    .filter(({ product }) => !product.endsWith(otherWay))
    .reduce((sum, one) => sum + one.kw, 0)
  return kw > 0 ? kw : null
}

const isSame = (report: EdgeReport, span: ActivationSpan) =>
  report.direction === span.direction &&
  report.startMs - edgeRoomMs <= endOf(span) &&
  (report.endMs ?? report.startMs) + edgeRoomMs >= span.startMs

const idOfReport = ({ event_id }: EdgeReport) => idOf('event', event_id)

const reportRow = ({ capacityKw }: Watched, report: EdgeReport): EventRow => ({
  event_id: idOfReport(report),
  source: 'edge',
  direction: report.direction,
  startMs: report.startMs,
  endMs: report.endMs,
  capacity_kw: capacityKw,
  capacity_source: 'registered',
  delta_load: null,
  processed_delta_load: null,
  extreme_hz: numberOf(report.external_frequency_hz),
  max_set_point: numberOf(report.max_set_point),
  consumption_kwh: null,
  consumption_estimated: false,
  score: null,
  verdict: null,
  outcome: null,
  untilMs: report.endMs,
  is_final: true,
  edge_event_id: report.event_id,
})

const hasSamples = (samples: Samples, row: StoredRow) =>
  (samples.x[firstFrom(samples, row.startMs)] ?? Infinity) <= endOf(row)

/**
 * Rows of an instance on a market around a span: a function of the samples, edge reports and manual set points, whatever the order of arrival.
 * Rows without stored samples stay unchanged.
 */
export const examine = async (watched: Watched, span: Span, first: SpanRows, sources: Sources): Promise<Changes> => {
  const read = await readActivations(watched, span, first, sources)
  const { spanRows, trigger, fromMs, toMs, isHorizon, horizonMs } = read
  const isBefore = (row: ActivationSpan) => endOf(row) <= watched.sinceMs
  const activations = read.activations.filter((activation) => !isBefore(activation))
  const ids = identify(watched, activations, spanRows.rows)
  const rows: EventRow[] = []
  for (const one of activations) rows.push(await toRow(watched, one, ids.get(one) ?? '', read, sources))

  // An activation that begins with the last samples of the window may need the next one to be detected.
  const sureMs = isHorizon ? Infinity : toMs - speaksMs - 1000
  const isInside = ({ startMs }: ActivationSpan) => startMs >= fromMs && startMs < sureMs
  const rowIds = new Set(rows.map(({ event_id }) => event_id))
  const unchanged = spanRows.rows.filter(
    (row) =>
      !rowIds.has(row.event_id) &&
      (isBefore(row) || (row.source === 'telemetry' && (!isInside(row) || !hasSamples(trigger, row)))),
  )
  const unmatched = spanRows.reports.filter(
    (report) =>
      (report.endMs ?? report.startMs) > watched.sinceMs &&
      ![...rows, ...unchanged].some((row) => isSame(report, row)) &&
      sources.nowMs - report.received_at.getTime() >= reportPatienceMs,
  )
  const all = [
    ...rows,
    ...unmatched
      .filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
      .map((report) => reportRow(watched, report)),
  ]
  const kept = new Set([...[...all, ...unchanged].map(({ event_id }) => event_id), ...unmatched.map(idOfReport)])
  const remove = spanRows.rows.filter(({ event_id }) => !kept.has(event_id))
  const isStored = (row: EventRow) =>
    spanRows.rows.some((before) => before.event_id === row.event_id && isUnchanged(row, before))
  return {
    rows: all,
    horizonMs,
    save: all.filter((row) => !isStored(row)),
    remove,
    moved: remove.flatMap((row) => {
      const to = rows.find((one) => overlaps(row, one))
      return to ? [{ from: row.event_id, to: to.event_id }] : []
    }),
  }
}

/** `outcome` is derived from the compared columns and the samples. */
const isUnchanged = ({ outcome: _, ...row }: EventRow, before: EventRow) =>
  Object.entries(row).every(([column, value]) => before[column as keyof EventRow] === value) // the keys of a row
