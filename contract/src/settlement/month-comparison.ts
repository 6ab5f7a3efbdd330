import { z } from 'zod'
import { call, id } from '#call.ts'
import { decimalText } from '#series.ts'
import { simulatedSum } from '#source.ts'
import { localDate, month } from '#time.ts'

/** Why a month earned less or more than another: parts that make the difference to the cent. EUR as exact decimal text, signed. */

export const reasons = ['volume', 'winRate', 'price', 'availability', 'shares', 'rounding'] as const

const parts = z.object({
  volume: decimalText,
  winRate: decimalText,
  price: decimalText,
  availability: decimalText,
  shares: decimalText,
  rounding: decimalText,
})

/** What a month came to; MW are added up over the periods that were offered and won. */
const sums = z.object({
  offeredMw: decimalText,
  wonMw: decimalText,
  capacityEur: decimalText,
  /** The part of the penalties that the company bears. */
  penaltyEur: decimalText,
  hours: z.number(),
  missedHours: z.number(),
  /** What the company keeps of the capacity revenue; null where there is none. */
  sharePercent: decimalText.nullable(),
})

const monthSums = sums.extend({
  month,
  /** Null where there are settlements, and nobody's share of any is known. */
  revenueEur: decimalText.nullable(),
  /** How many there are; 0 is no revenue of 0. */
  settlements: z.number(),
  /** Days and products whose results or shares are not all known yet. */
  unknown: z.number(),
  /** Beside the revenue and in no share; null where some is paid and none of it is known. */
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
    'Why a month (without one the last that is over) earned less or more than another (the one before it): volume, win rate, price, availability and shares, which make the difference to the cent, and the slots that made them',
  may: 'economics.read',
  query: z.strictObject({
    month: month.optional(),
    against: month.optional(),
    licenseId: id('licence').optional(),
    instanceId: id('instance').optional(),
  }),
  response: z.object({
    /** Where one of the months is not over: its days before today, of which there are as many compared of the other month. Null: whole months. */
    days: z.number().nullable(),
    before: monthSums,
    after: monthSums,
    /** Null where nobody knows what one of the months earned; then no slot is named either. */
    differenceEur: decimalText.nullable(),
    parts: parts.nullable(),
    /** Those that made most of the difference, in order of their size. */
    slots: z.array(
      z.object({
        ...ofSlot,
        differenceEur: decimalText,
        parts: parts.omit({ rounding: true }),
        before: sums,
        after: sums,
      }),
    ),
    /** What all other slots made together. */
    otherSlots: z.object({ count: z.number(), differenceEur: decimalText }),
    /** Slots of the month that were sold and not available, the dearest first. */
    missed: z.array(z.object({ ...ofSlot, date: localDate, hours: z.number(), penaltyEur: decimalText })),
    simulated: simulatedSum,
  }),
})
