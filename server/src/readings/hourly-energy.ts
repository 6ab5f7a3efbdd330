import type { Slot } from '@gridmast/contract/slots.ts'
import type { Readings } from './readings.ts'

/**
 * Energy of each hour in kWh from measured power: mean kW of its samples times the hours that have passed of it.
 * An hour without any sample is null, never 0. The running hour counts up to `nowMs`.
 */
export const hourlyEnergyKwh = async (
  readings: Readings,
  signalNo: number,
  hours: Slot[],
  nowMs: number,
): Promise<(number | null)[]> => {
  const edges = [...hours.map((hour) => hour.fromMs), ...hours.slice(-1).map((hour) => hour.toMs)]
  const buckets = await readings.buckets({ signalNo, edgesMs: edges })
  return hours.map((hour, i) => {
    const bucket = buckets[i]
    if (!bucket || bucket.count === 0) return null
    const passedMs = Math.min(hour.toMs, Math.max(nowMs, hour.fromMs)) - hour.fromMs
    return ((bucket.sum / bucket.count) * passedMs) / 3_600_000
  })
}
