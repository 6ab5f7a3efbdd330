import { multiplyDecimals } from '@gridmast/contract/numbers.ts'
import { hourMs, localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { dkkOf } from '#market/cost-of-energy.ts'
import type { Job } from '#platform/jobs.ts'
import type { Tx } from '#platform/records.ts'
import { findChargingPrices, openPriceBook, priceOn, type ChargingPrice, type PriceBook } from '#charging/prices.ts'
import { quarterEnergy, type QuarterEnergy } from '#charging/quarter-energy.ts'
import { sessionCost } from '#charging/session-cost.ts'

/*
 * Counts what sessions took and cost, again and again: whatever the ledger, the prices or the emission say later, the row of a session is made
 * anew from all of it. Rules: session-cost.md.
 */

type Outlet = { customer_id: string; charger_id: string; evse_no: number }
type Transaction = {
  customer_id: string
  charger_id: string
  transaction_id: string
  evse_no: number | null
  started_at: Date
  ended_at: Date | null
  meter_start_wh: string | null
  consumption_wh: string | null
}

const columns = sql`customer_id, charger_id, transaction_id, evse_no, started_at, ended_at, meter_start_wh, consumption_wh`

/** What was not published yet is looked for so often, and so long. */
const lookAgainMs = quarterMs
const lookUntilMs = 7 * 24 * hourMs
/** The emission of an hour is complete by then. */
const emissionAfterMs = hourMs

/** Outlets, and sessions to be looked at again, of one run. */
const mostAtOnce = 2000

const findRegisters = async (tx: Tx, one: Transaction) => {
  if (one.evse_no === null) return []
  const rows = await tx
    .selectFrom('charger_register')
    .select(['at', 'wh'])
    .where('customer_id', '=', one.customer_id)
    .where('charger_id', '=', one.charger_id)
    .where('evse_no', '=', one.evse_no)
    .where('at', '>=', one.started_at)
    .$if(one.ended_at !== null, (of) => of.where('at', '<=', one.ended_at ?? one.started_at))
    .orderBy('at')
    .execute()
  return rows.map(({ at, wh }) => ({ atMs: at.getTime(), wh: Number(wh) }))
}

const takenBy = async (tx: Tx, one: Transaction): Promise<QuarterEnergy | null> => {
  const readings = await findRegisters(tx, one)
  const fromMs = one.started_at.getTime()
  return quarterEnergy(
    {
      fromMs,
      toMs: Math.max(fromMs, one.ended_at?.getTime() ?? readings.at(-1)?.atMs ?? fromMs),
      meterStartWh: one.meter_start_wh === null ? null : Number(one.meter_start_wh),
      wh: one.consumption_wh === null ? null : Number(one.consumption_wh),
    },
    readings,
  )
}

const lastQuarterOf = ({ fromMs, wh }: QuarterEnergy) => fromMs + (wh.length - 1) * quarterMs

const costRow = async (
  one: Transaction,
  taken: QuarterEnergy,
  { prices, book, nowMs }: { prices: readonly ChargingPrice[]; book: PriceBook; nowMs: number },
) => {
  const startDay = localDateOf(one.started_at.getTime())
  const days = await book.of(prices, localDateOf(taken.fromMs), localDateOf(lastQuarterOf(taken)))
  const { cost, gCo2 } = sessionCost(taken, days)
  const unknown = typeof cost === 'string' ? cost : null
  const known = typeof cost === 'string' ? null : cost
  const atStart = priceOn(prices, startDay)
  const kwh = (taken.wh.reduce((sum, part) => sum + part, 0) / 1000).toFixed(3)
  const openUntilMs = lastQuarterOf(taken) + hourMs + emissionAfterMs
  const isOpen = unknown === 'spot' || unknown === 'tariff' || gCo2 === null || nowMs < openUntilMs
  const isWaited = isOpen && unknown !== 'price' && nowMs < lastQuarterOf(taken) + lookUntilMs
  return {
    ...{ customer_id: one.customer_id, transaction_id: one.transaction_id },
    ...{ from_at: new Date(taken.fromMs), wh: taken.wh, spread: taken.spread, area: atStart?.area ?? null },
    spot_dkk: known && dkkOf(known.spot),
    tariff_dkk: known && dkkOf(known.tariff),
    tax_dkk: known && dkkOf(known.tax),
    unknown,
    // The price at the start counts for the whole of a session: who plugs in at 0.9 DKK leaves at 0.9 DKK.
    driver_dkk: atStart?.driver_dkk_per_kwh ? multiplyDecimals(kwh, atStart.driver_dkk_per_kwh) : null,
    g_co2: gCo2 === null ? null : gCo2.toFixed(3),
    due_at: isWaited ? new Date(nowMs + lookAgainMs) : null,
  }
}

const saveCost = (tx: Tx, row: Awaited<ReturnType<typeof costRow>>) => {
  const { customer_id: _, transaction_id: __, ...rest } = row
  return tx
    .insertInto('charging_cost')
    .values(row)
    .onConflict((conflict) => conflict.columns(['customer_id', 'transaction_id']).doUpdateSet(rest))
    .execute()
}

type Run = {
  app: Pick<App, 'records' | 'readings' | 'clock' | 'log'>
  book: PriceBook
  prices: (one: Pick<Outlet, 'customer_id' | 'charger_id'>) => Promise<ChargingPrice[]>
}

const countOne = async ({ app, book, prices }: Run, one: Transaction): Promise<void> => {
  const known = await prices(one)
  const taken = await app.records.system((tx) => takenBy(tx, one))
  const row = taken && (await costRow(one, taken, { prices: known, book, nowMs: app.clock.now() }))
  await app.records.system(async (tx) => {
    if (row) await saveCost(tx, row)
    else
      await tx
        .deleteFrom('charging_cost')
        .where('customer_id', '=', one.customer_id)
        .where('transaction_id', '=', one.transaction_id)
        .execute()
  })
}

/** What is marked from now on is for the next run; what a run that died was counting is counted again. */
const claimOutlets = async (tx: Tx) => {
  const { rows } = await sql<Outlet & { from_at: Date }>`
    update charging_due set claimed_from = least(claimed_from, from_at), from_at = null
    where (customer_id, charger_id, evse_no) in
      (select customer_id, charger_id, evse_no from charging_due order by least(claimed_from, from_at) desc limit ${mostAtOnce}
        for update skip locked)
    returning customer_id, charger_id, evse_no, claimed_from as from_at`.execute(tx)
  return rows
}

const settleMs = 10_000

/**
 * Who stores a reading beside a mark leaves it as it is (migration 0044), so all who may have seen the marks that are taken now have to end first.
 * False where one of them takes long: what is taken then stays so until the next run.
 */
const isSettled = async ({ embedded, system }: App['records']): Promise<boolean> => {
  if (embedded) return true
  const { rows } = await system((tx) =>
    sql<{ next: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(tx),
  )
  const next = rows[0]?.next ?? ''
  for (const until = performance.now() + settleMs; performance.now() < until;) {
    const { rows: found } = await system((tx) =>
      sql<{ ended: boolean }>`select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as ended`.execute(tx),
    )
    if (found[0]?.ended) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

const countOutlet = async (run: Run, due: Outlet & { from_at: Date }): Promise<void> => {
  const { customer_id, charger_id, evse_no, from_at } = due
  const { rows } = await run.app.records.system((tx) =>
    sql<Transaction>`
      select ${columns} from charger_transaction
      where customer_id = ${customer_id} and charger_id = ${charger_id} and coalesce(evse_no, -1) = ${evse_no}
        and coalesce(ended_at, 'infinity') >= ${from_at} order by started_at`.execute(tx),
  )
  for (const one of rows) await countOne(run, one)
  await run.app.records.system(async (tx) => {
    const mine = sql`customer_id = ${customer_id} and charger_id = ${charger_id} and evse_no = ${evse_no}`
    await sql`update charging_due set claimed_from = null where ${mine}`.execute(tx)
    await sql`delete from charging_due where ${mine} and from_at is null`.execute(tx)
  })
}

/** A revision may be committed so long after the time that it says. */
const lookBackMs = quarterMs

/** Sessions whose prices were published again since the last run are due; those of a quarter of an hour before it once more. */
const markRevised = async (tx: Tx, nowMs: number): Promise<void> => {
  const now = new Date(nowMs)
  const last = await tx.selectFrom('charging_watermark').select('revised_at').executeTakeFirst()
  const since = new Date(Math.min(last?.revised_at.getTime() ?? nowMs, nowMs) - lookBackMs)
  await sql`
    update charging_cost c set due_at = ${now} from market_price_revision r
    where r.market = 'day-ahead' and r.replaced_at > ${since} and c.area = r.area
      and r.starts_at > c.from_at - interval '1 hour'
      and r.starts_at < c.from_at + cardinality(c.wh) * interval '15 minutes'`.execute(tx)
  await sql`
    insert into charging_watermark (revised_at) values (${now}) on conflict (is_one) do update set revised_at = ${now}`.execute(
    tx,
  )
}

export const countCosts = async (app: Run['app']): Promise<void> => {
  const nowMs = app.clock.now()
  const cache = new Map<string, Promise<ChargingPrice[]>>()
  const run: Run = {
    app,
    book: openPriceBook({ read: app.records.system, readings: app.readings }),
    prices: ({ customer_id, charger_id }) => {
      const found = cache.get(charger_id) ?? app.records.system((tx) => findChargingPrices(tx, customer_id, charger_id))
      cache.set(charger_id, found)
      return found
    },
  }
  await app.records.system((tx) => markRevised(tx, nowMs))
  const claimed = await app.records.system(claimOutlets)
  if (claimed.length > 0 && (await isSettled(app.records))) for (const due of claimed) await countOutlet(run, due)
  const { rows } = await app.records.system((tx) =>
    sql<Transaction>`
      select ${columns} from charger_transaction join
        (select customer_id, transaction_id from charging_cost where due_at <= ${new Date(nowMs)} order by due_at limit ${mostAtOnce}) d
        using (customer_id, transaction_id)`.execute(tx),
  )
  for (const one of rows) await countOne(run, one)
}

export const costsJob: Job<App> = {
  name: 'charging-costs',
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  expireS: 3600,
  run: countCosts,
}
