import { z } from 'zod'
import { call, id } from '#call.ts'
import { text } from '#fields.ts'
import { decimalText } from '#series.ts'

/** Sold capacity that is not expected to be available. Rules: server/src/trading/guard/penalty-guard.md. */

export const riskStates = ['short', 'unknown'] as const

const atRisk = {
  product: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  state: z.enum(riskStates),
  soldKw: z.number(),
  /** Expected kW of the instance in the hour with the smallest margin over all its sold capacity in the same direction; null when unknown. */
  expectedKw: z.number().nullable(),
  usualErrorKw: z.number().nullable(),
  shortKw: z.number().nullable(),
  /** Lost EUR of the payment without a change, and the whole payment; null until the price is published. */
  lossEur: decimalText.nullable(),
  atStakeEur: decimalText.nullable(),
}

export const riskSlot = z.object(atRisk)
export type RiskSlot = z.infer<typeof riskSlot>

export const riskAbout = z.object({ market: z.string(), slots: z.array(riskSlot) })
export type RiskAbout = z.infer<typeof riskAbout>

export const findSoldRisks = call({
  method: 'GET',
  path: '/client/data/sold-capacity/risk',
  summary:
    'List the coming sold periods whose capacity is below the sold capacity or unknown, with the cost and the contact',
  may: 'bid-request.read',
  wall: true,
  of: ['bid-request', 'bid-result', 'instance'],
  query: z.strictObject({ market: text(40).optional(), instanceId: id('instance').optional() }),
  response: z.object({
    risks: z.array(
      z.object({
        ...atRisk,
        market: z.string(),
        groupId: id('instance'),
        groupName: z.string(),
        raisedAt: z.iso.datetime(),
        /** The five other instances of the company on this market with the most spare kW in the whole period. */
        spare: z.array(z.object({ groupName: z.string(), kw: z.number() })),
      }),
    ),
    soldCount: z.number(),
    unknownCount: z.number(),
    support: z.object({ name: z.string(), phone: z.string().nullable(), email: z.string() }),
  }),
})
export type SoldRisks = z.infer<typeof findSoldRisks.response>
