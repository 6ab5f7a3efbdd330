import { causes, type Cause, type ShownLines } from '@gridmast/contract/choices.ts'
import {
  lineKinds,
  type Facts,
  type LineKind,
  type ReconciledStatement,
  type StatementColumns,
} from '@gridmast/contract/settlement/reconciliation.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import {
  sqlRows,
  insertRows,
  countRows,
  deleteRows,
  findRow,
  type RowOf,
  selectRows,
  updateRows,
} from '#platform/records/rows.ts'
import { byName, orderBy, type Paged } from '#platform/http/list-query.ts'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Compares, Line, Period } from './compare.ts'

export type DayKey = { instance_id: string; day: LocalDate; product: string }

export const findInstances = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'instance').select(['instance_id', 'name']).execute()

export const findSameStatement = (tx: Tx, customerId: string, sha256: Buffer) =>
  findRow(tx, customerId, 'operator_statement', { sha256 }, ['statement_id', 'name', 'taken_at', 'taken_by'])

export const findLastColumns = async (tx: Tx, customerId: string): Promise<StatementColumns> => {
  const last = await selectRows(tx, customerId, 'operator_statement')
    .select((of) => of.ref('columns').$castTo<StatementColumns>().as('columns'))
    .orderBy('taken_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.columns ?? {}
}

export type DayLine = DayKey & Line
type NewStatement = Omit<RowOf<'operator_statement'>, 'columns' | 'compares'> & {
  columns: StatementColumns
  compares: Compares
}

export const columnsOf = (line: Line) => ({
  kind: line.kind,
  version: line.version,
  starts_at: line.startMs === null ? null : new Date(line.startMs),
  theirs: line.theirs,
  ours: line.ours,
  ours_eur: line.oursEur,
  theirs_eur: line.theirsEur,
  difference_eur: line.differenceEur,
  volume_eur: line.parts?.volume ?? null,
  price_eur: line.parts?.price ?? null,
  availability_eur: line.parts?.availability ?? null,
  share_eur: line.parts?.share ?? null,
  other_eur: line.parts?.other ?? null,
})

type StatementKey = { customer_id: string; statement_id: string }

export const addLines = async (tx: Tx, statement: StatementKey, lines: readonly (DayLine & { lineId: string })[]) => {
  const batch = 1000
  for (let i = 0; i < lines.length; i += batch) {
    const rows = lines
      .slice(i, i + batch)
      .map(({ lineId, instance_id, day, product, row, auction, period, ...line }) => ({
        ...statement,
        line_id: lineId,
        instance_id,
        day,
        product,
        row_no: row,
        auction,
        period,
        ...columnsOf({ row, auction, period, ...line }),
      }))
    await insertRows('operator_statement_line', rows as never).execute(tx) // facts are inserted as JSON, while the row types only have text
  }
}

/** All its days are compared once more, because a settlement may have changed during the import. */
export const addStatement = async (
  tx: Tx,
  statement: NewStatement,
  lines: readonly (DayLine & { lineId: string })[],
) => {
  const { customer_id, statement_id } = statement
  await tx
    .insertInto('operator_statement')
    .values({ ...statement, columns: JSON.stringify(statement.columns) })
    .execute()
  await addLines(tx, { customer_id, statement_id }, lines)
  const rows = await sqlRows<Marks['reconciliation_due']>(tx)`
    select customer_id, statement_id, instance_id, day::text, product from operator_statement_line
    where customer_id = ${customer_id} and statement_id = ${statement_id}
    union select customer_id, ${statement_id}::uuid, instance_id, day::text, product from settlement
    where customer_id = ${customer_id} and day between ${statement.first_day}::date and ${statement.last_day}::date
      and product = any(${statement.products}::text[])`
  addMarks(tx, 'reconciliation_due', rows)
}

export type StatementHead = RowOf<'operator_statement', 'statement_id' | 'name' | 'taken_at' | 'taken_by'> &
  Omit<ReconciledStatement, '_id' | 'name' | 'takenAt' | 'takenBy'>

const isDifference = sql`l.kind in ('differs', 'not-settled', 'not-in-statement')`
const isUnsettled = sql`(${isDifference} and l.settled_at is null)`
const isChanged = sql`(l.settled_at is not null and l.settled_difference_eur is distinct from l.difference_eur)`

const heads = (customerId: string, more: RawBuilder<unknown>, page: RawBuilder<unknown> = sql``) => sql<StatementHead>`
  select s.statement_id, s.name, s.taken_at, s.taken_by, s.first_day::text as "firstDay", s.last_day::text as "lastDay", s.left_out as "leftOut", n.*
  from (select * from operator_statement s where s.customer_id = ${customerId} ${more}) s
  cross join lateral (
    select count(*)::int as lines, count(*) filter (where ${isUnsettled})::int as unsettled,
      count(*) filter (where l.settled_at is not null)::int as settled, count(*) filter (where ${isChanged})::int as changed,
      count(*) filter (where l.kind = 'open')::int as open,
      coalesce(sum(l.ours_eur) filter (where l.difference_eur is not null), 0.00)::text as "oursEur",
      coalesce(sum(l.theirs_eur) filter (where l.difference_eur is not null), 0.00)::text as "theirsEur",
      coalesce(sum(l.difference_eur), 0.00)::text as "differenceEur",
      coalesce(sum(l.difference_eur) filter (where ${isUnsettled}), 0.00)::text as "unsettledEur"
    from operator_statement_line l where l.customer_id = s.customer_id and l.statement_id = s.statement_id) n
  ${page}`

const sortColumns = {
  name: byName(sql`s.name`),
  days: sql`s.first_day`,
  lines: sql`n.lines`,
  difference: sql`n."differenceEur"::numeric`,
  unsettled: sql`n."unsettledEur"::numeric`,
  state: sql`n.unsettled`,
  at: sql`s.taken_at`,
  by: byName(sql`s.taken_by`),
}
const isCounted = ['lines', 'difference', 'unsettled', 'state']

export const findStatements = async (
  tx: Tx,
  customerId: string,
  { limit, skip, ...sort }: Paged<keyof typeof sortColumns>,
) => {
  const order = sql`order by ${orderBy(sort, sortColumns, sql`s.taken_at desc, s.statement_id`)}`
  const page = sql`${order} limit ${limit} offset ${skip}`
  const { rows } = await (
    isCounted.includes(sort.sort ?? '') ? heads(customerId, sql``, page) : heads(customerId, page, order)
  ).execute(tx)
  return { rows, totalCount: await countRows(selectRows(tx, customerId, 'operator_statement')) }
}

export const getStatement = async (tx: Tx, customerId: string, statementId: string): Promise<StatementHead> => {
  const { rows } = await heads(customerId, sql`and s.statement_id = ${statementId}`).execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export type LineFilter = { show: ShownLines; cause?: Cause | undefined; instanceId?: string | undefined }
const conditions: Record<ShownLines, RawBuilder<unknown>> = {
  unsettled: isUnsettled,
  settled: sql`l.settled_at is not null`,
  changed: isChanged,
  open: sql`l.kind = 'open'`,
  agrees: sql`l.kind = 'agrees'`,
  all: sql`true`,
}
const partOf: Record<Cause, RawBuilder<unknown>> = {
  volume: sql`l.volume_eur`,
  price: sql`l.price_eur`,
  availability: sql`l.availability_eur`,
  share: sql`l.share_eur`,
  other: sql`l.other_eur`,
}
const matching = (customerId: string, statementId: string, { show, cause, instanceId }: LineFilter) =>
  sql.join(
    [
      sql`l.customer_id = ${customerId} and l.statement_id = ${statementId} and ${conditions[show]}`,
      ...(cause ? [sql`${partOf[cause]} <> 0`] : []),
      ...(instanceId ? [sql`l.instance_id = ${instanceId}`] : []),
    ],
    sql` and `,
  )

export type LineRow = Omit<
  RowOf<'operator_statement_line'>,
  'customer_id' | 'statement_id' | 'kind' | 'period' | 'theirs' | 'ours'
> & {
  instance_name: string
  period: Period
  kind: LineKind
  compares: Compares
  theirs: Facts | null
  ours: Facts | null
}
export const lineColumns = sql`
  l.line_id, l.instance_id, i.name as instance_name, l.day::text as day, l.product, l.row_no, l.auction, l.period, l.starts_at, l.kind, s.compares,
  l.theirs, l.ours, l.ours_eur::text, l.theirs_eur::text, l.difference_eur::text, l.volume_eur::text, l.price_eur::text, l.availability_eur::text,
  l.share_eur::text, l.other_eur::text, l.version, l.settled_at, l.settled_by, l.note, l.settled_difference_eur::text, l.settled_version`

const selectLines = sql`
  select ${lineColumns} from operator_statement_line l
  join operator_statement s on s.customer_id = l.customer_id and s.statement_id = l.statement_id
  join instance i on i.customer_id = l.customer_id and i.instance_id = l.instance_id`

const lineSortColumns = {
  date: sql`l.day`,
  instance: byName(sql`i.name`),
  type: sql`l.product`,
  ours: sql`l.ours_eur`,
  theirs: sql`l.theirs_eur`,
  difference: sql`l.difference_eur`,
  // The kinds in their order, and of differing lines the largest cause.
  why: sql`array[array_position(${lineKinds}::text[], l.kind), (
    select cause from unnest(array[${sql.join(causes.map((cause) => partOf[cause]))}]) with ordinality as part(eur, cause)
    where l.kind = 'differs' and eur <> 0 order by abs(eur) desc, cause limit 1)]`,
  settled: sql`l.settled_at`,
}

export const findLines = (
  tx: Tx,
  customerId: string,
  statementId: string,
  filter: LineFilter & Paged<keyof typeof lineSortColumns>,
): Promise<LineRow[]> =>
  sqlRows<LineRow>(tx)`
    ${selectLines} where ${matching(customerId, statementId, filter)}
    order by ${orderBy(filter, lineSortColumns, sql`abs(l.difference_eur) desc nulls last, l.day, l.starts_at nulls first, l.line_id`)}
    limit ${filter.limit} offset ${filter.skip}`

type Sums = { count: number; ours: string; theirs: string; difference: string } & Record<Cause, string>
export const sumLines = async (tx: Tx, customerId: string, statementId: string, filter: LineFilter): Promise<Sums> => {
  const sum = (column: RawBuilder<unknown>) =>
    sql`coalesce(sum(${column}) filter (where l.difference_eur is not null), 0.00)::text`
  const rows = await sqlRows<Sums>(tx)`
    select count(*)::int as count, ${sum(sql`l.ours_eur`)} as ours, ${sum(sql`l.theirs_eur`)} as theirs, ${sum(sql`l.difference_eur`)} as difference,
      ${sum(partOf.volume)} as volume, ${sum(partOf.price)} as price, ${sum(partOf.availability)} as availability,
      ${sum(partOf.share)} as share, ${sum(partOf.other)} as other
    from operator_statement_line l where ${matching(customerId, statementId, filter)}`
  if (!rows[0]) throw notFound()
  return rows[0]
}

export const findLineInstances = (tx: Tx, customerId: string, statementId: string) =>
  sqlRows<{ instance_id: string; name: string }>(tx)`
    select i.instance_id, i.name from instance i
    where i.customer_id = ${customerId} and exists (select from operator_statement_line l
      where l.customer_id = i.customer_id and l.statement_id = ${statementId} and l.instance_id = i.instance_id)
    order by i.position, ${byName(sql`i.name`)}`

export const lockLine = async (tx: Tx, customerId: string, statementId: string, lineId: string): Promise<LineRow> => {
  const rows = await sqlRows<LineRow>(tx)`
    ${selectLines} where l.customer_id = ${customerId} and l.statement_id = ${statementId}
      and l.line_id = ${lineId} for update of l`
  if (!rows[0]) throw notFound()
  return rows[0]
}

export const settleLines = async (
  tx: Tx,
  [customerId, statementId]: [string, string],
  { lineId, ...filter }: LineFilter & { lineId?: string | undefined },
  { at, by, note }: { at: Date; by: string; note: string },
) => {
  const rows = await sqlRows<{ difference: string }>(tx)`
    update operator_statement_line l set settled_at = ${at}, settled_by = ${by}, note = ${note},
      settled_difference_eur = l.difference_eur, settled_version = l.version
    where ${matching(customerId, statementId, filter)} ${lineId ? sql`and l.line_id = ${lineId}` : sql``}
    returning l.difference_eur::text as difference`
  return rows.map(({ difference }) => difference)
}

export const reopenLine = (tx: Tx, customerId: string, statementId: string, lineId: string) =>
  updateRows(tx, customerId, 'operator_statement_line', { statement_id: statementId, line_id: lineId })
    .set({ settled_at: null, settled_by: null, note: null, settled_difference_eur: null, settled_version: null })
    .execute()

export const removeStatement = (tx: Tx, customerId: string, statementId: string) =>
  deleteRows(tx, customerId, 'operator_statement', { statement_id: statementId }).execute()
