import type { BacktestForm } from '@gridmast/contract/planning/load-backtests.ts'
import {
  addDays,
  addMonths,
  atLocalTime,
  datesBetween,
  dayBounds,
  localDateOf,
  localMonthOf,
  monthBounds,
  type LocalDate,
  type Span,
} from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import type { BacktestRequest, DailyLoad } from '#planning/solver/backtest-days.ts'
import type { PlanQuarter } from '#planning/solver/plan.ts'
import { getLoad, gone, type PlanLoad } from './loads.ts'
import { loadsOf, siteOf, soldOf } from './problem.ts'
import { findSold } from './queries.ts'
import { type Quarters, readPastQuarters } from './quarters.ts'

/** Days of history for forecasts; a week is enough where less is recorded. */
const historyDays = 28
const leastHistoryDays = 7

export const monthsOf = (period: BacktestForm['period'], nowMs: number): { first: LocalDate; last: LocalDate } => {
  const months = period === 'year' ? 12 : 1
  const next = localMonthOf(nowMs)
  const last = addDays(localDateOf(monthBounds(next).fromMs), -1)
  return { first: `${addMonths(next, -months)}-01`, last }
}

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const halfFull = 50

/** A storage is planned from midnight to midnight, other loads from their start time. */
const planAtOf = ({ kind, from }: BacktestForm) => (kind === 'storage' ? '00:00' : from)

const dailyLoads = (form: BacktestForm, load: PlanLoad, span: Span): DailyLoad[] => {
  // Which chargers are online now does not apply to the past.
  const all = { ...load, chargers: load.chargers.map((one) => ({ ...one, online: true })) }
  const known = { nowMs: span.fromMs, running: null, socPercent: halfFull }
  const weekdays = form.workdays ? everyDay.slice(0, 5) : everyDay
  return loadsOf({ ...form, isFirm: false }, all, span, known).map((one) =>
    one.kind === 'storage' ? { load: one } : { load: one, from: form.from, deadline: form.until, weekdays },
  )
}

const firstDay = (quarters: readonly PlanQuarter[], first: LocalDate): LocalDate => {
  const knownFrom = quarters[0] ? addDays(localDateOf(quarters[0].atMs), leastHistoryDays) : '9999-12-31'
  return knownFrom > first ? knownFrom : first
}

export type Prepared =
  | { request: BacktestRequest; daysWithoutPrices: number; sources: Quarters['sources'] }
  | 'no-prices'
  | 'removed'

export const prepareBacktest = async (
  app: Pick<App, 'records' | 'readings' | 'clock'>,
  customerId: string,
  form: BacktestForm,
  madeMs: number,
): Promise<Prepared> => {
  const nowMs = app.clock.now()
  const { first, last } = monthsOf(form.period, madeMs)
  const load = await app.records.tenant(customerId, (tx) => getLoad(tx, customerId, form, nowMs)).catch(gone)
  if (!load?.pricing) return 'removed'
  const [gln, code] = form.tariff?.split(':') ?? []
  const pricing = gln && code ? { ...load.pricing, tariff: { gln, code } } : load.pricing
  const planAt = planAtOf(form)
  const span = { fromMs: dayBounds(addDays(first, -historyDays - 1)).fromMs, toMs: dayBounds(addDays(last, 2)).toMs }
  const of = { pricing, area: load.area, otherKw: form.otherKw, nowMs }
  const { quarters, sources } = await readPastQuarters(app, customerId, of, span)
  const begins = firstDay(quarters, first)
  const endMs = atLocalTime(addDays(last, 1), planAt)
  if (begins > last || (quarters.at(-1)?.atMs ?? 0) < endMs) return 'no-prices'
  const planned = { fromMs: atLocalTime(begins, planAt), toMs: endMs }
  const loads = dailyLoads(form, load, planned)
  if (loads.length === 0) return 'removed'
  const instanceId = load.target.kind === 'instance' ? load.target._id : null
  const slots = instanceId
    ? await app.records.tenant(customerId, (tx) => findSold(tx, customerId, instanceId, planned.fromMs, planned.toMs))
    : []
  const each = loads.map((one) => one.load)
  const { capacity: _, ...site } = siteOf({ ...form, reachedKw: 0 }, load, each, planned)
  return {
    request: {
      first: begins,
      last,
      planAt,
      quarters,
      loads,
      sold: soldOf(slots, each),
      site: { ...site, dkkPerKw: form.capacityDkkPerKw ?? null },
      weights: { cost: form.costWeight / 100, co2: 1 - form.costWeight / 100, co2DkkPerKg: form.co2DkkPerKg },
    },
    daysWithoutPrices: begins > first ? datesBetween(first, begins).length - 1 : 0,
    sources,
  }
}
