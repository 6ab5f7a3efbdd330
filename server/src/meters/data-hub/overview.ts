import type { Data } from '@gridmast/contract/call.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { addDays, formatDate } from '@gridmast/contract/time.ts'
import { dataHubOverview } from '@gridmast/contract/meters/data-hub.ts'
import {
  emissionSource,
  findEmissionSignal,
  gridAreaOf,
  readEmission,
  type Emission,
} from '#grid/published/emission.ts'
import { sourceOfPrices, getSources } from '#grid/published/sources.ts'
import { route } from '#context.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'
import { meterData } from './eloverblik.ts'
import { intervalsOf, type Period, periodOf, startsOf } from './calendar.ts'
import { stepOf, findDaysOf, finestStepOf } from './day-readings.ts'
import {
  totalSum,
  addSum,
  chartKwhOf,
  dayPricesOf,
  emptySum,
  kgCo2Of,
  pricedDkkOf,
  quarterS,
  totalsOf,
  type DayPrices,
  type Sum,
} from './sums.ts'
import { seriesOf, sumColumns } from './graph.ts'
import { type Rates, totalOf } from '#grid/published/cost-of-energy.ts'
import { readRates } from '#grid/published/pricing.ts'
import { findMeters, getGroup, isConfigured, type MeterRow, pricingOf } from './queries.ts'

const toHours = (sums: readonly Sum[], hours: number): Sum[] => {
  const size = sums.length / hours
  return Array.from({ length: hours }, (_, hour) => totalSum(sums.slice(hour * size, (hour + 1) * size)))
}

/** Meters read together: a year of one is 35,040 readings. */
const metersPerQuery = { day: 50, hours: 30, month: 10, days: 3, year: 1 }

const keyOf = (meter: MeterRow) => JSON.stringify([pricingOf(meter), gridAreaOf(meter)])

type Part = { fromMs: number; toMs: number; sum: Sum }

const fileColumns: Column<Part>[] = [
  column.instant('Start', ({ fromMs }) => fromMs),
  column.instant('End', ({ toMs }) => toMs),
  column.kwh('Consumption', ({ sum }) => chartKwhOf(sum)),
  column.number('Cost (DKK)', 6, ({ sum }) => pricedDkkOf(sum, totalOf(sum.cost), 6)),
  column.number('Emission (kg CO2)', 3, ({ sum }) => kgCo2Of(sum)),
  column.number('Quarters read', 0, ({ sum }) => sum.read),
]

type Sources = Data<typeof dataHubOverview>['sources']
type Summed = { starts: number[]; sums: Sum[] }

const fileOf = ({ starts, sums }: Summed, { days, span }: Period, meters: number, sources: Sources) => {
  const [first, last] = [days.from, addDays(days.to, -1)]
  const name = {
    fileName: `Data Hub ${fileDays(first, last)}`,
    sheet: 'All meters',
    about: {
      Period: first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`,
      Meters: String(meters),
      Unit: 'kWh, DKK without VAT',
      Cost: 'kWh x (spot + tariff + tax)',
      Readings: sourceLine(sources.readings),
      Prices: sourceLine(sources.spot),
      Emission: sourceLine(sources.emission),
    },
  }
  const isRead = sums.some(({ read }) => read > 0)
  const parts = (isRead ? sums : []).map((sum, i) => ({
    fromMs: starts[i] ?? 0,
    toMs: starts[i + 1] ?? span.toMs,
    sum,
  }))
  return { file: tableFile(name, fileColumns, parts) }
}

export const overview = route(dataHubOverview, async ({ app, own, nowMs, query }) => {
  const period = periodOf(query, nowMs)
  const { by, days, span } = period
  const { meters, sources } = await own(async (tx, customerId) => {
    if (query.groupId) await getGroup(tx, customerId, query.groupId)
    const rows = await findMeters(tx, customerId, query.groupId)
    return {
      meters: rows.filter((meter) => meter.enabled && isConfigured(meter)),
      sources: await getSources(tx, { readings: meterData, emission: emissionSource }),
    }
  })
  const cache = new Map<string, { prices: DayPrices; emission: Emission }>()
  let spotSource = sourceOfPrices('day-ahead', 'DK2', [], span.fromMs)
  let columns: Summed | null = null
  const each: { id: string; name: string; key: string; totals: ReturnType<typeof totalsOf> }[] = []
  let quarters = 0
  for (let first = 0; first < meters.length; first += metersPerQuery[by]) {
    const batch = meters.slice(first, first + metersPerQuery[by])
    const { daysOfMeter, fresh } = await own(async (tx, customerId) => {
      const meterIds = batch.map(({ meter_id }) => meter_id)
      const byPricing = new Map(batch.map((meter) => [keyOf(meter), meter]))
      const missing: { key: string; rates: Rates; signal: Awaited<ReturnType<typeof findEmissionSignal>> }[] = []
      for (const [key, meter] of byPricing) {
        if (cache.has(key)) continue
        const rates = await readRates(tx, pricingOf(meter), span)
        missing.push({ key, rates, signal: await findEmissionSignal(tx, gridAreaOf(meter)) })
      }
      return { daysOfMeter: await findDaysOf(tx, customerId, meterIds, days), fresh: missing }
    })
    for (const { key, rates, signal } of fresh) {
      spotSource = rates.spot.source
      cache.set(key, { prices: dayPricesOf(rates), emission: await readEmission(app.readings, signal, span) })
    }
    for (const meter of batch) {
      const priced = cache.get(keyOf(meter))
      const rows = daysOfMeter.get(meter.meter_id) ?? []
      if (!priced) continue
      const stepS = finestStepOf(rows, stepOf(meter))
      const ofMeter = sumColumns(period, stepS, rows, priced.prices, priced.emission)
      const starts = by === 'day' ? startsOf(days.from, 3600) : ofMeter.starts
      const sums = by === 'day' ? toHours(ofMeter.sums, starts.length) : ofMeter.sums
      columns = columns
        ? { starts, sums: columns.sums.map((sum, i) => addSum(sum, sums[i] ?? emptySum())) }
        : { starts, sums }
      quarters += intervalsOf(span, quarterS, nowMs)
      const totals = totalsOf(totalSum(sums), intervalsOf(span, stepS, nowMs), stepS)
      each.push({ id: meter.meter_id, name: meter.name, key: meter.cvr, totals })
    }
  }
  if (query.format)
    return fileOf(columns ?? { starts: [], sums: [] }, period, meters.length, { ...sources, spot: spotSource })
  const newest = meters.flatMap(({ last_read_at }) => last_read_at?.getTime() ?? [])
  return {
    graph: columns ? seriesOf(columns.starts, columns.sums) : [],
    totals: totalsOf(totalSum(columns?.sums ?? []), quarters, quarterS),
    meters: each,
    lastRead: newest.length > 0 ? new Date(Math.max(...newest)).toISOString() : null,
    sources: { ...sources, spot: spotSource },
  }
})
