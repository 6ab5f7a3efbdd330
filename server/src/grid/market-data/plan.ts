import { addDays, addMonths, dayMs, type LocalDate, type LocalMonth, minuteMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { publishing } from '#connectors/energi-data-service/publishing.ts'
import type { Tx } from '#platform/records/records.ts'
import type { SourceResult } from '#grid/published/run-source.ts'
import { sqlRows } from '#platform/records/rows.ts'

const monthsOf = (tx: Tx, dataset: DatasetName) =>
  tx.selectFrom('backfill_month').where('source', '=', sourceName).where('dataset', '=', dataset)

const updateMonths = (tx: Tx, dataset: DatasetName, months: readonly LocalMonth[]) =>
  tx
    .updateTable('backfill_month')
    .where('source', '=', sourceName)
    .where('dataset', '=', dataset)
    .where('month', 'in', months)

export const monthsBetween = (dataset: DatasetName, from: LocalDate, to: LocalDate, nowMs: number): LocalMonth[] => {
  const [first, last] = publishing[dataset].history
  const end = [to, last ?? to, today(nowMs)].toSorted()[0] ?? to
  const oldest = (from < first ? first : from).slice(0, 7)
  const months: LocalMonth[] = []
  for (let month = end.slice(0, 7); month >= oldest; month = addMonths(month, -1)) months.push(month)
  return months
}

export const planMonths = async (
  tx: Tx,
  dataset: DatasetName,
  months: readonly LocalMonth[],
  { again = false, requestedAtMs }: { again?: boolean; requestedAtMs?: number } = {},
): Promise<void> => {
  if (months.length === 0) return
  const rows = months.map((month) => ({ source: sourceName, dataset, month }))
  await tx
    .insertInto('backfill_month')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (!again && !requestedAtMs) return
  await updateMonths(tx, dataset, months)
    .set({
      failures: 0,
      not_before: null,
      ...(again ? { finished_at: null } : {}),
      ...(requestedAtMs ? { asked_at: new Date(requestedAtMs) } : {}),
    })
    .execute()
}

export const findMonths = (tx: Tx, dataset: DatasetName, months: readonly LocalMonth[]) =>
  monthsOf(tx, dataset)
    .select(['month', 'row_count', 'last_error', 'finished_at'])
    .where('month', 'in', ['', ...months]) // an empty list is invalid SQL
    .orderBy('month', 'desc')
    .execute()

const isWaiting = (nowMs: number) =>
  sql<boolean>`finished_at is null and (not_before is null or not_before <= ${new Date(nowMs)})
    and (leased_until is null or leased_until <= ${new Date(nowMs)})`

export const leaseMs = 2 * minuteMs

export const leaseMonth = async (tx: Tx, dataset: DatasetName, month: LocalMonth, nowMs: number): Promise<boolean> => {
  const leased = monthsOf(tx, dataset)
    .select('month')
    .where('month', '=', month)
    .where('leased_until', '>', new Date(nowMs))
  if (await leased.executeTakeFirst()) return false
  await renewLease(tx, dataset, month, nowMs + leaseMs)
  return true
}

export const renewLease = (tx: Tx, dataset: DatasetName, month: LocalMonth, untilMs: number | null) =>
  updateMonths(tx, dataset, [month])
    .set({ leased_until: untilMs === null ? null : new Date(untilMs) })
    .execute()

export const nextMonth = async (tx: Tx, dataset: DatasetName, months: readonly LocalMonth[], nowMs: number) => {
  const waiting = await monthsOf(tx, dataset)
    .select('month')
    .where(isWaiting(nowMs))
    .where('month', 'in', ['', ...months])
    .orderBy((order) => order('last_error', 'is not', null))
    .orderBy('month', 'desc')
    .executeTakeFirst()
  return waiting?.month ?? null
}

/** A failed month waits 10 minutes, doubled each time up to a day, without delaying its source. */
const firstWaitMs = 10 * minuteMs
const longestWaitMs = dayMs

export const recordMonth = async (
  tx: Tx,
  dataset: DatasetName,
  month: LocalMonth,
  result: SourceResult,
  nowMs: number,
): Promise<void> => {
  const update = updateMonths(tx, dataset, [month])
  if (result.ok) {
    const finished = {
      row_count: result.rowCount,
      finished_at: new Date(nowMs),
      last_error: null,
      failures: 0,
      not_before: null,
    }
    await update.set(finished).execute()
    return
  }
  const waitMs = sql<number>`least(${firstWaitMs} * power(2, least(failures, 20)), ${longestWaitMs})`
  await update
    .set({
      last_error: `${result.kind}: ${result.detail}`.slice(0, 500),
      failures: sql<number>`failures + 1`,
      not_before:
        result.kind === 'forbidden'
          ? null
          : sql<Date>`${new Date(nowMs)}::timestamptz + ${waitMs} * interval '1 millisecond'`,
    })
    .execute()
}

/** The next waiting month of each dataset: latest request first, then newest, so that all datasets advance alike; failed ones come last. */
export const waitingMonths = (tx: Tx, nowMs: number): Promise<{ dataset: string; month: LocalMonth }[]> =>
  sqlRows<{ dataset: string; month: LocalMonth }>(tx)`
    select dataset, month from (
      select distinct on (dataset) dataset, month, last_error is not null as failed, asked_at
      from backfill_month where source = ${sourceName} and ${isWaiting(nowMs)}
      order by dataset, last_error is not null, asked_at desc nulls last, month desc
    ) w order by failed, asked_at desc nulls last, month desc, dataset`

export const monthsOfHistory = (dataset: DatasetName, days: number, nowMs: number): LocalMonth[] => {
  const date = today(nowMs)
  return monthsBetween(dataset, addDays(date, -days), date, nowMs)
}
