import { requestedDays } from '@gridmast/contract/trading/bid-requests.ts'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { RequestRow } from './queries.ts'

export type RequestedDays = Pick<RequestRow, 'market' | 'custom_bidding' | 'capacity_mw' | 'price_eur'> & {
  days: readonly string[]
}

type Request = Omit<RequestedDays, 'days'> & Pick<RequestRow, 'start_date' | 'end_date' | 'excluded_days'>

export const withDays = ({ start_date, end_date, excluded_days, ...request }: Request): RequestedDays => ({
  ...request,
  days: requestedDays({ startDate: start_date, endDate: end_date, excludedDays: excluded_days }),
})

export const hours = Array.from({ length: 24 }, (_, hour) => hour)
export const slotOf = (market: string, hour: number): number => Math.floor((hour * (requestSlots(market) ?? 1)) / 24)

/** Requested kW per hour of the wall clock, whole numbers so that sums are exact. */
export const kwByHour = ({ market, capacity_mw }: RequestedDays): number[] =>
  hours.map((hour) => Math.round(Number(capacity_mw[slotOf(market, hour)] ?? '0') * 1000))

/** One bit per slot with a bid; a request without custom bidding may bid in each slot. */
const slotMask = ({ market, custom_bidding, capacity_mw }: RequestedDays): number => {
  let mask = 0
  for (let slot = 0; slot < (requestSlots(market) ?? 0); slot++)
    if (!custom_bidding || Number(capacity_mw[slot] ?? '0') > 0) mask |= 1 << slot
  return mask
}

type Entry = {
  market: string
  mask: number
  kw: readonly number[]
  row: number | null
  span: { first: string; last: string }
  requestId: string | null
}
type InstanceBook = { days: Map<string, Entry[]>; spans: { first: string; last: string }[] }

const spanOf = ({ days }: RequestedDays) => ({ first: days[0] ?? '', last: days.at(-1) ?? '' })

export type SlotBook = ReturnType<typeof openSlotBook>

/** Slots of requests by instance and day: comparing each pair of requests would be quadratic for files with thousands of them. */
export const openSlotBook = (requests: readonly (Request & { instance_id: string; request_id: string })[] = []) => {
  const instances = new Map<string, InstanceBook>()
  const bookOf = (instanceId: string) => {
    const book: InstanceBook = instances.get(instanceId) ?? { days: new Map(), spans: [] }
    instances.set(instanceId, book)
    return book
  }
  const add = (
    instanceId: string,
    request: RequestedDays,
    row: number | null,
    requestId: string | null = null,
  ): void => {
    const { days, spans } = bookOf(instanceId)
    const span = spanOf(request)
    const entry = { market: request.market, mask: slotMask(request), kw: kwByHour(request), row, span, requestId }
    spans.push(span)
    for (const day of request.days) {
      const entries = days.get(day)
      if (entries) entries.push(entry)
      else days.set(day, [entry])
    }
  }
  for (const request of requests) add(request.instance_id, withDays(request), null, request.request_id)
  return {
    add,
    /** A request of the same market with a bid in the same slot of a day (decision 28). */
    findOverlap: (instanceId: string, request: RequestedDays): Entry | null => {
      const { days } = bookOf(instanceId)
      const mask = slotMask(request)
      for (const day of request.days)
        for (const entry of days.get(day) ?? [])
          if (entry.market === request.market && (entry.mask & mask) !== 0) return entry
      return null
    },
    isFull: (instanceId: string, request: RequestedDays): boolean => {
      const { first, last } = spanOf(request)
      const overlapping = bookOf(instanceId).spans.filter((span) => span.first <= last && span.last >= first)
      return overlapping.length >= limits.bidRequestsBeside
    },
    kwOnOtherMarkets: (instanceId: string, request: RequestedDays): number[] => {
      const { days } = bookOf(instanceId)
      const most = hours.map(() => 0)
      for (const day of request.days) {
        const others = (days.get(day) ?? []).filter(({ market }) => market !== request.market)
        if (others.length > 0)
          for (const hour of hours)
            most[hour] = Math.max(
              most[hour] ?? 0,
              others.reduce((sum, { kw }) => sum + (kw[hour] ?? 0), 0),
            )
      }
      return most
    },
  }
}
