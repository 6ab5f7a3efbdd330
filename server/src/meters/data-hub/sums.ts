import type { MeterTotals } from '@gridmast/contract/meters/data-hub.ts'
import { dayBounds, type LocalDate } from '@gridmast/contract/time.ts'
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
import type { DayReadings } from './day-readings.ts'

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

export const totalSum = (sums: readonly Sum[]): Sum => sums.reduce(addSum, emptySum())

/** `12345` -> `12.345` */
export const kwhOf = (wh: number): string => {
  const digits = String(Math.abs(wh)).padStart(4, '0')
  return `${wh < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`
}

export const kwhOfDay = (wh: readonly (number | null)[]): string | null => {
  const values = wh.filter((value) => value !== null)
  return values.length > 0 ? kwhOf(values.reduce((sum, value) => sum + value, 0)) : null
}

/** Null where an interval that was read has no price. */
export const pricedDkkOf = ({ read, priced }: Sum, dkk: bigint, decimals?: number): string | null =>
  read > 0 && priced === read ? dkkOf(dkk, decimals) : null

export const kgCo2Of = (sum: Sum): number | null => (sum.emission > 0 ? sum.whGrams / 1_000_000 : null)
/** Only drawn, never used in calculations. */
export const chartDkkOf = (sum: Sum): number | null =>
  sum.priced > 0 ? Math.round(Number(totalOf(sum.cost)) / 1e8) / 1e6 : null
export const chartKwhOf = (sum: Sum): number | null => (sum.read > 0 ? sum.wh / 1000 : null)

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
