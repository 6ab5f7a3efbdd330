import { meterGraph, meterReadLast } from '@gridmast/contract/meters/data-hub.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { addDays, today, type LocalDate } from '@gridmast/contract/time.ts'
import { dkkOf, totalOf } from '#grid/published/cost-of-energy.ts'
import {
  emissionSource,
  findEmissionSignal,
  gridAreaOf,
  readEmission,
  type Emission,
} from '#grid/published/emission.ts'
import { type Pricing, readRates } from '#grid/published/pricing.ts'
import { getSources } from '#grid/published/sources.ts'
import type { Tx } from '#platform/records/records.ts'
import { route } from '#context.ts'
import { besideByTime, profileOf, totalSum, type Columns } from './compare.ts'
import { meterData } from './eloverblik.ts'
import { getMeter, getMeterWith, previewOf, toMeter, pricingOf } from './queries.ts'
import { columnsOf, daysBefore, daysOf, intervalsOf, spanOf, startsOf, stepOf, type Days, type View } from './span.ts'
import {
  addIntervals,
  dayPricesOf,
  drawnDkkOf,
  drawnKwhOf,
  emptySum,
  findDays,
  finestStepOf,
  kgCo2Of,
  kwhOf,
  qualityAt,
  totalsOf,
  type DayPrices,
  type DayReadings,
  type Sum,
} from './sums.ts'
import { dayWithVersions, versionsOf } from './versions.ts'

export const sumColumns = (
  view: View,
  days: Days,
  stepS: number,
  rows: readonly DayReadings[],
  prices: DayPrices,
  emission: Emission,
): { starts: number[]; sums: Sum[] } => {
  if (view !== 'day') {
    const { starts, of } = columnsOf(view, days)
    const sums = starts.map(emptySum)
    for (const row of rows) {
      const sum = sums[of(row.day)]
      if (sum) addIntervals(sum, row, prices(row.day, row.step_s), emission)
    }
    return { starts, sums }
  }
  const [row] = rows
  const starts = startsOf(days.from, row?.step_s ?? stepS)
  const sums = starts.map(emptySum)
  const paid = row ? prices(row.day, row.step_s) : []
  if (row) sums.forEach((sum, i) => addIntervals(sum, row, paid, emission, i, i + 1))
  return { starts, sums }
}

export const seriesOf = (x: number[], sums: readonly Sum[]): Series[] => [
  { name: 'consumption', unit: 'kWh', kind: 'column', x, y: sums.map(drawnKwhOf) },
  { name: 'cost', unit: 'DKK', kind: 'line', x, y: sums.map(drawnDkkOf) },
  { name: 'co2', unit: 'kg', kind: 'column', x, y: sums.map(kgCo2Of) },
]

const daysOfProfile = ({ from }: Days): Days => ({ from: addDays(from, -28), to: from })

const readPaid = async (tx: Tx, _customerId: string, pricing: Pricing, area: string | null, days: Days) => {
  const sources = await getSources(tx, { readings: meterData, emission: emissionSource })
  const rates = await readRates(tx, pricing, spanOf(days))
  const signal = await findEmissionSignal(tx, area)
  return { rates, prices: dayPricesOf(rates), signal, sources }
}

const graph = route(meterGraph, async ({ app, own, readCached, nowMs, params, query }) => {
  const date: LocalDate = query.date ?? addDays(today(nowMs), -1)
  const view = query.view ?? 'day'
  const days = daysOf(view, date)
  const earlier = daysBefore(view, days)
  const read = await own(async (tx, customerId) => {
    const { meterId } = params
    const { meter, more: day } =
      view === 'day'
        ? await getMeterWith(tx, customerId, meterId, dayWithVersions(date))
        : { meter: await getMeter(tx, customerId, meterId), more: null }
    const pricing = pricingOf(meter, await previewOf(tx, customerId, query))
    const isProfiled = query.compare === 'profile' && view === 'day'
    return {
      meter,
      pricing,
      rows: view === 'day' ? [day ?? []].flat() : await findDays(tx, customerId, meterId, days),
      versions: view === 'day' ? versionsOf(day) : null,
      before: query.compare === 'before' && (await findDays(tx, customerId, meterId, earlier)),
      profile: isProfiled && (await findDays(tx, customerId, meterId, daysOfProfile(days))),
    }
  })
  const { meter, pricing, rows, before, profile } = read
  const area = gridAreaOf(meter)
  const paidOf = (at: Days) =>
    view === 'day'
      ? readCached(readPaid, pricing, area, at)
      : own((tx, customerId) => readPaid(tx, customerId, pricing, area, at))
  const paid = await paidOf(days)
  const stepS = finestStepOf(rows, stepOf(meter))
  const beforeStepS = finestStepOf(before || [], stepS)
  const sumsOf = async (at: Days, ofRows: readonly DayReadings[], { prices, signal }: typeof paid) =>
    sumColumns(view, at, stepS, ofRows, prices, await readEmission(app.readings, signal, spanOf(at)))
  const { starts, sums } = await sumsOf(days, rows, paid)
  const compared = before ? await sumsOf(earlier, before, await paidOf(earlier)) : null
  const beside = (other: Columns) =>
    view === 'day' ? besideByTime(starts, stepS, other, beforeStepS) : starts.map((_, i) => other.sums[i] ?? emptySum())
  const [row] = rows
  const prices = view === 'day' ? paid.prices(date, stepS) : []
  const ends = [...starts, (starts.at(-1) ?? 0) + stepS * 1000].map((ms) => new Date(ms).toISOString())
  return {
    meter: toMeter(meter),
    graph: [
      ...seriesOf(starts, sums),
      ...(compared
        ? seriesOf(starts, beside(compared))
            .slice(0, 2)
            .map((one) => ({ ...one, name: `${one.name} before` }))
        : []),
      ...(profile
        ? [{ name: 'average', unit: 'kWh', kind: 'column' as const, x: starts, y: profileOf(profile, starts, stepS) }]
        : []),
    ],
    totals: totalsOf(totalSum(sums), intervalsOf(spanOf(days), stepS, nowMs), stepS),
    before:
      compared && totalsOf(totalSum(compared.sums), intervalsOf(spanOf(earlier), beforeStepS, nowMs), beforeStepS),
    readings:
      view === 'day'
        ? starts.map((_, i) => {
            const wh = row?.wh[i] ?? null
            const price = prices[i]
            return {
              from: ends[i] ?? '',
              to: ends[i + 1] ?? '',
              kwh: wh === null ? null : kwhOf(wh),
              quality: qualityAt(row, i),
              dkk: wh === null || typeof price !== 'object' ? null : dkkOf(totalOf(price) * BigInt(wh)),
            }
          })
        : null,
    versions: read.versions,
    preview:
      (query.priceSignal !== undefined && query.priceSignal !== meter.price_signal_id) ||
      (query.taxValue !== undefined && Number(query.taxValue) !== Number(meter.tax_dkk_per_mwh ?? NaN)),
    lastRead: meter.last_read_at?.toISOString() ?? null,
    sources: {
      readings: paid.sources.readings,
      spot: paid.rates.spot.source,
      emission: paid.sources.emission,
    },
  }
})

const readLast = route(meterReadLast, async ({ own, params }) => {
  const meter = await own((tx, customerId) => getMeter(tx, customerId, params.meterId))
  return { timestamp: meter.last_read_at?.toISOString() ?? null }
})

export const graphs = [graph, readLast]
