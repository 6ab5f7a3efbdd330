import type { BacktestDetail, backtestForm } from '@gridmast/contract/planning/load-backtests.ts'
import * as contract from '@gridmast/contract/planning/load-backtests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, datesBetween, minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { idOf } from '#platform/records/ids.ts'
import { addBacktest, claimNextBacktest } from './backtest-rows.ts'
import { monthsOf, openBacktests, type RunBacktest } from './backtests.ts'
import { chargerOf, nowIso, ofCold, openPlans, putDay } from './plans.fixture.ts'

const nowMs = Date.parse(nowIso)
const missing = '2026-10-14'

const plans = await openPlans()
for (const day of datesBetween('2026-09-28', '2026-11-01')) if (day !== missing) await putDay(plans.app, day)
afterAll(() => plans.close())
afterEach(() => plans.app.byHand((tx) => tx.deleteFrom('load_backtest').execute()))

const form: z.input<typeof backtestForm> = {
  instanceId: ofCold.instanceId ?? '',
  kind: 'shiftable',
  needKwh: 100,
  maxKw: 50,
  from: '16:00',
  until: '08:00',
}

const make = async (more: Partial<typeof form> = {}) => {
  const { token } = plans
  return plans.app.ask(contract.makeBacktest, { token, body: { ...form, ...more } })
}
const read = async (backtestId: string): Promise<BacktestDetail> => {
  const { body } = await plans.app.ask(contract.getBacktest, { token: plans.token, params: { backtestId } })
  return body.data.backtest
}
const ended = (backtestId: string) =>
  vi.waitFor(
    async () => {
      const one = await read(backtestId)
      if (one.state === 'queued' || one.state === 'running') throw new Error(one.state)
      return one
    },
    { timeout: 60_000, interval: 50 },
  )
const cancel = (backtestId: string) =>
  plans.app.ask(contract.cancelBacktest, { token: plans.token, params: { backtestId } })

test('a form with two subjects or none is refused', async () => {
  const { status, body } = await make({ chargerId: chargerOf('a') })
  expect([status, body.message]).toEqual([409, m.loadRequired])
})

test('a month: the savings equal an independent sum, and days without prices are stated', async () => {
  const { body } = await make()
  const one = await ended(body.data._id)
  // Without a plan: an hour at 800 and one at 1,500 DKK/MWh with 50 kW; planned: 100 kWh at 200. Prices begin a week before 5 October. On the 25-hour
  // day the expensive hours are an hour earlier on the clock, and the unplanned cost is 35 DKK higher.
  const days = 27
  expect(one).toMatchObject({
    state: 'done',
    done: days,
    of: days,
    target: { kind: 'instance', name: 'North Cold' },
    result: {
      first: '2026-10-05',
      last: '2026-10-31',
      days,
      daysWithoutPrices: 4,
      assumedDays: [missing],
      savedDkk: (days * (50 * 0.8 + 50 * 1.5 - 100 * 0.2) + 35).toFixed(2),
      overCheapestHoursDkk: '0.00',
      regretDkk: '0.00',
      withoutPlan: [],
      missedKwh: 0,
      brokenSlots: 0,
      savedKgCo2: null,
    },
    byMonth: [
      { month: '2026-10', bills: { noPlan: { spot: String(days * 115 + 35) }, plan: { spot: String(days * 20) } } },
    ],
  })
  const { body: list } = await plans.app.ask(contract.findBacktests, { token: plans.token })
  expect(list.data).toMatchObject({ totalCount: 1, backtests: [{ _id: one._id, state: 'done' }] })
})

test('an unmet need is counted as missed, and workdays follow the calendar', async () => {
  const { body } = await make({ needKwh: 900, workdays: true })
  const one = await ended(body.data._id)
  // 16 hours of 50 kW are 800 kWh, on 20 workdays from 5 to 31 October; the clocks go back on a Sunday.
  expect(one.result).toMatchObject({ missedKwh: 20 * 100, withoutPlan: [] })
})

test('a period before the first prices has no savings', async () => {
  plans.app.setNow('2026-10-20T10:00:00Z')
  const { body } = await plans.app.ask(contract.makeBacktest, { token: await plans.signIn(), body: form })
  plans.app.setNow(nowIso)
  expect(await ended(body.data._id)).toMatchObject({ state: 'failed', reason: 'no-prices', result: null })
})

/** A backtest that ends by its signal only. */
const endless = () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const run: RunBacktest = (_, work) =>
    new Promise((resolve) => {
      start()
      work?.signal?.addEventListener('abort', () => resolve(null))
    })
  return { run, started }
}

test('a queued backtest is cancelled at once, a running one at its next check, and a finished one is unchanged', async () => {
  const { run, started } = endless()
  await plans.planning.close()
  const held = openBacktests(plans.app, run)
  const ids = [(await make({ period: 'year' })).body.data._id, (await make()).body.data._id]
  const [running = '', waiting = ''] = ids
  expect((await cancel(waiting)).body.message).toBe(m.backtestCancelled)
  await started
  await cancel(running)
  const states = [(await ended(running)).state, (await ended(waiting)).state]
  expect(states).toEqual(['cancelled', 'cancelled'])
  expect((await cancel(running)).body).toMatchObject({ success: false, message: m.backtestFinished })
  await held.close()
  await plans.reopen()
})

test('a terminating server returns its backtest to the queue and states it', async () => {
  const { run, started } = endless()
  await plans.planning.close()
  const { body } = await make()
  const held = openBacktests(plans.app, run)
  await started
  expect(await read(body.data._id)).toMatchObject({ state: 'running' })
  await held.close()
  expect(await read(body.data._id)).toMatchObject({ state: 'queued', done: 0 })
  await plans.reopen()
  expect(await ended(body.data._id)).toMatchObject({ state: 'done' })
})

test('each company has its first backtest before a second one of any company; a dead process loses its backtests after 20 s', async () => {
  await plans.planning.close()
  const asked = contract.backtestForm.parse(form)
  const add = (customer: string, minute: number, name: string) =>
    plans.app.records.system((tx) =>
      addBacktest(tx, idOf('customer', customer), {
        backtestId: idOf('backtest', name),
        name,
        madeByName: 'X',
        nowMs: nowMs + minute * minuteMs,
        asked: { ...asked, instanceId: undefined },
      }),
    )
  for (const [i, name] of ['north 1', 'north 2', 'north 3'].entries()) await add('north', i, name)
  await add('west', 5, 'west 1')
  const take = (atMs: number, diedBeforeMs = 0) =>
    plans.app.records.system(async (tx) => (await claimNextBacktest(tx, atMs, diedBeforeMs))?.name)
  expect([await take(nowMs), await take(nowMs)]).toEqual(['north 1', 'west 1'])
  expect([await take(nowMs + 1), await take(nowMs + 1), await take(nowMs + 1)]).toEqual([
    'north 2',
    'north 3',
    undefined,
  ])
  expect(await take(nowMs + 20_001, nowMs + 1)).toBe('north 1')
  await plans.app.byHand((tx) => tx.deleteFrom('load_backtest').execute())
  await plans.reopen()
})

test('a company has at most three open backtests', async () => {
  await plans.planning.close()
  for (let i = 0; i < limits.openBacktests; i++) expect((await make()).status).toBe(200)
  expect((await make()).body.message).toBe(m.tooManyBacktests)
  await plans.app.byHand((tx) => tx.deleteFrom('load_backtest').execute())
  await plans.reopen()
})

test.each([
  [{ needKwh: undefined }, { needKwh: m.needRequired }],
  [{ kind: 'session' as const }, { kind: m.kindOfLoad }],
  [{ from: '24:00' }, { from: m.time }],
])('an invalid form is refused: %o', async (part, errors) => {
  const { status, body } = await make(part)
  expect([status, body.errors]).toEqual([400, errors])
})

test('the last month is the previous month, and a year its last twelve', () => {
  expect(monthsOf('month', nowMs)).toEqual({ first: '2026-10-01', last: '2026-10-31' })
  expect(monthsOf('year', Date.parse('2026-02-28T23:00:00Z'))).toEqual({ first: '2025-03-01', last: '2026-02-28' })
  expect(addDays(monthsOf('year', Date.parse('2026-02-28T22:59:59Z')).last, 1)).toBe('2026-02-01')
})
