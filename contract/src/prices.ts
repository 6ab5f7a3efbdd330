import { z } from 'zod'
import { call, id } from './call.ts'
import { decimalText, fileFormat, graph } from './series.ts'

/** One price interval; `price` is decimal text in `unit`. */
export const pricePoint = z.object({ start_time: z.iso.datetime(), end_time: z.iso.datetime(), price: decimalText })

export const powerCost = call({
  method: 'GET',
  path: '/client/data/power-cost',
  summary: 'Day-ahead prices of one local day, in DKK/MWh, as published (15 minutes) or as hourly means',
  may: 'prices.read',
  query: z.strictObject({
    date: z.iso.date().optional(),
    priceSignal: id('price-signal').optional(),
    resolution: z.enum(['quarter', 'hour']).optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({
    graph,
    prices: z.array(pricePoint),
    unit: z.string(),
    area: z.string(),
    /** Where the DKK figures came from: the dataset's own column, or EUR times a rate. */
    basis: z.enum(['dataset', 'derived']).nullable(),
    lastReported: z.iso.datetime().nullable(),
    source: z.object({ name: z.string(), simulated: z.boolean() }),
  }),
})
