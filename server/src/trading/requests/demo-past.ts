import { setTimeout as pause } from 'node:timers/promises'
import { auctionsOfMarket, cutOffMs, energyPriced, gateMs, type Gate } from '@gridmast/contract/bid-slots.ts'
import {
  addDays,
  atLocalTime,
  datesBetween,
  localMonthOf,
  minuteMs,
  today,
  type LocalDate,
} from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import { idOf } from '#platform/records/ids.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/records/records.ts'
import { findPublished, getBidInstance } from './slot-history.ts'
import { submitRequest } from './submit.ts'
import { type Habit, habits as demoHabits, mondayOf } from './demo-habits.ts'
import { meanPrices, slotPrices } from './earnings.ts'
import { productsOf } from './expansion.ts'
import { placeBids } from '#trading/placing/placing.ts'
import { findGates } from './queries.ts'
import { decideOpen } from '#trading/results/results.ts'

/**
 * Past bids of a demo, placed and decided by the current rules at the time of then and the published prices, newest week first; mails, webhooks
 * and audit entries are skipped.
 */

type PastApp = Pick<App, 'records' | 'config' | 'clock' | 'log'>
type Week = { market: string; monday: LocalDate; habits: readonly Habit[] }

const askedAtMs = (monday: LocalDate) => atLocalTime(addDays(monday, -4), '09:10')

const datasets: Record<string, string> = {
  FCR: 'FcrDK1',
  'FCR-D-INC': 'FcrNdDK2',
  'FCR-D-DEC': 'FcrNdDK2',
  FFR: 'FfrDK2',
  aFRR: 'AfrrReservesNordic',
}

const findCompanies = (tx: Tx) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
    .innerJoin('edge as e', (join) =>
      join.onRef('e.customer_id', '=', 'i.customer_id').onRef('e.edge_id', '=', 'i.edge_id'),
    )
    .select(['i.customer_id', 'i.key', 'i.instance_id', 'i.licence_id'])
    .where('c.demo', '=', true)
    .where('e.simulated', '=', true)
    .where('i.enabled', '=', true)
    .execute()

type Own = Awaited<ReturnType<typeof findCompanies>>[number]

const requestIdOf = ({ instance_id }: Own, { market, monday }: Week) =>
  idOf('demo bid request', instance_id, market, monday)

const findPricedMonths = async (tx: Tx): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('backfill_month')
    .select(['dataset', 'month'])
    .where('dataset', 'in', [...new Set(Object.values(datasets))])
    .where('finished_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ dataset, month }) => `${dataset} ${month}`))
}

const isPriced = (months: ReadonlySet<string>, { market, monday }: Week, nowMs: number): boolean =>
  [addDays(monday, -11), addDays(monday, 6)].every((day) => {
    const month = localMonthOf(Math.min(atLocalTime(day, '12:00'), nowMs))
    return months.has(`${datasets[market]} ${month}`)
  })

const formOf = async (tx: Tx, own: Own, { instance: _, ...habit }: Habit, monday: LocalDate) => {
  const { market, share, leastEur = 0 } = habit
  const { customer_id, instance_id, licence_id } = own
  const { area, contract } = await getBidInstance(tx, customer_id, instance_id, monday)
  const days = datesBetween(addDays(monday, -11), addDays(monday, -5))
  const [product = market] = productsOf(market, area)
  const [auction = ''] = auctionsOfMarket(market)
  const span = { fromMs: atLocalTime(days[0] ?? monday, '00:00'), toMs: atLocalTime(monday, '00:00') }
  const { priceAt } = await findPublished(tx, area, [product], span)
  const means = meanPrices(days.map((day) => slotPrices(market, { product, auction }, day, priceAt)))
  const price = means.map((mean) =>
    Math.max(leastEur, Number((Number(mean ?? contract?.default_price_eur ?? 0) * share).toFixed(2))),
  )
  return {
    licenseId: licence_id,
    biddingMarket: market,
    groupId: instance_id,
    startDate: monday,
    endDate: addDays(monday, 6),
    excludedDays: habit.excluded(monday),
    note: `${habit.note} (simuleret)`,
    customBidding: true,
    capacity: [...habit.mw],
    price,
    regulationPrice: energyPriced(market) ? price.map((eur) => eur + 60) : null,
  }
}

/** Requests of a week on a market and the results of its closed gates in one transaction, so that no process sees a missed gate. */
const makeWeek = async (app: PastApp, gates: readonly Gate[], own: readonly Own[], week: Week): Promise<boolean> => {
  const { market, monday, habits } = week
  const [first] = own
  if (!first) return false
  const nowMs = app.clock.now()
  return app.records.tenant(first.customer_id, async (tx) => {
    let isAsked = false
    for (const one of own) {
      const habit = habits.find((wanted) => wanted.instance === one.key && wanted.market === market)
      if (!habit) continue
      const form = await formOf(tx, one, habit, monday)
      const asked = submitRequest(tx, one.customer_id, form, requestIdOf(one, week), askedAtMs(monday))
      isAsked = (await asked.then(() => true, ifByHand)) || isAsked
    }
    if (!isAsked) return false
    for (const auction of auctionsOfMarket(market)) {
      const gate = gates.find((known) => known.market === market && known.auction === auction)
      for (const day of gate ? datesBetween(monday, addDays(monday, 6)) : []) {
        if (!gate || gateMs(gate, day) > nowMs) continue
        const made = { customerId: first.customer_id, gate, day, nowMs: cutOffMs(gate, day) + minuteMs }
        await placeBids(tx, made, new Map())
        await tx
          .updateTable('bid_file')
          .set({ results_told_at: new Date(nowMs) })
          .where('customer_id', '=', first.customer_id)
          .where('market', '=', market)
          .where('auction', '=', auction)
          .where('day', '=', day)
          .execute()
      }
      await decideOpen(tx, nowMs, new Date(atLocalTime(monday, '00:00')))
    }
    return true
  })
}

const ifByHand = (error: unknown): false => {
  if (error instanceof Refusal) return false
  throw error
}

const runMs = 50_000
const pricesPollMs = 2000

const findMade = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ request_id: string }>`
    select request_id from bid_request where request_id = any(${ids}::uuid[])`.execute(tx)
  return new Set(rows.map(({ request_id }) => request_id))
}

/** Creates the weeks whose prices are stored or arrive within `waitMs`; returns their number. */
export const makePast = async (app: PastApp, habits = demoHabits, waitMs = 0): Promise<number> => {
  const startMs = app.clock.now()
  const { gates, own } = await app.records.system(async (tx) => ({
    gates: await findGates(tx),
    own: await findCompanies(tx),
  }))
  const bidders = own.filter(({ key }) => habits.some(({ instance }) => instance === key))
  if (bidders.length === 0) return 0
  const weeks: Week[] = []
  const oldest = addDays(today(startMs), 14 - app.config.DEMO_PRICE_DAYS)
  for (let monday = mondayOf(addDays(today(startMs), 7)); monday >= oldest; monday = addDays(monday, -7))
    if (askedAtMs(monday) <= startMs)
      weeks.push(...[...new Set(habits.map(({ market }) => market))].map((market) => ({ market, monday, habits })))
  const of = ({ market }: Week) =>
    bidders.filter(({ key }) => habits.some((habit) => habit.instance === key && habit.market === market))
  const ids = weeks.flatMap((week) => of(week).map((one) => requestIdOf(one, week)))
  const made = await app.records.system((tx) => findMade(tx, ids))
  const waiting = weeks.map((week) => ({ week, missing: of(week).filter((one) => !made.has(requestIdOf(one, week))) }))
  const left = new Set(waiting.filter(({ missing }) => missing.length > 0))
  let count = 0
  while (left.size > 0) {
    const months = await app.records.system(findPricedMonths)
    const next = [...left].find(({ week }) => isPriced(months, week, startMs))
    const beganMs = app.clock.now()
    if (beganMs - startMs > waitMs) break
    if (next) {
      left.delete(next)
      if (await makeWeek(app, gates, next.missing, next.week)) count++
      // Half duty, because a demo that has just started has other work.
      await pause(Math.min(500, app.clock.now() - beganMs))
    } else if (waitMs > 0) await pause(pricesPollMs)
    else break
  }
  if (count > 0) app.log.info({ weeks: count }, 'demo: past bids created')
  return count
}

export const pastJob: Job<App> = {
  name: 'demo-bids',
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  run: async (app) => void (app.config.demo && (await makePast(app, demoHabits, runMs))),
}
