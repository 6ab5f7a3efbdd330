import type { ScopeFigures } from '@gridmast/contract/meters/scope-2.ts'
import { dayBounds, hourMs, type LocalDate } from '@gridmast/contract/time.ts'
import type { DayReadings } from '#meters/data-hub/day-readings.ts'
import { kwhOf } from '#meters/data-hub/sums.ts'

export type Factors = { fromMs: number; grams: readonly (number | null)[] }

/** One hour of a meter: `wh` is the energy read, the seconds are the part of the hour by quality. */
export type Hour = {
  fromMs: number
  wh: number | null
  measuredS: number
  estimatedS: number
  incompleteS: number
  gramsPerKwh: number | null
}

const kindOf: Record<string, 'measuredS' | 'estimatedS' | 'incompleteS'> = {
  m: 'measuredS',
  // Corrected by the grid company: as good as measured.
  a: 'measuredS',
  e: 'estimatedS',
  i: 'incompleteS',
}

const factorAt = (factors: Factors | null, fromMs: number): number | null =>
  factors?.grams[(fromMs - factors.fromMs) / hourMs] ?? null

export function* hoursOf(day: LocalDate, readings: DayReadings | undefined, factors: Factors | null): Generator<Hour> {
  const { fromMs, toMs } = dayBounds(day)
  const perHour = readings ? 3600 / readings.step_s : 1
  for (let startMs = fromMs, first = 0; startMs < toMs; startMs += hourMs, first += perHour) {
    const unread = { wh: null, measuredS: 0, estimatedS: 0, incompleteS: 0 }
    const hour: Hour = { ...unread, fromMs: startMs, gramsPerKwh: factorAt(factors, startMs) }
    for (let i = first; readings && i < first + perHour; i++) {
      const value = readings.wh[i]
      const kind = kindOf[readings.quality[i] ?? '-']
      if (value === null || value === undefined || !kind) continue
      hour.wh = (hour.wh ?? 0) + value
      hour[kind] += readings.step_s
    }
    yield hour
  }
}

const readS = ({ measuredS, estimatedS, incompleteS }: Omit<Hour, 'fromMs' | 'wh' | 'gramsPerKwh'>): number =>
  measuredS + estimatedS + incompleteS

export const gramsOf = ({ wh, gramsPerKwh }: Hour): number | null =>
  wh === null || gramsPerKwh === null ? null : (wh * gramsPerKwh) / 1000

export const noEmission = () => ({
  wh: 0,
  whWithoutFactor: 0,
  grams: 0,
  allS: 0,
  measuredS: 0,
  estimatedS: 0,
  incompleteS: 0,
  withoutFactorS: 0,
})
export type Emitted = ReturnType<typeof noEmission>

export const addHour = (sum: Emitted, hour: Hour): void => {
  sum.allS += 3600
  sum.measuredS += hour.measuredS
  sum.estimatedS += hour.estimatedS
  sum.incompleteS += hour.incompleteS
  if (hour.wh === null) return
  sum.wh += hour.wh
  const grams = gramsOf(hour)
  if (grams !== null) {
    sum.grams += grams
    return
  }
  sum.whWithoutFactor += hour.wh
  sum.withoutFactorS += readS(hour)
}

export const addEmitted = (sum: Emitted, part: Emitted): void => {
  for (const key of Object.keys(sum) as (keyof Emitted)[]) sum[key] += part[key] // the keys of the type, from noEmission
}

export const sumOf = (parts: readonly Emitted[]): Emitted => {
  const sum = noEmission()
  for (const part of parts) addEmitted(sum, part)
  return sum
}

const hoursIn = (seconds: number) => seconds / 3600

export const figuresOf = (sum: Emitted): ScopeFigures => {
  const read = readS(sum)
  return {
    kwh: read > 0 ? kwhOf(sum.wh) : null,
    kgCo2: read > sum.withoutFactorS ? sum.grams / 1000 : null,
    kwhWithoutFactor: kwhOf(sum.whWithoutFactor),
    hours: {
      all: hoursIn(sum.allS),
      measured: hoursIn(sum.measuredS),
      estimated: hoursIn(sum.estimatedS),
      incomplete: hoursIn(sum.incompleteS),
      missing: hoursIn(sum.allS - read),
      withoutFactor: hoursIn(sum.withoutFactorS),
    },
  }
}
