import { setImmediate } from 'node:timers/promises'
import type { PublishedSource } from '@gridmast/contract/source.ts'
import { addDays, datesBetween, dayBounds, localDateOf, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { dkkPerMwhOf } from '#grid/published/cost-of-energy.ts'
import { emissionSource, factorAt, findEmissionSignal, readEmission } from '#grid/published/emission.ts'
import { readRates, type Pricing } from '#grid/published/pricing.ts'
import { getSource } from '#grid/published/sources.ts'
import type { PlanQuarter } from '#planning/solver/plan.ts'
import { type KnownQuarter, withAssumedPrices } from '#planning/solver/weekday-mean.ts'

const prognosisSource = { ...emissionSource, dataset: 'CO2EmisProg' }

const historyDays = 28

export type Quarters = { quarters: PlanQuarter[]; sources: { spot: PublishedSource; emission: PublishedSource } }

const quartersOf = ({ fromMs, toMs }: Span): number[] => {
  const first = Math.floor(fromMs / quarterMs) * quarterMs
  return Array.from({ length: Math.max(0, Math.ceil((toMs - first) / quarterMs)) }, (_, i) => first + i * quarterMs)
}

type Asked = { pricing: Pricing; area: string | null; otherKw: number; nowMs: number }

const priceText = (price: bigint) => dkkPerMwhOf(price * 100n)

/** Quarters per lookup: a whole year at once would block other requests. */
const quartersAtATime = 3000

const readKnown = async (
  { records, readings }: Pick<App, 'records' | 'readings'>,
  customerId: string,
  { pricing, area, otherKw, nowMs }: Asked,
  span: Span,
  before: number,
) => {
  const first = localDateOf(span.fromMs)
  const toMs = dayBounds(localDateOf(span.toMs)).toMs
  const { rates, sources, past, prognosis } = await records.tenant(customerId, async (tx) => {
    const read = await readRates(tx, pricing, { fromMs: before, toMs })
    return {
      rates: read,
      sources: {
        spot: read.spot.source,
        emission: await getSource(tx, toMs > nowMs ? prognosisSource : emissionSource),
      },
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
  const known: KnownQuarter[] = []
  for (const [i, atMs] of quartersOf(span).entries()) {
    if (i > 0 && i % quartersAtATime === 0) await setImmediate()
    const spot = rates.spot.at(atMs)
    tariff = rates.tariff?.at(atMs) ?? tariff
    known.push({
      atMs,
      otherKw,
      spotDkkPerMwh: spot === undefined ? null : priceText(spot),
      tariffDkkPerMwh: priceText(tariff),
      taxDkkPerMwh: priceText(rates.tax),
      gCo2PerKwh: factorAt(measured, atMs) ?? factorAt(expected, atMs) ?? null,
    })
  }
  return { known, rates, sources }
}

export const readQuarters = async (
  app: Pick<App, 'records' | 'readings'>,
  customerId: string,
  asked: Asked,
  span: Span,
): Promise<Quarters | null> => {
  const before = dayBounds(addDays(localDateOf(span.fromMs), -historyDays)).fromMs
  const { known, rates, sources } = await readKnown(app, customerId, asked, span, before)
  const history = quartersOf({ fromMs: before, toMs: span.fromMs }).flatMap((atMs) => {
    const spot = rates.spot.at(atMs)
    return spot === undefined ? [] : [{ atMs, spotDkkPerMwh: priceText(spot) }]
  })
  const quarters = withAssumedPrices(known, history)
  return quarters && { quarters, sources }
}

/** Whole past local days; a gap is filled from earlier prices, and everything before an unfillable gap is omitted. */
export const readPastQuarters = async (
  app: Pick<App, 'records' | 'readings'>,
  customerId: string,
  asked: Asked,
  span: Span,
): Promise<Quarters> => {
  const { known, sources } = await readKnown(app, customerId, asked, span, span.fromMs)
  let quarters: PlanQuarter[] = []
  let next = 0
  for (const date of datesBetween(localDateOf(span.fromMs), localDateOf(span.toMs - 1))) {
    const { fromMs, toMs } = dayBounds(date)
    const day = known.slice(next, (next += (toMs - fromMs) / quarterMs))
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
