import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { countRows } from '#platform/records/rows.ts'

export type Sort<S extends string> = { sort?: S | undefined; order?: 'asc' | 'desc' }
export type Paged<S extends string> = { limit: number; skip: number } & Sort<S>

/** A page of a query, and the number of all its rows. */
export const page = async <D, Tables extends keyof D, O>(
  query: SelectQueryBuilder<D, Tables, O>,
  { limit, skip }: { limit: number; skip: number },
) => ({ rows: await query.limit(limit).offset(skip).execute(), totalCount: await countRows(query) })

/** By the chosen one of a list's columns, unknown last, and then in the list's own order, which ends with the id. */
export const orderBy = <S extends string>(
  { sort, order }: Sort<S>,
  columns: Record<S, RawBuilder<unknown>>,
  ownOrder: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sort === undefined
    ? ownOrder
    : sql`${columns[sort]} ${order === 'desc' ? sql`desc` : sql`asc`} nulls last, ${ownOrder}`

/** Text to search for, with nothing in it that `like` reads as a pattern. */
export const literal = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

/** One of the texts contains what is searched for, in any case. */
export const containing = (search: string, texts: readonly RawBuilder<unknown>[]) => {
  const pattern = `%${literal(search)}%`
  return sql<boolean>`(${sql.join(
    texts.map((text) => sql`${text} ilike ${pattern}`),
    sql` or `,
  )})`
}
