import { requestedDays, type BidWarning } from '@gridmast/contract/bid-requests.ts'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { minimumBidKw } from '@gridmast/contract/market-fit.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'

/** A request as far as others of its instance are concerned. Capacities in MW, one a slot; empty where the contract decides. */
export type Asked = {
  market: string
  days: ReadonlySet<string>
  custom: boolean
  capacity: readonly string[]
}

export const toAsked = (
  market: string,
  form: Parameters<typeof requestedDays>[0] & { customBidding: boolean; capacity: readonly (number | string)[] },
): Asked => ({
  market,
  days: new Set(requestedDays(form)),
  custom: form.customBidding,
  capacity: form.capacity.map(String),
})

export const isOffered = (asked: Asked, slot: number): boolean =>
  !asked.custom || compareDecimals(asked.capacity[slot] ?? '0', '0') > 0

const haveDaysInCommon = (a: Asked, b: Asked): boolean => {
  for (const day of a.days) if (b.days.has(day)) return true
  return false
}

/** Whether both bid for one slot of one day on one market (decision 28). */
export const isOverlapping = (a: Asked, b: Asked): boolean => {
  if (a.market !== b.market || !haveDaysInCommon(a, b)) return false
  const slots = requestSlots(a.market) ?? 0
  for (let slot = 0; slot < slots; slot++) if (isOffered(a, slot) && isOffered(b, slot)) return true
  return false
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const slotOf = (market: string, hour: number): number => Math.floor((hour * (requestSlots(market) ?? 1)) / 24)

/** kW asked for in each hour of the wall clock: whole numbers, so that their sums are exact. */
export const kwByHour = ({ market, capacity }: Asked): number[] =>
  hours.map((hour) => Math.round(Number(capacity[slotOf(market, hour)] ?? '0') * 1000))

/** The most that the others ask for in each hour, of the days that they have in common with it. */
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

const stepMw = 0.1
/** Nothing that forbids a request, but that whoever makes it should know (domain notes, section 4.5). */
export const warningsOf = (asked: Asked, others: readonly Asked[], flexibleKw: string): BidWarning[] => {
  const ofOtherMarkets = others.filter((other) => other.market !== asked.market)
  return warningsAbove(asked, mostBeside(asked, ofOtherMarkets), flexibleKw)
}

/** The same, where it is known already how many kW other markets ask for in each hour. */
export const warningsAbove = (asked: Asked, besideKw: readonly number[], flexibleKw: string): BidWarning[] => {
  if (!asked.custom) return []
  const { market, capacity } = asked
  const first = (matches: (mw: number) => boolean): number | null => {
    const found = capacity.findIndex((mw) => matches(Number(mw)))
    return found === -1 ? null : found
  }
  const warnings: BidWarning[] = []
  const minimumMw = (minimumBidKw(market) ?? 0) / 1000
  const small = first((mw) => mw > 0 && mw < minimumMw)
  if (small !== null) warnings.push({ kind: 'below-minimum', slot: small, limitMw: minimumMw })
  const odd = first((mw) => Math.abs(mw * 10 - Math.round(mw * 10)) > 1e-9)
  if (odd !== null) warnings.push({ kind: 'not-a-step', slot: odd, limitMw: stepMw })
  const own = kwByHour(asked)
  const above = hours.find((hour) => {
    const kw = own[hour] ?? 0
    return kw > 0 && kw + (besideKw[hour] ?? 0) > Number(flexibleKw)
  })
  if (above !== undefined)
    warnings.push({ kind: 'above-flexible', slot: slotOf(market, above), limitMw: Number(flexibleKw) / 1000 })
  if (first((mw) => mw > 0) === null) warnings.push({ kind: 'nothing-offered', slot: null, limitMw: null })
  const hasSkipped = capacity.length === 24 && Number(capacity[2]) > 0 && [...asked.days].some(is23Hours)
  if (hasSkipped) warnings.push({ kind: 'skipped-hour', slot: 2, limitMw: null })
  return warnings
}

const is23Hours = (day: string): boolean => {
  const { fromMs, toMs } = dayBounds(day)
  return toMs - fromMs === 23 * hourMs
}
