import {
  hourMs,
  localDateOf,
  type LocalDate,
  type Span,
  addDays,
  dayBounds,
  dayMs,
  quarterMs,
} from '@gridmast/contract/time.ts'
import {
  pricesOf,
  totalOf,
  type Rates,
  costOf,
  dkkOf,
  dkkPerMwhOf,
  type Cost,
  type Unknown,
} from '#grid/published/cost-of-energy.ts'
import { dearestHours, meterFormula } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { findEmissionSignal, gridAreaOf, noEmission, readEmission } from '#grid/published/emission.ts'
import { type DayAheadPrice, findDayAheadPrices } from '#grid/published/published-prices.ts'
import { getSource } from '#grid/published/sources.ts'
import { invalid } from '#platform/http/errors.ts'
import { route } from '#context.ts'
import { meterData } from './eloverblik.ts'
import { readRates } from '#grid/published/pricing.ts'
import { getMeter, previewOf, pricingOf } from './queries.ts'
import { intervalsOf, spanOf } from './calendar.ts'
import { stepOf, findDays, finestStepOf, qualityAt, type MeterDay } from './day-readings.ts'
import { addIntervals, dayPricesOf, emptySum, kwhOf, totalsOf, type DayPrices } from './sums.ts'

/** The most expensive hours, and the saving from moving their energy: dearest-hours.md. */

/** Energy and cost of one full hour; `amount` in 10⁻¹⁴ DKK, `price` in 10⁻⁸ DKK/MWh. */
export type HourCost = { fromMs: number; wh: number; amount: bigint; price: bigint }

type PricedHour = Pick<HourCost, 'fromMs' | 'price'>

const hourPrice = (fromMs: number, rates: Rates): bigint | null => {
  const prices = pricesOf({ fromMs, toMs: fromMs + hourMs }, rates)
  return typeof prices === 'string' ? null : totalOf(prices)
}

const cheapestByDay = (hours: readonly PricedHour[]) => {
  const cheapest = new Map<LocalDate, PricedHour>()
  for (const hour of hours) {
    const day = localDateOf(hour.fromMs)
    const lowest = cheapest.get(day)
    if (!lowest || hour.price < lowest.price) cheapest.set(day, hour)
  }
  return cheapest
}

/** The most expensive hours, each with the cheapest hour of its local day; `priced` includes hours without a reading, which could be used too. */
export const dearestOf = (hours: readonly HourCost[], priced: readonly PricedHour[], count = 10) => {
  const cheapest = cheapestByDay(priced)
  return hours
    .filter(({ amount }) => amount > 0n)
    .toSorted((a, b) => (a.amount === b.amount ? a.fromMs - b.fromMs : a.amount < b.amount ? 1 : -1))
    .slice(0, count)
    .map((hour) => {
      const lowest = cheapest.get(localDateOf(hour.fromMs)) ?? hour
      const saved = hour.amount - lowest.price * BigInt(hour.wh)
      return { ...hour, cheapest: lowest, saved: saved > 0n ? saved : 0n }
    })
}

const iso = (ms: number) => new Date(ms).toISOString()

const publishedWithin = (prices: readonly DayAheadPrice[], { fromMs, toMs }: Span) =>
  prices.flatMap(({ starts_at, duration_s, price_dkk, fetched_at }) => {
    const startMs = starts_at.getTime()
    const endMs = startMs + duration_s * 1000
    if (startMs >= toMs || endMs <= fromMs) return []
    return [{ from: iso(startMs), to: iso(endMs), dkkPerMwh: price_dkk, fetchedAt: fetched_at.toISOString() }]
  })

const formula = route(meterFormula, async ({ own, nowMs, params, query }) => {
  const atMs = Date.parse(query.at)
  const date = localDateOf(atMs)
  if (atMs > nowMs + 2 * dayMs) throw invalid({ at: m.notValid })
  return own(async (tx, customerId) => {
    const meter = await getMeter(tx, customerId, params.meterId)
    const pricing = pricingOf(meter, await previewOf(tx, customerId, query))
    const days = { from: date, to: addDays(date, 1) }
    const [row] = await findDays(tx, customerId, params.meterId, days)
    const rates = await readRates(tx, pricing, spanOf(days))
    const prices = await findDayAheadPrices(tx, { area: pricing.area, tax_dkk_per_mwh: '0' }, spanOf(days), 'quarter')
    const stepMs = (row?.step_s ?? stepOf(meter)) * 1000
    const index = Math.floor((atMs - dayBounds(date).fromMs) / stepMs)
    const fromMs = dayBounds(date).fromMs + index * stepMs
    const span = { fromMs, toMs: fromMs + stepMs }
    const wh = row?.wh[index] ?? null
    const price = pricesOf(span, rates)
    const cost: Cost | Unknown = costOf({ ...span, wh }, rates)
    const part = (name: keyof Cost) => ({
      part: name,
      dkkPerMwh: typeof price === 'string' ? null : dkkPerMwhOf(price[name]),
      dkk: typeof cost === 'string' ? null : dkkOf(cost[name]),
    })
    return {
      from: iso(span.fromMs),
      to: iso(span.toMs),
      kwh: wh === null ? null : kwhOf(wh),
      quality: qualityAt(row, index),
      version: row?.version ?? null,
      readAt: row?.fetched_at.toISOString() ?? null,
      dkk: typeof cost === 'string' ? null : dkkOf(totalOf(cost)),
      unknown: typeof cost === 'string' ? cost : null,
      parts: [
        { ...part('spot'), source: rates.spot.source, prices: publishedWithin(prices, span) },
        { ...part('tariff'), source: rates.tariff?.source ?? null, prices: [] },
        { ...part('tax'), source: null, prices: [] },
      ],
      readings: await getSource(tx, meterData),
    }
  })
})

const hoursOf = (row: MeterDay, prices: DayPrices): HourCost[] => {
  const perHour = 3600 / row.step_s
  const { fromMs } = dayBounds(row.day)
  return Array.from({ length: row.wh.length / perHour }, (_, hour) => {
    const sum = emptySum()
    addIntervals(sum, row, prices(row.day, row.step_s), noEmission, hour * perHour, (hour + 1) * perHour)
    return { sum, fromMs: fromMs + hour * hourMs }
  })
    .filter(({ sum }) => sum.priced === hourMs / quarterMs)
    .map(({ sum, fromMs: startMs }) => ({ fromMs: startMs, wh: sum.wh, amount: totalOf(sum.cost), price: 0n }))
}

const dearestHoursRoute = route(dearestHours, async ({ app, own, nowMs, params, query }) => {
  const days = { from: query.startDate, to: addDays(query.endDate, 1) }
  const span = spanOf(days)
  const { rows, rates, signal, stepOfMeter } = await own(async (tx, customerId) => {
    const meter = await getMeter(tx, customerId, params.meterId)
    const pricing = pricingOf(meter, await previewOf(tx, customerId, query))
    return {
      rows: await findDays(tx, customerId, params.meterId, days),
      rates: await readRates(tx, pricing, span),
      signal: await findEmissionSignal(tx, gridAreaOf(meter)),
      stepOfMeter: stepOf(meter),
    }
  })
  const stepS = finestStepOf(rows, stepOfMeter)
  const prices = dayPricesOf(rates)
  const priced = Array.from({ length: (span.toMs - span.fromMs) / hourMs }, (_, i) => span.fromMs + i * hourMs).flatMap(
    (fromMs) => {
      const price = hourPrice(fromMs, rates)
      return price === null ? [] : [{ fromMs, price }]
    },
  )
  const priceAt = new Map(priced.map(({ fromMs, price }) => [fromMs, price]))
  const hours = rows
    .flatMap((row) => hoursOf(row, prices))
    .map((hour) => ({ ...hour, price: priceAt.get(hour.fromMs) ?? 0n }))
  const moved = dearestOf(hours, priced)
  const emission = await readEmission(app.readings, signal, span)
  const sum = emptySum()
  for (const row of rows) addIntervals(sum, row, prices(row.day, row.step_s), emission)
  return {
    hours: moved.map((hour) => ({
      from: iso(hour.fromMs),
      to: iso(hour.fromMs + hourMs),
      kwh: kwhOf(hour.wh),
      dkk: dkkOf(hour.amount, 2),
      dkkPerMwh: dkkPerMwhOf(hour.price),
      cheapest: { from: iso(hour.cheapest.fromMs), dkkPerMwh: dkkPerMwhOf(hour.cheapest.price) },
      savedDkk: dkkOf(hour.saved, 2),
    })),
    savedDkk: dkkOf(
      moved.reduce((all, { saved }) => all + saved, 0n),
      2,
    ),
    totals: totalsOf(sum, intervalsOf(span, stepS, nowMs), stepS),
  }
})

export const explanations = [formula, dearestHoursRoute]
