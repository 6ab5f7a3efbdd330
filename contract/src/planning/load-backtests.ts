import { z } from 'zod'
import { call, id } from '#call.ts'
import { planBill } from './load-plan-answer.ts'
import { askedAmounts, planForm, planTarget } from './load-shifting.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { publishedSource } from '#source.ts'
import { clockTime, localDate } from '#time.ts'

/** Backtests of load shifting: savings of daily plans in past months at the published prices. */

export const backtestPeriods = ['month', 'year'] as const

export const backtestForm = planForm
  .omit({ start: true, deadline: true, needs: true, socPercent: true, isFirm: true, baseline: true, reachedKw: true })
  .extend({
    /** The last full calendar month, or the last twelve. */
    period: z.enum(backtestPeriods).default('month'),
    /** Clock times of each day; a deadline at or before `from` is on the next day. A storage is planned from midnight to midnight. */
    from: clockTime.refine((time) => time !== '24:00', m.time).default('00:00'),
    until: clockTime.default('24:00'),
    workdays: z.boolean().default(false),
  })
export type BacktestForm = z.infer<typeof backtestForm>

export const backtestWays = ['noPlan', 'cheapestHours', 'plan'] as const
export type BacktestWay = (typeof backtestWays)[number]

const eachWay = <T extends z.ZodType>(value: T) => z.object({ noPlan: value, cheapestHours: value, plan: value })

const result = z.object({
  first: localDate,
  last: localDate,
  days: z.number(),
  daysWithoutPrices: z.number(),
  /** Days with a missing price: the mean of the same weekday of the previous four weeks replaces it. */
  assumedDays: z.array(localDate),
  /** Days for which no plan meets all limits, or no plan was solved in time: everything ran at once. */
  withoutPlan: z.array(localDate),
  missedKwh: z.number(),
  /** Days whose plan may not be optimal, and the largest possible loss in total; absent in older backtests. */
  notBest: z.object({ days: z.number(), dkk: decimalText }).optional(),
  /** Sold slots that the cheapest hours would have violated; a plan violates none. */
  brokenSlots: z.number(),
  /** No plan less plan, cheapest hours less plan, plan less foresight; null when foresight was not solved in time. */
  savedDkk: decimalText,
  overCheapestHoursDkk: decimalText,
  regretDkk: decimalText.nullable(),
  /** No plan less plan; null with an unknown emission. */
  savedKgCo2: z.string().nullable(),
})
export type BacktestResult = z.infer<typeof result>

export const backtestStates = ['queued', 'running', 'done', 'cancelled', 'failed'] as const

const head = z.object({
  _id: id('load-backtest'),
  target: planTarget,
  state: z.enum(backtestStates),
  period: z.enum(backtestPeriods),
  done: z.number(),
  of: z.number().nullable(),
  cancelAsked: z.boolean(),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
  finishedAt: z.iso.datetime().nullable(),
  reason: z.enum(['no-prices', 'removed', 'error']).nullable(),
  result: result.nullable(),
})
export type Backtest = z.infer<typeof head>

const month = z.object({
  month: z.string(),
  bills: eachWay(planBill),
  kgCo2: eachWay(z.string().nullable()),
  /** Lower bound with perfect foresight. */
  foresightDkk: decimalText.nullable(),
})
export type BacktestMonth = z.infer<typeof month>

export const backtestDetail = head.extend({
  asked: backtestForm.extend(askedAmounts),
  byMonth: z.array(month),
  sources: z.object({ spot: publishedSource, emission: publishedSource }).nullable(),
})
export type BacktestDetail = z.infer<typeof backtestDetail>

const ofBacktest = z.object({ backtestId: id('load-backtest') })

export const backtestColumns = ['target', 'period', 'state', 'saved', 'rule', 'regret', 'madeAt', 'madeBy'] as const

export const findBacktests = call({
  method: 'GET',
  path: '/client/load-shifting/backtest',
  summary: 'List backtests with their progress and result, newest first',
  may: 'load-shifting.read',
  of: ['backtest'],
  sorts: backtestColumns,
  query: z.strictObject({
    ...paged(backtestColumns),
    loadId: z.uuid().optional(),
  }),
  response: z.object({ backtests: z.array(head), totalCount: z.number() }),
})

export const makeBacktest = call({
  method: 'POST',
  path: '/client/load-shifting/backtest',
  summary:
    'Create a backtest: a plan for each day of the last month or the last 12 months on the published prices; it runs in the background',
  may: 'load-shifting.edit',
  touches: ['backtest'],
  body: backtestForm,
  response: z.object({ _id: id('load-backtest') }),
})

export const getBacktest = call({
  method: 'GET',
  path: '/client/load-shifting/backtest/{backtestId}',
  summary:
    'Get a backtest: its progress, or month by month the bill without a plan, of the cheapest hours and of plans; with `format` its months as a file',
  may: 'load-shifting.read',
  of: ['backtest'],
  params: ofBacktest,
  query: z.strictObject({ format: fileFormat.optional() }),
  response: z.object({ backtest: backtestDetail }),
})

export const cancelBacktest = call({
  method: 'POST',
  path: '/client/load-shifting/backtest/{backtestId}/cancel',
  summary: 'Stop a backtest',
  may: 'load-shifting.edit',
  touches: ['backtest'],
  params: ofBacktest,
  ok: m.backtestCancelled,
})
