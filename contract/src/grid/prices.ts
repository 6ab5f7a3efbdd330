import { z } from 'zod'
import { call, id } from '#call.ts'
import { days, inOrder, mostDays } from '#days.ts'
import { atMost, numberInUrl } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { priceSignalId, priceTypes } from './price-signals.ts'
import { decimalText, fileFormat, graph } from '#series.ts'
import { publishedSource } from '#source.ts'
import { localDate, month } from '#time.ts'
import { windowQuery } from './frequency.ts'

export const pricePoint = z.object({ start_time: z.iso.datetime(), end_time: z.iso.datetime(), price: decimalText })

/** Source of DKK figures: the dataset's own column, or EUR times a rate. */
const basis = z.enum(['dataset', 'derived']).nullable()

/** DKK per EUR of derived prices: the rate of the day, or the central rate without one. */
const exchange = z.object({ dkkPerEur: decimalText, day: localDate.nullable() }).nullable()

export const powerCost = call({
  method: 'GET',
  path: '/client/data/power-cost',
  summary:
    'List the day-ahead prices of one local day, in DKK/MWh, as published (15 minutes) or as hourly means, without and with tax',
  may: 'prices.read',
  wall: true,
  of: ['tax'],
  query: z
    .strictObject({
      date: localDate.optional(),
      days: numberInUrl(z.int().min(1).max(limits.dayAheadDays)).optional(),
      priceSignal: id('price-signal').optional(),
      resolution: z.enum(['quarter', 'hour']).optional(),
      format: fileFormat.optional(),
    })
    .refine(({ days, format }) => (days ?? 1) === 1 || format !== undefined, { path: ['days'], error: m.daysOfFile }),
  response: z.object({
    graph,
    prices: z.array(pricePoint.extend({ priceTaxIncluded: decimalText })),
    unit: z.string(),
    area: z.string(),
    /** DKK/MWh of the customer's price signal. */
    tax: decimalText,
    basis,
    exchange,
    lastReported: z.iso.datetime().nullable(),
    source: publishedSource,
  }),
})

export const powerCostDownload = call({
  method: 'GET',
  path: '/client/data/power-cost/download',
  summary: 'Export the day-ahead prices of a month with tax included, as a file',
  may: 'prices.read',
  query: z.strictObject({ priceSignal: id('price-signal'), month, format: fileFormat.optional() }),
})

/** Few enough digits that the number's own text is the typed decimal. */
const hasFewDecimals = (value: number) => new RegExp(`^\\d+(\\.\\d{1,${limits.taxDecimals}})?$`).test(String(value))

/** DKK/MWh (specification text 1, section 5: required, at least 0); `wrong` is the message for anything that is not a number. */
export const taxOf = (wrong: string) =>
  z
    .number({ error: ({ input }) => (input === undefined || input === null ? m.required : wrong) })
    .min(0, m.atLeast(0))
    .max(1_000_000, m.atMost(1_000_000))
    .refine(hasFewDecimals, m.decimals(limits.taxDecimals))
const tax = taxOf(m.number)

export const updateTax = call({
  method: 'PATCH',
  path: '/client/customer/update-tax',
  summary: 'Set the tax of price signals, in DKK/MWh',
  may: 'tax.edit',
  touches: ['tax'],
  body: z.strictObject({
    taxes: atMost(limits.taxes, z.record(id('price-signal'), tax)).refine(
      (taxes) => Object.keys(taxes).length > 0,
      m.required,
    ),
  }),
  ok: m.updateSuccess,
})

export const signalTypes = call({
  method: 'GET',
  path: '/client/signalTypes',
  summary: 'List the price signals of the markets that the customer bids in, by price-type group',
  may: 'pricing.read',
  response: z.object({
    groups: z.array(
      z.object({
        market: z.string(),
        signals: z.array(
          z.object({ _id: z.string(), name: z.string(), area: z.string(), priceTypes: z.array(z.enum(priceTypes)) }),
        ),
      }),
    ),
  }),
})

export const pricing = call({
  method: 'GET',
  path: '/client/data/pricing/{id}',
  summary: `List the published capacity prices of one local day, or of the local days from start to end (${limits.priceDays} at most), in DKK/MW`,
  may: 'pricing.read',
  params: z.object({ id: priceSignalId }),
  query: z.strictObject({
    date: windowQuery.date,
    start: windowQuery.start,
    end: windowQuery.end,
    priceType: z.enum(priceTypes).optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({
    graph,
    prices: z.array(
      pricePoint.extend({ priceEur: decimalText.nullable(), volumeMw: decimalText.nullable(), auction: z.string() }),
    ),
    unit: z.string(),
    market: z.string(),
    area: z.string(),
    basis,
    exchange,
    lastReported: z.iso.datetime().nullable(),
    source: publishedSource,
  }),
})

export const bulkDownload = call({
  method: 'GET',
  path: '/client/data/prices/bulk-download',
  summary: 'List the published prices of a range of days: rows with start_time, end_time, price; as a file with format',
  may: 'pricing.read',
  query: z
    .strictObject({
      signal: priceSignalId,
      ...days,
      priceType: z.enum(priceTypes).optional(),
      format: fileFormat.optional(),
    })
    .refine(...inOrder)
    .refine(...mostDays(limits.exportDays, m.exportTooLong)),
  response: z.object({ prices: z.array(pricePoint), unit: z.string() }),
})

export const lastPrices = call({
  method: 'GET',
  path: '/client/prices/last',
  summary: 'Get the current price of each day-ahead signal, and the newest published price of each reserve signal',
  may: 'pricing.read',
  response: z.object({
    prices: z.array(
      z.object({ signal: z.string(), start_time: z.iso.datetime(), price: decimalText, unit: z.string() }),
    ),
  }),
})

export const demandResponseLastReported = call({
  method: 'GET',
  path: '/client/data/demand-response/last-reported',
  summary: 'Get the time of the last publication of prices of a market',
  may: 'pricing.read',
  query: z.strictObject({ signal: priceSignalId }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})
