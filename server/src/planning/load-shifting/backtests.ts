import type { BacktestForm, BacktestResult } from '@gridmast/contract/planning/load-backtests.ts'
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
import { getLoad, pricingWith, undefinedIfMissing, type PlanLoad } from './loads.ts'
import { loadsOf, siteOf } from './problem.ts'
import { soldOf, findSold } from './sold-slots.ts'
import { type Quarters, readPastQuarters } from './quarters.ts'
import { roundDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Backtest, Progress } from '#planning/solver/backtest.ts'
import type { Planner } from '#planning/solver/planner.ts'
import { closing, openQueue } from './queue.ts'
import { type BacktestRow, changeBacktest, type Detail, readBacktest, claimNextBacktest } from './backtest-rows.ts'

/** Days of history for forecasts; a week is enough where less is recorded. */
const historyDays = 28
const minHistoryDays = 7

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
  const allOnline = { ...load, chargers: load.chargers.map((one) => ({ ...one, online: true })) }
  const input = { nowMs: span.fromMs, running: null, socPercent: halfFull }
  const weekdays = form.workdays ? everyDay.slice(0, 5) : everyDay
  return loadsOf({ ...form, isFirm: false }, allOnline, span, input).map((one) =>
    one.kind === 'storage' ? { load: one } : { load: one, from: form.from, deadline: form.until, weekdays },
  )
}

const firstDay = (quarters: readonly PlanQuarter[], first: LocalDate): LocalDate => {
  const earliest = quarters[0] ? addDays(localDateOf(quarters[0].atMs), minHistoryDays) : '9999-12-31'
  return earliest > first ? earliest : first
}

type BacktestInput =
  | { request: BacktestRequest; daysWithoutPrices: number; sources: Quarters['sources'] }
  | 'no-prices'
  | 'removed'

const readBacktestRequest = async (
  app: Pick<App, 'records' | 'readings' | 'clock'>,
  customerId: string,
  form: BacktestForm,
  madeMs: number,
): Promise<BacktestInput> => {
  const nowMs = app.clock.now()
  const { first, last } = monthsOf(form.period, madeMs)
  const load = await app.records
    .tenant(customerId, (tx) => getLoad(tx, customerId, form, nowMs))
    .catch(undefinedIfMissing)
  if (!load?.pricing) return 'removed'
  const pricing = pricingWith(load.pricing, form.tariff)
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

/** Runs waiting backtests, one per process; the row has a heartbeat and a user's stop, and another process claims it after a crash. */

type BacktestApp = Pick<App, 'records' | 'readings' | 'clock' | 'log' | 'bus'>
export type RunBacktest = Planner['backtest']

const beatMs = 2_000
/** Ten heartbeats: a slow process does not count as dead. */
const diedAfterMs = 20_000
const claimEveryMs = 10_000
/** A backtest is not restarted after `maxTries` crashes of its process. */
const maxTries = 3

const resultOf = (
  { months, missedKwh, ...totals }: Backtest,
  { request, daysWithoutPrices }: Exclude<BacktestInput, string>,
): BacktestResult => {
  const { first, last, quarters } = request
  const assumed = new Set(quarters.filter(({ isAssumed }) => isAssumed).map(({ atMs }) => localDateOf(atMs)))
  const days = datesBetween(first, last)
  const kgs = months.map(({ kgCo2: { noPlan, plan } }) =>
    noPlan === null || plan === null ? null : subtractDecimals(noPlan, plan),
  )
  return {
    first,
    last,
    days: days.length,
    daysWithoutPrices,
    assumedDays: days.filter((day) => assumed.has(day)),
    ...totals,
    missedKwh: Math.round(missedKwh * 10) / 10,
    savedKgCo2: kgs.every((kg) => kg !== null) ? sumDecimals(kgs) : null,
  }
}

const detailOf = ({ months }: Backtest, { sources }: Exclude<BacktestInput, string>): Detail => ({
  byMonth: months.map((one) => ({ ...one, foresightDkk: one.foresightDkk && roundDecimal(one.foresightDkk, 2) })),
  sources,
})

const runOne = async (app: BacktestApp, row: BacktestRow, run: RunBacktest, controller: AbortController) => {
  const { records, clock } = app
  let progress: Progress = { done: 0, of: 0 }
  const change = (changed: Parameters<typeof changeBacktest>[2]) =>
    records.system((tx) => changeBacktest(tx, row, changed))
  const progressColumns = () => ({ done: progress.done, ...(progress.of > 0 ? { days: progress.of } : {}) })
  const close = (columns: Parameters<typeof changeBacktest>[2]) =>
    change({ finished_at: new Date(clock.now()), ...progressColumns(), ...columns })
  const fail = (reason: NonNullable<BacktestRow['reason']>) => close({ state: 'failed', reason })
  const beat = async () => {
    const isMine = await change({ seen_at: new Date(clock.now()), ...progressColumns() })
    const now = await records.system((tx) => readBacktest(tx, row.customer_id, row.backtest_id))
    if (!isMine || now?.cancel_asked) controller.abort()
  }
  const timer = setInterval(() => {
    beat().catch((error: unknown) => app.log.warn({ err: error }, 'the progress of a backtest was not stored'))
  }, beatMs)
  try {
    if (row.cancel_asked) return void (await close({ state: 'cancelled' }))
    if (row.tries > maxTries) return void (await fail('error'))
    const prepared = await readBacktestRequest(app, row.customer_id, row.asked, row.made_at.getTime())
    if (typeof prepared === 'string') return void (await fail(prepared))
    const onProgress = (reported: Progress) => (progress = reported)
    const backtest = await run(prepared.request, { onProgress, signal: controller.signal })
    if (backtest)
      await close({
        state: 'done',
        result: JSON.stringify(resultOf(backtest, prepared)),
        detail: JSON.stringify(detailOf(backtest, prepared)),
      })
    else if (controller.signal.reason === closing) await putBack(app, row)
    else await close({ state: 'cancelled' })
  } catch (error) {
    app.log.warn({ err: error, backtest: row.backtest_id }, 'backtest failed')
    await fail('error')
  } finally {
    clearInterval(timer)
  }
}

const putBack = ({ records }: BacktestApp, row: BacktestRow) =>
  records.system(async (tx) => {
    await changeBacktest(tx, row, { state: 'queued', tries: row.tries - 1, done: 0 })
    rowChanged(tx, 'load-backtest', row.backtest_id)
  })

export const openBacktests = (app: BacktestApp, run: RunBacktest) =>
  openQueue<BacktestRow>(app, {
    topic: 'load-backtest',
    everyMs: claimEveryMs,
    claim: () => app.records.system((tx) => claimNextBacktest(tx, app.clock.now(), app.clock.now() - diedAfterMs)),
    idOf: ({ backtest_id }) => backtest_id,
    run: async (row, controller) => {
      await runOne(app, row, run, controller)
      return true
    },
  })
