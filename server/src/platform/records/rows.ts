import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type JoinBuilder,
  type Selectable,
  type SelectExpression,
  type Selection,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
  type Insertable,
} from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import type { DB } from './db-types.ts'
import type { Tx } from './records.ts'

/* Rows of one customer in one table: each statement has the customer in its condition, in addition to row-level security. Joins, and rows of
   several customers, are Kysely queries. */

type TenantTable = { [T in keyof DB]: 'customer_id' extends keyof DB[T] ? T : never }[keyof DB]
export type RowOf<T extends TenantTable, C extends keyof Selectable<DB[T]> = keyof Selectable<DB[T]>> = Pick<
  Selectable<DB[T]>,
  C
>
/** Conditions by column: null is `is null`, a list is `= any`. */
type Key<T extends TenantTable> = {
  readonly [C in Exclude<keyof RowOf<T>, 'customer_id'>]?: RowOf<T>[C] | readonly RowOf<T>[C][]
}
export type New<T extends TenantTable> = Omit<InsertObject<DB, T>, 'customer_id'>

type Builder<Q> = { where: (column: never, operator: '=' | 'is', value: never) => Q }

/** the type of the key checks names and values, hence `never` */
const scoped = <Q extends Builder<Q>>(query: Q, table: string, customerId: string, key: object): Q => {
  let narrowed = query.where(`${table}.customer_id` as never, '=', customerId as never)
  for (const [name, value] of Object.entries<unknown>({ ...key })) {
    // An omitted condition would widen the query.
    if (value === undefined) throw new Error(`${table}.${name} has no value`)
    const operand = Array.isArray(value) ? sql`any(${value})` : value
    narrowed = narrowed.where(`${table}.${name}` as never, value === null ? 'is' : '=', operand as never)
  }
  return narrowed
}

// The builders are cast: the types of Kysely stay unresolved while the table is a type parameter.

export const selectRows = <T extends TenantTable>(tx: Tx, customerId: string, table: T, key: Key<T> = {}) =>
  scoped(tx.selectFrom<TenantTable>(table), table, customerId, key) as unknown as SelectQueryBuilder<DB, T, {}>

export const insertRow = <T extends TenantTable>(tx: Tx, customerId: string, table: T, row: New<T>) =>
  tx.insertInto<TenantTable>(table).values({ ...row, customer_id: customerId }) as unknown as InsertQueryBuilder<
    DB,
    T,
    InsertResult
  >

export const updateRows = <T extends TenantTable>(tx: Tx, customerId: string, table: T, key: Key<T> = {}) =>
  scoped(tx.updateTable<TenantTable>(table), table, customerId, key) as unknown as UpdateQueryBuilder<
    DB,
    T,
    T,
    UpdateResult
  >

export const deleteRows = <T extends TenantTable>(tx: Tx, customerId: string, table: T, key: Key<T>) =>
  scoped(tx.deleteFrom<TenantTable>(table), table, customerId, key) as unknown as DeleteQueryBuilder<
    DB,
    T,
    DeleteResult
  >

export const findRow = <T extends TenantTable, S extends SelectExpression<DB, T>>(
  tx: Tx,
  customerId: string,
  table: T,
  key: Key<T>,
  columns: readonly S[],
): Promise<Selection<DB, T, S> | undefined> =>
  selectRows(tx, customerId, table, key).select(columns).limit(1).executeTakeFirst()

export const getRow = <T extends TenantTable, S extends SelectExpression<DB, T>>(
  tx: Tx,
  customerId: string,
  table: T,
  key: Key<T>,
  columns: readonly S[],
): Promise<Selection<DB, T, S>> =>
  selectRows(tx, customerId, table, key).select(columns).executeTakeFirstOrThrow(notFound)

export const lockRow = <T extends TenantTable, S extends SelectExpression<DB, T>>(
  tx: Tx,
  customerId: string,
  table: T,
  key: Key<T>,
  columns: readonly S[],
): Promise<Selection<DB, T, S>> =>
  selectRows(tx, customerId, table, key).select(columns).forUpdate().executeTakeFirstOrThrow(notFound)

export const hasRow = async <T extends TenantTable>(tx: Tx, customerId: string, table: T, key: Key<T>) =>
  (
    await selectRows(tx, customerId, table, key)
      .select(sql`1`.as('one'))
      .limit(1)
      .execute()
  ).length > 0

/**
 * Serialises transactions that add rows up to a limit of the customer, or under a unique name. Not `for update`: new rows of other transactions,
 * such as entries of the audit trail, refer to the customer and would wait while they hold other locks.
 */
export const lockCustomer = async (tx: Tx, customerId: string) => {
  await tx.selectFrom('customer').select('customer_id').where('customer_id', '=', customerId).forNoKeyUpdate().execute()
}

export const countRows = async <D, Tables extends keyof D, O>(query: SelectQueryBuilder<D, Tables, O>) => {
  const bare = query.clearSelect().clearOrderBy() as unknown as SelectQueryBuilder<DB, keyof DB, {}>
  const { count } = await bare.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/**
 * `insert into` for rows with equal columns, from one JSON parameter: the statement text is the same for any number of rows, so it is planned
 * once; `json`, because `jsonb` builds each value twice (a quarter of an insert, measured). The caller may append `on conflict` and
 * `returning`.
 */
export const insertRows = <T extends keyof DB>(table: T, rows: readonly Insertable<DB[T]>[]) => {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  return sql<{ [key: string]: unknown }>`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`
}

/** Join of two tables on `customer_id` and a key. A wrong name is an error of the statement: the types of Kysely do not see them, hence `never`. */
export const onKey =
  (left: string, right: string, key: string) =>
  <D, T extends keyof D>(join: JoinBuilder<D, T>) =>
    join
      .onRef(`${left}.customer_id` as never, '=', `${right}.customer_id` as never)
      .onRef(`${left}.${key}` as never, '=', `${right}.${key}` as never)

/** Rows of a statement: sqlRows<Row>(tx)`select …`. */
export const sqlRows =
  <Row>(tx: Tx) =>
  async (text: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> =>
    (await sql<Row>(text, ...values).execute(tx)).rows
