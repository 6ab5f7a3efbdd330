import { z } from 'zod'
import { call, id } from '#call.ts'
import { limits } from '#limits.ts'
import { minuteMs } from '#time.ts'

/** A visit lasts until home has not been open for this time. */
export const visitGapMs = 30 * minuteMs

const count = z.number()

/** What a role may not read is empty or null. */
export const noteVisit = call({
  method: 'PUT',
  path: '/user/home-visit',
  summary: `Report that your home is open, and get what is new since your previous visit ended, at most ${limits.sinceVisitDays} days ago; null at the first visit`,
  may: 'session.use',
  touches: [],
  response: z.object({
    since: z.iso.datetime().nullable(),
    events: z.array(z.object({ market: z.string(), count })),
    /** By license of the instance. */
    alerts: z.array(z.object({ licence: z.string(), count })),
    settlements: z.object({ count, firstDay: z.string(), lastDay: z.string() }).nullable(),
    bids: z.array(z.object({ market: z.string(), won: count, lost: count })),
    /** Lines of a new operator statement that differ and are not settled. */
    differences: z.array(z.object({ statementId: id('reconciliation'), name: z.string(), count })),
  }),
})
