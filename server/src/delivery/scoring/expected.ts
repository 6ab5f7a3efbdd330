import {
  dayBounds,
  addDays,
  hourMs,
  localDateOf,
  localTime,
  today,
  weekday,
  type Span,
} from '@gridmast/contract/time.ts'

/** Capacity that an instance is expected to have available in a future hour; rules and measured errors: expected.md. */
export type Expected = { kw: number; usualErrorKw: number }

export type HourlyKw = ReadonlyMap<number, number>

const profileDays = 14
const fewest = 3
/** A deviation of the last hour from the typical value decays to 1/e within this time. */
const fadeMs = 4 * hourMs

/** Hours are alike by the hour of the wall clock, on working days or on weekends. */
const kindOf = (ms: number): string =>
  `${weekday(localDateOf(ms)) > 5 ? 'weekend' : 'working day'} ${localTime(ms).slice(0, 2)}`

export const profileSpan = (nowMs: number): Span => ({
  fromMs: dayBounds(addDays(today(nowMs), -profileDays)).fromMs,
  toMs: dayBounds(today(nowMs)).fromMs,
})

export type Usual = ReadonlyMap<string, readonly number[]>

export const usualOf = (hourly: HourlyKw, nowMs: number): Usual => {
  const { fromMs, toMs } = profileSpan(nowMs)
  const byKind = new Map<string, number[]>()
  for (const [startMs, kw] of hourly)
    if (startMs >= fromMs && startMs < toMs) {
      const kind = kindOf(startMs)
      byKind.set(kind, [...(byKind.get(kind) ?? []), kw])
    }
  return byKind
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

type Profile = {
  usual: Usual
  lastHourKw: number | null
  nowMs: number
}

export const openExpected = ({ usual, lastHourKw, nowMs }: Profile): ((startMs: number) => Expected | null) => {
  const alike = (ms: number): readonly number[] | null => {
    const values = usual.get(kindOf(ms)) ?? []
    return values.length < fewest ? null : values
  }
  const usualNow = alike(nowMs - hourMs / 2)
  const offBy = lastHourKw === null || !usualNow ? 0 : lastHourKw - meanOf(usualNow)
  return (startMs) => {
    const values = alike(startMs)
    if (!values) return null
    const mean = meanOf(values)
    const usualErrorKw = meanOf(values.map((kw) => Math.abs(kw - mean))) * (values.length / (values.length - 1))
    const fade = Math.exp(-Math.max(0, startMs + hourMs / 2 - nowMs) / fadeMs)
    return { kw: Math.max(0, mean + offBy * fade), usualErrorKw }
  }
}
