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

/** What an instance is expected to have ready in an hour to come. Rules, and how far it was off: expected.md. */
export type Expected = { kw: number; usualErrorKw: number }

/** Mean kW of hours that have passed, by their start; an hour without samples is not in it. */
export type HourlyKw = ReadonlyMap<number, number>

const profileDays = 14
const fewest = 3
/** A difference of the last hour from the usual fades to 1/e within this. */
const fadeMs = 4 * hourMs

/** Hours of a kind are alike: the same hour of the wall clock, on working days or on weekends. */
const kindOf = (ms: number): string =>
  `${weekday(localDateOf(ms)) > 5 ? 'weekend' : 'working day'} ${localTime(ms).slice(0, 2)}`

/** What has to be measured for a forecast: whole days before today. */
export const profileSpan = (nowMs: number): Span => ({
  fromMs: dayBounds(addDays(today(nowMs), -profileDays)).fromMs,
  toMs: dayBounds(today(nowMs)).fromMs,
})

/** kW of the hours of each kind. */
export type Usual = ReadonlyMap<string, readonly number[]>

/** What is usual, of the hours before today. */
export const usualOf = (hourly: HourlyKw, nowMs: number): Usual => {
  const { fromMs, toMs } = profileSpan(nowMs)
  const found = new Map<string, number[]>()
  for (const [startMs, kw] of hourly)
    if (startMs >= fromMs && startMs < toMs) {
      const kind = kindOf(startMs)
      found.set(kind, [...(found.get(kind) ?? []), kw])
    }
  return found
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

type Known = {
  usual: Usual
  /** Of the last 60 minutes; null where nothing was measured. */ lastHourKw: number | null
  nowMs: number
}

/** Answers what is expected of an hour, by its start; null where too little is known. */
export const openExpected = ({ usual, lastHourKw, nowMs }: Known): ((startMs: number) => Expected | null) => {
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
    // Each of the days against the mean of the others.
    const usualErrorKw = meanOf(values.map((kw) => Math.abs(kw - mean))) * (values.length / (values.length - 1))
    const fade = Math.exp(-Math.max(0, startMs + hourMs / 2 - nowMs) / fadeMs)
    return { kw: Math.max(0, mean + offBy * fade), usualErrorKw }
  }
}
