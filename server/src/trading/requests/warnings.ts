import type { BidWarning } from '@gridmast/contract/trading/bid-requests.ts'
import { minimumBidKw } from '@gridmast/contract/grid/market-fit.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { hours, kwByHour, type RequestedDays, slotOf } from './overlaps.ts'

/** The lowest and the highest mean price of 7 days among the auctions of a market, by slot; null where none is published. */
export type MarketMeans = readonly ({ lowEur: string; highEur: string } | null)[]

const stepMw = 0.1
/** A price this many times above or below the market's mean is more likely a slip than a decision. */
const farFromMarket = 4
const minDifferenceEur = 1

type Excess = { slot: number; offered: number; limit: number; by: number }

const warning = (kind: BidWarning['kind'], excesses: readonly Excess[]): BidWarning[] => {
  const [first] = excesses
  if (!first) return []
  const { offered, limit } = excesses.reduce((worst, one) => (one.by > worst.by ? one : worst), first)
  return [{ kind, slots: [...new Set(excesses.map(({ slot }) => slot))], offered, limit }]
}

const withoutFigures = (kind: BidWarning['kind'], slots: number[]): BidWarning => ({
  kind,
  slots,
  offered: null,
  limit: null,
})

const priceWarnings = ({ capacity_mw, price_eur }: RequestedDays, means: MarketMeans): BidWarning[] => {
  const priced = capacity_mw.flatMap((mw, slot) => {
    const mean = means[slot]
    return Number(mw) > 0 && mean ? [{ slot, offered: Number(price_eur[slot] ?? 0), mean }] : []
  })
  const low = priced.flatMap(({ slot, offered, mean }) => {
    const limit = Number(mean.lowEur)
    const isFar = offered * farFromMarket < limit && limit - offered >= minDifferenceEur
    return isFar ? [{ slot, offered, limit, by: limit - offered }] : []
  })
  const high = priced.flatMap(({ slot, offered, mean }) => {
    const limit = Number(mean.highEur)
    const isFar = offered > limit * farFromMarket && offered - limit >= minDifferenceEur
    return isFar ? [{ slot, offered, limit, by: offered - limit }] : []
  })
  return [...warning('price-below-market', low), ...warning('price-above-market', high)]
}

const is23Hours = (day: string): boolean => {
  const { fromMs, toMs } = dayBounds(day)
  return toMs - fromMs === 23 * hourMs
}

/** Warnings of a request; none of them refuses it (domain notes, section 4.5). `otherKw`: kW per hour sold on other markets. */
export const warningsOf = (
  request: RequestedDays,
  otherKw: readonly number[],
  { flexibleKw, means }: { flexibleKw: string; means: MarketMeans },
): BidWarning[] => {
  if (!request.custom_bidding) return []
  const { market, capacity_mw, days } = request
  const slotsWith = (limit: number, matches: (mw: number) => boolean): Excess[] =>
    capacity_mw.map(Number).flatMap((offered, slot) => {
      return matches(offered) ? [{ slot, offered, limit, by: Math.abs(limit - offered) }] : []
    })
  const limit = Number(flexibleKw) / 1000
  const requestKw = kwByHour(request)
  const hoursAbove = (others: readonly number[]): Excess[] =>
    hours.flatMap((hour) => {
      const kw = requestKw[hour] ?? 0
      const offered = (kw + (others[hour] ?? 0)) / 1000
      return kw > 0 && offered > limit ? [{ slot: slotOf(market, hour), offered, limit, by: offered - limit }] : []
    })
  const alone = hoursAbove([])
  const withOthers = hoursAbove(otherKw).filter(({ slot }) => !alone.some((one) => one.slot === slot))
  const minimumMw = (minimumBidKw(market) ?? 0) / 1000
  const tooSmall = slotsWith(minimumMw, (mw) => mw > 0 && mw < minimumMw)
  const notSteps = slotsWith(stepMw, (mw) => Math.abs(mw * 10 - Math.round(mw * 10)) > 1e-9)
  const hasSkippedHour = capacity_mw.length === 24 && Number(capacity_mw[2]) > 0 && days.some(is23Hours)
  const isEmpty = !capacity_mw.some((mw) => Number(mw) > 0)
  return [
    ...warning('above-flexible', alone),
    ...warning('above-flexible-with-others', withOthers),
    ...priceWarnings(request, means),
    ...warning('below-minimum', tooSmall),
    ...warning('not-a-step', notSteps),
    ...(isEmpty ? [withoutFigures('nothing-offered', [])] : []),
    ...(hasSkippedHour ? [withoutFigures('skipped-hour', [2])] : []),
  ]
}
