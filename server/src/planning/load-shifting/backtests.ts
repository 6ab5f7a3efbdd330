import type { BacktestResult } from '@gridmast/contract/planning/load-backtests.ts'
import { roundDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { datesBetween, localDateOf } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { App } from '#context.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Backtest, Progress } from '#planning/solver/backtest.ts'
import type { Planner } from '#planning/solver/planner.ts'
import { prepareBacktest, type Prepared } from './backtest-request.ts'
import { type BacktestRow, changeBacktest, type Detail, readBacktest, takeNextBacktest } from './backtest-rows.ts'

/** Runs waiting backtests, one per process; the row has a heartbeat and a user's stop, and another process claims it after a crash. */

type From = Pick<App, 'records' | 'readings' | 'clock' | 'log' | 'bus'>
export type RunBacktest = Planner['backtest']

const beatMs = 2_000
/** Ten heartbeats: a slow process does not count as dead. */
const diedAfterMs = 20_000
const lookMs = 10_000
/** A backtest is not restarted after `mostTries` crashes of its process. */
const mostTries = 3

const resultOf = (
  { months, savedDkk, overCheapestHoursDkk, regretDkk, withoutPlan, missedKwh, brokenSlots, notBest }: Backtest,
  { request, daysWithoutPrices }: Exclude<Prepared, string>,
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
    withoutPlan,
    missedKwh: Math.round(missedKwh * 10) / 10,
    brokenSlots,
    notBest,
    savedDkk,
    overCheapestHoursDkk,
    regretDkk,
    savedKgCo2: kgs.every((kg) => kg !== null) ? sumDecimals(kgs) : null,
  }
}

const detailOf = ({ months }: Backtest, { sources }: Exclude<Prepared, string>): Detail => ({
  byMonth: months.map(({ foresightDkk, ...month }) => ({
    ...month,
    foresightDkk: foresightDkk === null ? null : roundDecimal(foresightDkk, 2),
  })),
  sources,
})

const runOne = async (app: From, row: BacktestRow, run: RunBacktest, controller: AbortController) => {
  const { records, clock } = app
  let progress: Progress = { done: 0, of: 0 }
  const change = (changed: Parameters<typeof changeBacktest>[2]) =>
    records.system((tx) => changeBacktest(tx, row, changed))
  const counted = () => ({ done: progress.done, ...(progress.of > 0 ? { days: progress.of } : {}) })
  const close = (
    state: 'done' | 'cancelled' | 'failed',
    more: { reason?: BacktestRow['reason']; result?: string; detail?: string } = {},
  ) => change({ state, finished_at: new Date(clock.now()), ...counted(), ...more })
  const fail = (reason: NonNullable<BacktestRow['reason']>) => close('failed', { reason })
  const beat = async () => {
    const isMine = await change({ seen_at: new Date(clock.now()), ...counted() })
    const now = await records.system((tx) => readBacktest(tx, row.customer_id, row.backtest_id))
    if (!isMine || now?.cancel_asked) controller.abort()
  }
  const timer = setInterval(() => {
    beat().catch((error: unknown) => app.log.warn({ err: error }, 'backtest progress not published'))
  }, beatMs)
  try {
    if (row.cancel_asked) return void (await close('cancelled'))
    if (row.tries > mostTries) return void (await fail('error'))
    const prepared = await prepareBacktest(app, row.customer_id, row.asked, row.made_at.getTime())
    if (typeof prepared === 'string') return void (await fail(prepared))
    const onProgress = (told: Progress) => {
      progress = told
    }
    const found = await run(prepared.request, { onProgress, signal: controller.signal })
    if (found)
      await close('done', {
        result: JSON.stringify(resultOf(found, prepared)),
        detail: JSON.stringify(detailOf(found, prepared)),
      })
    else if (controller.signal.reason === 'closing') await putBack(app, row)
    else await close('cancelled')
  } catch (error) {
    app.log.warn({ err: error, backtest: row.backtest_id }, 'backtest failed')
    await fail('error')
  } finally {
    clearInterval(timer)
  }
}

const putBack = ({ records }: From, row: BacktestRow) =>
  records.system(async (tx) => {
    await changeBacktest(tx, row, { state: 'queued', tries: row.tries - 1, done: 0 })
    rowChanged(tx, 'load-backtest', row.backtest_id)
  })

export const openBacktests = (app: From, run: RunBacktest) => {
  let underWay: { backtestId: string; controller: AbortController } | null = null
  let isClosed = false
  let running: Promise<void> = Promise.resolve()
  let isKicked = false
  const take = async () => {
    if (isClosed) return
    return app.records.system((tx) => takeNextBacktest(tx, app.clock.now(), app.clock.now() - diedAfterMs))
  }
  const work = async () => {
    isKicked = false
    for (let row = await take(); row; row = await take()) {
      const controller = new AbortController()
      underWay = { backtestId: row.backtest_id, controller }
      if (isClosed) controller.abort('closing')
      await runOne(app, row, run, controller)
      underWay = null
    }
  }
  const kick = () => {
    if (isClosed || isKicked) return
    isKicked = true
    running = running.then(work).catch((error: unknown) => app.log.error({ err: error }, 'backtests not run'))
  }
  const look = async (backtestId: string) => {
    if (underWay?.backtestId !== backtestId) return kick()
    const { controller } = underWay
    const row = await app.records.system((tx) =>
      tx.selectFrom('load_backtest').select('cancel_asked').where('backtest_id', '=', backtestId).executeTakeFirst(),
    )
    if (row?.cancel_asked) controller.abort()
  }
  const timer = setInterval(kick, lookMs).unref()
  const stop = app.bus.listen('load-backtest', (told) => {
    const backtestId = z.uuid().safeParse(told)
    if (backtestId.success) void look(backtestId.data).catch(() => {})
  })
  kick()
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      stop()
      underWay?.controller.abort('closing')
      await running
    },
  }
}
