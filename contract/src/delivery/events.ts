import { z } from 'zod'
import { call, id } from '#call.ts'
import { days, inOrder, mostDays } from '#days.ts'
import { numberInUrl, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { eventTypes } from '#markets.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { fileFormat, graph, series } from '#series.ts'
import { simulated } from '#source.ts'
import { localDate } from '#time.ts'

export const directions = ['increased', 'decreased'] as const
export type Direction = (typeof directions)[number]

/** Minutes: below 1, from 1, from 5 to 15, above 15. */
export const durationClasses = ['under-1', '1-5', '5-15', 'over-15'] as const
export type DurationClass = (typeof durationClasses)[number]

/** Lower bounds in percent. */
export const deltaLoadSteps = [0, 20, 40, 60, 80, 100] as const

export const verdicts = ['delivered', 'partly delivered', 'not delivered', 'insufficient data', 'too small'] as const
export type Verdict = (typeof verdicts)[number]

/** With a score from here on, 'not delivered' is the result of another test. */
const partlyFrom = 80
export const isOverruled = ({ score, verdict }: { score: number | null; verdict: Verdict | null }): boolean =>
  verdict === 'not delivered' && score !== null && score >= partlyFrom

/** Source of the capacity in a score: registered as flexible without a sold capacity. */
const capacitySource = z.enum(['registered', 'sold'])

export const activationEvent = z.object({
  _id: id('event'),
  type: z.string(),
  market: z.string(),
  instanceId: id('instance'),
  instanceName: z.string(),
  eventType: z.enum(eventTypes),
  /** `edge`: reported by its edge, without stored telemetry. */
  source: z.enum(['telemetry', 'edge']),
  direction: z.enum(directions),
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime().nullable(),
  duration: z.number().nullable(),
  difference: z.number().nullable(),
  /** Highest required power in percent of the capacity. */
  deltaLoad: z.number().nullable(),
  /** Highest delivered power in percent of the capacity. */
  processedDeltaLoad: z.number().nullable(),
  /** Hz: the lowest for increased, the highest for decreased. */
  maxFrequency: z.number().nullable(),
  maxSetPoint: z.number().nullable(),
  consumption: z.number().nullable(),
  isConsumptionEstimated: z.boolean(),
  capacityKw: z.number(),
  capacitySource,
  /** 0 to 100; null where the verdict explains it. */
  score: z.number().nullable(),
  verdict: z.enum(verdicts).nullable(),
  /** Set for an FCR answer that was judged by its slope and not by its score; 0.9 to 1.2 is right. */
  slope: z.number().nullable(),
  edgeReport: z
    .object({
      startTime: z.iso.datetime(),
      endTime: z.iso.datetime().nullable(),
      maxSetPoint: z.number().nullable(),
      frequency: z.number().nullable(),
    })
    .nullable(),
  /** Samples arrived more than 15 minutes late: no notification was sent. */
  late: z.boolean(),
  simulated,
})
export type ActivationEvent = z.infer<typeof activationEvent>

const share = z.number().nullable()
const judged = {
  score: z.number().nullable(),
  verdict: z.enum(verdicts),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  missingShare: z.number(),
  capacityKw: z.number(),
  /** Mean power without the activation, consumed or produced. */
  baseKw: z.number().nullable(),
}
const bandParts = z.object({
  insideShare: share,
  /** Slope of delivered over required power; 0.9 to 1.2 is right. */
  slope: z.number().nullable(),
  biasKwh: z.number().nullable(),
})

/** Score of an activation (server/src/delivery/scoring/delivery.md): shares are 0 to 1, null for parts that do not apply. */
export const deliveryScore = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('response'),
    ...judged,
    parts: z.object({
      energy: share,
      ramp: share,
      over: share,
      weights: z.object({ energy: z.number(), ramp: z.number(), over: z.number() }),
    }),
  }),
  z.object({ method: z.literal('band'), ...judged, parts: bandParts }),
  z.object({ method: z.literal('set point'), ...judged, parts: z.object({ insideShare: share }) }),
])
export type DeliveryScore = z.infer<typeof deliveryScore>

export const deliveryWindow = z.object({ ...judged, parts: bandParts })
export type DeliveryWindow = z.infer<typeof deliveryWindow>

export const runningActivation = z.object({
  _id: id('event'),
  market: z.string(),
  instanceId: id('instance'),
  instanceName: z.string(),
  direction: z.enum(directions),
  startTime: z.iso.datetime(),
  seconds: z.number(),
  deltaLoad: z.number().nullable(),
  requiredKw: z.number().nullable(),
  deliveredKw: z.number().nullable(),
  score: z.number().nullable(),
  capacityKw: z.number(),
  simulated,
})
export type RunningActivation = z.infer<typeof runningActivation>

/** Event `activation` of the live stream: each second while one runs, and once more with `ended`, after its row is saved. */
export const liveActivation = runningActivation.extend({ ended: z.boolean() })
export type LiveActivation = z.infer<typeof liveActivation>

const oneOfSteps = m.oneOf(deltaLoadSteps.join(', '))
const isStep = (percent: number) => deltaLoadSteps.some((step) => step === percent)

const filters = {
  startDate: localDate.optional(),
  endDate: localDate.optional(),
  market: text(40).optional(),
  eventType: z.enum(eventTypes).optional(),
  licenseId: id('licence').optional(),
  instanceId: id('instance').optional(),
  direction: z.enum(directions).optional(),
  deltaLoad: numberInUrl(
    z.number({ error: m.number }).min(0, oneOfSteps).max(100, oneOfSteps).refine(isStep, { error: oneOfSteps }),
  ).optional(),
  duration: z.enum(durationClasses).optional(),
}

export const eventColumns = [
  'start',
  'market',
  'instance',
  'direction',
  'deltaLoad',
  'delivered',
  'extreme',
  'duration',
  'consumption',
  'score',
  'capacity',
] as const

/** Smaller activations are hidden unless they are requested: most of a week are below, and have no score. */
export const minDeltaLoadPercent = 10

const leastDeltaLoad = numberInUrl(z.number({ error: m.number }).min(0).max(100)).optional()

export const findEvents = call({
  method: 'GET',
  path: '/client/data/event',
  summary:
    'List the activations that began on local days, newest first or by `sort`; by default of the last seven days. Count, durations (s) and consumption (kWh) cover all matches, and so does the file',
  may: 'event.read',
  of: ['instance'],
  sorts: eventColumns,
  query: z
    .strictObject({
      ...filters,
      leastDeltaLoad,
      by: z.enum(['event', 'disturbance']).default('event'),
      ...paged(eventColumns),
      format: fileFormat.optional(),
    })
    .refine(...inOrder)
    .refine(...mostDays(limits.exportDays)),
  response: z.object({
    events: z.array(activationEvent),
    totalCount: z.number(),
    hiddenCount: z.number(),
    disturbances: z.array(z.array(id('event'))).nullable(),
    rowCount: z.number(),
    minDuration: z.number().nullable(),
    avgDuration: z.number().nullable(),
    maxDuration: z.number().nullable(),
    totalConsumption: z.number().nullable(),
    eventTypes: z.array(z.enum(eventTypes)),
    startDate: localDate,
    endDate: localDate,
  }),
})

export const dashboardEvents = call({
  method: 'GET',
  path: '/client/data/event/dashboard',
  summary:
    'List the newest activations of FCR or FRR markets, of all days or of the given days; by default of the first market that the company is sold on',
  may: 'event.read',
  of: ['instance'],
  query: z
    .strictObject({ ...filters, leastDeltaLoad, limit: numberInUrl(z.int().min(1).max(100)).default(5) })
    .refine(...inOrder),
  response: z.object({
    events: z.array(activationEvent),
    today: z.number(),
    eventType: z.enum(eventTypes),
    eventTypes: z.array(z.enum(eventTypes)),
  }),
})

export const runningEvents = call({
  method: 'GET',
  path: '/client/data/event/running',
  summary:
    'List running activations: required and delivered power and the current score; the live event `activation` continues them',
  may: 'event.read',
  wall: true,
  of: ['instance'],
  query: z.strictObject({ market: text(40).optional(), instanceId: id('instance').optional() }),
  response: z.object({ running: z.array(runningActivation) }),
})

const eventId = z.object({ id: id('event') })
/** The specification sends the list's filters with one event too; they have no effect. */
const { licenseId: _, instanceId: __, ...listFilters } = filters

export const eventExport = call({
  method: 'GET',
  path: '/client/data/event/{id}/export',
  summary:
    'Export an activation as a file: each second with frequency or set point, power, required and delivered power',
  may: 'event.read',
  params: eventId,
  query: z.strictObject({ ...listFilters, format: fileFormat.optional() }),
})

export const eventRecord = call({
  method: 'GET',
  path: '/client/data/event/{id}/record',
  summary:
    'Export the flight record of an activation: telemetry, required response, score, bids, prices, contract and settlement versions, sealed and chained; JSON lines that `npm run verify-record` checks',
  may: 'event.read',
  params: eventId,
})

export const eventDataLog = call({
  method: 'GET',
  path: '/client/data/event/{id}/data-log',
  summary:
    'Get an activation from a minute before to a minute after it: its request, power, required and delivered kW by second, and the delivery score, calculated from the stored samples',
  may: 'event.read',
  params: eventId,
  query: z.strictObject(listFilters),
  response: z.object({
    event: activationEvent,
    /** Frequency (Hz) or set point (%). */
    trigger: series,
    /** Hz at which an activation begins; null for a set point. */
    activationFrom: z.number().nullable(),
    power: series,
    dataLog: z.array(z.object({ timestamp: z.iso.datetime(), power: z.number() })),
    /** Required, delivered, and the least and most correct power, in kW in the required direction. */
    delivery: graph,
    score: deliveryScore.nullable(),
    windows: z.array(deliveryWindow),
  }),
})

export const eventCommandLog = call({
  method: 'GET',
  path: '/client/data/event/{id}/command-log',
  summary: 'List the commands to devices from a minute before an activation to a minute after it; as a file too',
  may: 'event.read',
  params: eventId,
  query: z.strictObject({ format: fileFormat.optional() }),
  response: z.object({
    commandLog: z.array(z.object({ command: z.string(), deviceId: z.string(), timestamp: z.iso.datetime() })),
  }),
})

export const controlSheet = call({
  method: 'GET',
  path: '/client/data/event/control-sheet',
  summary: `Export each second of an instance on a market over at most ${limits.controlSheetDays} local days as a file: requested, measured, required and delivered, with a note on the method`,
  may: 'event.read',
  query: z
    .strictObject({
      market: text(40),
      instanceId: id('instance'),
      ...days,
      format: fileFormat.optional(),
    })
    .refine(...inOrder)
    .refine(...mostDays(limits.controlSheetDays, m.exportTooLong)),
})
