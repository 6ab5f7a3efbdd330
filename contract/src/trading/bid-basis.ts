import { z } from 'zod'
import { bidRequestParts, bidWarning, refuseWrong, wrongDays, wrongSlots } from './bid-requests.ts'
import { call, id } from '#call.ts'
import { text } from '#fields.ts'
import { windowQuery } from '#grid/frequency.ts'
import { limits } from '#limits.ts'
import { decimalText, fileFormat } from '#series.ts'
import { simulatedSum } from '#source.ts'
import { localDate } from '#time.ts'

/** Data for the decision on a request, and results of its bids. Rules: server/src/trading/requests/slot-history.md. */

/** One entry per slot of the request; null where unknown. */
const perSlot = <T extends z.ZodType>(one: T) => z.array(one.nullable())
const day = z.string()

export const bidBasis = call({
  method: 'GET',
  path: '/client/data/bid-request/basis',
  summary: 'Get the prices of the last 7 days in each auction and available kW, by slot, for an instance and a market',
  may: 'bid-request.read',
  of: ['bid-request'],
  query: z.strictObject({ groupId: id('instance'), market: text(40) }),
  response: z.object({
    flexibleMw: z.number(),
    /** The smallest bid of its own; smaller ones are sold in a pool. Null without a rule. */
    minimumMw: z.number().nullable(),
    /** The first open day without a request of the instance on the market. */
    freeDay: day.nullable(),
    /** EUR per MW, as paid by the auction; same days as `available`, the last one is yesterday. */
    prices: z.array(
      z.object({
        product: z.string(),
        auction: z.string(),
        days: z.array(z.object({ day, eur: perSlot(decimalText) })),
        meanEur: perSlot(decimalText),
      }),
    ),
    /** Mean available kW; the forecast is the lowest of the days. */
    available: z.array(z.object({ day, kw: perSlot(z.number()) })),
    forecastKw: perSlot(z.number()),
    /** The bid of a request that leaves it to the contract; null without one. */
    contract: z
      .object({ auctions: z.array(z.string()), priceEur: decimalText, bidMw: z.array(decimalText) })
      .nullable(),
  }),
})
export type BidBasis = z.infer<typeof bidBasis.response>

const { licenseId, biddingMarket, groupId, startDate, endDate, excludedDays, customBidding } = bidRequestParts
const { capacity, price, regulationPrice } = bidRequestParts

/** `unpriced` bids had no published price; when all are, `eur` is null. */
const earned = z.object({
  product: z.string(),
  auction: z.string(),
  eur: decimalText.nullable(),
  won: z.number(),
  lost: z.number(),
  unpriced: z.number(),
})
export type Earned = z.infer<typeof earned>

export const previewBids = call({
  method: 'POST',
  path: '/client/data/bid-request/preview',
  summary:
    'Check a request: its warnings, a request that it overlaps, and the earnings of its bids on each of the last 30 days; saves nothing',
  may: 'bid-request.edit',
  touches: [],
  body: z
    .strictObject({
      licenseId,
      biddingMarket,
      groupId,
      startDate,
      endDate,
      excludedDays,
      customBidding,
      capacity,
      price,
      regulationPrice,
      requestId: id('bid-request').optional(),
    })
    .superRefine((given, context) =>
      refuseWrong(context, [...wrongDays(given), ...wrongSlots(given.biddingMarket, given)]),
    ),
  response: z.object({
    warnings: z.array(bidWarning),
    /** Another request that bids in one of the slots: the request would be refused. */
    overlap: z.object({ requestId: id('bid-request'), startDate: day, endDate: day }).nullable(),
    earned: z.array(earned),
    days: z.array(z.object({ day, earned: z.array(earned) })),
  }),
})
export type BidPreview = z.infer<typeof previewBids.response>

export const findBids = call({
  method: 'GET',
  path: '/client/data/bid-request/{id}/bid',
  summary: 'List the bids of a request on one day with the result of each, and the days with sent bids',
  may: 'bid-request.read',
  of: ['bid-request', 'bid-result', 'instance'],
  params: z.object({ id: id('bid-request') }),
  query: z.strictObject({ day: localDate.optional() }),
  response: z.object({
    day: day.nullable(),
    days: z.array(day),
    bids: z.array(
      z.object({
        slot: z.number(),
        product: z.string(),
        auction: z.string(),
        start: z.iso.datetime(),
        end: z.iso.datetime(),
        capacityMw: decimalText,
        priceEur: decimalText,
        won: z.boolean().nullable(),
        wonMw: decimalText.nullable(),
        marginalPriceEur: decimalText.nullable(),
        decidedBy: z.enum(['price', 'result-file']).nullable(),
      }),
    ),
    files: z.array(z.object({ auction: z.string(), name: z.string(), sentAt: z.iso.datetime() })),
  }),
})
export type Bids = z.infer<typeof findBids.response>

const soldOf = { market: text(40), licenseId: id('licence').optional(), instanceId: id('instance').optional() }

export const soldCapacityLastReported = call({
  method: 'GET',
  path: '/client/data/sold-capacity/last-reported',
  summary: 'Get the time of the last capacity report of the instances that can be sold on a market',
  may: 'bid-request.read',
  query: z.strictObject(soldOf),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})

export const soldCapacity = call({
  method: 'GET',
  path: '/client/data/sold-capacity',
  summary: `Get the sold, available and expected kW on a market in each slot of a local day, or from start to end (${limits.soldDays} days at most): of all instances, of a license or of one instance`,
  may: 'bid-request.read',
  of: ['bid-request', 'bid-result', 'instance'],
  query: z.strictObject({
    ...soldOf,
    date: windowQuery.date,
    start: windowQuery.start,
    end: windowQuery.end,
    format: fileFormat.optional(),
  }),
  response: z.object({
    slots: z.array(
      z.object({
        start: z.iso.datetime(),
        end: z.iso.datetime(),
        /** By product: the two directions of a market are sold separately. */
        sold: z.array(z.object({ product: z.string(), kw: z.number() })),
        /** Total of the measuring instances, listed in `instances`; null without any. */
        availableKw: z.number().nullable(),
        /** For a current or future slot: total of the reporting instances in the worst hour; null with too few measurements. */
        expectedKw: z.number().nullable(),
      }),
    ),
    instances: z.array(z.object({ _id: id('instance'), name: z.string() })),
    soldNow: z.array(z.object({ _id: id('instance'), product: z.string(), kw: z.number() })),
    simulated: simulatedSum,
    lastReported: z.iso.datetime().nullable(),
  }),
})
export type SoldCapacity = z.infer<typeof soldCapacity.response>
