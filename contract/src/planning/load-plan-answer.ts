import { z } from 'zod'
import { decimalText } from '#series.ts'

/** What the planner answers: a plan beside its baseline with what holds it back, or what would have to change for there to be one. */

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
  /** Loads whose baseline took another sum than the plan does and was scaled to it. */
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
   * What holds the plan back, the dearest first: one unit more of a limit saves so much, or one less of a need, a target, a sold slot or the lowest
   * state of charge; null where a missed wish would be met by it first.
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
  /** Slots that are worth leaving, with what that costs. */
  left: z.array(
    z.object({
      soldId: z.string(),
      market: z.string(),
      lostDkk: decimalText,
      penaltyDkk: decimalText,
      /** Plans of before do not say when. */
      span: z.object({ fromMs: z.number(), toMs: z.number() }).optional(),
    }),
  ),
  /** What the best plan that leaves no market would cost more; null where none is left, or none can be kept. */
  leavingSavesDkk: decimalText.nullable(),
  solveMs: z.number(),
}

export const planAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('optimal'), ...solved }),
  z.object({
    status: z.literal('best-found'),
    /** No plan is better by more, as costs and CO2 are weighed; of what the plan costs, in percent. Plans of before do not say the first. */
    gapDkk: decimalText.nullable().optional(),
    gapPercent: z.number().nullable(),
    ...solved,
  }),
  z.object({
    status: z.literal('infeasible'),
    /** The nearest value with which there is a plan, of each limit that contradicts others. */
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
