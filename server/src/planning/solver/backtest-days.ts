import {
  addDays,
  atLocalTime,
  dayBounds,
  localDateOf,
  quarterMs,
  weekday,
  type LocalDate,
  type Span,
} from '@gridmast/contract/time.ts'
import type { Load, PlanProblem, PlanQuarter, Site, SoldReserve, Storage, Weights } from './plan.ts'
import { weekdayMean } from './quarters.ts'

/** A recurring load: its times are clock times on the weekdays of its arrival (1 is Monday); a storage continues from day to day. */
export type DailyLoad =
  | { load: Storage }
  | { load: Exclude<Load, Storage>; from: string; deadline: string; weekdays: readonly number[] }

export type BacktestRequest = {
  /** Local days, each planned at `planAt` until the next one; no window of a load spans that time. */
  first: LocalDate
  last: LocalDate
  planAt: string
  /** Actual values without a gap: from 28 days before, where available, for forecasts, to the end of the last plan. */
  quarters: readonly PlanQuarter[]
  site: Omit<Site, 'capacity'> & { dkkPerKw: string | null }
  loads: readonly DailyLoad[]
  sold: readonly SoldReserve[]
  weights: Weights
}

export const spanOf = ({ planAt }: BacktestRequest, first: LocalDate, last: LocalDate): Span => ({
  fromMs: atLocalTime(first, planAt),
  toMs: atLocalTime(addDays(last, 1), planAt),
})

const placeOf = ({ quarters }: BacktestRequest, atMs: number) => (atMs - (quarters[0]?.atMs ?? 0)) / quarterMs

const quartersIn = (request: BacktestRequest, { fromMs, toMs }: Span): PlanQuarter[] => {
  const [from, to] = [placeOf(request, fromMs), placeOf(request, toMs)]
  const quarters = request.quarters.slice(from, to)
  if (from < 0 || quarters.length !== to - from)
    throw new RangeError(`no quarters for ${new Date(fromMs).toISOString()}`)
  return quarters
}

const nextAt = (fromMs: number, time: string): number => {
  const day = localDateOf(fromMs)
  const at = atLocalTime(day, time)
  return at >= fromMs ? at : atLocalTime(addDays(day, 1), time)
}

export const loadsOf = (request: BacktestRequest, span: Span, stored: ReadonlyMap<string, number>): Load[] =>
  request.loads.flatMap((daily): Load[] => {
    if (!('from' in daily))
      return [{ ...daily.load, nowKwh: stored.get(daily.load.id) ?? daily.load.nowKwh, target: null }]
    const fromMs = nextAt(span.fromMs, daily.from)
    const deadlineMs = nextAt(fromMs + 1, daily.deadline)
    if (deadlineMs > span.toMs) throw new RangeError(`${daily.load.id} is not done when the next plan is made`)
    if (!daily.weekdays.includes(weekday(localDateOf(fromMs)))) return []
    return [{ ...daily.load, fromMs, deadlineMs, isFirm: false }]
  })

export const problemIn = (
  request: BacktestRequest,
  span: Span,
  loads: readonly Load[],
  reachedKw: number,
): PlanProblem => {
  const { dkkPerKw, ...site } = request.site
  return {
    nowMs: span.fromMs,
    quarters: quartersIn(request, span),
    site: { ...site, capacity: dkkPerKw === null ? null : { dkkPerKw, months: [{ ...span, reachedKw }] } },
    loads,
    sold: request.sold.filter(({ fromMs, toMs }) => fromMs < span.toMs && toMs > span.fromMs),
    weights: request.weights,
    baseline: { method: 'immediate' },
    running: null,
    storedDkkPerMwh: null,
  }
}

export const historyDays = 28

/** Tomorrow's prices are available from 13:00 on, some minutes after publication. */
const publishedAt = '13:00'

const publishedUntil = ({ planAt }: BacktestRequest, { fromMs }: Span): number => {
  const day = localDateOf(fromMs)
  return dayBounds(planAt >= publishedAt ? addDays(day, 1) : day).toMs
}

/**
 * Unknown values, of the site's other consumption and unpublished prices, are the weekday means of the 28 days before. `peakKw` is the peak of those
 * days without the loads, which the month reaches anyway; `offByKw` is the other consumption above such a mean in the worst quarter of a usual day.
 */
export const forecastOf = (
  request: BacktestRequest,
  span: Span,
): { quarters: PlanQuarter[]; peakKw: number; offByKw: number } => {
  const at = placeOf(request, span.fromMs)
  const past = request.quarters.slice(Math.max(0, at - (historyDays + 1) * 96), at)
  const meanOf = (value: (quarter: PlanQuarter) => number) => {
    const values = past.map((quarter) => ({ atMs: quarter.atMs, value: value(quarter) }))
    return weekdayMean(values, span.fromMs)
  }
  const otherKw = meanOf((one) => one.otherKw)
  const above = past.map((one) => one.otherKw - (otherKw(one.atMs) ?? one.otherKw))
  const worstOfDays = Array.from({ length: Math.floor(above.length / 96) }, (_, day) =>
    Math.max(0, ...above.slice(96 * day, 96 * (day + 1))),
  ).toSorted((a, b) => a - b)
  const untilMs = publishedUntil(request, span)
  const spot = span.toMs > untilMs ? meanOf((one) => Number(one.spotDkkPerMwh)) : null
  return {
    quarters: quartersIn(request, span).map((quarter) => ({
      ...quarter,
      otherKw: otherKw(quarter.atMs) ?? quarter.otherKw,
      spotDkkPerMwh:
        quarter.atMs < untilMs ? quarter.spotDkkPerMwh : (spot?.(quarter.atMs)?.toFixed(6) ?? quarter.spotDkkPerMwh),
    })),
    peakKw: Math.max(0, ...past.map((one) => one.otherKw)),
    offByKw: worstOfDays[worstOfDays.length >> 1] ?? 0,
  }
}
