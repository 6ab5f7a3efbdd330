import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import type { ComparedSettlement, Compares, Line } from './compare.ts'
import { columnsOf, type DayKey, lineColumns, type LineRow } from './queries.ts'
import { sqlRows } from '#platform/records/rows.ts'

type SettlementOfDay = DayKey & ComparedSettlement

const comparedColumns = sql`
  s.customer_id, s.instance_id, s.day::text as day, s.product, s.version, s.gross_eur::text, s.customer_eur::text, s.inputs -> 'contract' as contract,
  coalesce((select jsonb_agg(jsonb_build_object('fromMs', b -> 'fromMs', 'slot', b -> 'slot', 'auction', b -> 'auction',
    'wonMw', case when (b -> 'won')::text = 'true' then coalesce(b ->> 'wonMw', b ->> 'capacityMw') else '0' end,
    'won', b -> 'won', 'capacityEur', b -> 'capacityEur', 'penaltyEur', b -> 'penaltyEur'))
    from jsonb_array_elements(s.inputs -> 'bids') b), '[]') as bids`

export const findDaySettlements = (tx: Tx, customerId: string, day: LocalDate, products: readonly string[]) =>
  sqlRows<SettlementOfDay & { customer_id: string }>(tx)`
    select ${comparedColumns} from settlement s
    where s.customer_id = ${customerId} and s.day = ${day}::date and s.product = any(${products}::text[])
    order by s.instance_id, s.product`

export const findProducts = async (
  tx: Tx,
  customerId: string,
  { first, last }: { first: LocalDate; last: LocalDate },
) => {
  const rows = await sqlRows<{ product: string }>(tx)`
    select distinct product from settlement
    where customer_id = ${customerId} and day between ${first}::date and ${last}::date`
  return rows.map(({ product }) => product)
}

export type Due = DayKey & { customer_id: string; statement_id: string }
const ofDue = (due: readonly Due[]) => sql`
  jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as d(customer_id uuid, statement_id uuid, instance_id uuid, day date, product text)`

export const findDue = (tx: Tx, most: number): Promise<Due[]> =>
  sqlRows<Due>(tx)`
    select customer_id, statement_id, instance_id, day::text as day, product from reconciliation_due
    where marked_at <= now() order by customer_id, statement_id, instance_id, day, product limit ${most}`

export const claimDue = (tx: Tx, due: readonly Due[]): Promise<Due[]> =>
  sqlRows<Due>(tx)`
    delete from reconciliation_due d using (
      select * from reconciliation_due where (customer_id, statement_id, instance_id, day, product) in (
        select customer_id, statement_id, instance_id, day, product from ${ofDue(due)})
      order by customer_id, statement_id, instance_id, day, product for update skip locked) t
    where (d.customer_id, d.statement_id, d.instance_id, d.day, d.product)
      = (t.customer_id, t.statement_id, t.instance_id, t.day, t.product)
    returning d.customer_id, d.statement_id, d.instance_id, d.day::text as day, d.product`

export const postponeDue = async (tx: Tx, due: Due): Promise<void> => {
  await sql`
    update reconciliation_due r set marked_at = now() + interval '1 hour' from ${ofDue([due])}
    where (r.customer_id, r.statement_id, r.instance_id, r.day, r.product)
      = (d.customer_id, d.statement_id, d.instance_id, d.day, d.product)`.execute(tx)
}

export type StoredLine = LineRow & { customer_id: string; statement_id: string }
export type DueDay = Due & { compares: Compares; settlement: ComparedSettlement | null; lines: StoredLine[] }

const keyOf = ({ customer_id, statement_id = '', instance_id, day, product }: DayKey & Partial<Due>) =>
  `${customer_id} ${statement_id} ${instance_id} ${day} ${product}`

export const readDue = async (tx: Tx, due: readonly Due[]): Promise<DueDay[]> => {
  const lines = await sql<StoredLine>`
    select l.customer_id, l.statement_id, ${lineColumns} from ${ofDue(due)}
    join operator_statement_line l using (customer_id, statement_id, instance_id, day, product)
    join operator_statement s on s.customer_id = l.customer_id and s.statement_id = l.statement_id
    join instance i on i.customer_id = l.customer_id and i.instance_id = l.instance_id
    order by l.row_no nulls last`.execute(tx)
  const settlements = await sql<SettlementOfDay & { customer_id: string }>`
    select ${comparedColumns} from (select distinct customer_id, instance_id, day, product from ${ofDue(due)}) d
    join settlement s using (customer_id, instance_id, day, product)`.execute(tx)
  const statements = await sql<{ statement_id: string; compares: Compares }>`
    select distinct s.statement_id, s.compares from ${ofDue(due)}
    join operator_statement s using (customer_id, statement_id)`.execute(tx)
  const linesOf = Map.groupBy(lines.rows, keyOf)
  const settlementOf = new Map(settlements.rows.map((row) => [keyOf({ ...row, statement_id: '' }), row]))
  const comparesOf = new Map(statements.rows.map((row) => [row.statement_id, row.compares]))
  return due.map((one) => ({
    ...one,
    compares: comparesOf.get(one.statement_id) ?? 'gross',
    settlement: settlementOf.get(keyOf({ ...one, statement_id: '' })) ?? null,
    lines: linesOf.get(keyOf(one)) ?? [],
  }))
}

export const updateLines = async (tx: Tx, changed: readonly { stored: StoredLine; line: Line }[]): Promise<void> => {
  if (changed.length === 0) return
  const rows = changed.map(({ stored: { customer_id, statement_id, line_id }, line }) => ({
    customer_id,
    statement_id,
    line_id,
    ...columnsOf(line),
  }))
  const columns = Object.keys(columnsOf(changed[0]?.line as Line)) // at least one
  const list = (of: string) => sql.join(columns.map((column) => sql.ref(`${of}.${column}`)))
  await sql`
    update operator_statement_line l set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`n.${column}`)}`))}
    from jsonb_populate_recordset(null::operator_statement_line, ${JSON.stringify(rows)}::jsonb) n
    where l.customer_id = n.customer_id and l.statement_id = n.statement_id and l.line_id = n.line_id
      and (${list('l')}) is distinct from (${list('n')})`.execute(tx)
}

/** Returns the lines that stay because a user has marked them as settled. */
export const removeLines = async <L extends Pick<StoredLine, 'customer_id' | 'statement_id' | 'line_id'>>(
  tx: Tx,
  lines: readonly L[],
): Promise<L[]> => {
  if (lines.length === 0) return []
  const keys = lines.map(({ customer_id, statement_id, line_id }) => ({ customer_id, statement_id, line_id }))
  const rows = await sqlRows<{ line_id: string }>(tx)`
    delete from operator_statement_line l
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as n(customer_id uuid, statement_id uuid, line_id uuid)
    where l.customer_id = n.customer_id and l.statement_id = n.statement_id and l.line_id = n.line_id and l.settled_at is null
    returning l.line_id`
  const removed = new Set(rows.map(({ line_id }) => line_id))
  return lines.filter(({ line_id }) => !removed.has(line_id))
}
