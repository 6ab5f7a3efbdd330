import { dayMs } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '#context.ts'
import type { Table } from '#operator/people-data/person-tables.ts'
import { appendEntry } from '#platform/records/audit.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { selectRows, sqlRows } from '#platform/records/rows.ts'

type Settings = Pick<
  App['config'],
  | 'RETENTION_AUDIT_DAYS'
  | 'RETENTION_SESSIONS_DAYS'
  | 'RETENTION_REGISTERS_DAYS'
  | 'RETENTION_EVENTS_DAYS'
  | 'RETENTION_REVISIONS_DAYS'
  | 'RETENTION_MESSAGES_DAYS'
  | 'RETENTION_COMMANDS_DAYS'
  | 'RETENTION_ALERTS_DAYS'
  | 'RETENTION_PLANS_DAYS'
>

type Rule = {
  table: Table
  days: keyof Settings | number
  /** Rows of `t` that end before `before` and that no other row needs. */
  old: (before: Date) => RawBuilder<unknown>
}

const isUnreferenced = (table: Table, column: string, key: string) =>
  sql`not exists (select from ${sql.table(table)} r where r.customer_id = t.customer_id and r.${sql.ref(column)} = t.${sql.ref(key)})`

/** In the order of their foreign keys. */
const rules: Rule[] = [
  { table: 'charger_message', days: 'RETENTION_MESSAGES_DAYS', old: (before) => sql`t.received_at < ${before}` },
  { table: 'charger_register', days: 'RETENTION_REGISTERS_DAYS', old: (before) => sql`t.at < ${before}` },
  {
    table: 'equipment_command',
    days: 'RETENTION_COMMANDS_DAYS',
    old: (before) => sql`t.issued_at < ${before} and not t.is_open`,
  },
  { table: 'command_log', days: 'RETENTION_COMMANDS_DAYS', old: (before) => sql`t.at < ${before}` },
  {
    table: 'charger_command',
    days: 'RETENTION_COMMANDS_DAYS',
    old: (before) => sql`t.issued_at < ${before} and not t.is_open
      and ${isUnreferenced('charger_transaction', 'command_id', 'command_id')}
      and ${isUnreferenced('payment', 'command_id', 'command_id')}
      and ${isUnreferenced('charging_stop', 'command_id', 'command_id')}`,
  },
  { table: 'sold_risk', days: 'RETENTION_ALERTS_DAYS', old: (before) => sql`t.ends_at < ${before}` },
  {
    table: 'alert_trigger',
    days: 'RETENTION_ALERTS_DAYS',
    old: (before) => sql`t.triggered_at < ${before} and ${isUnreferenced('sold_risk', 'trigger_id', 'trigger_id')}`,
  },
  {
    table: 'load_plan',
    days: 'RETENTION_PLANS_DAYS',
    old: (before) =>
      sql`t.made_at < ${before} and t.state not in ('queued', 'running') and (t.accepted_at is null or t.ended_at < ${before})`,
  },
  {
    table: 'load_backtest',
    days: 'RETENTION_PLANS_DAYS',
    old: (before) => sql`t.made_at < ${before} and t.state not in ('queued', 'running')`,
  },
  { table: 'event', days: 'RETENTION_EVENTS_DAYS', old: (before) => sql`t.started_at < ${before} and t.is_final` },
  {
    table: 'edge_event',
    days: 'RETENTION_EVENTS_DAYS',
    old: (before) => sql`t.started_at < ${before} and ${isUnreferenced('event', 'edge_event_id', 'event_id')}`,
  },
  { table: 'settlement_revision', days: 'RETENTION_REVISIONS_DAYS', old: (before) => sql`t.replaced_at < ${before}` },
  { table: 'market_price_revision', days: 'RETENTION_REVISIONS_DAYS', old: (before) => sql`t.replaced_at < ${before}` },
  { table: 'meter_day_revision', days: 'RETENTION_REVISIONS_DAYS', old: (before) => sql`t.replaced_at < ${before}` },
  { table: 'charging_budget_notice', days: 400, old: (before) => sql`t.at < ${before}` },
  {
    table: 'address_confirmation',
    days: 30,
    old: (before) => sql`t.expires_at < ${before} and t.confirmed_at is null`,
  },
]

/** So that a transaction takes less than a second: the embedded store has one connection, and one row may cost a scan of a large table. */
const maxBatchRows = 5000
const batchMs = { slow: 300, fast: 60 }

/** Repeats `work` with a number of rows that follows its duration, until it changes fewer rows. */
export const inBatches = async (work: (rows: number) => Promise<number>): Promise<number> => {
  let rows = 1
  for (let total = 0; ;) {
    const startedMs = performance.now()
    const changed = await work(rows)
    total += changed
    if (changed < rows) return total
    const tookMs = performance.now() - startedMs
    if (tookMs > batchMs.slow) rows = Math.ceil(rows / 2)
    else if (tookMs < batchMs.fast) rows = Math.min(maxBatchRows, rows * 2)
  }
}

const countOf = (result: { numAffectedRows?: bigint | undefined }) => Number(result.numAffectedRows ?? 0)

const deleteOld = (records: Records, table: Table, old: RawBuilder<unknown>): Promise<number> =>
  inBatches((rows) =>
    records.system(async (tx) =>
      countOf(
        await sql`delete from ${sql.table(table)} where ctid = any(array(
          select t.ctid from ${sql.table(table)} t where ${old} limit ${rows}))`.execute(tx),
      ),
    ),
  )

/** Sessions stay for the accounts; which tag charged is forgotten. */
const forgetTags = (records: Records, before: Date): Promise<number> =>
  inBatches((rows) =>
    records.system(async (tx) =>
      countOf(
        await sql`update charger_transaction set tag = null, tag_id = null where ctid = any(array(
          select t.ctid from charger_transaction t
          where t.ended_at < ${before} and (t.tag is not null or t.tag_id is not null) limit ${rows}))`.execute(tx),
      ),
    ),
  )

/** Lock number of transactions that change a trail as the owner of the tables. */
export const trailLock = 7_305_005

const monthStart = (ms: number) => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth())

/** Names the last entry to be removed in the trail and in the anchor; from then on verification begins behind it (ADR 14). */
const moveAnchor = async (tx: Tx, customerId: string, before: Date, nowMs: number): Promise<void> => {
  const [last] = await sqlRows<{ entry_no: number; sha256: Buffer }>(tx)`
    select entry_no, sha256 from audit_entry where customer_id = ${customerId} and entry_no < (
      select coalesce(min(entry_no), 0) from audit_entry where customer_id = ${customerId} and at >= ${before}
    ) order by entry_no desc limit 1`
  const anchor = await selectRows(tx, customerId, 'audit_anchor').select('entry_no').executeTakeFirst()
  if (!last || last.entry_no <= (anchor?.entry_no ?? 0)) return
  const after = { upTo: last.entry_no, sha256: Buffer.from(last.sha256).toString('hex') }
  const cutBy = await appendEntry(tx, customerId, nowMs, {
    who: 'Gridmast',
    action: 'customer.trail-cut',
    subject: before.toISOString().slice(0, 10),
    after,
  })
  await sql`
    insert into audit_anchor (customer_id, entry_no, sha256, cut_by) values (${customerId}, ${last.entry_no}, ${last.sha256}, ${cutBy})
    on conflict (customer_id) do update set entry_no = excluded.entry_no, sha256 = excluded.sha256, cut_by = excluded.cut_by`.execute(
    tx,
  )
}

const cutTrails = async (records: Records, before: Date, nowMs: number): Promise<number> => {
  const customers = await records.system((tx) => tx.selectFrom('customer').select('customer_id').execute())
  let removed = 0
  for (const { customer_id } of customers) {
    await records.alone(trailLock, (tx) => moveAnchor(tx, customer_id, before, nowMs))
    removed += await inBatches((rows) =>
      records.alone(trailLock, async (tx) =>
        countOf(
          await sql`delete from audit_entry where customer_id = ${customer_id} and entry_no in (
            select e.entry_no from audit_entry e join audit_anchor a on a.customer_id = e.customer_id
            where e.customer_id = ${customer_id} and e.entry_no <= a.entry_no order by e.entry_no limit ${rows})`.execute(
            tx,
          ),
        ),
      ),
    )
  }
  return removed
}

/** Removes what is past its retention, in short transactions; answers the number of rows for each table. */
export const applyRetention = async (
  { records }: Pick<App, 'records'>,
  settings: Settings,
  nowMs: number,
): Promise<Partial<Record<Table, number>>> => {
  const removed: Partial<Record<Table, number>> = {}
  for (const { table, days: setting, old } of rules) {
    const days = typeof setting === 'number' ? setting : settings[setting]
    if (days !== undefined) removed[table] = await deleteOld(records, table, old(new Date(nowMs - days * dayMs)))
  }
  const { RETENTION_SESSIONS_DAYS: sessionDays, RETENTION_AUDIT_DAYS: auditDays } = settings
  if (sessionDays !== undefined)
    removed.charger_transaction = await forgetTags(records, new Date(nowMs - sessionDays * dayMs))
  // Whole months, so that the trail names one cut a month.
  if (auditDays !== undefined)
    removed.audit_entry = await cutTrails(records, new Date(monthStart(nowMs - auditDays * dayMs)), nowMs)
  return removed
}
