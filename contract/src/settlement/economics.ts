import { z } from 'zod'
import { call, id } from '#call.ts'
import { numberInUrl, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { amount, inOrder, reversed } from './month-revenue.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { simulated } from '#source.ts'
import { localDate } from '#time.ts'

/** Settlements: what each instance earned on each local day with each product, and whose it is. Amounts are EUR as exact decimal text. */

/** Of the capacity (CM) and the energy (EAM) of a product. */
const bidState = z.object({ status: z.enum(['active', 'inactive']), result: z.boolean(), won: z.boolean() })
export type BidState = z.infer<typeof bidState>

/** none: the product pays for capacity alone. open: the day is not over. unknown: a result, a price or a measurement is missing. */
export const energyStates = ['none', 'open', 'unknown', 'known'] as const
const energyState = z.enum(energyStates)

/** Percent of the gross that each takes; null shares where no contract is valid on the day. */
const shares = {
  customer: amount,
  partner: amount,
  sc: amount,
  /** By the name of each enabler. */
  enablers: z.record(z.string(), decimalText).nullable(),
}

/** By slot of the day: 6 blocks or 24 hours, as bids are asked for. Where two auctions sold one slot it is their sum, and the mean of their prices by MW. */
const modalData = z.object({
  capacity: z.array(decimalText.nullable()),
  price: z.array(decimalText.nullable()),
  regulationPrice: z.array(decimalText.nullable()),
  /** Slots with a commenced hour in which the instance was not available. */
  panicHours: z.array(z.number()),
  /** The published price of each auction, by slot. */
  bidStatus: z.array(z.object({ productName: z.string(), price: z.array(decimalText.nullable()) })),
  energyStatus: bidState,
})

export const settlement = z.object({
  date: localDate,
  instanceId: id('instance'),
  instanceIdName: z.string(),
  /** The product, as its prices are published. */
  type: z.string(),
  market: z.string(),
  /** Whose word the results are: published prices, or the operator's file where it names at least one of the bids. */
  source: z.enum(['computed', 'result-file', 'statement']),
  /** MW: what was won at most in one period; what was bid, until that is known. */
  capacity: decimalText,
  ...shares,
  /** Energy revenue, beside the gross and in no share. */
  energyPrice: amount,
  energyState,
  /** Capacity and penalty, before it is shared. */
  gross: amount,
  penalty: amount,
  isResultFetched: z.boolean(),
  /** The day is over, so that its availability is known. */
  isClosed: z.boolean(),
  version: z.number(),
  status: z.object({ CM: bidState, EAM: bidState }),
  modalData,
  simulated,
})
export type Settlement = z.infer<typeof settlement>

const filter = {
  startDate: localDate.optional(),
  endDate: localDate.optional(),
  /** Products, separated by commas or each a field of its own. */
  market: z.union([text(200), z.array(text(40)).max(20)]).optional(),
  licenseId: id('licence').optional(),
  instanceId: id('instance').optional(),
}

export const settlementColumns = [
  'date',
  'instance',
  'type',
  'capacity',
  'customer',
  'partner',
  'enablers',
  'sc',
  'energy',
] as const

export const findSettlements = call({
  method: 'GET',
  path: '/client/data/eConomics',
  summary:
    'Settlements of a span of local days (without one the running month), newest first or by `sort`, with totals over all of them; `format` asks for all as a file',
  may: 'economics.read',
  query: z
    .strictObject({
      ...filter,
      ...paged(settlementColumns, limits.economicsPageSize),
      format: fileFormat.optional(),
    })
    .refine(inOrder, reversed),
  response: z.object({
    settlements: z.array(settlement),
    count: z.number(),
    /** Sums over the rows of the filter whose day is over, of what is known; null where there are rows, and nothing of that is. */
    totalRevenue: amount,
    totalRevenuePartner: amount,
    totalRevenueEnabler: amount,
    totalRevenueSc: amount,
    /** Null where some is paid and none of it is known but that of bids that were lost. */
    totalRevenueEnergy: amount,
    /** The customer's share of today and days to come, in no sum above; null where nothing of it is known. */
    expectedRevenue: amount,
    /** Sums by enabler. */
    enablersData: z.record(z.string(), decimalText),
    /** Rows without published results, and rows whose shares nobody knows. */
    unpublished: z.number(),
    unshared: z.number(),
    /** Rows whose energy revenue is not known yet. */
    energyUnknown: z.number(),
    /** The files that hold all rows of the filter. */
    exportData: z.array(fileFormat),
    startDate: localDate,
    endDate: localDate,
  }),
})

export const economicsLicences = call({
  method: 'GET',
  path: '/client/data/eConomics/license',
  summary: 'Licenses with instances that have settlements or may have some',
  may: 'economics.read',
  response: z.object({ licenses: z.array(z.object({ _id: id('licence'), name: z.string() })) }),
})

export const economicsInstances = call({
  method: 'GET',
  path: '/client/data/eConomics/instance',
  summary: 'Instances that have settlements or may have some, of one license or of all',
  may: 'economics.read',
  of: ['instance'],
  query: z.strictObject({ licenseId: id('licence').optional() }),
  response: z.object({
    instances: z.array(z.object({ _id: id('instance'), name: z.string(), licenseId: id('licence') })),
  }),
})

/** Who published a price, or which file of the operator named it, and when it was read; null where nobody knows any more. */
const priceSource = z
  .object({ name: z.string(), dataset: z.string(), readAt: z.iso.datetime(), isFile: z.boolean(), simulated })
  .nullable()

const line = z.object({
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  slot: z.number(),
  auction: z.string(),
  bidMw: decimalText,
  bidEur: decimalText,
  won: z.boolean().nullable(),
  decidedBy: z.enum(['price', 'result-file']).nullable(),
  wonMw: amount,
  marginalEur: amount,
  priceSource,
  /** MW × price. */
  capacityEur: amount,
  hours: z.number(),
  missedHours: z.number(),
  penaltyEur: amount,
})

/** A quarter of an hour in which energy was asked for; up earns its price, down pays it. */
const quarter = z.object({
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  upMwh: decimalText,
  downMwh: decimalText,
  upEur: amount,
  downEur: amount,
  eur: amount,
  upSource: priceSource,
  downSource: priceSource,
})

export const settlementFormula = call({
  method: 'GET',
  path: '/client/data/eConomics/{instanceId}/{date}/{type}',
  summary:
    'How a settlement came about: each bid with its price and penalty, the hours that were missed and why, the contract, and the versions before it',
  may: 'economics.read',
  params: z.object({ instanceId: id('instance'), date: localDate, type: text(40) }),
  /** An earlier version; without one the newest. */
  query: z.strictObject({ version: numberInUrl(z.int().min(1).max(100_000)).optional() }),
  response: z.object({
    version: z.number(),
    madeAt: z.iso.datetime(),
    isNewest: z.boolean(),
    lines: z.array(line),
    availability: z
      .object({
        /** Too much of the day is missing to be judged: nothing is taken off. */
        isJudged: z.boolean(),
        missingShare: z.number(),
        notAvailable: z.array(z.object({ at: z.iso.datetime(), reason: z.enum(['silent', 'too little']) })),
      })
      /** Null while the day runs. */
      .nullable(),
    contract: z
      .object({
        validFrom: localDate,
        /** Percent. */
        customer: decimalText,
        partner: decimalText,
        sc: decimalText,
        enablers: z.record(z.string(), decimalText),
        penaltyTo: z.enum(['shares', 'sc']),
      })
      .nullable(),
    capacityEur: amount,
    penaltyEur: amount,
    grossEur: amount,
    energyEur: amount,
    energy: z.object({
      state: energyState,
      quarters: z.array(quarter),
      /** Quarters of an hour that were sold and of which nobody measured what was asked for. */
      unmeasuredQuarters: z.number(),
    }),
    ...shares,
    /** Newest first. */
    versions: z.array(
      z.object({ version: z.number(), madeAt: z.iso.datetime(), grossEur: amount, customerEur: amount }),
    ),
  }),
})

export const settlementRecord = call({
  method: 'GET',
  path: '/client/data/eConomics/{instanceId}/{date}/{type}/record',
  summary:
    'The flight record of a settled day: every version with its inputs, telemetry, bids, prices, contract and activations, sealed and chained; JSON lines that `npm run verify-record` checks',
  may: 'economics.read',
  params: z.object({ instanceId: id('instance'), date: localDate, type: text(40) }),
})
