import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'

type SettlementKey = { customer_id: string; instance_id: string; day: LocalDate; product: string }

export const markStatements = async (tx: Tx, settlements: readonly SettlementKey[]): Promise<void> => {
  const keys = settlements.map(({ customer_id, instance_id, day, product }) => ({
    customer_id,
    instance_id,
    day,
    product,
  }))
  const { rows } = await sql<Marks['reconciliation_due']>`
    select distinct c.customer_id, s.statement_id, c.instance_id, c.day::text, c.product
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as c(customer_id uuid, instance_id uuid, day date, product text)
    join operator_statement s on s.customer_id = c.customer_id and c.day between s.first_day and s.last_day and c.product = any(s.products)`.execute(
    tx,
  )
  addMarks(tx, 'reconciliation_due', rows)
}
