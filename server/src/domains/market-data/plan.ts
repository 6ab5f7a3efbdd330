import { addDays, addMonths, today, type LocalDate, type LocalMonth } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { publishing } from '#connectors/energi-data-service/publishing.ts'
import type { Tx } from '#platform/records.ts'

const monthsOf = (tx: Tx, dataset: DatasetName) =>
  tx.selectFrom('backfill_month').where('source', '=', sourceName).where('dataset', '=', dataset)
export const updateMonths = (tx: Tx, dataset: DatasetName, months: readonly LocalMonth[]) =>
  tx
    .updateTable('backfill_month')
    .where('source', '=', sourceName)
    .where('dataset', '=', dataset)
    .where('month', 'in', months)

/** The local months of a span of days in which the dataset exists, newest first. */
export const monthsBetween = (dataset: DatasetName, from: LocalDate, to: LocalDate, nowMs: number): LocalMonth[] => {
  const [first, last] = publishing[dataset].history
  const end = [to, last ?? to, today(nowMs)].toSorted()[0] ?? to
  const oldest = (from < first ? first : from).slice(0, 7)
  const months: LocalMonth[] = []
  for (let month = end.slice(0, 7); month >= oldest; month = addMonths(month, -1)) months.push(month)
  return months
}

/** Puts months on the list; those that somebody asks for come first. Finished ones stay so, unless they are wanted again. */
export const planMonths = async (
  tx: Tx,
  dataset: DatasetName,
  months: readonly LocalMonth[],
  { again = false, askedAtMs }: { again?: boolean; askedAtMs?: number } = {},
): Promise<void> => {
  if (months.length === 0) return
  const rows = months.map((month) => ({ source: sourceName, dataset, month }))
  await tx
    .insertInto('backfill_month')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const change = { ...(again ? { finished_at: null } : {}), ...(askedAtMs ? { asked_at: new Date(askedAtMs) } : {}) }
  if (Object.keys(change).length > 0) await updateMonths(tx, dataset, months).set(change).execute()
}

/** How far these months are, newest first. */
export const findMonths = (tx: Tx, dataset: DatasetName, months: readonly LocalMonth[]) =>
  monthsOf(tx, dataset)
    .select(['month', 'row_count', 'last_error', 'finished_at'])
    .where('month', 'in', ['', ...months]) // a list without items is no SQL
    .orderBy('month', 'desc')
    .execute()

/** The newest of these months that is not finished; those that failed come last, so one bad month holds up no other. */
export const nextMonth = async (
  tx: Tx,
  dataset: DatasetName,
  months?: readonly LocalMonth[],
): Promise<LocalMonth | null> => {
  const found = await monthsOf(tx, dataset)
    .select('month')
    .where('finished_at', 'is', null)
    .$if(months !== undefined, (query) => query.where('month', 'in', ['', ...(months ?? [])]))
    .orderBy((order) => order('last_error', 'is not', null))
    .orderBy('month', 'desc')
    .executeTakeFirst()
  return found?.month ?? null
}

/** The next waiting month of each dataset: asked for, then newest, so that all sets advance alike; those that failed come last. */
export const waitingMonths = async (tx: Tx): Promise<{ dataset: string; month: LocalMonth }[]> => {
  const { rows } = await sql<{ dataset: string; month: LocalMonth }>`
    select dataset, month from (
      select distinct on (dataset) dataset, month, last_error is not null as failed, asked_at is null as unasked
      from backfill_month where source = ${sourceName} and finished_at is null
      order by dataset, last_error is not null, asked_at is null, month desc
    ) w order by failed, unasked, month desc, dataset`.execute(tx)
  return rows
}

/** The months of the last days of a dataset. */
export const monthsOfHistory = (dataset: DatasetName, days: number, nowMs: number): LocalMonth[] => {
  const date = today(nowMs)
  return monthsBetween(dataset, addDays(date, -days), date, nowMs)
}
