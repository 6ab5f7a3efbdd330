import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { divideDecimal, multiplyDecimals, roundDecimal, sumDecimals } from '@gridmast/contract/numbers.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import type { Expected } from '#delivery/scoring/expected.ts'

/** Sold capacity of an instance in a period, over all auctions of a product; rules and a worked example: penalty-guard.md. */
export type Sold = Span & {
  market: string
  product: string
  kw: number
  /** Payment of the period, exact decimal text; null where a price is missing. */
  eur: string | null
}

type Way = 'up' | 'down'
export type ExpectedWays = Record<Way, (startMs: number) => Expected | null>

export type Judged = {
  /** Figures of the hour and direction with the smallest margin; null where an hour is unknown. */
  expectedKw: number | null
  usualErrorKw: number | null
  shortKw: number | null
  lossEur: string | null
}

const waysOf = ({ market, product }: Pick<Sold, 'market' | 'product'>): Way[] => {
  if (product.endsWith('-INC')) return ['up']
  if (product.endsWith('-DEC')) return ['down']
  const direction = isMarket(market) ? markets[market].direction : 'up'
  return direction === 'both' ? ['up', 'down'] : [direction]
}

const hoursOf = ({ fromMs, toMs }: Span): number[] =>
  Array.from({ length: Math.round((toMs - fromMs) / hourMs) }, (_, i) => fromMs + i * hourMs)

const tenth = (kw: number) => Math.round(kw * 10) / 10

/** Smallest expected kW over the hours and directions of a period; null where an hour is unknown. */
export const leastExpected = (
  of: Span & { market: string; product: string },
  expected: ExpectedWays,
): number | null => {
  const found = hoursOf(of).flatMap((startMs) => waysOf(of).map((way) => expected[way](startMs)?.kw ?? null))
  const known = found.flatMap((kw) => kw ?? [])
  return known.length === 0 || known.length < found.length ? null : tenth(Math.min(...known))
}

/** Compares the sold capacity of one instance with its expectation: kW that are sold twice in the same direction are needed twice. */
export const judgeSold = (sold: readonly Sold[], expected: ExpectedWays): Judged[] => {
  const soldAt = (way: Way, startMs: number): number =>
    sold
      .filter((one) => one.fromMs <= startMs && startMs < one.toMs && waysOf(one).includes(way))
      .reduce((sum, { kw }) => sum + kw, 0)
  return sold.map((one) => {
    const hours = hoursOf(one)
    const looked = hours.map((startMs) =>
      waysOf(one)
        .map((way) => {
          const found = expected[way](startMs)
          if (!found) return null
          const all = soldAt(way, startMs)
          const missing = (Math.max(0, all - found.kw) * one.kw) / all
          return { ...found, spare: found.kw - all, missing }
        })
        .reduce((a, b) => (a === null || b === null ? null : a.spare <= b.spare ? a : b)),
    )
    const known = looked.flatMap((hour) => hour ?? [])
    if (known.length < hours.length || known.length === 0)
      return { expectedKw: null, usualErrorKw: null, shortKw: null, lossEur: null }
    const least = known.reduce((a, b) => (a.spare <= b.spare ? a : b))
    const shares = known.map(({ missing }) => (missing / one.kw).toFixed(6))
    const share = divideDecimal(sumDecimals(shares), known.length, 6)
    return {
      expectedKw: tenth(least.kw),
      usualErrorKw: tenth(least.usualErrorKw),
      shortKw: tenth(Math.max(...known.map(({ missing }) => missing))),
      lossEur: one.eur === null ? null : roundDecimal(multiplyDecimals(one.eur, share), 2),
    }
  })
}

export type RiskState = 'short' | 'unknown'
export type Open = { state: RiskState; toldKw: number }
type Step = { to: 'none' } | { to: 'close' } | { to: 'keep' | 'tell'; state: RiskState; toldKw: number }

/** A smaller missing share of the sold capacity is within the error of a forecast. */
const opensFrom = 0.05
const growsBy = 0.1

/** Next step for a future period; `isSilent`: no recent report of the instance, so its capacity is unknown. */
export const stepOf = (
  { kw }: Pick<Sold, 'kw'>,
  { shortKw }: Pick<Judged, 'shortKw'>,
  isSilent: boolean,
  open: Open | null,
): Step => {
  if (isSilent) {
    if (open?.state === 'unknown') return { to: 'keep', ...open }
    return { to: 'tell', state: 'unknown', toldKw: kw }
  }
  if (shortKw === null) return open ? { to: 'keep', ...open } : { to: 'none' }
  if (shortKw === 0) return open ? { to: 'close' } : { to: 'none' }
  if (!open && shortKw < opensFrom * kw) return { to: 'none' }
  if (!open || open.state === 'unknown' || shortKw >= open.toldKw + growsBy * kw)
    return { to: 'tell', state: 'short', toldKw: shortKw }
  return { to: 'keep', state: 'short', toldKw: open.toldKw }
}
