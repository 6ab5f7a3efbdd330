import { z } from 'zod'
import { call, id } from '#call.ts'
import { numberInUrl, text } from '#fields.ts'
import { inOrder } from '#days.ts'
import { limits } from '#limits.ts'
import { amount } from './month-revenue.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { simulated } from '#source.ts'
import { localDate } from '#time.ts'

/** Settlements: revenue of each instance on each local day with each product, and its shares. Amounts are EUR as exact decimal text. */

const bidState = z.object({ status: z.enum(['active', 'inactive']), result: z.boolean(), won: z.boolean() })
export type BidState = z.infer<typeof bidState>

/** none: the product pays for capacity alone. open: the day is not over. unknown: a result, a price or a measurement is missing. */
export const energyStates = ['none', 'open', 'unknown', 'known'] as const
const energyState = z.enum(energyStates)

/** EUR of the gross per recipient; null without a contract on the day. */
const shares = {
  customer: amount,
  partner: amount,
  sc: amount,
  enablers: z.record(z.string(), decimalText).nullable(),
}

/** By slot of the day: 6 blocks or 24 hours, as in bids. A slot of two auctions has their sum, and the mean of their prices weighted by MW. */
const modalData = z.object({
  capacity: z.array(decimalText.nullable()),
  price: z.array(decimalText.nullable()),
  regulationPrice: z.array(decimalText.nullable()),
  /** Slots with a commenced hour in which the instance was not available. */
  panicHours: z.array(z.number()),
  bidStatus: z.array(z.object({ productName: z.string(), price: z.array(decimalText.nullable()) })),
  energyStatus: bidState,
})

export const settlement = z.object({
  date: localDate,
  instanceId: id('instance'),
  instanceIdName: z.string(),
  /** The product, by the name of its published prices. */
  type: z.string(),
  market: z.string(),
  /** Source of the results: published prices, or the operator's file if it names at least one of the bids. */
  source: z.enum(['computed', 'result-file', 'statement']),
  /** MW: the most that was won in one period; the bid until the result is published. */
  capacity: decimalText,
  ...shares,
  /** Not part of the gross and not shared. */
  energyPrice: amount,
  energyState,
  gross: amount,
  penalty: amount,
  isResultFetched: z.boolean(),
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
  'status',
] as const

export const findSettlements = call({
  method: 'GET',
  path: '/client/data/eConomics',
  summary:
    'List the settlements of a span of local days (by default the current month), newest first or by `sort`, with totals over all of them; with `format` all of them as a file',
  may: 'economics.read',
  sorts: settlementColumns,
  query: z
    .strictObject({
      ...filter,
      ...paged(settlementColumns, limits.economicsPageSize),
      format: fileFormat.optional(),
    })
    .refine(...inOrder),
  response: z.object({
    settlements: z.array(settlement),
    count: z.number(),
    /** Totals of the known amounts over past days of the filter; null when there are rows and all amounts are unknown. */
    totalRevenue: amount,
    totalRevenuePartner: amount,
    totalRevenueEnabler: amount,
    totalRevenueSc: amount,
    /** Null when there is energy revenue and only lost bids have a known one. */
    totalRevenueEnergy: amount,
    /** The customer's share from today on, excluded from the sums above; null when all are unknown. */
    expectedRevenue: amount,
    enablersData: z.record(z.string(), decimalText),
    unpublished: z.number(),
    unshared: z.number(),
    energyUnknown: z.number(),
    exportData: z.array(fileFormat),
    startDate: localDate,
    endDate: localDate,
  }),
})

export const economicsLicences = call({
  method: 'GET',
  path: '/client/data/eConomics/license',
  summary: 'List the licenses with instances that have or may have settlements',
  may: 'economics.read',
  response: z.object({ licenses: z.array(z.object({ _id: id('licence'), name: z.string() })) }),
})

export const economicsInstances = call({
  method: 'GET',
  path: '/client/data/eConomics/instance',
  summary: 'List the instances that have or may have settlements, of one license or of all',
  may: 'economics.read',
  of: ['instance'],
  query: z.strictObject({ licenseId: id('licence').optional() }),
  response: z.object({
    instances: z.array(z.object({ _id: id('instance'), name: z.string(), licenseId: id('licence') })),
  }),
})

/** Publisher of a price or file of the operator, and the time of its import; null when the source is no longer stored. */
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
  capacityEur: amount,
  hours: z.number(),
  missedHours: z.number(),
  penaltyEur: amount,
})

/** A quarter of an hour with required energy; up earns its price, down pays it. */
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
    'Explain a settlement: each bid with its price and penalty, the missed hours with their causes, the contract, and the previous versions',
  may: 'economics.read',
  params: z.object({ instanceId: id('instance'), date: localDate, type: text(40) }),
  query: z.strictObject({ version: numberInUrl(z.int().min(1).max(100_000)).optional() }),
  response: z.object({
    version: z.number(),
    madeAt: z.iso.datetime(),
    isNewest: z.boolean(),
    lines: z.array(line),
    availability: z
      .object({
        isJudged: z.boolean(),
        missingShare: z.number(),
        notAvailable: z.array(z.object({ at: z.iso.datetime(), reason: z.enum(['silent', 'too little']) })),
      })
      .nullable(),
    contract: z
      .object({
        validFrom: localDate,
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
      /** Number of sold quarters of an hour without a measured set point. */
      unmeasuredQuarters: z.number(),
    }),
    ...shares,
    versions: z.array(
      z.object({ version: z.number(), madeAt: z.iso.datetime(), grossEur: amount, customerEur: amount }),
    ),
  }),
})

export const settlementRecord = call({
  method: 'GET',
  path: '/client/data/eConomics/{instanceId}/{date}/{type}/record',
  summary:
    'Export the flight record of a settled day: every version with its inputs, telemetry, bids, prices, contract and activations, sealed and chained; JSON lines that `npm run verify-record` checks',
  may: 'economics.read',
  params: z.object({ instanceId: id('instance'), date: localDate, type: text(40) }),
})
