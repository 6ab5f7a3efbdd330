import { join } from 'node:path'
import { backtestForm } from '@gridmast/contract/planning/load-backtests.ts'
import { planForm } from '@gridmast/contract/planning/load-shifting.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays, datesBetween, localDateOf } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openSolver } from '#planning/solver/highs.ts'
import { makePlan } from '#planning/solver/make-plan.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { openRecords, type Records } from '#platform/records/records.ts'
import { putPrices } from '#testing/prices.ts'
import { addBacktest } from './backtest-rows.ts'
import { monthsOf, openBacktests } from './backtests.ts'
import { addPlan } from './queries.ts'
import { openSolving } from './solve.ts'

/**
 * One waiting plan and one waiting backtest in a process that may kill itself on the way: `node planning.process.ts <folder> <where> <now>`. It dies
 * `plan solved`: before the result is written; `backtest written`: before that is committed. Prints the rows at the end; the first life creates them.
 */
const [dataDir = '', where = '', now = ''] = process.argv.slice(2)
const nowMs = Date.parse(now)
const dieAt = (place: string) => {
  if (place === where) process.kill(process.pid, 'SIGKILL')
}
const store = await openRecords({ dataDir: join(dataDir, 'records') })
const customerId = idOf('customer', 'north')

const pricesOf = (day: string) =>
  slots('quarter', day).map(({ fromMs, index }) => ({
    market: 'day-ahead',
    area: 'DK2',
    at: new Date(fromMs).toISOString(),
    durationS: 900,
    priceDkk: String(500 + (index % 24)),
    unit: 'MWh' as const,
  }))

const isThere = await store.system((tx) => tx.selectFrom('load_plan').select('plan_id').executeTakeFirst())
if (!isThere) {
  const { first, last } = monthsOf('month', nowMs)
  const today = localDateOf(nowMs)
  const days = [...datesBetween(addDays(first, -8), addDays(last, 1)), today, addDays(today, 1)]
  await putPrices(store, days.flatMap(pricesOf), now)
  const load = { instanceId: idOf('instance', 'north', 'cold'), kind: 'shiftable', needKwh: 10, maxKw: 5 }
  await store.system(async (tx) => {
    const planId = newId(nowMs)
    const asked = planForm.parse({ ...load, deadline: new Date(nowMs + 4 * 3_600_000).toISOString() })
    await addPlan(tx, customerId, {
      planId,
      seriesId: planId,
      version: 1,
      load,
      name: 'Cold',
      asked,
      nowMs,
      madeBy: null,
      madeByName: 'X',
    })
    await addBacktest(tx, customerId, {
      backtestId: newId(nowMs),
      name: 'Cold',
      madeByName: 'X',
      asked: backtestForm.parse(load),
      nowMs,
    })
  })
}

const rows = async () => {
  const found = await store.system((tx) =>
    sql`select 'plan' as what, state, tries, plan ->> 'status' as said from load_plan
      union all select 'backtest', state, tries, result ->> 'savedDkk' from load_backtest order by 1 desc`.execute(tx),
  )
  return found.rows
}
const isDone = async (what: string) => {
  const found = (await rows()).filter((row) => (row as { what: string }).what === what)
  return found.every((row) => (row as { state: string }).state === 'done')
}

const records: Records = {
  ...store,
  system: (work) =>
    store.system(async (tx) => {
      const answer = await work(tx)
      const written = await tx
        .selectFrom('load_backtest')
        .select('state')
        .where('state', '=', 'done')
        .executeTakeFirst()
      if (written) dieAt('backtest written')
      return answer
    }),
}
const app = {
  records,
  bus: noBus,
  log: pino({ level: 'silent' }),
  clock: { now: () => nowMs },
  readings: { latest: async () => new Map(), buckets: async () => [] } as never, // the problem uses no readings
}
const solve = await openSolver()
const plans = openSolving(
  app,
  async (problem) => {
    const plan = makePlan(problem, solve, { timeLimitS: 2 })
    dieAt('plan solved')
    return plan
  },
  async () => {},
)
await plans.idle()
await plans.close()
const nothing = { months: [], withoutPlan: [], missedKwh: 0, brokenSlots: 0, notBest: { days: 0, dkk: '0' } }
const backtests = openBacktests(app, async (_, work) => {
  work?.onProgress?.({ done: 3, of: 30 })
  return { ...nothing, savedDkk: '1.00', regretDkk: '0.00', overCheapestHoursDkk: '0.00' }
})
while (!(await isDone('backtest'))) await new Promise((resolve) => setTimeout(resolve, 20))
await backtests.close()
process.stdout.write(JSON.stringify(await rows()))
await store.close()
