import type { Data } from '@gridmast/contract/call.ts'
import { meterGraph, meterReadLast } from '@gridmast/contract/meters/data-hub.ts'
import { type LocalDate, addDays, hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { startsOf, columnsOf, intervalsOf, periodBefore, periodOf, spanOf, type Days, type Period } from './calendar.ts'
import { qualityAt, type DayReadings, stepOf, findDays, finestStepOf } from './day-readings.ts'
import {
  kwhOf,
  kwhOfDay,
  totalSum,
  addIntervals,
  dayPricesOf,
  chartDkkOf,
  chartKwhOf,
  emptySum,
  kgCo2Of,
  totalsOf,
  type DayPrices,
  type Sum,
} from './sums.ts'
import { comparedByTime, profileOf, type Columns } from './time-of-day.ts'
import type { Series } from '@gridmast/contract/series.ts'
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
import { ownRoute, route } from '#context.ts'
import { meterData } from './eloverblik.ts'
import { getMeter, getMeterAnd, previewOf, toMeter, pricingOf } from './queries.ts'

/** As JSON of the database, hence the text of the time. */
type DayVersion = DayReadings & { version: number; fetched_at: string; corrected: boolean | null }
type VersionedDay = DayVersion & { earlier: DayVersion[] | null }
type Version = NonNullable<Data<typeof meterGraph>['versions']>[number]

const maxVersions = 51
const maxChanges = 10

const dayWithVersions = (day: LocalDate) => sql<VersionedDay | null>`(
  select row_to_json(one) from (
    select day, step_s, wh, quality, version, fetched_at, null as corrected, (
      select json_agg(r) from (
        select day, step_s, wh, quality, version, fetched_at, corrected from meter_day_revision r
        where r.customer_id = d.customer_id and r.meter_id = d.meter_id and r.day = d.day order by version desc limit ${maxVersions}
      ) r) as earlier
    from meter_day d where d.customer_id = m.customer_id and d.meter_id = m.meter_id and d.day = ${day}::date
  ) one)`

const readingAt = (day: DayVersion, i: number) => {
  const wh = day.wh[i] ?? null
  return { kwh: wh === null ? null : kwhOf(wh), quality: qualityAt(day, i) }
}

/** Changed values sort before changes of quality only: a value changes the cost. */
const changesOf = (is: DayVersion, was: DayVersion | undefined): Version['changes'] => {
  if (!was || was.step_s !== is.step_s) return null
  const changed = startsOf(is.day, is.step_s)
    .map((fromMs, i) => ({ fromMs, before: readingAt(was, i), after: readingAt(is, i) }))
    .filter(({ before, after }) => before.kwh !== after.kwh || before.quality !== after.quality)
  const isOther = ({ before, after }: (typeof changed)[number]) => before.kwh !== after.kwh
  const named = [...changed.filter(isOther), ...changed.filter((one) => !isOther(one))].slice(0, maxChanges)
  return {
    count: changed.length,
    first: named.map(({ fromMs, ...change }) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(fromMs + is.step_s * 1000).toISOString(),
      ...change,
    })),
  }
}

const versionsOf = (row: VersionedDay | null): Version[] => {
  const all = row ? [row, ...(row.earlier ?? [])] : []
  return all.slice(0, maxVersions).map((version, i) => {
    const before = all[i + 1]
    return {
      version: version.version,
      fetchedAt: new Date(version.fetched_at).toISOString(),
      change: before === undefined ? 'first' : before.corrected ? 'corrected' : 'added',
      kwh: kwhOfDay(version.wh),
      changes: changesOf(version, before),
    }
  })
}

/** Sums of the span's hours; other hours of its days are skipped. */
const sumHours = (
  { span }: Period,
  rows: readonly DayReadings[],
  prices: DayPrices,
  emission: Emission,
): { starts: number[]; sums: Sum[] } => {
  const starts = Array.from({ length: (span.toMs - span.fromMs) / hourMs }, (_, i) => span.fromMs + i * hourMs)
  const sums = starts.map(emptySum)
  for (const row of rows) {
    const priced = prices(row.day, row.step_s)
    const size = 3600 / row.step_s
    startsOf(row.day, 3600).forEach((fromMs, i) => {
      const sum = sums[(fromMs - span.fromMs) / hourMs]
      if (sum) addIntervals(sum, row, priced, emission, i * size, (i + 1) * size)
    })
  }
  return { starts, sums }
}

export const sumColumns = (
  period: Period,
  stepS: number,
  rows: readonly DayReadings[],
  prices: DayPrices,
  emission: Emission,
): { starts: number[]; sums: Sum[] } => {
  const { by, days } = period
  if (by === 'hours') return sumHours(period, rows, prices, emission)
  const { starts, of } =
    by === 'day' ? { starts: startsOf(days.from, rows[0]?.step_s ?? stepS), of: null } : columnsOf(by, days)
  const sums = starts.map(emptySum)
  for (const row of rows) {
    const priced = prices(row.day, row.step_s)
    const sum = of && sums[of(row.day)]
    if (sum) addIntervals(sum, row, priced, emission)
    if (!of) sums.forEach((one, i) => addIntervals(one, row, priced, emission, i, i + 1))
  }
  return { starts, sums }
}

export const seriesOf = (x: number[], sums: readonly Sum[]): Series[] => [
  { name: 'consumption', unit: 'kWh', kind: 'column', x, y: sums.map(chartKwhOf) },
  { name: 'cost', unit: 'DKK', kind: 'line', x, y: sums.map(chartDkkOf) },
  { name: 'co2', unit: 'kg', kind: 'column', x, y: sums.map(kgCo2Of) },
]

const daysOfProfile = ({ from }: Days): Days => ({ from: addDays(from, -28), to: from })

const readPrices = async (tx: Tx, _customerId: string, pricing: Pricing, area: string | null, days: Days) => {
  const sources = await getSources(tx, { readings: meterData, emission: emissionSource })
  const rates = await readRates(tx, pricing, spanOf(days))
  const signal = await findEmissionSignal(tx, area)
  return { rates, prices: dayPricesOf(rates), signal, sources }
}

const graph = route(meterGraph, async ({ app, own, readCached, nowMs, params, query }) => {
  const period = periodOf(query, nowMs)
  const { days, span } = period
  const isDay = period.by === 'day'
  const earlier = query.compare === 'before' ? periodBefore(period) : null
  const read = await own(async (tx, customerId) => {
    const { meterId } = params
    const { meter, more: day } = isDay
      ? await getMeterAnd(tx, customerId, meterId, dayWithVersions(days.from))
      : { meter: await getMeter(tx, customerId, meterId), more: null }
    const pricing = pricingOf(meter, await previewOf(tx, customerId, query))
    const isProfiled = query.compare === 'profile' && isDay
    return {
      meter,
      pricing,
      rows: isDay ? [day ?? []].flat() : await findDays(tx, customerId, meterId, days),
      versions: isDay ? versionsOf(day) : null,
      before: earlier && { period: earlier, rows: await findDays(tx, customerId, meterId, earlier.days) },
      profile: isProfiled && (await findDays(tx, customerId, meterId, daysOfProfile(days))),
    }
  })
  const { meter, pricing, rows, before, profile } = read
  const area = gridAreaOf(meter)
  const pricedOf = (at: Days) =>
    isDay
      ? readCached(readPrices, pricing, area, at)
      : own((tx, customerId) => readPrices(tx, customerId, pricing, area, at))
  const priced = await pricedOf(days)
  const stepS = finestStepOf(rows, stepOf(meter))
  const beforeStepS = finestStepOf(before?.rows ?? [], stepS)
  const sumsOf = async (at: Period, ofRows: readonly DayReadings[], { prices, signal }: typeof priced) =>
    sumColumns(at, stepS, ofRows, prices, await readEmission(app.readings, signal, at.span))
  const { starts, sums } = await sumsOf(period, rows, priced)
  const compared = before && {
    span: before.period.span,
    ...(await sumsOf(before.period, before.rows, await pricedOf(before.period.days))),
  }
  const aligned = (other: Columns) =>
    isDay ? comparedByTime(starts, stepS, other, beforeStepS) : starts.map((_, i) => other.sums[i] ?? emptySum())
  const [row] = rows
  const prices = isDay ? priced.prices(days.from, stepS) : []
  const ends = [...starts, (starts.at(-1) ?? 0) + stepS * 1000].map((ms) => new Date(ms).toISOString())
  return {
    meter: toMeter(meter),
    graph: [
      ...seriesOf(starts, sums),
      ...(compared
        ? seriesOf(starts, aligned(compared))
            .slice(0, 2)
            .map((one) => ({ ...one, name: `${one.name} before` }))
        : []),
      ...(profile
        ? [{ name: 'average', unit: 'kWh', kind: 'column' as const, x: starts, y: profileOf(profile, starts, stepS) }]
        : []),
    ],
    totals: totalsOf(totalSum(sums), intervalsOf(span, stepS, nowMs), stepS),
    before: compared && totalsOf(totalSum(compared.sums), intervalsOf(compared.span, beforeStepS, nowMs), beforeStepS),
    readings: isDay
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
    sources: { ...priced.sources, spot: priced.rates.spot.source },
  }
})

const readLast = ownRoute(meterReadLast, async (tx, customerId, { params }) => {
  const meter = await getMeter(tx, customerId, params.meterId)
  return { timestamp: meter.last_read_at?.toISOString() ?? null }
})

export const graphs = [graph, readLast]
