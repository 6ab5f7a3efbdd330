import {
  minuteMs,
  monthBounds,
  localDateOf,
  addDays,
  type LocalDate,
  type LocalMonth,
} from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { OwnRows } from '#people/letters/monthly-statement.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  sqlRows,
  deleteRows,
  getRow,
  insertRow,
  lockCustomer,
  type New,
  type RowOf,
  selectRows,
} from '#platform/records/rows.ts'
import type { SettlementRow } from '#settlement/economics/settle.ts'

export type MonthSettlement = Omit<SettlementRow, 'customer_id' | 'energy_state' | 'inputs'> & {
  instance_name: string
  simulated: boolean
}

const daysOf = (month: LocalMonth) => ({
  first: `${month}-01`,
  last: addDays(localDateOf(monthBounds(month).toMs), -1),
})

/** Some thousand rows: the driver reads an answer at once, and a transaction on the embedded store blocks all others. */
const instancesAtOnce = 20

const findOfInstances = async (tx: Tx, customerId: string, month: LocalMonth, instances: readonly string[]) => {
  const { first, last } = daysOf(month)
  return sqlRows<MonthSettlement>(tx)`
    select s.instance_id, i.name as instance_name, s.inputs_sha256, e.simulated, s.day::text as day, s.product, s.market, s.version, s.made_at, s.is_closed,
      s.is_result_fetched, trim_scale(s.won_mw)::text as won_mw, s.capacity_eur::text, s.penalty_eur::text, s.gross_eur::text,
      s.energy_eur::text, s.customer_eur::text, s.partner_eur::text, s.sc_eur::text, s.enablers
    from settlement s
    join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    where s.customer_id = ${customerId} and s.instance_id = any(${instances}::uuid[]) and s.day between ${first}::date and ${last}::date
    order by i.position, i.name, s.instance_id, s.product, s.day`
}

const stateOfMonth = async (tx: Tx, customerId: string, month: LocalMonth) => {
  const { first, last } = daysOf(month)
  const rows = await sqlRows<{ settled: string; unsettledDays: number }>(tx)`
    select concat_ws(' ', count(*), sum(version), max(made_at)) as settled,
      (select count(distinct day)::int from settlement_due
        where customer_id = ${customerId} and day between ${first}::date and ${last}::date) as "unsettledDays"
    from settlement where customer_id = ${customerId} and day between ${first}::date and ${last}::date`
  return rows[0] ?? { settled: '', unsettledDays: 0 }
}

const readMonth = async (own: OwnRows, customerId: string, month: LocalMonth, ids: readonly string[]) => {
  const rows: MonthSettlement[] = []
  for (let from = 0; from < ids.length; from += instancesAtOnce) {
    const some = ids.slice(from, from + instancesAtOnce)
    for (const row of await own((tx) => findOfInstances(tx, customerId, month, some))) rows.push(row)
  }
  return rows
}

export type SettledMonth = { rows: MonthSettlement[]; unsettledDays: number }

/** By instance, product and day, all at one instant: rows that were settled again meanwhile are read again, the last time in one transaction. */
export const findMonth = async (own: OwnRows, customerId: string, month: LocalMonth): Promise<SettledMonth> => {
  const instances = await own((tx) =>
    selectRows(tx, customerId, 'instance')
      .select('instance_id')
      .orderBy('position')
      .orderBy('name')
      .orderBy('instance_id')
      .execute(),
  )
  const ids = instances.map(({ instance_id }) => instance_id)
  const state = () => own((tx) => stateOfMonth(tx, customerId, month))
  for (let tries = 0; tries < 2; tries++) {
    const before = await state()
    const rows = await readMonth(own, customerId, month, ids)
    const { settled, unsettledDays } = await state()
    if (settled === before.settled && unsettledDays === before.unsettledDays) return { rows, unsettledDays }
  }
  return own(async (tx) => {
    // Counted before the rows are read: a day settled in between is counted once too often and never missed.
    const { unsettledDays } = await stateOfMonth(tx, customerId, month)
    return { rows: await findOfInstances(tx, customerId, month, ids), unsettledDays }
  })
}

export const getCompany = async (tx: Tx, customerId: string): Promise<string> => {
  const { name } = await selectRows(tx, customerId, 'customer').select('name').executeTakeFirstOrThrow()
  return name
}

type MonthRow = {
  month: LocalMonth
  settlements: number
  unsettledDays: number
  unpublished: number
  unshared: number
  corrected: number
  customerEur: string | null
  expectedEur: string | null
  sent_at: Date | null
  readers: number
  changedSince: number
  version: number | null
}

export const findMonths = (tx: Tx, customerId: string, now: LocalDate): Promise<MonthRow[]> =>
  sqlRows<MonthRow>(tx)`
    with sent as (
      select month, min(sent_at) as sent_at, count(*)::int as readers from statement_sent
      where customer_id = ${customerId} and kind = 'settlement' group by month),
    due as (
      select to_char(day, 'YYYY-MM') as month, count(distinct day)::int as days from settlement_due
      where customer_id = ${customerId} group by 1)
    select m.month, count(*)::int as settlements, coalesce(due.days, 0) as "unsettledDays", count(*) filter (where not m.is_result_fetched)::int as unpublished,
      count(*) filter (where m.gross_eur is not null and m.customer_eur is null)::int as unshared,
      count(*) filter (where m.version > 1)::int as corrected, (sum(m.customer_eur) filter (where m.day < ${now}::date))::text as "customerEur",
      (sum(m.customer_eur) filter (where m.day >= ${now}::date))::text as "expectedEur",
      sent.sent_at, coalesce(sent.readers, 0) as readers, count(*) filter (where m.made_at > sent.sent_at)::int as "changedSince",
      (select max(v.version) from statement_version v where v.customer_id = ${customerId} and v.month = m.month) as version
    from (select to_char(day, 'YYYY-MM') as month, * from settlement where customer_id = ${customerId}) m
    left join sent on sent.month = m.month
    left join due on due.month = m.month
    group by m.month, sent.sent_at, sent.readers, due.days order by m.month desc limit 60`

export type ReaderRow = RowOf<'statement_reader', 'reader_id' | 'email' | 'kind' | 'group_id'> & {
  unconfirmed: boolean
  group_name: string | null
  last_month: LocalMonth | null
  last_at: Date | null
}

const readers = (customerId: string, more = sql``) => sql<ReaderRow>`
  select r.reader_id, r.email, not is_confirmed(r.customer_id, r.email) as unconfirmed, r.kind, r.group_id, g.name as group_name, s.month as last_month, s.sent_at as last_at
  from statement_reader r
  left join charger_tag_group g on g.customer_id = r.customer_id and g.group_id = r.group_id
  left join lateral (
    select month, sent_at from statement_sent s
    where s.customer_id = r.customer_id and s.kind = r.kind and s.subject_id = coalesce(r.group_id, r.customer_id) and s.email = lower(r.email)
    order by month desc limit 1) s on true
  where r.customer_id = ${customerId} ${more}
  order by r.kind desc, g.name nulls first, lower(r.email)`

export const findReaders = async (tx: Tx, customerId: string) => (await readers(customerId).execute(tx)).rows

export const getReader = async (tx: Tx, customerId: string, readerId: string): Promise<ReaderRow> => {
  const { rows } = await readers(customerId, sql`and r.reader_id = ${readerId}`).execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export const lockReaders = async (tx: Tx, customerId: string): Promise<ReaderRow[]> => {
  await lockCustomer(tx, customerId)
  return findReaders(tx, customerId)
}

export const checkGroup = async (tx: Tx, customerId: string, groupId: string): Promise<void> => {
  await getRow(tx, customerId, 'charger_tag_group', { group_id: groupId }, ['group_id'])
}

export const addReader = (tx: Tx, customerId: string, row: New<'statement_reader'>) =>
  insertRow(tx, customerId, 'statement_reader', row).execute()

export const removeReader = (tx: Tx, customerId: string, readerId: string) =>
  deleteRows(tx, customerId, 'statement_reader', { reader_id: readerId }).execute()

export type DueReader = RowOf<'statement_reader', 'customer_id' | 'reader_id' | 'kind' | 'group_id' | 'email'>

/** Readers without the statement of a month, only those created before it was due; a failed send delays the next try of its reader. */
export const findDueReaders = (tx: Tx, month: LocalMonth, { due, nowMs }: { due: Date; nowMs: number }) =>
  sqlRows<DueReader>(tx)`
    select r.customer_id, r.reader_id, r.kind, r.group_id, r.email from statement_reader r
    where r.created_at < ${due} and is_confirmed(r.customer_id, r.email) and not exists (
      select from statement_sent s where s.customer_id = r.customer_id and s.month = ${month} and s.kind = r.kind
        and s.subject_id = coalesce(r.group_id, r.customer_id) and s.email = lower(r.email))
      and not exists (
        select from statement_failure f where f.customer_id = r.customer_id and f.reader_id = r.reader_id and f.month = ${month}
          and (f.next_try_at is null or f.next_try_at > ${new Date(nowMs)}))
    order by r.customer_id, r.kind, r.group_id, lower(r.email)`

export const markSent = async (
  tx: Tx,
  of: DueReader,
  { month, at, version }: { month: LocalMonth; at: Date; version: number | null },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into statement_sent (customer_id, month, kind, subject_id, email, sent_at, version)
    values (${of.customer_id}, ${month}, ${of.kind}, ${of.group_id ?? of.customer_id}, ${of.email.toLowerCase()}, ${at}, ${version})
    on conflict do nothing returning month`.execute(tx)
  return rows.length > 0
}

const firstWaitMs = 5 * minuteMs
/** Waits double from five minutes: the last try is some ten hours after the first. */
const maxTries = 8

export const markFailed = async (tx: Tx, readers: readonly DueReader[], month: LocalMonth, nowMs: number) => {
  const ids = readers.map(({ reader_id }) => reader_id)
  await sql`
    insert into statement_failure as f (customer_id, reader_id, month, tries, next_try_at)
    select customer_id, reader_id, ${month}, 1, ${new Date(nowMs + firstWaitMs)} from statement_reader where reader_id = any(${ids}::uuid[])
    on conflict (customer_id, reader_id, month) do update set tries = f.tries + 1,
      next_try_at = case when f.tries + 1 < ${maxTries}
        then ${new Date(nowMs)}::timestamptz + ${firstWaitMs} * (2 ^ f.tries) * interval '1 ms' end`.execute(tx)
}
