import { requestedDays, type BidWarning } from '@gridmast/contract/trading/bid-requests.ts'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { minimumBidKw } from '@gridmast/contract/grid/market-fit.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'

export type Asked = {
  market: string
  days: ReadonlySet<string>
  custom: boolean
  capacity: readonly string[]
  price: readonly string[]
}

export const toAsked = (
  market: string,
  form: Parameters<typeof requestedDays>[0] & {
    customBidding: boolean
    capacity: readonly (number | string)[]
    price: readonly (number | string)[]
  },
): Asked => ({
  market,
  days: new Set(requestedDays(form)),
  custom: form.customBidding,
  capacity: form.capacity.map(String),
  price: form.price.map(String),
})

export const isOffered = (asked: Asked, slot: number): boolean =>
  !asked.custom || compareDecimals(asked.capacity[slot] ?? '0', '0') > 0

const haveDaysInCommon = (a: Asked, b: Asked): boolean => {
  for (const day of a.days) if (b.days.has(day)) return true
  return false
}

/** Whether both bid for the same slot of a day on one market (decision 28). */
export const isOverlapping = (a: Asked, b: Asked): boolean => {
  if (a.market !== b.market || !haveDaysInCommon(a, b)) return false
  const slots = requestSlots(a.market) ?? 0
  for (let slot = 0; slot < slots; slot++) if (isOffered(a, slot) && isOffered(b, slot)) return true
  return false
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const slotOf = (market: string, hour: number): number => Math.floor((hour * (requestSlots(market) ?? 1)) / 24)

/** Requested kW per hour of the wall clock, whole numbers so that sums are exact. */
export const kwByHour = ({ market, capacity }: Asked): number[] =>
  hours.map((hour) => Math.round(Number(capacity[slotOf(market, hour)] ?? '0') * 1000))

const mostBeside = ({ days }: Asked, others: readonly Asked[]): number[] => {
  const asked = others.map((other) => ({ days: other.days, kw: kwByHour(other) }))
  const most = hours.map(() => 0)
  for (const day of days) {
    const ofDay = asked.filter((other) => other.days.has(day))
    hours.forEach((hour) => {
      const sum = ofDay.reduce((all, { kw }) => all + (kw[hour] ?? 0), 0)
      most[hour] = Math.max(most[hour] ?? 0, sum)
    })
  }
  return most
}

/** The lowest and the highest mean price of 7 days among the auctions of a market, by slot; null where none is published. */
export type MarketMeans = readonly ({ lowEur: string; highEur: string } | null)[]

type Limits = { flexibleKw: string; means: MarketMeans }

const stepMw = 0.1
/** A price this many times above or below the market's mean is more likely a slip than a decision. */
const farFromMarket = 4
const leastDifferenceEur = 1

/** Warnings of a request; none of them refuses it (domain notes, section 4.5). */
export const warningsOf = (asked: Asked, others: readonly Asked[], limits: Limits): BidWarning[] => {
  const ofOtherMarkets = others.filter((other) => other.market !== asked.market)
  return warningsAbove(asked, mostBeside(asked, ofOtherMarkets), limits)
}

type Excess = { slot: number; offered: number; limit: number; by: number }

const warning = (kind: BidWarning['kind'], found: readonly Excess[]): BidWarning[] => {
  const [first] = found
  if (!first) return []
  const { offered, limit } = found.reduce((worst, one) => (one.by > worst.by ? one : worst), first)
  return [{ kind, slots: [...new Set(found.map(({ slot }) => slot))], offered, limit }]
}

const withoutFigures = (kind: BidWarning['kind'], slots: number[]): BidWarning => ({
  kind,
  slots,
  offered: null,
  limit: null,
})

const priceWarnings = ({ capacity, price }: Asked, means: MarketMeans): BidWarning[] => {
  const priced = capacity.flatMap((mw, slot) => {
    const mean = means[slot]
    return Number(mw) > 0 && mean ? [{ slot, offered: Number(price[slot] ?? 0), mean }] : []
  })
  const low = priced.flatMap(({ slot, offered, mean }) => {
    const limit = Number(mean.lowEur)
    const isFar = offered * farFromMarket < limit && limit - offered >= leastDifferenceEur
    return isFar ? [{ slot, offered, limit, by: limit - offered }] : []
  })
  const high = priced.flatMap(({ slot, offered, mean }) => {
    const limit = Number(mean.highEur)
    const isFar = offered > limit * farFromMarket && offered - limit >= leastDifferenceEur
    return isFar ? [{ slot, offered, limit, by: offered - limit }] : []
  })
  return [...warning('price-below-market', low), ...warning('price-above-market', high)]
}

export const warningsAbove = (
  asked: Asked,
  besideKw: readonly number[],
  { flexibleKw, means }: Limits,
): BidWarning[] => {
  if (!asked.custom) return []
  const { market, capacity } = asked
  const slotsWith = (limit: number, matches: (mw: number) => boolean): Excess[] =>
    capacity.flatMap((text, slot) => {
      const offered = Number(text)
      return matches(offered) ? [{ slot, offered, limit, by: Math.abs(limit - offered) }] : []
    })
  const limit = Number(flexibleKw) / 1000
  const own = kwByHour(asked)
  const hoursAbove = (others: readonly number[]): Excess[] =>
    hours.flatMap((hour) => {
      const kw = own[hour] ?? 0
      const offered = (kw + (others[hour] ?? 0)) / 1000
      return kw > 0 && offered > limit ? [{ slot: slotOf(market, hour), offered, limit, by: offered - limit }] : []
    })
  const alone = hoursAbove([])
  const together = hoursAbove(besideKw).filter(({ slot }) => !alone.some((one) => one.slot === slot))
  const minimumMw = (minimumBidKw(market) ?? 0) / 1000
  const hasSkipped = capacity.length === 24 && Number(capacity[2]) > 0 && [...asked.days].some(is23Hours)
  const isEmpty = !capacity.some((mw) => Number(mw) > 0)
  return [
    ...warning('above-flexible', alone),
    ...warning('above-flexible-with-others', together),
    ...priceWarnings(asked, means),
    ...warning(
      'below-minimum',
      slotsWith(minimumMw, (mw) => mw > 0 && mw < minimumMw),
    ),
    ...warning(
      'not-a-step',
      slotsWith(stepMw, (mw) => Math.abs(mw * 10 - Math.round(mw * 10)) > 1e-9),
    ),
    ...(isEmpty ? [withoutFigures('nothing-offered', [])] : []),
    ...(hasSkipped ? [withoutFigures('skipped-hour', [2])] : []),
  ]
}

const is23Hours = (day: string): boolean => {
  const { fromMs, toMs } = dayBounds(day)
  return toMs - fromMs === 23 * hourMs
}
