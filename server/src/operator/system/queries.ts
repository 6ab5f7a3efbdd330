import { type NotNull } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, countRows, selectRows } from '#platform/records/rows.ts'

export const findConnectorStates = (tx: Tx) =>
  tx.selectFrom('connector_state').selectAll().orderBy('source').orderBy('dataset').execute()

export const findBackfills = (tx: Tx) =>
  sqlRows<{
    source: string
    dataset: string
    done: number
    all: number
    failed: number
    error: string | null
  }>(tx)`
    select source, dataset, count(finished_at)::int as done, count(*)::int as all,
      (count(*) filter (where finished_at is null and last_error is not null))::int as failed,
      max(last_error) filter (where finished_at is null) as error
    from backfill_month group by source, dataset`

export const countMonths = async (tx: Tx): Promise<{ done: number; all: number }> => {
  const rows = await sqlRows<{ done: number; all: number }>(tx)`
    select count(finished_at)::int as done, count(*)::int as all
    from backfill_month where finished_at is not null or last_error is null`
  return rows[0] ?? { done: 0, all: 0 }
}

export const findTokenEnds = async (tx: Tx): Promise<Map<string, number>> => {
  const found = await tx.selectFrom('connector_token').select(['source', 'expires_at']).execute()
  return new Map(found.flatMap(({ source, expires_at }) => (expires_at ? [[source, expires_at.getTime()]] : [])))
}

export const findEdges = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'edge', { enabled: true })
    .select(['key', 'name', 'last_reported_at', 'online', 'simulated'])
    .orderBy('key')
    .execute()

const daysText = (count: number) => (count === 1 ? '1 day' : `${count} days`)

export const findPutAside = async (tx: Tx, customerId: string) => {
  const rows = await sqlRows<{ days: number; comparisons: number; statements: number }>(tx)`
    select (select count(*) from settlement_due where customer_id = ${customerId} and marked_at > now())::int as days,
      (select count(*) from reconciliation_due where customer_id = ${customerId} and marked_at > now())::int as comparisons,
      (select count(*) from statement_failure where customer_id = ${customerId} and next_try_at is null)::int as statements`
  const { days = 0, comparisons = 0, statements = 0 } = rows[0] ?? {}
  return [
    ...(days > 0
      ? [{ source: 'Settlements', detail: `${daysText(days)} could not be calculated; tried again each hour` }]
      : []),
    ...(comparisons > 0
      ? [{ source: 'Reconciliation', detail: `${daysText(comparisons)} could not be compared; tried again each hour` }]
      : []),
    ...(statements > 0 ? [{ source: 'Monthly statements', detail: `${statements} could not be mailed` }] : []),
  ]
}

export const countInstances = (tx: Tx, customerId: string) =>
  countRows(selectRows(tx, customerId, 'instance', { enabled: true }))

export const findSignalNos = async (tx: Tx, customerId: string): Promise<number[]> => {
  const found = await selectRows(tx, customerId, 'signal').select('no').execute()
  return found.map((row) => row.no)
}

export const findDemoMail = (tx: Tx) =>
  tx
    .selectFrom('mail_outbox as o')
    .innerJoin('customer as c', 'c.customer_id', 'o.customer_id')
    .where('c.demo', '=', true)
    .select(['o.recipient', 'o.subject', 'o.body', 'o.sent_at', 'o.last_error'])
    .$narrowType<{ recipient: NotNull; subject: NotNull; body: NotNull }>() // it is a view
    .orderBy('o.created_at', 'desc')
    .limit(100)
    .execute()
