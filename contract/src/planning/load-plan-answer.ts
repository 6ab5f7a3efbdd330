import { z } from 'zod'
import { decimalText } from '#series.ts'

/** Answer of the planner: a plan with its baseline and binding limits, or the changes that would make a plan possible. */

export const planBill = z.object({
  spot: decimalText,
  tariff: decimalText,
  tax: decimalText,
  capacity: decimalText,
  reserve: decimalText,
  stored: decimalText,
  total: decimalText,
})
export type PlanBill = z.infer<typeof planBill>

const schedule = z.object({
  loads: z.array(z.object({ loadId: z.string(), wh: z.array(z.number()), storedWh: z.array(z.number()).nullable() })),
  bill: planBill,
  kgCo2: z.string().nullable(),
  peakKw: z.number(),
  peakAtMs: z.number().nullable(),
})

const limitName = z.enum([
  'need',
  'target',
  'deadline',
  'load-power',
  'site-limit',
  'shared-limit',
  'feed-in',
  'wished-peak',
  'capacity-peak',
  'sold-reserve',
  'stored-lowest',
  'stored-capacity',
  'starts',
  'min-run',
] as const)
export type LimitName = z.infer<typeof limitName>

const scaled = z.object({ loadId: z.string(), fromWh: z.number(), toWh: z.number() })

const solved = {
  plan: schedule,
  baseline: schedule,
  /** Loads whose baseline energy differed from the plan and was scaled to it. */
  scaled: z.array(scaled),
  savedDkk: decimalText,
  savedKgCo2: z.string().nullable(),
  missed: z.array(
    z.object({
      wish: z.enum(['need', 'target', 'stored-least', 'stored-most', 'site-peak']),
      loadId: z.string().nullable(),
      fromMs: z.number(),
      toMs: z.number(),
      by: z.number(),
      wished: z.number(),
      unit: z.enum(['kWh', 'kW']),
    }),
  ),
  /**
   * Limits that restrict the plan, the most expensive first: saving by one unit more of a limit, or one less of a need, a target, a sold slot or
   * the lowest state of charge; null when it would first be used for a missed target.
   */
  binding: z.array(
    z.object({
      limit: limitName,
      id: z.string().nullable(),
      unit: z.enum(['kW', 'kWh']),
      dkkPerUnit: decimalText.nullable(),
      quarters: z.number(),
      fromMs: z.number(),
      toMs: z.number(),
    }),
  ),
  roundedUp: z.array(z.object({ loadId: z.string(), needWh: z.number(), plannedWh: z.number() })),
  assumedMs: z.array(z.number()),
  /** Slots that are cheaper to give up, with the cost. */
  left: z.array(
    z.object({
      soldId: z.string(),
      market: z.string(),
      lostDkk: decimalText,
      penaltyDkk: decimalText,
      span: z.object({ fromMs: z.number(), toMs: z.number() }).optional(),
    }),
  ),
  /** Extra cost of the best plan that gives up no slot; null when none is given up, or no such plan exists. */
  leavingSavesDkk: decimalText.nullable(),
  solveMs: z.number(),
}

export const planAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('optimal'), ...solved }),
  z.object({
    status: z.literal('best-found'),
    /** Upper bound of the distance to the optimum, in weighted costs and CO2, and in percent of the plan's cost; the amount is absent in older plans. */
    gapDkk: decimalText.nullable().optional(),
    gapPercent: z.number().nullable(),
    ...solved,
  }),
  z.object({
    status: z.literal('infeasible'),
    /** For each conflicting limit the nearest value for which a plan exists. */
    relaxations: z.array(
      z.object({
        limit: limitName,
        id: z.string().nullable(),
        unit: z.enum(['kW', 'kWh', 'ms', 'starts', 'quarters']),
        now: z.number(),
        works: z.number(),
        isEnough: z.boolean(),
      }),
    ),
  }),
  z.object({ status: z.enum(['timed-out', 'cancelled']) }),
])
export type PlanAnswer = z.infer<typeof planAnswer>
