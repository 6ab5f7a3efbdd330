import {
  addDays,
  addMonths,
  dayBounds,
  daysBetween,
  hourMs,
  monthBounds,
  quarterMs,
  today,
  type LocalDate,
  type Span,
  localTime,
} from '@gridmast/contract/time.ts'
import type { MeterTotals, Quality } from '@gridmast/contract/meters/data-hub.ts'
import {
  addCost,
  dkkOf,
  noCost,
  pricesOf,
  totalOf,
  type Cost,
  type Rates,
  type Unknown,
} from '#grid/published/cost-of-energy.ts'
import { factorAt, type Emission } from '#grid/published/emission.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

export type View = 'day' | 'month' | 'year'

/** Local days [from, to) of a view; its columns are intervals of a day, days of a month, months of a year. */
export type Days = { from: LocalDate; to: LocalDate }

export const daysOf = (view: View, date: LocalDate): Days => {
  const month = date.slice(0, 7)
  if (view === 'day') return { from: date, to: addDays(date, 1) }
  if (view === 'month') return { from: `${month}-01`, to: `${addMonths(month, 1)}-01` }
  const year = Number(date.slice(0, 4))
  return { from: `${year}-01-01`, to: `${year + 1}-01-01` }
}

export const daysBefore = (view: View, { from }: Days): Days => {
  if (view === 'day') return daysOf('day', addDays(from, -1))
  const month = addMonths(from.slice(0, 7), view === 'month' ? -1 : -12)
  return daysOf(view, `${month}-01`)
}

export const spanOf = ({ from, to }: Days): Span => ({ fromMs: dayBounds(from).fromMs, toMs: dayBounds(to).fromMs })

export const columnsOf = (view: 'month' | 'year', { from, to }: Days) => {
  if (view === 'month') {
    const starts = Array.from({ length: daysBetween(from, to) }, (_, i) => dayBounds(addDays(from, i)).fromMs)
    return { starts, of: (day: LocalDate) => Number(day.slice(8)) - 1 }
  }
  const starts = Array.from({ length: 12 }, (_, i) => monthBounds(addMonths(from.slice(0, 7), i)).fromMs)
  return { starts, of: (day: LocalDate) => Number(day.slice(5, 7)) - 1 }
}

export const startsOf = (day: LocalDate, stepS: number): number[] => {
  const { fromMs, toMs } = dayBounds(day)
  const stepMs = stepS === 900 ? quarterMs : hourMs
  return Array.from({ length: (toMs - fromMs) / stepMs }, (_, i) => fromMs + i * stepMs)
}

/** Intervals that can have readings by now: none of today, since Eloverblik delivers a day later. */
export const intervalsOf = ({ fromMs, toMs }: Span, stepS: number, nowMs: number): number =>
  Math.max(0, (Math.min(toMs, dayBounds(today(nowMs)).fromMs) - fromMs) / (stepS * 1000))

/** A meter without readings counts as hourly. */
export const stepOf = (meter: { step_s: number | null }): number => meter.step_s ?? 3600

/** Whole Wh per interval, null without a reading, and a letter of quality per interval. */
export type DayReadings = { day: LocalDate; step_s: number; wh: readonly (number | null)[]; quality: string }

export type MeterDay = DayReadings & { version: number; fetched_at: Date }

const qualityOf: Record<string, Quality> = { m: 'measured', e: 'estimated', a: 'adjusted', i: 'incomplete' }

export const qualityAt = (day: Pick<MeterDay, 'quality'> | undefined, index: number): Quality =>
  qualityOf[day?.quality[index] ?? '-'] ?? 'missing'

export const findDaysOf = async (
  tx: Tx,
  customerId: string,
  meterIds: readonly string[],
  { from, to }: Days,
): Promise<Map<string, MeterDay[]>> => {
  const rows = await sqlRows<MeterDay & { meter_id: string }>(tx)`
    select meter_id, day::text, step_s, wh, quality, version, fetched_at from meter_day
    where customer_id = ${customerId} and meter_id = any(${meterIds}::uuid[]) and day >= ${from}::date and day < ${to}::date
    order by meter_id, day`
  return Map.groupBy(rows, ({ meter_id }) => meter_id)
}

export const findDays = async (tx: Tx, customerId: string, meterId: string, days: Days): Promise<MeterDay[]> =>
  (await findDaysOf(tx, customerId, [meterId], days)).get(meterId) ?? []

/** Unit of the counts, so that an hour weighs the same for every day and meter. */
export const quarterS = 900

/** Sums of intervals without the unknown ones; the counts are quarters. */
export type Sum = {
  wh: number
  read: number
  estimated: number
  cost: Cost
  priced: number
  /** Wh × g/kWh. */
  whGrams: number
  emission: number
}

export const emptySum = (): Sum => ({
  wh: 0,
  read: 0,
  estimated: 0,
  cost: noCost,
  priced: 0,
  whGrams: 0,
  emission: 0,
})

export type DayPrices = (day: LocalDate, stepS: number) => (Cost | Unknown)[]

export const dayPricesOf = (rates: Rates): DayPrices => {
  const cache = new Map<string, (Cost | Unknown)[]>()
  return (day, stepS) => {
    const key = `${day} ${stepS}`
    const cached = cache.get(key)
    if (cached) return cached
    const { fromMs, toMs } = dayBounds(day)
    const stepMs = stepS * 1000
    const prices = Array.from({ length: (toMs - fromMs) / stepMs }, (_, i) =>
      pricesOf({ fromMs: fromMs + i * stepMs, toMs: fromMs + (i + 1) * stepMs }, rates),
    )
    cache.set(key, prices)
    return prices
  }
}

export const addIntervals = (
  sum: Sum,
  { day, step_s, wh, quality }: DayReadings,
  prices: readonly (Cost | Unknown)[],
  emission: Emission,
  first = 0,
  end = wh.length,
): void => {
  const { fromMs } = dayBounds(day)
  const quarters = step_s / quarterS
  let [spot, tariff, tax] = [0n, 0n, 0n]
  for (let i = first; i < end; i++) {
    const value = wh[i]
    if (value === null || value === undefined) continue
    sum.wh += value
    sum.read += quarters
    if (quality[i] === 'e') sum.estimated += quarters
    const grams = factorAt(emission, fromMs + i * step_s * 1000)
    if (grams !== undefined) {
      sum.whGrams += value * grams
      sum.emission += quarters
    }
    const price = prices[i]
    if (price === undefined || typeof price === 'string') continue
    const exact = BigInt(value)
    spot += price.spot * exact
    if (price.tariff) tariff += price.tariff * exact
    tax += price.tax * exact
    sum.priced += quarters
  }
  sum.cost = addCost(sum.cost, { spot, tariff, tax })
}

export const addSum = (a: Sum, b: Sum): Sum => ({
  wh: a.wh + b.wh,
  read: a.read + b.read,
  estimated: a.estimated + b.estimated,
  cost: addCost(a.cost, b.cost),
  priced: a.priced + b.priced,
  whGrams: a.whGrams + b.whGrams,
  emission: a.emission + b.emission,
})

/** `12345` -> `12.345` */
export const kwhOf = (wh: number): string => {
  const digits = String(Math.abs(wh)).padStart(4, '0')
  return `${wh < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`
}

export const kwhOfDay = (wh: readonly (number | null)[]): string | null => {
  const values = wh.filter((value) => value !== null)
  return values.length > 0 ? kwhOf(values.reduce((sum, value) => sum + value, 0)) : null
}

export const kgCo2Of = (sum: Sum): number | null => (sum.emission > 0 ? sum.whGrams / 1_000_000 : null)
/** Only drawn, never used in calculations. */
export const chartDkkOf = (sum: Sum): number | null =>
  sum.priced > 0 ? Math.round(Number(totalOf(sum.cost)) / 1e8) / 1e6 : null
export const chartKwhOf = (sum: Sum): number | null => (sum.read > 0 ? sum.wh / 1000 : null)

export const finestStepOf = (rows: readonly DayReadings[], otherwise: number): number =>
  rows.length > 0 ? Math.min(...rows.map(({ step_s }) => step_s)) : otherwise

export const totalsOf = (sum: Sum, intervals: number, stepS: number): MeterTotals => ({
  kwh: sum.read > 0 ? kwhOf(sum.wh) : null,
  dkk:
    sum.priced > 0
      ? {
          total: dkkOf(totalOf(sum.cost), 2),
          spot: dkkOf(sum.cost.spot, 2),
          tariff: dkkOf(sum.cost.tariff, 2),
          tax: dkkOf(sum.cost.tax, 2),
        }
      : null,
  kgCo2: kgCo2Of(sum),
  coverage: {
    intervals,
    read: (sum.read * quarterS) / stepS,
    estimated: (sum.estimated * quarterS) / stepS,
    priced: (sum.priced * quarterS) / stepS,
    emission: (sum.emission * quarterS) / stepS,
  },
})

export const totalSum = (sums: readonly Sum[]): Sum => sums.reduce(addSum, emptySum())

export type Columns = { starts: readonly number[]; sums: readonly Sum[] }

/** Only complete intervals are compared: half an hour is not less than an hour. */
const completeOnly = (sum: Sum, quarters: number): Sum => {
  if (sum.read < quarters) return emptySum()
  return sum.priced < quarters ? { ...sum, priced: 0 } : sum
}

/**
 * The interval of the other day at the same time of day, for each interval of a day. An hour that the clock skips has none; both hours of a repeated
 * one are compared with the single one, which is compared with the first of them. An hour is compared with its four quarters together; a quarter is
 * never compared with an hour, because the hour's energy per quarter is unknown.
 */
export const comparedByTime = (starts: readonly number[], stepS: number, other: Columns, otherStepS: number): Sum[] => {
  const size = stepS / otherStepS
  const byTime = new Map<string, Sum>()
  for (let i = 0; size >= 1 && i < other.starts.length; i += size) {
    const at = localTime(other.starts[i] ?? 0)
    if (!byTime.has(at)) byTime.set(at, completeOnly(totalSum(other.sums.slice(i, i + size)), stepS / quarterS))
  }
  return starts.map((fromMs) => byTime.get(localTime(fromMs)) ?? emptySum())
}

export const profileOf = (rows: readonly MeterDay[], starts: readonly number[], stepS: number): (number | null)[] => {
  const byTime = new Map<string, { wh: number; count: number }>()
  for (const { day, step_s, wh } of rows) {
    const size = stepS / step_s
    if (size < 1) continue
    startsOf(day, stepS).forEach((fromMs, i) => {
      const values = wh.slice(i * size, (i + 1) * size).filter((value) => value !== null)
      if (values.length < size) return
      const at = localTime(fromMs)
      const sum = byTime.get(at) ?? { wh: 0, count: 0 }
      byTime.set(at, { wh: values.reduce((all, value) => all + value, sum.wh), count: sum.count + 1 })
    })
  }
  return starts.map((fromMs) => {
    const sum = byTime.get(localTime(fromMs))
    return sum ? sum.wh / sum.count / 1000 : null
  })
}
