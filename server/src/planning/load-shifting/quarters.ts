import { setImmediate } from 'node:timers/promises'
import type { PublishedSource } from '@gridmast/contract/source.ts'
import { addDays, datesBetween, dayBounds, localDateOf, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { dkkPerMwhOf } from '#grid/published/cost-of-energy.ts'
import { emissionSource, factorAt, findEmissionSignal, readEmission } from '#grid/published/emission.ts'
import { readRates, type Pricing } from '#grid/published/pricing.ts'
import { getSource } from '#grid/published/sources.ts'
import type { PlanQuarter } from '#planning/solver/plan.ts'
import { type KnownQuarter, withAssumedPrices } from '#planning/solver/quarters.ts'
import type { Measured } from '#planning/solver/bill.ts'
import type { PlanRow } from './queries.ts'
import { findRow, sqlRows } from '#platform/records/rows.ts'

const prognosisSource = { ...emissionSource, dataset: 'CO2EmisProg' }

const historyDays = 28

export type Quarters = { quarters: PlanQuarter[]; sources: { spot: PublishedSource; emission: PublishedSource } }

const quartersOf = ({ fromMs, toMs }: Span): number[] => {
  const first = Math.floor(fromMs / quarterMs) * quarterMs
  return Array.from({ length: Math.max(0, Math.ceil((toMs - first) / quarterMs)) }, (_, i) => first + i * quarterMs)
}

type QuarterPrices = { pricing: Pricing; area: string | null; otherKw: number; nowMs: number }

const priceText = (price: bigint) => dkkPerMwhOf(price * 100n)

/** Quarters per lookup: a whole year at once would block other requests. */
const quartersAtATime = 3000

const readPublished = async (
  { records, readings }: Pick<App, 'records' | 'readings'>,
  customerId: string,
  { pricing, area, otherKw, nowMs }: QuarterPrices,
  span: Span,
  before: number,
) => {
  const first = localDateOf(span.fromMs)
  const toMs = dayBounds(localDateOf(span.toMs)).toMs
  const { rates, sources, past, prognosis } = await records.tenant(customerId, async (tx) => {
    const read = await readRates(tx, pricing, { fromMs: before, toMs })
    const emission = await getSource(tx, toMs > nowMs ? prognosisSource : emissionSource)
    return {
      rates: read,
      sources: { spot: read.spot.source, emission },
      past: await findEmissionSignal(tx, area),
      prognosis: await findEmissionSignal(tx, area, 'co2Prognosis'),
    }
  })
  const days = { fromMs: dayBounds(first).fromMs, toMs }
  const [measured, expected] = await Promise.all([
    readEmission(readings, past, { fromMs: days.fromMs, toMs: Math.min(toMs, nowMs) }),
    readEmission(readings, prognosis, days),
  ])
  let tariff = 0n
  const quarters: KnownQuarter[] = []
  for (const [i, atMs] of quartersOf(span).entries()) {
    if (i > 0 && i % quartersAtATime === 0) await setImmediate()
    const spot = rates.spot.at(atMs)
    tariff = rates.tariff?.at(atMs) ?? tariff
    quarters.push({
      atMs,
      otherKw,
      spotDkkPerMwh: spot === undefined ? null : priceText(spot),
      tariffDkkPerMwh: priceText(tariff),
      taxDkkPerMwh: priceText(rates.tax),
      gCo2PerKwh: factorAt(measured, atMs) ?? factorAt(expected, atMs) ?? null,
    })
  }
  return { published: quarters, rates, sources }
}

export const readQuarters = async (
  app: Pick<App, 'records' | 'readings'>,
  customerId: string,
  prices: QuarterPrices,
  span: Span,
): Promise<Quarters | null> => {
  const before = dayBounds(addDays(localDateOf(span.fromMs), -historyDays)).fromMs
  const { published, rates, sources } = await readPublished(app, customerId, prices, span, before)
  const history = quartersOf({ fromMs: before, toMs: span.fromMs }).flatMap((atMs) => {
    const spot = rates.spot.at(atMs)
    return spot === undefined ? [] : [{ atMs, spotDkkPerMwh: priceText(spot) }]
  })
  const quarters = withAssumedPrices(published, history)
  return quarters && { quarters, sources }
}

/** Whole past local days; a gap is filled from earlier prices, and everything before an unfillable gap is omitted. */
export const readPastQuarters = async (
  app: Pick<App, 'records' | 'readings'>,
  customerId: string,
  prices: QuarterPrices,
  span: Span,
): Promise<Quarters> => {
  const { published, sources } = await readPublished(app, customerId, prices, span, span.fromMs)
  let quarters: PlanQuarter[] = []
  let next = 0
  for (const date of datesBetween(localDateOf(span.fromMs), localDateOf(span.toMs - 1))) {
    const { fromMs, toMs } = dayBounds(date)
    const day = published.slice(next, (next += (toMs - fromMs) / quarterMs))
    if (!day.some(({ spotDkkPerMwh }) => spotDkkPerMwh === null)) {
      for (const one of day) quarters.push({ ...one, spotDkkPerMwh: one.spotDkkPerMwh ?? '', isAssumed: false })
      continue
    }
    const sinceMs = dayBounds(addDays(date, -historyDays)).fromMs
    const history = quarters.filter(({ atMs, isAssumed }) => atMs >= sinceMs && !isAssumed)
    const filled = withAssumedPrices(day, history)
    if (filled) quarters.push(...filled)
    else quarters = []
  }
  return { quarters, sources }
}

/** Energy of loads per quarter in Wh, null without a reading; unfinished quarters are omitted. */

type Source = Pick<App, 'records' | 'readings'>
type Metered = { instanceId: string | null; chargerIds: readonly string[] }
type QuarterRange = { fromMs: number; count: number; nowMs: number }

const finishedQuarters = ({ fromMs, count, nowMs }: QuarterRange) =>
  Math.max(0, Math.min(count, Math.floor((nowMs - fromMs) / quarterMs)))

/** Samples are kW, every second, minute or quarter. */
const instanceWh = async ({ readings }: Source, powerNo: number, fromMs: number, count: number) => {
  const edgesMs = Array.from({ length: count + 1 }, (_, i) => fromMs + i * quarterMs)
  const buckets = await readings.buckets({ signalNo: powerNo, edgesMs })
  return buckets.slice(0, count).map((one) => (one.count > 0 ? Math.round((one.sum / one.count) * 250) : null))
}

/** Session energy is calculated each minute from the chargers' registers; a charger without a session used nothing. */
const chargersWh = async (
  { records }: Source,
  customerId: string,
  chargerIds: readonly string[],
  fromMs: number,
  count: number,
) => {
  const rows = await records.tenant(
    customerId,
    (tx) =>
      sqlRows<{ charger_id: string; from_at: Date; wh: number[] }>(tx)`
      select s.charger_id, k.from_at, k.wh from charging_cost k
      join charger_transaction s on s.customer_id = k.customer_id and s.transaction_id = k.transaction_id
      where k.customer_id = ${customerId} and s.charger_id = any(${chargerIds}::uuid[])
        and k.from_at < ${new Date(fromMs + count * quarterMs)}
        and k.from_at + cardinality(k.wh) * interval '15 minutes' > ${new Date(fromMs)}`,
  )
  const byCharger = new Map(chargerIds.map((id) => [id, Array.from({ length: count }, () => 0)]))
  for (const { charger_id, from_at, wh } of rows) {
    const sums = byCharger.get(charger_id)
    wh.forEach((part, i) => {
      const at = (from_at.getTime() - fromMs) / quarterMs + i
      if (sums && at >= 0 && at < count) sums[at] = (sums[at] ?? 0) + part
    })
  }
  return [...byCharger].map(([loadId, wh]) => ({ loadId, wh }))
}

export const readMeasured = async (
  app: Source,
  customerId: string,
  { instanceId, chargerIds }: Metered,
  range: QuarterRange,
): Promise<Measured[]> => {
  const count = finishedQuarters(range)
  if (instanceId === null) return chargersWh(app, customerId, chargerIds, range.fromMs, count)
  const signal = await app.records.tenant(customerId, (tx) =>
    findRow(tx, customerId, 'signal', { instance_id: instanceId, kind: 'power' }, ['no']),
  )
  return [{ loadId: instanceId, wh: signal && count > 0 ? await instanceWh(app, signal.no, range.fromMs, count) : [] }]
}

export const chargerIdsOf = ({ asked, problem }: PlanRow): string[] =>
  asked.kind === 'session' ? (problem?.problem.loads.map(({ id }) => id) ?? []) : []

export const readPlanMeasured = (app: Source & Pick<App, 'clock'>, plan: PlanRow): Promise<Measured[]> => {
  const quarters = plan.problem?.problem.quarters ?? []
  const metered = { instanceId: plan.instance_id, chargerIds: chargerIdsOf(plan) }
  const range = { fromMs: quarters[0]?.atMs ?? 0, count: quarters.length, nowMs: app.clock.now() }
  return readMeasured(app, plan.customer_id, metered, range)
}

export const totalWh = (measured: readonly Measured[]): (number | null)[] =>
  (measured[0]?.wh ?? []).map((_, q) =>
    measured.reduce<number | null>((sum, { wh }) => {
      const one = wh[q]
      return sum === null || typeof one !== 'number' ? null : sum + one
    }, 0),
  )
