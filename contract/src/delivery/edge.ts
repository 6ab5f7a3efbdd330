import { z } from 'zod'
import { text } from '#fields.ts'

/** Limits of the edge protocol (docs/edge-protocol.md); messages beyond them are refused or quarantined. */
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

/** Numbers outside are no measurement, and their message is quarantined: Hz, kW, %, kW, kW, %. Slightly more than 100 % occurs. */
export const edgeRanges = {
  f: [0, 100],
  p: [-1e6, 1e6],
  sp: [-200, 200],
  capUp: [-1e6, 1e6],
  capDn: [-1e6, 1e6],
  soc: [-10, 110],
} as const satisfies Record<string, readonly [least: number, most: number]>
const longestCounterKwh = 1e12

/** An edge's key is its MQTT user name and the third level of its topics, so it has no separator and no wildcard. */
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

/** `f`, `p` and `sp` have one value per sample and the same length; `capUp`, `capDn` and `soc` may be one value for the whole batch. */
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

/** The last will is `{"v":1,"online":false}`: all fields except `online` are optional. */
export const edgeStatus = z.object({
  v: v1,
  online: z.boolean(),
  codeVersion: text(40).optional(),
  ts: instant.optional(),
  uptimeS: z.number().min(0).optional(),
  groups: z.array(text(64)).max(200).optional(),
  /** Seconds of samples over all groups: not acknowledged yet, and kept by the edge in total. */
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
  /** The key of an instance; omitted for a release of the whole edge, with set point 0. */
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

/** Names of messages of a group in an `ack`: the fields that are unique within their kind. */
export const edgeAckName = {
  telemetry: edgeTelemetry.pick({ seq: true, t0: true }),
  meter: edgeMeter.pick({ ts: true }).extend({ kind: z.literal('meter') }),
  event: edgeEvent.pick({ id: true, end: true }).extend({ kind: z.literal('event') }),
  log: edgeLog.pick({ ts: true, deviceId: true, command: true }).extend({ kind: z.literal('log') }),
} as const

/** Sent with an external broker only: messages of the group that are on the server's disk. */
export const edgeAck = z.object({
  v: v1,
  groupId: text(64),
  stored: z.array(z.union([edgeAckName.meter, edgeAckName.event, edgeAckName.log, edgeAckName.telemetry])).min(1),
})
export type EdgeAck = z.infer<typeof edgeAck>

const hz = z.number()
/** Sold capacity of the edge's groups; retained, so that an edge gets the newest at its connection. */
export const edgeConfig = z.object({
  v: v1,
  /** Increases with each change; a message with the current or a lower version is old. */
  version: z.int().min(1),
  issuedAt: instant,
  groups: z.array(
    z.object({
      groupId: text(64),
      /** Registered kW of the group: the upper bound of all sales. */
      flexibleKw: z.number(),
      /** Markets that follow the frequency: nothing within `deadband` of 50 Hz, from `zero` on a straight line that is the full capacity at `full`. */
      droop: z.array(z.object({ market: text(40), deadband: hz, zero: hz, full: hz })),
      sold: z.array(
        z.object({ market: text(40), product: text(40), from: instant, to: instant, kW: z.number().min(0) }),
      ),
      /** Mean power per quarter of an hour of the followed plan, signed for a storage (− is discharge); omitted without a plan. */
      schedule: z
        .object({ planId: z.uuid(), from: instant, kW: z.array(z.number()).min(1).max(edgeLimits.scheduleQuarters) })
        .optional(),
    }),
  ),
})
export type EdgeConfig = z.infer<typeof edgeConfig>
