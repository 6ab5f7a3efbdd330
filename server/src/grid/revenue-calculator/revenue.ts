import { pricedMarkets, type PricedMarketId } from '@gridmast/contract/grid/price-signals.ts'
import type { CalculatorMarket } from '@gridmast/contract/choices.ts'
import { addDecimals, compareDecimals } from '@gridmast/contract/numbers.ts'
import {
  addMonths,
  dayMs,
  hourMs,
  type LocalDate,
  type LocalMonth,
  monthBounds,
  offsetMs,
  type Span,
} from '@gridmast/contract/time.ts'

/** Markets behind a calculator choice: prices of an hour are added where one battery serves both sides (FCR-D (LER)). */
export type Sold = {
  markets: readonly [PricedMarketId, ...PricedMarketId[]]
  auction: 'Total' | ''
  /** One price pays for a block of 4 hours and is published in each of its hours. */
  perBlock: boolean
}

const marketsOf: Record<CalculatorMarket, Sold['markets']> = {
  FCR: ['FCR'],
  'FCR-D-INC': ['FCR-D-INC'],
  'FCR-D-DEC': ['FCR-D-DEC'],
  'FCR-D (LER)': ['FCR-D-INC', 'FCR-D-DEC'],
  'AFRR-INC': ['aFRR-INC'],
  'AFRR-DEC': ['aFRR-DEC'],
}

export const soldAs = (signal: CalculatorMarket): Sold => {
  const markets = marketsOf[signal]
  const { auctions, slotHours } = pricedMarkets[markets[0]]
  return { markets, auction: auctions ? 'Total' : '', perBlock: slotHours === 4 }
}

/** A local day with a price; amounts are exact decimal text, not rounded. */
export type RevenueOfDay = {
  day: LocalDate
  hours: number
  eur: string
  dkk: string
  hasDkk: boolean
  hasRate: boolean
  hasCentral: boolean
  dkkPerEur: string | null
}

export type Revenue = { eur: string; dkk: string; hours: number }

export const sumOf = (parts: readonly Revenue[]): Revenue => ({
  eur: addDecimals(...parts.map(({ eur }) => eur)),
  dkk: addDecimals(...parts.map(({ dkk }) => dkk)),
  hours: parts.reduce((sum, { hours }) => sum + hours, 0),
})

export const monthsOf = (days: readonly RevenueOfDay[]): (Revenue & { month: LocalMonth })[] =>
  [...Map.groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, ofMonth]) => ({ month, ...sumOf(ofMonth) }))

/** Percent with two decimals, rounded down: 100 means that no hour is missing. */
export const coverageOf = (hours: number, ofHours: number): number =>
  Math.min(100, Math.floor((hours * 10_000) / ofHours) / 100)

const midnightUtc = (date: LocalDate) => Date.parse(date)

/** 23, 24 or 25: the clocks change at 01:00 UTC, so two offsets at UTC midnight suffice, 100 times faster than the bounds of the day. */
export const dayHours = (date: LocalDate): number =>
  24 - (offsetMs(midnightUtc(date) + dayMs) - offsetMs(midnightUtc(date))) / hourMs

export const hoursOf = ({ fromMs, toMs }: Span): number => (toMs - fromMs) / hourMs

export const monthHours = (month: LocalMonth): number => hoursOf(monthBounds(month))

type DkkBasis = 'dataset' | 'rate of the day' | 'central rate' | 'mixed'

export const dkkBasisOf = (days: readonly RevenueOfDay[]): DkkBasis | null => {
  const bases: DkkBasis[] = [
    ...(days.some(({ hasDkk }) => hasDkk) ? (['dataset'] as const) : []),
    ...(days.some(({ hasRate }) => hasRate) ? (['rate of the day'] as const) : []),
    ...(days.some(({ hasCentral }) => hasCentral) ? (['central rate'] as const) : []),
  ]
  return bases.length > 1 ? 'mixed' : (bases[0] ?? null)
}

export const ratesOf = (days: readonly RevenueOfDay[]): { lowest: string; highest: string } | null => {
  const rates = days.flatMap(({ dkkPerEur }) => dkkPerEur ?? []).toSorted(compareDecimals)
  const [lowest, highest] = [rates[0], rates.at(-1)]
  return lowest !== undefined && highest !== undefined ? { lowest, highest } : null
}

export const monthsBetween = (first: LocalMonth, last: LocalMonth): LocalMonth[] => {
  const months: LocalMonth[] = []
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}
