import type { Readings } from './readings.ts'

/** ISO instant of the newest sample of a series, or null when it has none. */
export const lastReportedOf = async (readings: Readings, signalNo: number): Promise<string | null> => {
  const latest = await readings.latest([signalNo])
  const sample = latest.get(signalNo)
  return sample ? new Date(sample.tMs).toISOString() : null
}
