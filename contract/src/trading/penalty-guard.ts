import { z } from 'zod'
import { call, id } from '#call.ts'
import { text } from '#fields.ts'
import { decimalText } from '#series.ts'

/** What is sold and is not expected to be there. Rules: server/src/trading/guard/penalty-guard.md. */

export const riskStates = ['short', 'unknown'] as const

/** One sold period, as it was when reported or as it is now. */
const atRisk = {
  product: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  state: z.enum(riskStates),
  soldKw: z.number(),
  /** Of the instance, beside all that is sold of it the same way; null while nothing is known of it. */
  expectedKw: z.number().nullable(),
  usualErrorKw: z.number().nullable(),
  shortKw: z.number().nullable(),
  /** EUR of the payment that are lost if it stays so, and all of it; null while a price is not published. */
  lossEur: decimalText.nullable(),
  atStakeEur: decimalText.nullable(),
}

export const riskSlot = z.object(atRisk)
export type RiskSlot = z.infer<typeof riskSlot>

/** What an alert of the guard says, as it was told. */
export const riskAbout = z.object({ market: z.string(), slots: z.array(riskSlot) })
export type RiskAbout = z.infer<typeof riskAbout>

export const findSoldRisks = call({
  method: 'GET',
  path: '/client/data/sold-capacity/risk',
  summary: 'Coming sold periods whose capacity is not expected or is unknown, with the cost and the contact',
  may: 'bid-request.read',
  of: ['bid-request', 'bid-result', 'instance'],
  query: z.strictObject({ market: text(40).optional(), instanceId: id('instance').optional() }),
  response: z.object({
    risks: z.array(
      z.object({
        ...atRisk,
        market: z.string(),
        groupId: id('instance'),
        groupName: z.string(),
        /** When it was first told. */
        raisedAt: z.iso.datetime(),
        /** Other instances of the company on this market that have kW to spare in all of the period: the five with the most. */
        spare: z.array(z.object({ groupName: z.string(), kw: z.number() })),
      }),
    ),
    /** Periods to come that were looked at. */
    soldCount: z.number(),
    /** Of them, those of which too little is known for a forecast; told to nobody. */
    unknownCount: z.number(),
    /** Whom to call; the operator's address where the company has nobody of its own. */
    support: z.object({ name: z.string(), phone: z.string().nullable(), email: z.string() }),
  }),
})
export type SoldRisks = z.infer<typeof findSoldRisks.response>
