import { auditActions } from '@gridmast/contract/people/audit.ts'
import { sql, type Expression, type SqlBool } from 'kysely'
import { literal, orderBy, type Paged } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'

export type Filter = {
  fromMs?: number | undefined
  toMs?: number | undefined
  who?: string | undefined
  action?: string | undefined
  changesOnly: boolean
}

const noChanges = Object.entries(auditActions).flatMap(([action, kind]) => (kind === 'change' ? [] : [action]))

const filtered = (tx: Tx, customerId: string, filter: Filter) => {
  const conditions: Expression<SqlBool>[] = []
  if (filter.fromMs !== undefined) conditions.push(sql`audit_entry.at >= ${new Date(filter.fromMs)}`)
  if (filter.toMs !== undefined) conditions.push(sql`audit_entry.at < ${new Date(filter.toMs)}`)
  if (filter.who) {
    const pattern = `%${literal(filter.who)}%`
    const people = selectRows(tx, customerId, 'app_user').select('user_id').where('name', 'ilike', pattern)
    conditions.push(sql`(audit_entry.who ilike ${pattern} or audit_entry.user_id in (${people}))`)
  }
  if (filter.action) {
    const domain = `${literal(filter.action)}.%`
    conditions.push(sql`(audit_entry.action = ${filter.action} or audit_entry.action like ${domain})`)
  }
  if (filter.changesOnly) conditions.push(sql`audit_entry.action <> all(${noChanges})`)
  return selectRows(tx, customerId, 'audit_entry').where((where) => where.and(conditions))
}

const sortColumns = {
  at: sql`audit_entry.at`,
  who: sql`lower(audit_entry.who)`,
  action: sql`audit_entry.action`,
  subject: sql`lower(audit_entry.subject)`,
  result: sql`audit_entry.result`,
  no: sql`audit_entry.entry_no`,
}

export const findEntries = (
  tx: Tx,
  customerId: string,
  filter: Filter,
  { limit, skip, ...sort }: Paged<keyof typeof sortColumns>,
) =>
  filtered(tx, customerId, filter)
    .selectAll()
    .orderBy(orderBy(sort, sortColumns, sql`audit_entry.entry_no desc`))
    .limit(limit)
    .offset(skip)
    .execute()

export const measureEntries = (tx: Tx, customerId: string, filter: Filter) =>
  filtered(tx, customerId, filter)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('at').as('oldest'),
      fn.max('at').as('newest'),
      fn.max('entry_no').as('newest_no'),
    ])
    .executeTakeFirstOrThrow()

export const findEntriesBelow = (tx: Tx, customerId: string, filter: Filter, below: number, limit: number) =>
  filtered(tx, customerId, filter)
    .selectAll()
    .where('entry_no', '<', below)
    .orderBy('entry_no', 'desc')
    .limit(limit)
    .execute()

export type EntryRow = Awaited<ReturnType<typeof findEntriesBelow>>[number]

export const findActions = async (tx: Tx, customerId: string): Promise<string[]> => {
  const rows = await selectRows(tx, customerId, 'audit_entry').select('action').distinct().orderBy('action').execute()
  return rows.map((row) => row.action)
}
