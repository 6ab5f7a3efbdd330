import { edgeLimits, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { capacityKw, meterKwh } from '../loads.ts'
import { openWatch, type Change } from './activations.ts'
import type { Interval } from './coverage.ts'
import { isActivated, sampleAt, socOf, type ManualStep } from './device.ts'
import type { Edge, Group } from './world-file.ts'

/** A message of the edge contract, version 1; `covers`: the seconds of samples that its acknowledgement settles. */
export type Message = { topic: string; payload: string; covers?: Interval }

const usualVersion = 'v4.4.0'
const batch = edgeLimits.samplesPerMessage
const meterEveryS = 300
const slowEveryS = 10
/** Step of the older history without an activation; charts show a gap from more than three usual steps on. */
const thinStepS = 3
/** Every second is kept this long before and after an activation. */
const aroundS = 120
const lookEveryS = 4

const iso = (second: number) => new Date(second * 1000).toISOString()

const round = (value: number | null, decimals: number) => (value === null ? null : Number(value.toFixed(decimals)))

/**
 * Samples of `fromS` to `toS` (exclusive), at most 60, one per step. `seq` is the first second and the number of following seconds, so a repeated
 * batch has the same name and no other batch has it.
 */
export const telemetry = (
  edge: string,
  group: Group,
  manual: readonly ManualStep[],
  [fromS, toS]: Interval,
  stepS = 1,
): Message => {
  const seconds = Array.from({ length: Math.ceil((toS - fromS) / stepS) }, (_, i) => fromS + i * stepS)
  const samples = seconds.map((second) => sampleAt(group, manual, second))
  // Available capacity changes slowly: it is sent every ten seconds, live and in a replay, so that a chart has one step.
  const slowly = (valueAt: (second: number) => number | null): (number | null)[] | undefined => {
    const values = seconds.map((second) => (second % slowEveryS === 0 ? round(valueAt(second), 1) : null))
    return values.some((value) => value !== null) ? values : undefined
  }
  const payload = {
    v: 1,
    seq: fromS * 1000 + toS - fromS,
    t0: iso(fromS),
    dtMs: stepS * 1000,
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
  kept: { backlogS: number; keptS: number },
): Message => ({
  topic: edgeTopic.status(key),
  payload: JSON.stringify({
    v: 1,
    online: true,
    codeVersion,
    ts: new Date(nowMs).toISOString(),
    uptimeS,
    groups: groups.map(({ key }) => key),
    ...kept,
  }),
})

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

const isQuiet = (group: Group, [fromS, toS]: Interval): boolean => {
  for (let second = fromS - aroundS; second < toS + aroundS; second += lookEveryS)
    if (isActivated(group, second)) return false
  return true
}

/** All messages of a group in a span, reproducible; before `thinBeforeS` quiet minutes have one sample per `thinStepS`. */
export function* replay(
  edge: string,
  group: Group,
  manual: readonly ManualStep[],
  [fromS, toS]: Interval,
  thinBeforeS = -Infinity,
): Generator<Message> {
  const watch = openWatch(edge, group, fromS)
  const thinS = batch * thinStepS
  for (let at = fromS; at < toS;) {
    // Cut at full minutes, so that a gap filled in two parts gives the same batches as one.
    const end = Math.min(toS, (Math.floor(at / batch) + 1) * batch)
    const thin: Interval = [at, at + thinS]
    const isThin = at % thinS === 0 && thin[1] <= Math.min(toS, thinBeforeS) && isQuiet(group, thin)
    const part: Interval = isThin ? thin : [at, end]
    yield* happenings(edge, group, watch, part)
    yield telemetry(edge, group, manual, part, isThin ? thinStepS : 1)
    at = part[1]
  }
}
