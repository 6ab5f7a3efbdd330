import { sql } from 'kysely'
import type { Records } from '#platform/records/records.ts'

/** A table with rows of one customer, its primary key, and whether its rows are work or secrets that a job may change at any time. */
export type TenantTable = { name: string; key: string[]; isTransient: boolean }

/** Sessions, codes and work that is due: their rows may change between the export and the erasure. */
const transient = new Set([
  'user_session',
  'one_time_code',
  'outbox',
  'charging_due',
  'reconciliation_due',
  'settlement_due',
  'statement_failure',
  'charger_unknown',
  'charger_frames',
])

/** All tables with a customer, children before their parents. Throws for a circle of foreign keys. */
export const findTenantTables = (records: Records): Promise<TenantTable[]> =>
  records.owner(async (db) => {
    const tables = await sql<{ name: string; key: string[]; parents: string[] }>`
      select c.relname as name,
        (select json_agg(a.attname order by k.place) from pg_index i
         cross join unnest(i.indkey) with ordinality k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary) as key,
        (select coalesce(json_agg(distinct p.relname), '[]') from pg_constraint f join pg_class p on p.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid) as parents
      from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'customer_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by 1`.execute(db)
    const ordered: TenantTable[] = []
    let rest = tables.rows
    while (rest.length > 0) {
      const parents = new Set(rest.flatMap((one) => one.parents))
      const free = rest.filter(({ name }) => !parents.has(name))
      if (free.length === 0) throw new Error(`The foreign keys of ${[...parents].join(', ')} are a circle`)
      ordered.push(...free.map(({ name, key }) => ({ name, key, isTransient: transient.has(name) })))
      rest = rest.filter((one) => !free.includes(one))
    }
    return ordered
  })

export const countRows = (records: Records, table: string, customerId: string): Promise<number> =>
  records.owner(async (db) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where customer_id = ${customerId}`.execute(db)
    return rows[0]?.count ?? 0
  })
