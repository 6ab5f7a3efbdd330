import type { Insertable, Selectable, Updateable } from 'kysely'
import type { DB } from '#platform/records/db-types.ts'
import type { Records } from '#platform/records/records.ts'

/* Rows of one table in a transaction of their own, by the values of some columns; null is `is null`. */

type Store = Pick<Records, 'system'>
type TableRow<T extends keyof DB> = Selectable<DB[T]>
type Key<T extends keyof DB> = { readonly [C in keyof TableRow<T>]?: TableRow<T>[C] }

// The types of Kysely stay unresolved while the table is a type parameter, hence `never`.
const narrowed = <Q extends { where: (column: never, operator: '=' | 'is', value: never) => Q }>(
  query: Q,
  key: object,
) =>
  Object.entries(key).reduce(
    (all, [name, value]) => all.where(name as never, value === null ? 'is' : '=', value as never),
    query,
  )

export const storedRows = <T extends keyof DB, C extends keyof TableRow<T> = keyof TableRow<T>>(
  records: Store,
  table: T,
  key: Key<T> = {},
  columns?: readonly C[],
  orderBy: readonly (keyof TableRow<T>)[] = [],
): Promise<Pick<TableRow<T>, C>[]> =>
  records.system((tx) => {
    const matching = narrowed(tx.selectFrom<keyof DB>(table) as never, key) as ReturnType<typeof tx.selectFrom<'edge'>>
    const rows = orderBy.reduce((query, column) => query.orderBy(column as never), matching)
    return (columns ? rows.select(columns as never) : rows.selectAll()).execute() as never
  })

export const storedRow = async <T extends keyof DB, C extends keyof TableRow<T> = keyof TableRow<T>>(
  records: Store,
  table: T,
  key: Key<T>,
  columns?: readonly C[],
): Promise<Pick<TableRow<T>, C>> => {
  const [row] = await storedRows(records, table, key, columns)
  if (!row) throw new Error(`no such row in ${table}`)
  return row
}

export const addRows = <T extends keyof DB>(records: Store, table: T, rows: Insertable<DB[T]> | Insertable<DB[T]>[]) =>
  records.system((tx) =>
    tx
      .insertInto<keyof DB>(table)
      .values(rows as never)
      .execute(),
  )

export const changeRows = <T extends keyof DB>(records: Store, table: T, key: Key<T>, values: Updateable<DB[T]>) =>
  records.system((tx) => {
    const update = tx.updateTable<keyof DB>(table).set(values as never)
    return (narrowed(update as never, key) as typeof update).execute()
  })
