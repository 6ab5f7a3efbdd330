import { quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { isDoubted } from '#charging/ledger/plausible.ts'
import type { App } from '#context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/records/records.ts'
import { openCounting, type Transaction } from './count-sessions.ts'

const columns = sql`s.customer_id, s.charger_id, s.transaction_id, s.evse_no, s.started_at, s.ended_at, s.meter_start_wh, s.consumption_wh,
  ${isDoubted} as is_doubted, c.max_kw`

const mostAtOnce = 2000

const claim = async (tx: Tx): Promise<boolean> => {
  const { rows } = await sql`
    update charging_due set claimed = true, marked = false
    where (customer_id, charger_id, evse_no, day) in
      (select customer_id, charger_id, evse_no, day from charging_due order by day desc limit ${mostAtOnce} for update skip locked)
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

const findClaimed = async (tx: Tx): Promise<Transaction[]> => {
  const { rows } = await sql<Transaction>`
    select distinct ${columns} from charging_due d
    join charger_transaction s on s.customer_id = d.customer_id and s.charger_id = d.charger_id and coalesce(s.evse_no, -1) = d.evse_no
      and s.started_at < (d.day + 1)::timestamp at time zone 'UTC'
      and coalesce(s.ended_at, 'infinity') >= d.day::timestamp at time zone 'UTC'
    join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
    where d.claimed`.execute(tx)
  return rows
}

const release = async (tx: Tx): Promise<void> => {
  await sql`delete from charging_due where claimed and not marked`.execute(tx)
  await sql`update charging_due set claimed = false where claimed`.execute(tx)
}

/** A price may be committed this long after its own timestamp. */
const lookBackMs = quarterMs

const markPublished = async (tx: Tx, nowMs: number): Promise<void> => {
  const now = new Date(nowMs)
  const last = await tx.selectFrom('charging_watermark').select('revised_at').executeTakeFirst()
  const since = new Date(Math.min(last?.revised_at.getTime() ?? nowMs, nowMs) - lookBackMs)
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

const findDue = async (tx: Tx, nowMs: number): Promise<Transaction[]> => {
  const { rows } = await sql<Transaction>`
    select ${columns} from charger_transaction s
    join (select customer_id, transaction_id from charging_cost where due_at <= ${new Date(nowMs)} order by due_at limit ${mostAtOnce}) d
      on d.customer_id = s.customer_id and d.transaction_id = s.transaction_id
    join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id`.execute(tx)
  return rows
}

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
