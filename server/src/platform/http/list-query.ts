import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { countRows } from '#platform/records/rows.ts'

export type Sort<S extends string> = { sort?: S | undefined; order?: 'asc' | 'desc' }
export type Paged<S extends string> = { limit: number; skip: number } & Sort<S>
/** A page of a list, or of a file in the default order. */
export type ListPage<S extends string, Row> =
  | (Paged<S> & { after?: never })
  | { limit: number; after: Row | undefined; skip?: never; sort?: never; order?: never }

export const page = async <D, Tables extends keyof D, O>(
  query: SelectQueryBuilder<D, Tables, O>,
  { limit, skip }: { limit: number; skip: number },
) => ({ rows: await query.limit(limit).offset(skip).execute(), totalCount: await countRows(query) })

/** The chosen column first, unknown values last, then the default order, which ends with the id. */
export const orderBy = <S extends string>(
  { sort, order }: Sort<S>,
  columns: Record<S, RawBuilder<unknown>>,
  ownOrder: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sort === undefined
    ? ownOrder
    : sql`${columns[sort]} ${order === 'desc' ? sql`desc` : sql`asc`} nulls last, ${ownOrder}`

/** A text in the order of Danish names with any collation of the store; `{`, `|` and `}` follow `z`. */
export const byName = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql`translate(lower(${text}), 'æäøöåÆÄØÖÅ', '{{||}{{||}') collate "C"`

export const literal = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

export const containing = (search: string, texts: readonly RawBuilder<unknown>[]) => {
  const pattern = `%${literal(search)}%`
  return sql<boolean>`(${sql.join(
    texts.map((text) => sql`${text} ilike ${pattern}`),
    sql` or `,
  )})`
}
