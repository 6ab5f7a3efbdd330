import { type Insertable, sql } from 'kysely'
import type { DB } from './db-types.ts'

/**
 * `insert into` for rows with equal columns, from one JSON parameter: the statement text is the same for any number
 * of rows, so it is planned once; `json`, because `jsonb` builds each value twice (a quarter of an insert, measured).
 * The caller may append `on conflict` and `returning`.
 */
export const insertRows = <T extends keyof DB>(table: T, rows: readonly Insertable<DB[T]>[]) => {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  return sql<{ [key: string]: unknown }>`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`
}
