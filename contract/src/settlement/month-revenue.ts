import { z } from 'zod'
import { call } from '#call.ts'
import { m } from '#messages.ts'
import { decimalText } from '#series.ts'
import { simulatedSum } from '#source.ts'
import { localDate } from '#time.ts'

/** What home says of the money, apart from the rest of it: home reads this before anything else. */

/** EUR; null where it is not known. */
export const amount = decimalText.nullable()

type Days = { startDate?: string | undefined; endDate?: string | undefined }
export const inOrder = ({ startDate, endDate }: Days) => !startDate || !endDate || startDate <= endDate
export const reversed = { path: ['endDate'], error: m.endBeforeStart }

export const monthRevenue = call({
  method: 'GET',
  path: '/client/data/revenue',
  summary: 'Revenue of the company on each local day of a span (without one the current month)',
  may: 'revenue.read',
  of: ['bid-result'],
  query: z.strictObject({ startDate: localDate.optional(), endDate: localDate.optional() }).refine(inOrder, reversed),
  response: z.object({
    /** Of days that are over; null where there are settlements, and nothing of such a day is known. */
    totalRevenue: amount,
    /** Of today and days to come; null where nothing of it is known. */
    expectedRevenue: amount,
    /** The share of the company on each day that has settlements; null where none is known yet. */
    revenueData: z.array(z.object({ date: localDate, revenue: amount, isOver: z.boolean() })),
    /** Days with a result that is not published yet. */
    unpublished: z.number(),
    simulated: simulatedSum,
  }),
})
