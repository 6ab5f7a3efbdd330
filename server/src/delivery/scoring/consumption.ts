import { hourMs } from '@gridmast/contract/time.ts'
import { firstFrom, type Samples } from './samples.ts'

/** Readings may lie outside the span by this share of its duration; their difference is scaled to the span. */
const maxOutsideShare = 0.05

export type Consumption = { kWh: number; isEstimated: boolean }

const metered = ({ x, y }: Samples, startMs: number, endMs: number): number | null => {
  const durationMs = endMs - startMs
  let before = firstFrom({ x, y }, startMs + 1) - 1
  let after = firstFrom({ x, y }, endMs)
  while (before >= 0 && Number.isNaN(y[before] ?? NaN)) before--
  while (after < x.length && Number.isNaN(y[after] ?? NaN)) after++
  const meteredMs = (x[after] ?? Infinity) - (x[before] ?? -Infinity)
  if (meteredMs > durationMs * (1 + maxOutsideShare)) return null
  const kWh = (y[after] ?? NaN) - (y[before] ?? NaN)
  return kWh >= 0 ? (kWh * durationMs) / meteredMs : null
}

/**
 * Consumption of a span: by the meter (register in kWh) where both readings are at most 5 % of the duration away, else mean logged power (kW)
 * times the duration. Null when neither is available. Throws a RangeError for a span without a duration.
 */
export const consumptionIn = (power: Samples, register: Samples | null, startMs: number, endMs: number) => {
  if (!(endMs > startMs)) throw new RangeError('the end must be after the start')
  const measured = register && metered(register, startMs, endMs)
  if (measured !== null) return { kWh: measured, isEstimated: false }
  let sum = 0
  let count = 0
  for (let i = firstFrom(power, startMs); i < power.x.length && (power.x[i] ?? 0) < endMs; i++) {
    const kw = power.y[i] ?? NaN
    if (Number.isNaN(kw)) continue
    sum += kw
    count++
  }
  return count === 0 ? null : { kWh: ((sum / count) * (endMs - startMs)) / hourMs, isEstimated: true }
}
