import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { askedFor, type Due, type InstanceDay, keyOf } from './due-queries.ts'

/** Days of instances that are due for settlement: bids, results, prices and this file flag them; the transaction of the settlement removes the row. */

/** The newest month first, in it instance by instance; rows flagged again within `quietMs` wait. */
export const findDue = async (tx: Tx, { quietMs, most }: { quietMs: number; most: number }): Promise<Due[]> => {
  const { rows } = await sql<Due>`
    select customer_id, instance_id, day::text, mark::text from settlement_due
    where marked_at <= now() - ${`${quietMs} ms`}::interval 
    order by date_trunc('month', day) desc, customer_id, instance_id, day desc limit ${most}`.execute(tx)
  return rows
}

export const takeDue = async (tx: Tx, all: readonly Due[]): Promise<Set<string>> => {
  const { rows } = await sql<InstanceDay>`
    delete from settlement_due d using ${askedFor(all)}
    where d.customer_id = a.customer_id and d.instance_id = a.instance_id and d.day = a.day and d.mark = a.mark
    returning d.customer_id, d.instance_id, d.day::text`.execute(tx)
  return new Set(rows.map(keyOf))
}

export const pushBack = async (tx: Tx, due: Due): Promise<void> => {
  await sql`
    update settlement_due d set marked_at = now() + interval '1 hour' from ${askedFor([due])}
    where d.customer_id = a.customer_id and d.instance_id = a.instance_id and d.day = a.day and d.mark = a.mark`.execute(
    tx,
  )
}

export const isTaken = (taken: ReadonlySet<string>, due: Due): boolean => taken.has(keyOf(due))

export const markEnded = async (tx: Tx, before: LocalDate): Promise<void> => {
  const { rows } = await sql<Marks['settlement_due']>`
    select distinct s.customer_id, s.instance_id, s.day::text from settlement s
    where not s.is_closed and s.day < ${before}::date and not exists (select from settlement_due d
      where d.customer_id = s.customer_id and d.instance_id = s.instance_id and d.day = s.day)`.execute(tx)
  addMarks(tx, 'settlement_due', rows)
}

export const markMeasured = async (tx: Tx, days: readonly { no: number; day: LocalDate }[]): Promise<void> => {
  const { rows } = await sql<Marks['settlement_due']>`
    select distinct t.customer_id, t.instance_id, t.day::text
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as m(no int, day date)
    join signal s on s.no = m.no and s.kind in ('power', 'capacityUp', 'capacityDown', 'setPoint')
    join settlement t on t.customer_id = s.customer_id and t.instance_id = s.instance_id and t.day = m.day and t.is_closed`.execute(
    tx,
  )
  addMarks(tx, 'settlement_due', rows)
}

export const markContracts = async (tx: Tx, customerId: string, instanceIds: readonly string[]): Promise<void> => {
  const { rows } = await sql<Marks['settlement_due']>`
    select distinct customer_id, instance_id, day::text from bid
    where customer_id = ${customerId} and instance_id = any(${instanceIds}::uuid[])`.execute(tx)
  addMarks(tx, 'settlement_due', rows)
}

export const getWatermark = async (tx: Tx): Promise<number | null> => {
  const found = await tx.selectFrom('settlement_watermark').select('readings_version').executeTakeFirst()
  return found?.readings_version ?? null
}

export const saveWatermark = async (tx: Tx, version: number): Promise<void> => {
  await sql`insert into settlement_watermark (readings_version) values (${version})
    on conflict (is_one) do update set readings_version = excluded.readings_version`.execute(tx)
}
