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

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

type Known = {
  hourly: HourlyKw
  /** Of the last 60 minutes; null where nothing was measured. */ lastHourKw: number | null
  nowMs: number
}

/** Answers what is expected of an hour, by its start; null where too little is known. */
export const openExpected = ({ hourly, lastHourKw, nowMs }: Known): ((startMs: number) => Expected | null) => {
  const { fromMs, toMs } = profileSpan(nowMs)
  const alike = Map.groupBy(
    [...hourly].filter(([startMs]) => startMs >= fromMs && startMs < toMs),
    ([startMs]) => kindOf(startMs),
  )
  const usual = (ms: number): number[] | null => {
    const values = (alike.get(kindOf(ms)) ?? []).map(([, kw]) => kw)
    return values.length < fewest ? null : values
  }
  const usualNow = usual(nowMs - hourMs / 2)
  const offBy = lastHourKw === null || !usualNow ? 0 : lastHourKw - meanOf(usualNow)
  return (startMs) => {
    const values = usual(startMs)
    if (!values) return null
    const mean = meanOf(values)
    // Each of the days against the mean of the others.
    const usualErrorKw = meanOf(values.map((kw) => Math.abs(kw - mean))) * (values.length / (values.length - 1))
    const fade = Math.exp(-Math.max(0, startMs + hourMs / 2 - nowMs) / fadeMs)
    return { kw: Math.max(0, mean + offBy * fade), usualErrorKw }
  }
}
