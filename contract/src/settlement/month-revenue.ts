import { z } from 'zod'
import { call } from '#call.ts'
import { inOrder } from '#days.ts'
import { decimalText, fileFormat } from '#series.ts'
import { simulatedSum } from '#source.ts'
import { localDate } from '#time.ts'

/** A file of its own, because home loads it before the other parts of the settlement. */

export const amount = decimalText.nullable()

export const monthRevenue = call({
  method: 'GET',
  path: '/client/data/revenue',
  summary:
    'List the revenue of the company on each local day of a span (by default the current month); as a file with format=xlsx or csv',
  may: 'revenue.read',
  of: ['bid-result'],
  query: z
    .strictObject({ startDate: localDate.optional(), endDate: localDate.optional(), format: fileFormat.optional() })
    .refine(...inOrder),
  response: z.object({
    /** Past days; null when there are settlements and all amounts are unknown. */
    totalRevenue: amount,
    /** From today on; null when all amounts are unknown. */
    expectedRevenue: amount,
    revenueData: z.array(z.object({ date: localDate, revenue: amount, isOver: z.boolean() })),
    unpublished: z.number(),
    simulated: simulatedSum,
  }),
})
