import { localTime } from '@gridmast/contract/time.ts'
import { startsOf } from './calendar.ts'
import type { MeterDay } from './day-readings.ts'
import { emptySum, quarterS, totalSum, type Sum } from './sums.ts'

export type Columns = { starts: readonly number[]; sums: readonly Sum[] }

/** Only complete intervals are compared: half an hour is not less than an hour. */
const completeOnly = (sum: Sum, quarters: number): Sum => {
  if (sum.read < quarters) return emptySum()
  return sum.priced < quarters ? { ...sum, priced: 0 } : sum
}

/**
 * The interval of the other day at the same time of day, for each interval of a day. An hour that the clock skips has none; both hours of a repeated
 * one are compared with the single one, which is compared with the first of them. An hour is compared with its four quarters together; a quarter is
 * never compared with an hour, because the hour's energy per quarter is unknown.
 */
export const comparedByTime = (starts: readonly number[], stepS: number, other: Columns, otherStepS: number): Sum[] => {
  const size = stepS / otherStepS
  const byTime = new Map<string, Sum>()
  for (let i = 0; size >= 1 && i < other.starts.length; i += size) {
    const at = localTime(other.starts[i] ?? 0)
    if (!byTime.has(at)) byTime.set(at, completeOnly(totalSum(other.sums.slice(i, i + size)), stepS / quarterS))
  }
  return starts.map((fromMs) => byTime.get(localTime(fromMs)) ?? emptySum())
}

export const profileOf = (rows: readonly MeterDay[], starts: readonly number[], stepS: number): (number | null)[] => {
  const byTime = new Map<string, { wh: number; count: number }>()
  for (const { day, step_s, wh } of rows) {
    const size = stepS / step_s
    if (size < 1) continue
    startsOf(day, stepS).forEach((fromMs, i) => {
      const values = wh.slice(i * size, (i + 1) * size).filter((value) => value !== null)
      if (values.length < size) return
      const at = localTime(fromMs)
      const sum = byTime.get(at) ?? { wh: 0, count: 0 }
      byTime.set(at, { wh: values.reduce((all, value) => all + value, sum.wh), count: sum.count + 1 })
    })
  }
  return starts.map((fromMs) => {
    const sum = byTime.get(localTime(fromMs))
    return sum ? sum.wh / sum.count / 1000 : null
  })
}
