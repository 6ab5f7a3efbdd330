import {
  type EdgeCommandResult,
  type EdgeEvent,
  type EdgeLog,
  type EdgeMeter,
  type EdgeStatus,
  type EdgeTelemetry,
  edgeCommandResult,
  edgeEvent,
  edgeLimits,
  edgeLog,
  edgeMeter,
  edgeStatus,
} from '@gridmast/contract/delivery/edge.ts'
import type { LiveReadings, SignalKind } from '@gridmast/contract/live.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import type { z } from 'zod'
import type { EdgeMessage, OnEdgeMessage } from '#protocols/mqtt/topics.ts'
import type { Readings } from '#readings/readings.ts'
import type { Run } from '#readings/writer.ts'
import type { EdgeDirectory, EdgeEntry, InstanceEntry } from './directory.ts'
import { checkClock, checkTelemetry, type Clock, instantMs, Unusable } from './ingest-check.ts'
import { isPermanent } from '#platform/http/errors.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import { openQuarantine } from './ingest-quarantine.ts'

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
