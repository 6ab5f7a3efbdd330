import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { divideDecimal, multiplyDecimals, roundDecimal, sumDecimals } from '@gridmast/contract/numbers.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import type { Expected } from '#delivery/scoring/expected.ts'
import type { RowOf } from '#platform/records/rows.ts'

/** Sold capacity of an instance in a period, over all auctions of a product; rules and a worked example: penalty-guard.md. */
export type SoldPeriod = Span & {
  market: string
  product: string
  kw: number
  /** Payment of the period, exact decimal text; null where a price is missing. */
  eur: string | null
}

type Direction = 'up' | 'down'
export type ExpectedKw = Record<Direction, (startMs: number) => Expected | null>

/** Figures of the hour and direction with the smallest margin; null where an hour is unknown. */
export type Shortfall = Pick<RiskSlot, 'expectedKw' | 'usualErrorKw' | 'shortKw' | 'lossEur'>
export const unknownShortfall: Shortfall = { expectedKw: null, usualErrorKw: null, shortKw: null, lossEur: null }

const directionsOf = ({ market, product }: Pick<SoldPeriod, 'market' | 'product'>): Direction[] => {
  if (product.endsWith('-INC')) return ['up']
  if (product.endsWith('-DEC')) return ['down']
  const direction = isMarket(market) ? markets[market].direction : 'up'
  return direction === 'both' ? ['up', 'down'] : [direction]
}

export const hoursOf = ({ fromMs, toMs }: Span): number[] =>
  Array.from({ length: Math.round((toMs - fromMs) / hourMs) }, (_, i) => fromMs + i * hourMs)

const tenth = (kw: number) => Math.round(kw * 10) / 10

/** Smallest expected kW over the hours and directions of a period; null where an hour is unknown. */
export const leastExpected = (period: Span & { market: string; product: string }, expected: ExpectedKw) => {
  const kws = hoursOf(period).flatMap((startMs) =>
    directionsOf(period).map((direction) => expected[direction](startMs)?.kw ?? null),
  )
  const measured = kws.filter((kw) => kw !== null)
  return measured.length === 0 || measured.length < kws.length ? null : tenth(Math.min(...measured))
}

/** Compares the sold capacity of one instance with its expectation: kW that are sold twice in the same direction are needed twice. */
export const shortfallsOf = (sold: readonly SoldPeriod[], expected: ExpectedKw): Shortfall[] => {
  const soldAt = (direction: Direction, startMs: number): number =>
    sold
      .filter((one) => one.fromMs <= startMs && startMs < one.toMs && directionsOf(one).includes(direction))
      .reduce((sum, { kw }) => sum + kw, 0)
  const marginOf = (period: SoldPeriod, direction: Direction, startMs: number) => {
    const expectation = expected[direction](startMs)
    if (!expectation) return null
    const soldKw = soldAt(direction, startMs)
    const missingKw = (Math.max(0, soldKw - expectation.kw) * period.kw) / soldKw
    return { ...expectation, spareKw: expectation.kw - soldKw, missingKw }
  }
  return sold.map((period) => {
    const hours = hoursOf(period)
    const margins = hours.flatMap((startMs) => {
      const ofHour = directionsOf(period).map((direction) => marginOf(period, direction, startMs))
      return ofHour.reduce((a, b) => (a === null || b === null ? null : a.spareKw <= b.spareKw ? a : b)) ?? []
    })
    if (margins.length < hours.length || margins.length === 0) return unknownShortfall
    const least = margins.reduce((a, b) => (a.spareKw <= b.spareKw ? a : b))
    const shares = margins.map(({ missingKw }) => (missingKw / period.kw).toFixed(6))
    const share = divideDecimal(sumDecimals(shares), margins.length, 6)
    return {
      expectedKw: tenth(least.kw),
      usualErrorKw: tenth(least.usualErrorKw),
      shortKw: tenth(Math.max(...margins.map(({ missingKw }) => missingKw))),
      lossEur: period.eur === null ? null : roundDecimal(multiplyDecimals(period.eur, share), 2),
    }
  })
}

type RiskState = RiskSlot['state']
/** `told_kw`: the missing kW of the last notification. */
export type OpenRisk = Pick<RowOf<'sold_risk'>, 'told_kw'> & { state: RiskState }
type Step = { to: 'none' } | { to: 'close' } | ({ to: 'keep' | 'notify' } & OpenRisk)

/** A smaller missing share of the sold capacity is within the error of a forecast. */
const opensFrom = 0.05
const growsBy = 0.1

/** Next step for a future period; `isSilent`: no recent report of the instance, so its capacity is unknown. */
export const stepOf = (
  { kw }: Pick<SoldPeriod, 'kw'>,
  { shortKw }: Pick<Shortfall, 'shortKw'>,
  isSilent: boolean,
  open: OpenRisk | null,
): Step => {
  if (isSilent) {
    if (open?.state === 'unknown') return { to: 'keep', ...open }
    return { to: 'notify', state: 'unknown', told_kw: kw }
  }
  if (shortKw === null) return open ? { to: 'keep', ...open } : { to: 'none' }
  if (shortKw === 0) return open ? { to: 'close' } : { to: 'none' }
  if (!open && shortKw < opensFrom * kw) return { to: 'none' }
  if (!open || open.state === 'unknown' || shortKw >= open.told_kw + growsBy * kw)
    return { to: 'notify', state: 'short', told_kw: shortKw }
  return { to: 'keep', state: 'short', told_kw: open.told_kw }
}
