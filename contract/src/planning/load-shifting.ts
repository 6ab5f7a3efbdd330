import { z } from 'zod'
import { call, id } from '#call.ts'
import { limits } from '#limits.ts'
import { planAnswer, planBill } from './load-plan-answer.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { publishedSource, simulated } from '#source.ts'

/** Load shifting: plans that move consumption to cheaper and cleaner quarters, and their savings. */

export const loadKinds = ['shiftable', 'on-off', 'storage', 'session'] as const
export type LoadKind = (typeof loadKinds)[number]

export const planBaselines = ['immediate', 'weekday-profile'] as const

export const planTarget = z.object({
  kind: z.enum(['instance', 'site', 'charger']),
  _id: z.uuid().nullable(),
  name: z.string(),
})
export type PlanTarget = z.infer<typeof planTarget>

const kwh = z.number().min(0).max(1_000_000)
const kw = z.number().min(0).max(100_000)
const percent = z.number().min(0).max(100)
const instant = z.iso.datetime().max(40)
const money = (most: number) =>
  decimalText
    .max(20)
    .refine((text) => !text.startsWith('-'), m.atLeast(0))
    .refine((text) => Number(text) <= most, m.atMost(most))
    .meta({ examples: ['0.75'] })
const wholeQuarters = z.number().int().min(0).max(96)

const oneLoad = {
  instanceId: id('instance').optional(),
  siteId: id('charging-site').optional(),
  chargerId: id('charger').optional(),
}

const loadForm = {
  ...oneLoad,
  kind: z.enum(loadKinds),
  /** A storage has a target instead. */
  needKwh: kwh.optional(),
  /** False: as much as possible is planned, and the missed part is reported. */
  isFirm: z.boolean().default(false),
  minKw: kw.default(0),
  /** Charging power of a storage; power of a running on/off load. */
  maxKw: kw.refine((value) => value > 0, m.aboveZero).meta({ examples: [30] }),
  onOff: z
    .strictObject({
      minRunQuarters: wholeQuarters.default(0),
      minPauseQuarters: wholeQuarters.default(0),
      maxStartsADay: z.number().int().min(1).max(96).nullable().default(null),
    })
    .optional(),
  storage: z
    .strictObject({
      capacityKwh: kwh.refine((value) => value > 0, m.aboveZero).meta({ examples: [100] }),
      dischargeKw: kw,
      /** Round trip: discharged energy over charged energy. */
      efficiencyPercent: percent.min(1).default(90),
      lowestPercent: percent.default(10),
      /** Soft limit: many batteries age less below it. */
      highestPercent: percent.nullable().default(null),
      /** Soft target at the deadline. */
      targetPercent: percent.nullable().default(null),
    })
    .optional(),
  /** The grid company's tariff, as gln:code; chargers have their own. */
  tariff: z
    .string()
    .regex(/^\d{13}:[\w. -]{1,20}$/, m.notValid)
    .optional(),
  costWeight: percent.multipleOf(0.01, m.decimals(2)).default(100),
  co2DkkPerKg: money(limits.co2DkkPerKgMax).default('0.75'),
  baseline: z.enum(planBaselines).default('immediate'),
}

const siteForm = {
  limitKw: kw.optional(),
  wishedPeakKw: kw.optional(),
  otherKw: kw.default(0),
  /** DKK for each kW of the month's highest quarter above `reachedKw`. */
  capacityDkkPerKw: money(limits.capacityDkkPerKwMax).optional(),
  reachedKw: kw.default(0),
}

export const planForm = z.strictObject({
  ...loadForm,
  ...siteForm,
  start: instant.optional(),
  deadline: instant.meta({ examples: ['2026-11-20T10:00:00Z'] }),
  needs: z
    .array(z.strictObject({ chargerId: id('charger'), needKwh: kwh.default(0) }))
    .max(limits.chargersPerSite)
    .optional(),
  socPercent: percent.optional(),
})
export type PlanForm = z.infer<typeof planForm>

/** Amounts below 0 were allowed once, and such plans can still be read. */
export const askedAmounts = { co2DkkPerKg: decimalText, capacityDkkPerKw: decimalText.optional() }

export const planStates = ['queued', 'running', 'done', 'failed'] as const
export const planReasons = ['prices', 'readings', 'charger', 'sold'] as const
export const planEnds = ['replanned', 'another', 'by-hand', 'over'] as const

const planHead = z.object({
  _id: id('load-plan'),
  seriesId: z.uuid(),
  version: z.number(),
  target: planTarget,
  state: z.enum(planStates),
  status: z.enum(['optimal', 'best-found', 'infeasible', 'timed-out', 'cancelled']).nullable(),
  from: z.iso.datetime().nullable(),
  to: z.iso.datetime().nullable(),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
  reason: z.enum(planReasons).nullable(),
  accepted: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
  ended: z.object({ at: z.iso.datetime(), reason: z.enum(planEnds) }).nullable(),
  savedDkk: decimalText.nullable(),
  hasAssumedPrices: z.boolean(),
})
export type PlanHead = z.infer<typeof planHead>

/** Measurement compared with the baseline before the acceptance. */
const saving = z.object({
  measuredKwh: z.number(),
  baselineKwh: z.number(),
  coverage: z.number(),
  isScaled: z.boolean(),
  measuredDkk: decimalText,
  baselineDkk: decimalText,
  savedDkk: decimalText,
  savedKgCo2: z.string().nullable(),
  bills: z.object({ measured: planBill, baseline: planBill }).optional(),
  countedAt: z.iso.datetime().optional(),
})
export type PlanSaving = z.infer<typeof saving>

const sideOfQuarter = z.object({ wh: z.number(), dkk: decimalText })

/** The parts of a saving other than peaks and reserve: each quarter at its final prices. */
const openSaving = saving.extend({
  quarters: z
    .array(
      z.object({
        fromMs: z.number(),
        dkkPerMwh: decimalText,
        baseline: sideOfQuarter,
        measured: sideOfQuarter,
        /** An unmeasured quarter counts on neither side. */
        isMeasured: z.boolean(),
      }),
    )
    .optional(),
})
export type OpenSaving = z.infer<typeof openSaving>

export const planDetail = planHead.extend({
  place: z.number().nullable(),
  cancelAsked: z.boolean(),
  asked: planForm.extend(askedAmounts),
  versions: z.array(planHead),
  names: z.record(z.string(), z.string()),
  quarters: z.array(
    z.object({
      fromMs: z.number(),
      spotDkkPerMwh: decimalText,
      tariffDkkPerMwh: decimalText,
      taxDkkPerMwh: decimalText,
      isAssumed: z.boolean(),
      gCo2PerKwh: z.number().nullable(),
      otherKw: z.number(),
      soldKw: z.number(),
    }),
  ),
  answer: planAnswer.nullable(),
  followed: z.object({ _id: id('load-plan'), name: z.string() }).nullable(),
  told: z.array(z.object({ name: z.string(), at: z.iso.datetime().nullable(), answer: z.string().nullable() })),
  /** Wh of each past quarter, total of all loads; null without a measurement. */
  measuredWh: z.array(z.number().nullable()),
  saving: openSaving.nullable(),
  sources: z.object({ spot: publishedSource, emission: publishedSource }),
  simulated,
})
export type PlanDetail = z.infer<typeof planDetail>

const ofPlan = z.object({ planId: id('load-plan') })
export const planColumns = ['target', 'span', 'state', 'saved', 'madeAt', 'madeBy'] as const
export const savingColumns = ['target', 'span', 'state', 'promised', 'saved', 'kg', 'kwh', 'covered'] as const

const suggested = z.object({
  kind: z.enum(loadKinds),
  maxKw: z.number(),
  needKwh: z.number().nullable(),
  socPercent: z.number().nullable(),
})

export const findLoads = call({
  method: 'GET',
  path: '/client/load-shifting',
  summary: 'List the loads that can be planned: instances, charging sites and chargers, with their stored settings',
  may: 'load-shifting.read',
  of: ['charger', 'charging-site', 'instance'],
  response: z.object({
    loads: z.array(
      z.object({
        target: planTarget,
        area: z.string().nullable(),
        suggested,
        chargers: z.array(z.object({ _id: id('charger'), name: z.string(), online: z.boolean(), maxKw: z.number() })),
        simulated,
      }),
    ),
    /** Tariffs of grid companies; `_id` is the `tariff` of a plan's form. */
    tariffs: z.array(z.object({ _id: z.string(), owner: z.string(), code: z.string(), name: z.string() })),
  }),
})
export type PlannedLoad = z.output<typeof findLoads.response>['loads'][number]
export type LoadTariff = z.output<typeof findLoads.response>['tariffs'][number]

export const findPlans = call({
  method: 'GET',
  path: '/client/load-shifting/plan',
  summary: 'List plans, newest first; with `accepted` only accepted plans',
  may: 'load-shifting.read',
  of: ['load-plan'],
  sorts: planColumns,
  query: z.strictObject({
    ...paged(planColumns),
    accepted: z.enum(['yes']).optional(),
    loadId: z.uuid().optional(),
    first: z.enum(['followed']).optional(),
  }),
  response: z.object({ plans: z.array(planHead), totalCount: z.number() }),
})

export const makePlan = call({
  method: 'POST',
  path: '/client/load-shifting/plan',
  summary: 'Create a plan of one instance, charging site or charger; it is solved in the background',
  may: 'load-shifting.edit',
  touches: ['load-plan'],
  body: planForm,
  response: z.object({ _id: id('load-plan') }),
})

export const getPlan = call({
  method: 'GET',
  path: '/client/load-shifting/plan/{planId}',
  summary:
    'Get a plan: its place in the queue, its result against the baseline with prices and emission of each quarter, its sent schedules, and its measured values; with `format` its quarters as a file',
  may: 'load-shifting.read',
  of: ['load-plan'],
  params: ofPlan,
  query: z.strictObject({ format: fileFormat.optional() }),
  response: z.object({ plan: planDetail }),
})

export const cancelPlan = call({
  method: 'POST',
  path: '/client/load-shifting/plan/{planId}/cancel',
  summary: 'Stop solving a plan',
  may: 'load-shifting.edit',
  touches: ['load-plan'],
  params: ofPlan,
  ok: m.planCancelled,
})

export const acceptPlan = call({
  method: 'POST',
  path: '/client/load-shifting/plan/{planId}/accept',
  summary:
    'Follow a plan: its schedule is sent to the chargers or the edge. `replace` ends another followed plan of the same equipment',
  may: 'load-shifting.edit',
  touches: ['load-plan'],
  params: ofPlan,
  body: z.strictObject({ replace: z.boolean().default(false) }),
  ok: m.planAccepted,
})

export const endPlan = call({
  method: 'POST',
  path: '/client/load-shifting/plan/{planId}/end',
  summary: 'Stop following a plan: its equipment returns to normal operation',
  may: 'load-shifting.edit',
  touches: ['load-plan'],
  params: ofPlan,
  ok: m.planEnded,
})

export const planSavings = call({
  method: 'GET',
  path: '/client/load-shifting/saving',
  summary:
    'List the savings of accepted plans: measured values against the baseline that was stored before each plan was accepted; with `format` all of them as a file',
  may: 'load-shifting.read',
  of: ['load-plan'],
  sorts: savingColumns,
  query: z.strictObject({ ...paged(savingColumns), format: fileFormat.optional() }),
  response: z.object({
    savings: z.array(
      z.object({
        plan: planHead,
        promisedDkk: decimalText.nullable(),
        promisedOnAssumed: z.boolean(),
        saving: saving.nullable(),
      }),
    ),
    totalCount: z.number(),
    total: z.object({ plans: z.number(), savedDkk: decimalText, savedKgCo2: z.string() }),
  }),
})
