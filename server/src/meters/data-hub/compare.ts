import { localTime } from '@gridmast/contract/time.ts'
import { startsOf } from './span.ts'
import { addSum, emptySum, quarterS, type MeterDay, type Sum } from './sums.ts'

export const totalSum = (sums: readonly Sum[]): Sum => sums.reduce(addSum, emptySum())

export type Columns = { starts: readonly number[]; sums: readonly Sum[] }

/** Only what is known as a whole stands beside something: half an hour is not less than an hour. */
const wholeOf = (sum: Sum, quarters: number): Sum => {
  if (sum.read < quarters) return emptySum()
  return sum.priced < quarters ? { ...sum, priced: 0 } : sum
}

/**
 * What stands beside each interval of a day: the interval of the other day that begins at the same time of day. Where the clock skips
 * that hour there is none; both hours of a doubled one stand beside the one; one stands beside the first of a doubled one. Beside an
 * hour stand its four quarters together; beside a quarter stands no hour, as nobody knows how its energy fell on its quarters.
 */
export const besideByTime = (starts: readonly number[], stepS: number, other: Columns, otherStepS: number): Sum[] => {
  const size = stepS / otherStepS
  const byTime = new Map<string, Sum>()
  for (let i = 0; size >= 1 && i < other.starts.length; i += size) {
    const at = localTime(other.starts[i] ?? 0)
    if (!byTime.has(at)) byTime.set(at, wholeOf(totalSum(other.sums.slice(i, i + size)), stepS / quarterS))
  }
  return starts.map((fromMs) => byTime.get(localTime(fromMs)) ?? emptySum())
}

/** Mean kWh at each time of day, by the same rule of hours and quarters; null where it was never read as a whole. */
export const profileOf = (rows: readonly MeterDay[], starts: readonly number[], stepS: number): (number | null)[] => {
  const byTime = new Map<string, { wh: number; count: number }>()
  for (const { day, step_s, wh } of rows) {
    const size = stepS / step_s
    if (size < 1) continue
    startsOf(day, stepS).forEach((fromMs, i) => {
      const known = wh.slice(i * size, (i + 1) * size).filter((value) => value !== null)
      if (known.length < size) return
      const at = localTime(fromMs)
      const found = byTime.get(at) ?? { wh: 0, count: 0 }
      byTime.set(at, { wh: known.reduce((sum, value) => sum + value, found.wh), count: found.count + 1 })
    })
  }
  return starts.map((fromMs) => {
    const found = byTime.get(localTime(fromMs))
    return found ? found.wh / found.count / 1000 : null
  })
}
