import { sqlRows, insertRows, type RowOf } from '#platform/records/rows.ts'
import { multiplyDecimals } from '@gridmast/contract/numbers.ts'
import { dayMs, hourMs, localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { findChargingPrices, openPriceBook, priceOn, type ChargingPrice } from './prices.ts'
import { quarterEnergy, type QuarterEnergy } from './quarter-energy.ts'
import { sessionCost } from './session-cost.ts'
import { nextStart, isDoubted } from '#charging/ledger/session-energy.ts'
import type { App } from '#context.ts'
import { dkkOf } from '#grid/published/cost-of-energy.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Job } from '#platform/jobs/jobs.ts'

/** Energy and cost of sessions from the ledger, the prices and the emission; rules: session-cost.md. */

export type Transaction = RowOf<
  'charger_transaction',
  | 'customer_id'
  | 'charger_id'
  | 'transaction_id'
  | 'evse_no'
  | 'started_at'
  | 'ended_at'
  | 'meter_start_wh'
  | 'consumption_wh'
> & { is_doubted: boolean; max_kw: string }

/** Unpublished prices and emission are read again at this interval; after a week the interval grows with the age of the session. */
const recountMs = quarterMs
const recountOftenMs = 7 * dayMs
const recountShare = 7
const emissionAfterMs = hourMs

const findRegisters = async (tx: Tx, sessions: readonly Transaction[]) => {
  const rows = await sqlRows<{ transaction_id: string; at: Date; wh: string }>(tx)`
    select s.transaction_id, r.at, r.wh
    from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as s
      (customer_id uuid, charger_id uuid, transaction_id uuid, evse_no integer, started_at timestamptz, ended_at timestamptz)
    join charger_register r on r.customer_id = s.customer_id and r.charger_id = s.charger_id and r.evse_no = s.evse_no
      and r.at >= s.started_at and r.at <= coalesce(s.ended_at, ${nextStart} - interval '1 millisecond', 'infinity')
    order by r.at`
  return Map.groupBy(rows, ({ transaction_id }) => transaction_id)
}

const energyOf = (one: Transaction, registers: Awaited<ReturnType<typeof findRegisters>>) => {
  if (one.is_doubted) return null
  const rows = registers.get(one.transaction_id) ?? []
  const readings = rows.map(({ at, wh }) => ({ atMs: at.getTime(), wh: Number(wh) }))
  const fromMs = one.started_at.getTime()
  return quarterEnergy(
    {
      fromMs,
      toMs: Math.max(fromMs, one.ended_at?.getTime() ?? readings.at(-1)?.atMs ?? fromMs),
      meterStartWh: one.meter_start_wh === null ? null : Number(one.meter_start_wh),
      wh: one.consumption_wh === null ? null : Number(one.consumption_wh),
      maxKw: Number(one.max_kw),
    },
    readings,
  )
}

const lastQuarterOf = ({ fromMs, wh }: QuarterEnergy) => fromMs + (wh.length - 1) * quarterMs

type Prices = { of: (one: Transaction) => Promise<ChargingPrice[]>; book: ReturnType<typeof openPriceBook> }

const costRow = async (one: Transaction, energy: QuarterEnergy, { of, book }: Prices, nowMs: number) => {
  const prices = await of(one)
  const startDay = localDateOf(one.started_at.getTime())
  const days = await book.of(prices, localDateOf(energy.fromMs), localDateOf(lastQuarterOf(energy)))
  const { cost, gCo2 } = sessionCost(energy, days)
  const unknown = typeof cost === 'string' ? cost : null
  const dkk = typeof cost === 'string' ? null : cost
  const atStart = priceOn(prices, startDay)
  const kwh = (energy.wh.reduce((sum, part) => sum + part, 0) / 1000).toFixed(3)
  const openUntilMs = lastQuarterOf(energy) + hourMs + emissionAfterMs
  const isOpen = unknown === 'spot' || unknown === 'tariff' || gCo2 === null || nowMs < openUntilMs
  const ageMs = nowMs - lastQuarterOf(energy)
  const waitMs = ageMs < recountOftenMs ? recountMs : ageMs / recountShare
  return {
    customer_id: one.customer_id,
    transaction_id: one.transaction_id,
    from_at: new Date(energy.fromMs),
    wh: energy.wh,
    spread: energy.spread,
    area: atStart?.area ?? null,
    spot_dkk: dkk && dkkOf(dkk.spot),
    tariff_dkk: dkk && dkkOf(dkk.tariff),
    tax_dkk: dkk && dkkOf(dkk.tax),
    unknown,
    // The price at the start applies to the whole session: a driver who plugs in at 0.9 DKK pays 0.9 DKK.
    driver_dkk: atStart?.driver_dkk_per_kwh ? multiplyDecimals(kwh, atStart.driver_dkk_per_kwh) : null,
    g_co2: gCo2 === null ? null : gCo2.toFixed(3),
    due_at: isOpen && unknown !== 'price' ? new Date(nowMs + waitMs) : null,
  }
}

type CostRow = Awaited<ReturnType<typeof costRow>>

const saveCosts = async (tx: Tx, rows: readonly CostRow[], without: readonly Transaction[]) => {
  if (rows.length > 0)
    await sql`${insertRows('charging_cost', rows)} on conflict (customer_id, transaction_id) do update set
      from_at = excluded.from_at, wh = excluded.wh, spread = excluded.spread, area = excluded.area, spot_dkk = excluded.spot_dkk,
      tariff_dkk = excluded.tariff_dkk, tax_dkk = excluded.tax_dkk, unknown = excluded.unknown, driver_dkk = excluded.driver_dkk,
      g_co2 = excluded.g_co2, due_at = excluded.due_at`.execute(tx)
  if (without.length > 0)
    await sql`delete from charging_cost where (customer_id, transaction_id) in
      (select customer_id, transaction_id from jsonb_to_recordset(${JSON.stringify(without)}::jsonb) as s (customer_id uuid, transaction_id uuid))`.execute(
      tx,
    )
}

const maxPerTransaction = 100

const openCounting = ({ records, readings, clock }: Pick<App, 'records' | 'readings' | 'clock'>) => {
  const pricesOf = new Map<string, Promise<ChargingPrice[]>>()
  const prices: Prices = {
    book: openPriceBook({ read: records.system, readings }),
    of: ({ customer_id, charger_id }) => {
      const prices = pricesOf.get(charger_id) ?? records.system((tx) => findChargingPrices(tx, customer_id, charger_id))
      pricesOf.set(charger_id, prices)
      return prices
    },
  }
  const countSome = async (sessions: readonly Transaction[]) => {
    const registers = await records.system((tx) => findRegisters(tx, sessions))
    const rows: CostRow[] = []
    const without: Transaction[] = []
    for (const one of sessions) {
      const energy = energyOf(one, registers)
      if (energy) rows.push(await costRow(one, energy, prices, clock.now()))
      else without.push(one)
    }
    await records.system((tx) => saveCosts(tx, rows, without))
  }
  return async (sessions: readonly Transaction[]): Promise<void> => {
    for (let from = 0; from < sessions.length; from += maxPerTransaction)
      await countSome(sessions.slice(from, from + maxPerTransaction))
  }
}

const columns = sql`s.customer_id, s.charger_id, s.transaction_id, s.evse_no, s.started_at, s.ended_at, s.meter_start_wh, s.consumption_wh,
  ${isDoubted} as is_doubted, c.max_kw`

const maxAtOnce = 2000

const claim = async (tx: Tx): Promise<boolean> => {
  const { rows } = await sql`
    update charging_due set claimed = true, marked = false
    where (customer_id, charger_id, evse_no, day) in
      (select customer_id, charger_id, evse_no, day from charging_due order by day desc limit ${maxAtOnce} for update skip locked)
    returning 1`.execute(tx)
  return rows.length > 0
}

const settleMs = 10_000

/**
 * A transaction that stores a reading leaves an existing due row unchanged (migration 0044), so every transaction that may have seen the claimed rows
 * has to end first. False where one takes long: the rows stay claimed until the next run.
 */
const isSettled = async ({ embedded, system }: App['records']): Promise<boolean> => {
  if (embedded) return true
  const [latest] = await system(
    (tx) => sqlRows<{ next: string }>(tx)`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  )
  const next = latest?.next ?? ''
  for (const until = performance.now() + settleMs; performance.now() < until;) {
    const [row] = await system(
      (tx) => sqlRows<{ ended: boolean }>(tx)`select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as ended`,
    )
    if (row?.ended) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

const findClaimed = (tx: Tx) => sqlRows<Transaction>(tx)`
    select distinct ${columns} from charging_due d
    join charger_transaction s on s.customer_id = d.customer_id and s.charger_id = d.charger_id and coalesce(s.evse_no, -1) = d.evse_no
      and s.started_at < (d.day + 1)::timestamp at time zone 'UTC'
      and coalesce(s.ended_at, 'infinity') >= d.day::timestamp at time zone 'UTC'
    join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
    where d.claimed`

const release = async (tx: Tx): Promise<void> => {
  await sql`delete from charging_due where claimed and not marked`.execute(tx)
  await sql`update charging_due set claimed = false where claimed`.execute(tx)
}

/** A price may be committed this long after its own timestamp. */
const commitDelayMs = quarterMs

const markPublished = async (tx: Tx, nowMs: number): Promise<void> => {
  const now = new Date(nowMs)
  const last = await tx.selectFrom('charging_watermark').select('revised_at').executeTakeFirst()
  const since = new Date(Math.min(last?.revised_at.getTime() ?? nowMs, nowMs) - commitDelayMs)
  await sql`
    update charging_cost c set due_at = ${now} from market_price_revision r
    where r.market = 'day-ahead' and r.replaced_at > ${since} and c.area = r.area
      and r.starts_at > c.from_at - interval '1 hour'
      and r.starts_at < c.from_at + cardinality(c.wh) * interval '15 minutes'`.execute(tx)
  await sql`
    update charging_cost c set due_at = ${now}
    where c.unknown = 'spot' and exists (
        select from market_price p where p.market = 'day-ahead' and p.area = c.area and p.fetched_at > ${since}
          and p.starts_at > c.from_at - interval '1 hour'
          and p.starts_at < c.from_at + cardinality(c.wh) * interval '15 minutes')
      or c.unknown = 'tariff' and exists (select from tariff where fetched_at > ${since})`.execute(tx)
  await sql`
    insert into charging_watermark (revised_at) values (${now}) on conflict (is_one) do update set revised_at = ${now}`.execute(
    tx,
  )
}

const findDue = (tx: Tx, nowMs: number) => sqlRows<Transaction>(tx)`
    select ${columns} from charger_transaction s
    join (select customer_id, transaction_id from charging_cost where due_at <= ${new Date(nowMs)} order by due_at limit ${maxAtOnce}) d
      on d.customer_id = s.customer_id and d.transaction_id = s.transaction_id
    join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id`

export const countCosts = async (app: Pick<App, 'records' | 'readings' | 'clock' | 'log'>): Promise<void> => {
  const { records, clock } = app
  const nowMs = clock.now()
  const countSessions = openCounting(app)
  await records.system((tx) => markPublished(tx, nowMs))
  if ((await records.system(claim)) && (await isSettled(records))) {
    await countSessions(await records.system(findClaimed))
    await records.system(release)
  }
  await countSessions(await records.system((tx) => findDue(tx, nowMs)))
}

export const costsJob: Job<App> = {
  name: 'charging-costs',
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  run: countCosts,
}
