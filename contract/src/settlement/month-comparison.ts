import { z } from 'zod'
import { call, id } from '#call.ts'
import { decimalText } from '#series.ts'
import { simulatedSum } from '#source.ts'
import { localDate, month } from '#time.ts'

/** Difference of two months' revenue in parts that add up to the cent. EUR as exact decimal text, signed. */

export const reasons = ['volume', 'winRate', 'price', 'availability', 'shares', 'rounding'] as const

const parts = z.object({
  volume: decimalText,
  winRate: decimalText,
  price: decimalText,
  availability: decimalText,
  shares: decimalText,
  rounding: decimalText,
})

const sums = z.object({
  /** MW × hours of the slot, added up over the days. */
  offeredMwHours: decimalText,
  wonMwHours: decimalText,
  capacityEur: decimalText,
  penaltyEur: decimalText,
  hours: z.number(),
  missedHours: z.number(),
  /** The company's percent of the capacity revenue; null without revenue. */
  sharePercent: decimalText.nullable(),
})

const monthSums = sums.extend({
  month,
  /** Null when there are settlements and every share is unknown. */
  revenueEur: decimalText.nullable(),
  /** 0 means no data, not a revenue of 0. */
  settlements: z.number(),
  unknown: z.number(),
  /** Not part of the revenue and not shared; null when it is paid and completely unknown. */
  energyEur: decimalText.nullable(),
})

const ofSlot = {
  instanceId: id('instance'),
  instanceName: z.string(),
  type: z.string(),
  market: z.string(),
  slot: z.number(),
}

export const compareMonths = call({
  method: 'GET',
  path: '/client/data/eConomics/comparison',
  summary:
    'Compare the earnings of a month (by default the last complete one) with another month (by default the previous one): volume, win rate, price, availability and shares, which sum to the difference to the cent, and the slots behind them',
  may: 'economics.read',
  query: z.strictObject({
    month: month.optional(),
    against: month.optional(),
    licenseId: id('licence').optional(),
    instanceId: id('instance').optional(),
  }),
  response: z.object({
    /** For an unfinished month: number of its days before today, compared with the same number of days of the other month. Null: whole months. */
    days: z.number().nullable(),
    before: monthSums,
    after: monthSums,
    /** Null when the revenue of a month is unknown; then `slots` is empty. */
    differenceEur: decimalText.nullable(),
    parts: parts.nullable(),
    slots: z.array(
      z.object({
        ...ofSlot,
        differenceEur: decimalText,
        parts: parts.omit({ rounding: true }),
        before: sums,
        after: sums,
      }),
    ),
    otherSlots: z.object({ count: z.number(), differenceEur: decimalText }),
    missed: z.array(z.object({ ...ofSlot, date: localDate, hours: z.number(), penaltyEur: decimalText })),
    simulated: simulatedSum,
  }),
})
