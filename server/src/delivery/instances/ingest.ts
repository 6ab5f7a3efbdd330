import type { Quarantined } from '#readings/quarantine.ts'
import type { Run } from '#readings/writer.ts'
import { ratesOf } from '#platform/http/limits.ts'
import {
  type EdgeTelemetry,
  edgeLimits,
  edgeRanges,
  type EdgeCommandResult,
  type EdgeEvent,
  type EdgeLog,
  type EdgeMeter,
  type EdgeStatus,
  edgeCommandResult,
  edgeEvent,
  edgeLog,
  edgeMeter,
  edgeStatus,
} from '@gridmast/contract/delivery/edge.ts'
import type { LiveReadings, SignalKind } from '@gridmast/contract/live.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import type { z } from 'zod'
import type { EdgeMessage, OnEdgeMessage } from '#protocols/mqtt/topics.ts'
import type { Readings } from '#readings/readings.ts'
import { isPermanent } from '#platform/http/errors.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import type { EdgeDirectory, EdgeEntry, InstanceEntry } from './directory.ts'

/** The reason is the label of a counter, so it contains no values. */
class Unusable extends Error {}

const arrays = ['f', 'p', 'sp'] as const
const arraysOrOne = ['capUp', 'capDn', 'soc'] as const

/** `edgeTelemetry` of the contract as plain code: a third of its time, measured on 60 samples x 5 signals (2.3 against 7.2 µs). */
export const checkTelemetry = (raw: unknown): EdgeTelemetry => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Unusable('not an object')
  const message = raw as Record<string, unknown> // an object; each field is checked below
  if (message['v'] !== 1) throw new Unusable('v is not 1')
  if (!isWhole(message['seq'], 0, Number.MAX_SAFE_INTEGER)) throw new Unusable('seq is not a whole number')
  if (instantMs(message['t0']) === null) throw new Unusable('t0 is not an instant')
  if (!isWhole(message['dtMs'], 1, edgeLimits.longestStepMs)) throw new Unusable('dtMs is out of range')
  for (const key of arrays) if (message[key] !== undefined) checkList(message[key], key)
  for (const key of arraysOrOne) {
    const value = message[key]
    if (typeof value === 'number') checkRange(value, key)
    else if (value !== undefined && value !== null) checkList(value, key)
  }
  return message as EdgeTelemetry // every field has been checked
}

const isWhole = (value: unknown, min: number, max: number) =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max

type Field = keyof typeof edgeRanges

const checkRange = (value: number, key: Field) => {
  const [least, most] = edgeRanges[key]
  if (!(value >= least && value <= most)) throw new Unusable(`${key} is out of range`)
}

const checkList = (value: unknown, key: Field) => {
  if (!Array.isArray(value)) throw new Unusable(`${key} is not a list`)
  if (value.length === 0 || value.length > edgeLimits.samplesPerMessage)
    throw new Unusable(`${key} has 0 or too many samples`)
  const [least, most] = edgeRanges[key]
  for (let i = 0; i < value.length; i++) {
    const one: unknown = value[i]
    if (one === null) continue
    if (typeof one !== 'number') throw new Unusable(`${key} holds no number`)
    if (!(one >= least && one <= most)) throw new Unusable(`${key} is out of range`)
  }
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z$/

const instantMs = (value: unknown): number | null => {
  if (typeof value !== 'string' || !iso.test(value)) return null
  const ms = Date.parse(value)
  if (!Number.isFinite(ms)) return null
  // Date.parse turns 31 February into 3 March, and 24:00 into the next day.
  return new Date(ms).getUTCDate() === Number(value.slice(8, 10)) ? ms : null
}

type Clock = { nowMs: number; behindMs: number }

/** A wrong clock would put samples far from the present or over others: such messages are quarantined (security rule D3). */
const checkClock = (firstMs: number, lastMs: number, { nowMs, behindMs }: Clock) => {
  if (lastMs > nowMs + edgeLimits.clockAheadMs) throw new Unusable('clock ahead')
  if (firstMs < nowMs - behindMs) throw new Unusable('clock behind')
}

const maxStoredPerMinute = 60
const groupMs = 20

const openQuarantine = (readings: Pick<Readings, 'quarantine'>, now: () => number) => {
  const mayStore = ratesOf(maxStoredPerMinute / 60, maxStoredPerMinute, now)
  let waiting: Quarantined[] = []
  let storing: Promise<void> | undefined
  return async ({ edgeKey, topic, payload, receivedAtMs }: EdgeMessage, reason: string): Promise<void> => {
    if (!mayStore(edgeKey)) return
    waiting.push({ receivedAtMs, edge: edgeKey, topic, reason, payload: payload.subarray(0, 8192).toString('utf8') })
    storing ??= new Promise((resolve) => setTimeout(resolve, groupMs)).then(() => {
      const group = waiting
      waiting = []
      storing = undefined
      return readings.quarantine(group)
    })
    await storing
  }
}

type CommittedRun = Run & { kind: SignalKind }
export type Committed = { customerId: string; edgeId: string; instanceId: string; runs: CommittedRun[] }

/** A message is acknowledged after the promises of its effects; a rejection makes the edge resend it. */
export type IngestEffects = {
  /** Samples are on disk. Must neither throw nor wait: it runs for every message. */
  onCommitted?: (committed: Committed) => void
  onReported?: (edge: EdgeEntry, atMs: number, status: EdgeStatus | null) => Promise<void> | void
  onEvent?: (edge: EdgeEntry, instance: InstanceEntry, event: EdgeEvent) => Promise<void>
  onLog?: (edge: EdgeEntry, instance: InstanceEntry, log: EdgeLog) => Promise<void>
  onCommandResult?: (
    edge: Pick<EdgeEntry, 'customerId' | 'edgeId' | 'key'>,
    result: EdgeCommandResult,
  ) => Promise<boolean>
}

type IngestCounters = {
  message: (kind: string) => void
  samples: (count: number) => void
  quarantined: (reason: string) => void
}

type IngestOptions = IngestEffects & {
  readings: Pick<Readings, 'insert' | 'quarantine'>
  directory: EdgeDirectory
  patienceMs?: number
  /** Samples older than the store's retention would change roll-ups without the rest of their samples. */
  retentionDays?: number | undefined
  counters?: IngestCounters
  now?: () => number
}

/** From a message of an edge to committed samples; an unusable message is quarantined with its reason and acknowledged. */
export const openIngest = (options: IngestOptions): OnEdgeMessage => {
  const { readings, directory, patienceMs, retentionDays, counters, now = Date.now } = options
  const quarantine = openQuarantine(readings, now)
  const behindMs = Math.min(edgeLimits.clockBehindMs, (retentionDays ?? Infinity) * dayMs)
  const clock = (): Clock => ({ nowMs: now(), behindMs })

  const storeRuns = async (edge: EdgeEntry, instance: InstanceEntry, runs: CommittedRun[]) => {
    await readings.insert(runs, patienceMs)
    counters?.samples(runs.reduce((count, run) => count + run.values.length, 0))
    const { customerId, edgeId } = edge
    options.onCommitted?.({ customerId, edgeId, instanceId: instance.instanceId, runs })
  }

  const handle = async (message: EdgeMessage) => {
    const edge = await directory.find(message.edgeKey)
    if (!edge) throw new Unusable('unknown edge')
    const instance = message.groupId === null ? undefined : edge.instances.get(message.groupId)
    if (message.groupId !== null && !instance) throw new Unusable('unknown group')
    const raw = parse(message.payload)
    switch (message.kind) {
      case 'status':
        return options.onReported?.(edge, message.receivedAtMs, checked(edgeStatus, raw))
      case 'cmd/res':
        if ((await options.onCommandResult?.(edge, checked(edgeCommandResult, raw))) === false)
          throw new Unusable('unknown command')
        return
    }
    if (!instance) throw new Unusable('unknown group')
    switch (message.kind) {
      case 'telemetry':
        await storeRuns(edge, instance, telemetryRuns(checkTelemetry(raw), instance, clock()))
        return options.onReported?.(edge, message.receivedAtMs, null)
      case 'meter':
        return storeRuns(edge, instance, meterRuns(checked(edgeMeter, raw), instance, clock()))
      case 'event': {
        const event = checkedEvent(raw, clock())
        return options.onEvent?.(edge, instance, event)
      }
      case 'log':
        return options.onLog?.(edge, instance, checked(edgeLog, raw))
    }
  }

  return async (message) => {
    counters?.message(message.kind)
    try {
      await handle(message)
    } catch (error) {
      const reason = error instanceof Unusable ? error.message : isPermanent(error) ? 'not storable' : null
      if (reason === null) throw error
      counters?.quarantined(reason)
      await quarantine(message, reason)
    }
  }
}

const parse = (payload: Buffer): unknown => {
  try {
    return parseJson(payload.toString('utf8'))
  } catch {
    throw new Unusable('not JSON')
  }
}

const checked = <T>(schema: z.ZodType<T>, raw: unknown): T => {
  const read = schema.safeParse(raw)
  if (!read.success) throw new Unusable(`${read.error.issues[0]?.path.join('.') || 'message'} is not valid`)
  return read.data
}

const checkedEvent = (raw: unknown, clock: Clock): EdgeEvent => {
  const event = checked(edgeEvent, raw)
  for (const instant of [event.start, event.end]) {
    const ms = Date.parse(instant ?? event.start)
    checkClock(ms, ms, clock)
  }
  const durationMs = Date.parse(event.end ?? event.start) - Date.parse(event.start)
  if (durationMs < 0) throw new Unusable('end is before start')
  if (durationMs > edgeLimits.longestEventMs) throw new Unusable('event is too long')
  return event
}

const kindOf = {
  f: 'frequency',
  p: 'power',
  sp: 'setPoint',
  capUp: 'capacityUp',
  capDn: 'capacityDown',
  soc: 'soc',
} as const
const fields = Object.keys(kindOf) as (keyof typeof kindOf)[] // the keys written one line above

/** A single value for the whole batch is stored once, at t0; signals that the instance does not have are dropped. */
const telemetryRuns = (telemetry: EdgeTelemetry, instance: InstanceEntry, clock: Clock): CommittedRun[] => {
  const t0Ms = instantMs(telemetry.t0) ?? Number.NaN
  const runs: CommittedRun[] = []
  let length: number | undefined
  for (const field of fields) {
    const value = telemetry[field]
    if (value === undefined) continue
    const values = Array.isArray(value) ? value : [value]
    if (Array.isArray(value)) {
      if (length !== undefined && length !== value.length) throw new Unusable('lists of different length')
      length = value.length
    }
    const signalNo = instance.signals[kindOf[field]]
    if (signalNo !== undefined) runs.push({ kind: kindOf[field], signalNo, t0Ms, dtMs: telemetry.dtMs, values })
  }
  if (runs.length === 0) throw new Unusable('no signal of this group')
  checkClock(t0Ms, t0Ms + telemetry.dtMs * ((length ?? 1) - 1), clock)
  return runs
}

const meterRuns = (meter: EdgeMeter, instance: InstanceEntry, clock: Clock): CommittedRun[] => {
  const t0Ms = instantMs(meter.ts)
  if (t0Ms === null) throw new Unusable('ts is not valid')
  checkClock(t0Ms, t0Ms, clock)
  const signalNo = instance.signals.energy
  if (signalNo === undefined) throw new Unusable('no signal of this group')
  return [{ kind: 'energy', signalNo, t0Ms, dtMs: 1, values: [meter.kWh] }]
}

export const liveReadingsOf = ({ instanceId, runs }: Committed): LiveReadings => ({
  instanceId,
  signals: Object.fromEntries(
    runs.map(({ kind, t0Ms, dtMs, values }) => [kind, { x: values.map((_, i) => t0Ms + i * dtMs), y: [...values] }]),
  ),
})
