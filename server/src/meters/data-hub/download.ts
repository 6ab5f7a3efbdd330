import { downloadMeters } from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { addDays, dayBounds, daysBetween, hourMs } from '@gridmast/contract/time.ts'
import { totalOf } from '#grid/published/cost-of-energy.ts'
import { noEmission } from '#grid/published/emission.ts'
import { getSource } from '#grid/published/sources.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'
import { route } from '#context.ts'
import { meterData } from './eloverblik.ts'
import { readRates, type Pricing } from '#grid/published/pricing.ts'
import { getMeters, isConfigured, type MeterRow, pricingOf } from './queries.ts'
import { spanOf, type Days } from './calendar.ts'
import { stepOf, findDays, qualityAt, type MeterDay } from './day-readings.ts'
import { addIntervals, dayPricesOf, emptySum, kwhOf, pricedDkkOf, quarterS, type DayPrices, type Sum } from './sums.ts'

type Resolution = 'own' | 'hour' | 'day'

/** Days of a meter in memory at a time: each page is its own query, so memory is constant for files of any length. */
const pageDays = 62

type Page = { days: Days; meter: MeterRow; rows: MeterDay[]; prices: DayPrices | null }

const pricingKey = ({ area, taxDkkPerMwh, tariff }: Pricing) =>
  [area, taxDkkPerMwh, tariff?.gln, tariff?.code].join(' ')

async function* pagesOf(own: Own['own'], meters: readonly MeterRow[], { from, to }: Days): AsyncGenerator<Page> {
  for (let first = from; first < to; first = addDays(first, pageDays)) {
    const end = addDays(first, pageDays)
    const days = { from: first, to: end < to ? end : to }
    const shared = new Map<string, DayPrices>()
    for (const meter of meters) {
      const pricing = isConfigured(meter) ? pricingOf(meter) : null
      const key = pricing && pricingKey(pricing)
      const page = await own(async (tx, customerId) => ({
        rows: await findDays(tx, customerId, meter.meter_id, days),
        prices:
          pricing && key !== null ? (shared.get(key) ?? dayPricesOf(await readRates(tx, pricing, spanOf(days)))) : null,
      }))
      if (key !== null && page.prices) shared.set(key, page.prices)
      yield { days, meter, ...page }
    }
  }
}

type Part = { fromMs: number; toMs: number; sum: Sum; quality: string; version: number; intervals: number }

function* partsOf(row: MeterDay, prices: DayPrices | null, resolution: Resolution): Generator<Part> {
  const { fromMs, toMs } = dayBounds(row.day)
  const stepMs = row.step_s * 1000
  const ofDay = prices?.(row.day, row.step_s) ?? []
  const size = resolution === 'own' ? 1 : resolution === 'hour' ? hourMs / stepMs : row.wh.length
  for (let first = 0; first < row.wh.length; first += size) {
    const sum = emptySum()
    addIntervals(sum, row, ofDay, noEmission, first, first + size)
    const read = (sum.read * quarterS) / row.step_s
    yield {
      fromMs: fromMs + first * stepMs,
      toMs: Math.min(toMs, fromMs + (first + size) * stepMs),
      sum,
      quality: size === 1 ? qualityAt(row, first) : read === size ? 'complete' : `${read}/${size}`,
      version: row.version,
      intervals: size,
    }
  }
}

type MeterPart = { meter: MeterRow; part: Part }

const cost = (title: string, amountOf: (cost: Sum['cost']) => bigint): Column<MeterPart> =>
  column.number(`${title} (DKK)`, 6, ({ part: { sum } }) => pricedDkkOf(sum, amountOf(sum.cost), 6))

const columns: Column<MeterPart>[] = [
  column.text('Key/CVR', ({ meter }) => meter.cvr, 12),
  column.text('Meter Name', ({ meter }) => meter.name, 28),
  column.text('Meter Id', ({ meter }) => meter.metering_point_id, 22),
  column.instant('Start', ({ part }) => part.fromMs),
  column.instant('End', ({ part }) => part.toMs),
  column.kwh('Consumption', ({ part: { sum } }) => (sum.read > 0 ? sum.wh / 1000 : null)),
  column.text('Quality', ({ part }) => part.quality, 14),
  cost('Spot', ({ spot }) => spot),
  cost('Tariff', ({ tariff }) => tariff),
  cost('Tax', ({ tax }) => tax),
  cost('Cost', totalOf),
  column.text('Version of the day', ({ part }) => part.version, 16),
]

async function* fileRows(
  own: Own['own'],
  meters: readonly MeterRow[],
  days: Days,
  resolution: Resolution,
): AsyncGenerator<MeterPart> {
  for await (const { meter, rows, prices } of pagesOf(own, meters, days))
    for (const row of rows) for (const part of partsOf(row, prices, resolution)) yield { meter, part }
}

const perDay = (resolution: Resolution, meter: MeterRow): number =>
  resolution === 'day' ? 1 : resolution === 'hour' ? 24 : 86_400 / stepOf(meter)

/** Short spans use the form of specification text 0, section 7. */
const listsOf = async (own: Own['own'], meters: readonly MeterRow[], days: Days, resolution: Resolution) => {
  type Values = [string, string | null][]
  const newList = ({ name }: MeterRow) => ({ deviceName: name, costData: [] as Values, consumptionData: [] as Values })
  const lists = new Map(meters.map((meter) => [meter.meter_id, newList(meter)]))
  for await (const { meter, rows, prices } of pagesOf(own, meters, days)) {
    const list = lists.get(meter.meter_id)
    for (const row of rows)
      for (const { fromMs, sum } of partsOf(row, prices, resolution)) {
        const at = new Date(fromMs).toISOString()
        list?.costData.push([at, pricedDkkOf(sum, totalOf(sum.cost))])
        list?.consumptionData.push([at, sum.read > 0 ? kwhOf(sum.wh) : null])
      }
  }
  return [...lists.values()]
}

export const download = route(downloadMeters, async ({ own, query, body }) => {
  const { startDate, endDate } = body
  const days = { from: startDate, to: addDays(endDate, 1) }
  const resolution = query.resolution ?? 'own'
  const { meters, source } = await own(async (tx, customerId) => ({
    meters: await getMeters(tx, customerId, body.devices),
    source: await getSource(tx, meterData),
  }))
  const length = daysBetween(startDate, days.to)
  const values = meters.reduce((sum, meter) => sum + length * perDay(resolution, meter), 0)
  if (!query.format) {
    if (length > limits.meterListDays || values > limits.meterListValues)
      throw invalid({ endDate: m.listTooLong(limits.meterListDays) })
    return { devices: await listsOf(own, meters, days, resolution) }
  }
  if (query.format === 'xlsx' && values > limits.exportRows - 100)
    throw invalid({ endDate: m.tooManyRows(limits.exportRows) })
  const name = {
    fileName: `Meters ${fileDays(startDate, endDate)}`,
    sheet: 'Meters',
    about: { Unit: 'kWh, DKK without VAT', Cost: 'kWh x (spot + tariff + tax)', Source: sourceLine(source) },
  }
  return { file: tableFile(name, columns, fileRows(own, meters, days, resolution)) }
})
