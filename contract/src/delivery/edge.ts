import { z } from 'zod'
import { text } from '#fields.ts'

/** Numbers of the edge contract (docs/edge-protocol.md): what the server refuses or puts into quarantine beyond them. */
export const edgeLimits = {
  samplesPerMessage: 60,
  payloadBytes: 64 * 1024,
  clockAheadMs: 5 * 60_000,
  clockBehindMs: 400 * 24 * 3_600_000,
  longestStepMs: 3_600_000,
  longestEventMs: 10 * 24 * 3_600_000,
  messagesPerSecond: 100,
  messageBurst: 3000,
  /** 7 days and an hour, from within a quarter. */
  scheduleQuarters: 677,
} as const

/** Beyond these a number is no measurement, and its message goes into quarantine: Hz, kW, %, kW, kW, %. A little over 100 % happens. */
export const edgeRanges = {
  f: [0, 100],
  p: [-1e6, 1e6],
  sp: [-200, 200],
  capUp: [-1e6, 1e6],
  capDn: [-1e6, 1e6],
  soc: [-10, 110],
} as const satisfies Record<string, readonly [least: number, most: number]>
const longestCounterKwh = 1e12

/** An edge's key is its MQTT user name and the third level of its topics, so it may hold no separator and no wildcard. */
export const edgeKey = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/)

export const edgeTopic = {
  status: (edge: string) => `gm/v1/${edge}/status`,
  telemetry: (edge: string, group: string) => `gm/v1/${edge}/telemetry/${group}`,
  meter: (edge: string, group: string) => `gm/v1/${edge}/meter/${group}`,
  event: (edge: string, group: string) => `gm/v1/${edge}/event/${group}`,
  log: (edge: string, group: string) => `gm/v1/${edge}/log/${group}`,
  commandRequest: (edge: string) => `gm/v1/${edge}/cmd/req`,
  commandResponse: (edge: string) => `gm/v1/${edge}/cmd/res`,
  config: (edge: string) => `gm/v1/${edge}/config`,
  ack: (edge: string) => `gm/v1/${edge}/ack`,
} as const

const v1 = z.literal(1)
const instant = z.iso.datetime().max(40)
const one = ([least, most]: readonly [least: number, most: number]) => z.number().min(least).max(most).nullable()
const list = (range: readonly [least: number, most: number]) =>
  z.array(one(range)).min(1).max(edgeLimits.samplesPerMessage)
const listOrOne = (range: readonly [least: number, most: number]) => z.union([list(range), one(range)])

/** `f`, `p` and `sp` hold one value a sample and have one length; `capUp`, `capDn` and `soc` may be one value for the whole batch. */
export const edgeTelemetry = z.object({
  v: v1,
  seq: z.int().min(0),
  t0: instant,
  dtMs: z.int().min(1).max(edgeLimits.longestStepMs),
  f: list(edgeRanges.f).optional(),
  p: list(edgeRanges.p).optional(),
  sp: list(edgeRanges.sp).optional(),
  capUp: listOrOne(edgeRanges.capUp).optional(),
  capDn: listOrOne(edgeRanges.capDn).optional(),
  soc: listOrOne(edgeRanges.soc).optional(),
})
export type EdgeTelemetry = z.infer<typeof edgeTelemetry>

/** The last will is `{"v":1,"online":false}`: all but `online` may be missing. */
export const edgeStatus = z.object({
  v: v1,
  online: z.boolean(),
  codeVersion: text(40).optional(),
  ts: instant.optional(),
  uptimeS: z.number().min(0).optional(),
  groups: z.array(text(64)).max(200).optional(),
  /** Seconds of samples over all groups: not acknowledged yet, and all that the edge keeps. */
  backlogS: z.number().min(0).optional(),
  keptS: z.number().min(0).optional(),
})
export type EdgeStatus = z.infer<typeof edgeStatus>

export const edgeMeter = z.object({
  v: v1,
  ts: instant,
  kWh: z.number().min(-longestCounterKwh).max(longestCounterKwh),
  quality: text(40).optional(),
})
export type EdgeMeter = z.infer<typeof edgeMeter>

export const edgeEvent = z.object({
  v: v1,
  id: z.uuid(),
  market: text(40),
  direction: z.enum(['increased', 'decreased']),
  start: instant,
  end: instant.nullable(),
  maxSetPoint: z.number().min(edgeRanges.sp[0]).max(edgeRanges.sp[1]).optional(),
  extFreq: z.number().min(edgeRanges.f[0]).max(edgeRanges.f[1]).optional(),
})
export type EdgeEvent = z.infer<typeof edgeEvent>

export const edgeLog = z.object({ v: v1, ts: instant, deviceId: text(100), command: text(1000) })
export type EdgeLog = z.infer<typeof edgeLog>

export const edgeCommand = z.object({
  v: v1,
  id: z.uuid(),
  action: z.literal('manual-control'),
  testType: z.literal('control'),
  /** The key of an instance; left out when all of the edge are released, with set point 0. */
  groupId: text(64).optional(),
  profiles: z.array(z.object({ setPoint: z.int().min(0).max(100).multipleOf(10) })).length(1),
  issuedAt: instant,
  ttlS: z.int().min(1),
  maxHoldS: z.int().min(1),
  by: text(100),
})
export type EdgeCommand = z.infer<typeof edgeCommand>

export const edgeCommandResult = z.object({
  v: v1,
  id: z.uuid(),
  status: text(200),
  setPoint: z.number().nullable().optional(),
  ts: instant.optional(),
  detail: text(1000).nullable().optional(),
})
export type EdgeCommandResult = z.infer<typeof edgeCommandResult>

/** What an `ack` calls a message of a group: by what tells it from every other of its kind. */
export const edgeAckName = {
  telemetry: edgeTelemetry.pick({ seq: true, t0: true }),
  meter: edgeMeter.pick({ ts: true }).extend({ kind: z.literal('meter') }),
  event: edgeEvent.pick({ id: true, end: true }).extend({ kind: z.literal('event') }),
  log: edgeLog.pick({ ts: true, deviceId: true, command: true }).extend({ kind: z.literal('log') }),
} as const

/** With an outside broker: messages of the group that are on the server's disk. */
export const edgeAck = z.object({
  v: v1,
  groupId: text(64),
  stored: z.array(z.union([edgeAckName.meter, edgeAckName.event, edgeAckName.log, edgeAckName.telemetry])).min(1),
})
export type EdgeAck = z.infer<typeof edgeAck>

const hz = z.number()
/** What an edge must know of what its groups are sold for; retained, so that one that connects has the newest at once. */
export const edgeConfig = z.object({
  v: v1,
  /** Higher with each change; what is not higher than the version in force is old. */
  version: z.int().min(1),
  issuedAt: instant,
  groups: z.array(
    z.object({
      groupId: text(64),
      /** kW that the group is registered with: no sale asks for more. */
      flexibleKw: z.number(),
      /** Of its markets that follow the frequency: nothing within `deadband` of 50 Hz, from `zero` on a straight line that is all of it at `full`. */
      droop: z.array(z.object({ market: text(40), deadband: hz, zero: hz, full: hz })),
      /** Slots from today on, in order. */
      sold: z.array(
        z.object({ market: text(40), product: text(40), from: instant, to: instant, kW: z.number().min(0) }),
      ),
      /** The plan that the group follows: its mean power of each quarter of an hour, a storage's with a sign (− gives back). Left out where there is none. */
      schedule: z
        .object({ planId: z.uuid(), from: instant, kW: z.array(z.number()).min(1).max(edgeLimits.scheduleQuarters) })
        .optional(),
    }),
  ),
})
export type EdgeConfig = z.infer<typeof edgeConfig>
