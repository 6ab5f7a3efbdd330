import { z } from 'zod'
import { bulkResult, ids } from '#bulk.ts'
import { call, id } from '#call.ts'
import { longText, requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { energyPriced, requestSlots } from '#bid-slots.ts'
import { paged } from '#paging.ts'
import { datesBetween, daysBetween, localDate } from '#time.ts'

/** Bids of a customer on a balancing market, day by day and slot by slot (specification text 2: bid request). */

export const bidRequestStatuses = ['pending', 'placed', 'withdrawn'] as const
export type BidRequestStatus = (typeof bidRequestStatuses)[number]

const decimalsOf = (value: number) => String(value).split('.')[1]?.length ?? 0

/** Few enough digits that the number's own text is the typed decimal. */
const decimal = (most: number, decimals: number) =>
  z
    .number({ error: ({ input }) => (input === undefined || input === null ? m.required : m.number) })
    .min(0, m.atLeast(0))
    .max(most, m.atMost(most))
    .refine((value) => !String(value).includes('e') && decimalsOf(value) <= decimals, m.decimals(decimals))

const perSlot = (most: number, decimals: number) =>
  z
    .array(decimal(most, decimals))
    .max(24, m.most(24))
    .meta({ examples: [[]] })

const excludedDay = z.strictObject({ date: localDate, reason: requiredText(200) })
type ExcludedDay = z.infer<typeof excludedDay>

export const bidRequestParts = {
  licenseId: id('licence'),
  biddingMarket: text(40),
  groupId: id('instance'),
  startDate: localDate,
  endDate: localDate,
  excludedDays: z
    .array(excludedDay)
    .max(limits.bidRequestDays, m.most(limits.bidRequestDays))
    .meta({ examples: [[]] }),
  note: longText,
  /** False: price and capacity of the contract are bid, and the arrays are empty. */
  customBidding: z.boolean().meta({ examples: [false] }),
  /** MW of each slot. */
  capacity: perSlot(limits.bidMwMax, limits.bidMwDecimals),
  /** EUR per MW of each slot. */
  price: perSlot(limits.bidEurMax, limits.bidEurDecimals),
  /** EUR/MWh of each slot, in markets that pay for energy. */
  regulationPrice: perSlot(limits.bidEurMax, limits.bidEurDecimals).nullish(),
}
const { licenseId: _, biddingMarket: __, ...form } = bidRequestParts

type Days = { startDate: string; endDate: string; excludedDays: ExcludedDay[] }
type Lists = {
  customBidding: boolean
  capacity: number[]
  price: number[]
  regulationPrice?: number[] | null | undefined
}

export const requestedDays = ({ startDate, endDate, excludedDays }: Days): string[] => {
  const left = new Set(excludedDays.map(({ date }) => date))
  return datesBetween(startDate, endDate).filter((date) => !left.has(date))
}

type Wrong = { path: (string | number)[]; message: string }

export const wrongDays = (form: Days): Wrong[] => {
  const { startDate, endDate, excludedDays } = form
  if (endDate < startDate) return [{ path: ['endDate'], message: m.endBeforeStart }]
  if (daysBetween(startDate, endDate) >= limits.bidRequestDays)
    return [{ path: ['endDate'], message: m.tooManyDays(limits.bidRequestDays) }]
  const seen = new Set<string>()
  const wrong = excludedDays.flatMap(({ date }, i): Wrong[] => {
    const path = ['excludedDays', i, 'date']
    if (date < startDate || date > endDate) return [{ path, message: m.excludedOutside }]
    if (seen.has(date)) return [{ path, message: m.excludedTwice }]
    seen.add(date)
    return []
  })
  if (wrong.length === 0 && requestedDays(form).length === 0)
    return [{ path: ['excludedDays'], message: m.everyDayExcluded }]
  return wrong
}

/** Mistakes of a request's arrays: the form fills missing entries with 0, the server refuses them (decision 21). */
export const wrongSlots = (biddingMarket: string, form: Lists): Wrong[] => {
  const slots = requestSlots(biddingMarket)
  if (slots === null) return [{ path: ['biddingMarket'], message: m.marketNotSupported }]
  const count = form.customBidding ? slots : 0
  const counts = { capacity: count, price: count, regulationPrice: energyPriced(biddingMarket) ? count : 0 }
  return (['capacity', 'price', 'regulationPrice'] as const).flatMap((name) => {
    const given = form[name]?.length ?? 0
    if (given === counts[name]) return []
    return [{ path: [name], message: given < counts[name] ? m.fewest(counts[name]) : m.most(counts[name]) }]
  })
}

type Context = { addIssue: (issue: { code: 'custom' } & Wrong) => void }
export const refuseWrong = (context: Context, wrong: Wrong[]) => {
  for (const one of wrong) context.addIssue({ code: 'custom', ...one })
}

export const bidRequestForm = z
  .strictObject(bidRequestParts)
  .superRefine((given, context) =>
    refuseWrong(context, [...wrongDays(given), ...wrongSlots(given.biddingMarket, given)]),
  )
export type BidRequestForm = z.infer<typeof bidRequestForm>

/** `updatedAt` of the loaded request: nothing is saved when another user has changed it since. */
const updatedAt = z.iso.datetime({ error: m.instant }).regex(/^20/, m.instant)
export const bidRequestChange = z
  .strictObject({ ...form, updatedAt })
  .superRefine((given, context) => refuseWrong(context, wrongDays(given)))

export const bidRequest = z.object({
  _id: id('bid-request'),
  licenseId: id('licence'),
  groupId: id('instance'),
  groupName: z.string(),
  biddingMarket: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  capacity: z.array(z.number()),
  price: z.array(z.number()),
  regulationPrice: z.array(z.number()).nullable(),
  excludedDays: z.array(z.object({ date: z.string(), reason: z.string() })),
  note: z.string(),
  customBidding: z.boolean(),
  status: z.enum(bidRequestStatuses),
  bids: z.object({ sent: z.number(), won: z.number(), lost: z.number() }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type BidRequest = z.infer<typeof bidRequest>

export const bidWarnings = [
  'above-flexible',
  'above-flexible-with-others',
  'price-below-market',
  'price-above-market',
  'below-minimum',
  'not-a-step',
  'nothing-offered',
  'skipped-hour',
] as const
export const bidWarning = z.object({
  kind: z.enum(bidWarnings),
  slots: z.array(z.number()),
  /** In the worst slot. MW, or EUR/MW of a price. */
  offered: z.number().nullable(),
  /** MW: the minimum, the step, the flexible capacity. EUR/MW: the mean of 7 days in that slot. */
  limit: z.number().nullable(),
})
export type BidWarning = z.infer<typeof bidWarning>

const saved = z.object({ bidRequest, warnings: z.array(bidWarning) })
const params = z.object({ id: id('bid-request') })

export const bidRequestColumns = [
  'start',
  'end',
  'excluded',
  'created',
  'updated',
  'instance',
  'offer',
  'market',
  'status',
] as const

export const findBidRequests = call({
  method: 'GET',
  path: '/client/data/bid-request',
  summary:
    'List bid requests, the newest first or by `sort`: requests with days to come (`current`), or past and withdrawn requests (`past`)',
  may: 'bid-request.read',
  of: ['bid-request', 'bid-result', 'instance'],
  sorts: bidRequestColumns,
  query: z.strictObject({
    filterType: z.enum(['current', 'past']).default('current'),
    licenseId: id('licence').optional(),
    market: text(40).optional(),
    ...paged(bidRequestColumns),
  }),
  response: z.object({ bidRequests: z.array(bidRequest), totalCount: z.number() }),
})

export const getBidRequest = call({
  method: 'GET',
  path: '/client/data/bid-request/{id}',
  summary: 'Get a bid request',
  may: 'bid-request.read',
  of: ['bid-request', 'bid-result', 'instance'],
  params,
  response: bidRequest,
})

export const createBidRequest = call({
  method: 'POST',
  path: '/client/data/bid-request',
  summary: 'Create a bid request of an instance on a market, from the first day that is not closed',
  may: 'bid-request.edit',
  touches: ['bid-request'],
  body: bidRequestForm,
  response: saved,
  ok: m.bidRequestCreated,
})

export const updateBidRequest = call({
  method: 'PATCH',
  path: '/client/data/bid-request/{id}',
  summary: 'Change a pending request',
  may: 'bid-request.edit',
  touches: ['bid-request'],
  params,
  body: bidRequestChange,
  response: saved,
  ok: m.bidRequestUpdated,
})

export const removeBidRequest = call({
  method: 'DELETE',
  path: '/client/data/bid-request/{id}',
  summary: 'Withdraw a pending request; it is listed with the past requests',
  may: 'bid-request.edit',
  touches: ['bid-request'],
  params,
  ok: m.bidRequestDeleted,
})

export const withdrawBidRequests = call({
  method: 'POST',
  path: '/client/data/bid-request/withdraw',
  summary: 'Withdraw several pending requests',
  may: 'bid-request.edit',
  touches: ['bid-request'],
  body: z.strictObject({ ids: ids('bid-request') }),
  response: bulkResult,
})

export const findBidGates = call({
  method: 'GET',
  path: '/client/data/bid-request/gate',
  summary: 'List the auctions of a market: the first open day, and the time until which it can be changed',
  may: 'bid-request.read',
  query: z.strictObject({ market: text(40) }),
  response: z.object({
    /** Entries of a request: 6, 24 or 1; null for markets without requests. */
    slots: z.union([z.literal(6), z.literal(24), z.literal(1)]).nullable(),
    gates: z.array(
      z.object({
        auction: z.string(),
        day: z.string(),
        cutOffAt: z.iso.datetime(),
        gateAt: z.iso.datetime(),
      }),
    ),
    firstOpenDay: z.string(),
  }),
})
