import { type EdgeTelemetry, edgeLimits, edgeRanges } from '@gridmast/contract/delivery/edge.ts'

/** The reason is the label of a counter, so it contains no values. */
export class Unusable extends Error {}

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

export const instantMs = (value: unknown): number | null => {
  if (typeof value !== 'string' || !iso.test(value)) return null
  const ms = Date.parse(value)
  if (!Number.isFinite(ms)) return null
  // Date.parse turns 31 February into 3 March, and 24:00 into the next day.
  return new Date(ms).getUTCDate() === Number(value.slice(8, 10)) ? ms : null
}

export type Clock = { nowMs: number; behindMs: number }

/** A wrong clock would put samples far from the present or over others: such messages are quarantined (security rule D3). */
export const checkClock = (firstMs: number, lastMs: number, { nowMs, behindMs }: Clock) => {
  if (lastMs > nowMs + edgeLimits.clockAheadMs) throw new Unusable('clock ahead')
  if (firstMs < nowMs - behindMs) throw new Unusable('clock behind')
}
