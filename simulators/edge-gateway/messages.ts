import { edgeLimits, edgeTopic } from '@gridmast/contract/edge.ts'
import { capacityKw, meterKwh } from '../loads.ts'
import { openWatch, type Change } from './activations.ts'
import type { Interval } from './coverage.ts'
import { sampleAt, socOf, type ManualStep } from './device.ts'
import type { Edge, Group } from './world-file.ts'

/** A message of the edge contract, version 1. `covers` says which seconds of samples an acknowledgement settles. */
export type Message = { topic: string; payload: string; covers?: Interval }

const usualVersion = 'v4.4.0'
/** Samples in a message that is replayed. */
const batch = edgeLimits.samplesPerMessage
const meterEveryS = 300
const slowEveryS = 10

const iso = (second: number) => new Date(second * 1000).toISOString()

const round = (value: number | null, decimals: number) => (value === null ? null : Number(value.toFixed(decimals)))

/**
 * Samples of `fromS` to `toS` (exclusive), 60 at most, one a second. `seq` is the first second and how many follow, so a batch sent twice has
 * the same name and no other batch has it.
 */
export const telemetry = (
  edge: string,
  group: Group,
  manual: readonly ManualStep[],
  [fromS, toS]: Interval,
): Message => {
  const samples = Array.from({ length: toS - fromS }, (_, i) => sampleAt(group, manual, fromS + i))
  // What stands ready changes slowly: it is sent every ten seconds, live and replayed alike, so that one chart has one step.
  const slowly = (valueAt: (second: number) => number | null): (number | null)[] | undefined => {
    const values = samples.map((_, i) => ((fromS + i) % slowEveryS === 0 ? round(valueAt(fromS + i), 1) : null))
    return values.some((value) => value !== null) ? values : undefined
  }
  const payload = {
    v: 1,
    seq: fromS * 100 + toS - fromS,
    t0: iso(fromS),
    dtMs: 1000,
    f: samples.map(({ hz }) => hz),
    p: samples.map(({ kw }) => kw),
    sp: samples.map(({ setPoint }) => setPoint),
    capUp: slowly((second) => capacityKw(group.load, second, socOf(group, second)).up),
    capDn: slowly((second) => capacityKw(group.load, second, socOf(group, second)).down),
    soc: slowly((second) => socOf(group, second)),
  }
  return { topic: edgeTopic.telemetry(edge, group.key), payload: JSON.stringify(payload), covers: [fromS, toS] }
}

const meter = (edge: string, group: Group, second: number): Message => ({
  topic: edgeTopic.meter(edge, group.key),
  payload: JSON.stringify({ v: 1, ts: iso(second), kWh: round(meterKwh(group.load, second), 3), quality: 'measured' }),
})

export const commandLog = (edge: string, group: Group, second: number, setPoint: number): Message => ({
  topic: edgeTopic.log(edge, group.key),
  payload: JSON.stringify({
    v: 1,
    ts: iso(second),
    deviceId: `${group.key}-controller`,
    command: `setPoint=${setPoint}`,
  }),
})

const told = (edge: string, group: Group, change: Change): Message => {
  if ('setPoint' in change) return commandLog(edge, group, change.atS, change.setPoint)
  const { id, market, direction, startS, endS, maxSetPoint, extFreq } = change.activation
  const end = endS === null ? null : iso(endS)
  const payload = { v: 1, id, market, direction, start: iso(startS), end, maxSetPoint, extFreq }
  return { topic: edgeTopic.event(edge, group.key), payload: JSON.stringify(payload) }
}

export const status = (
  { key, groups, simulatedVersion: codeVersion = usualVersion }: Edge,
  nowMs: number,
  uptimeS: number,
): Message => ({
  topic: edgeTopic.status(key),
  payload: JSON.stringify({
    v: 1,
    online: true,
    codeVersion,
    ts: new Date(nowMs).toISOString(),
    uptimeS,
    groups: groups.map(({ key }) => key),
  }),
})

/** What happened besides samples in a span: events, command log, meter readings. `watch` must have seen every second before. */
export const happenings = (
  edge: string,
  group: Group,
  watch: (second: number) => Change[],
  [fromS, toS]: Interval,
): Message[] => {
  const messages: Message[] = []
  for (let second = fromS; second < toS; second++) {
    for (const change of watch(second)) messages.push(told(edge, group, change))
    if (second % meterEveryS === 0) messages.push(meter(edge, group, second))
  }
  return messages
}

/** Everything a group would have sent in a span, in order: the same content whenever it is asked. */
export function* replay(
  edge: string,
  group: Group,
  manual: readonly ManualStep[],
  [fromS, toS]: Interval,
): Generator<Message> {
  const watch = openWatch(edge, group, fromS)
  for (let at = fromS; at < toS;) {
    // Cut at full minutes, so that a hole filled in two parts gives the same batches as one.
    const end = Math.min(toS, (Math.floor(at / batch) + 1) * batch)
    yield* happenings(edge, group, watch, [at, end])
    yield telemetry(edge, group, manual, [at, end])
    at = end
  }
}
