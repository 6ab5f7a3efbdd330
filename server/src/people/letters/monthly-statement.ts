import { simulatedOf } from '@gridmast/contract/source.ts'
import {
  addMonths,
  atLocalTime,
  formatDate,
  localMonthOf,
  type LocalMonth,
  monthBounds,
} from '@gridmast/contract/time.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import type { Document } from '#platform/files/document.ts'
import type { Tx } from '#platform/records/records.ts'
import type { TableFile } from '#platform/files/table-file.ts'

/** When the statement of a month leaves: it is over, and most results are published. */
export const dueAt = (month: LocalMonth): number => atLocalTime(`${addMonths(month, 1)}-05`, '08:00')

/** Months whose statements left after one instant and not after another. */
export const monthsDue = (afterMs: number, untilMs: number): LocalMonth[] => {
  const months: LocalMonth[] = []
  for (let month = addMonths(localMonthOf(afterMs), -1); dueAt(month) <= untilMs; month = addMonths(month, 1))
    if (dueAt(month) > afterMs) months.push(month)
  return months
}

/** First and last day. */
export const monthText = (month: LocalMonth): string => {
  const { fromMs, toMs } = monthBounds(month)
  return `${formatDate(fromMs)} – ${formatDate(toMs - 1)}`
}

/** Head line of a file with simulated rows. */
export const aboutData = (rows: readonly { simulated: boolean }[]): { Data?: string } => {
  const simulated = simulatedOf(rows.map((row) => row.simulated))
  return simulated ? { Data: simulated === 'part' ? 'Partly simulated' : 'Simulated' } : {}
}

/** A month as a document and as a file. */
export type MonthlyStatement = {
  document: Document
  file: TableFile
  /** Known by the hash of what it says; of a month that still runs, and of kinds that keep none, there is none. */
  version?: number
  /** Days of the month that are to be settled, for the first time or again; absent where nothing is settled. */
  unsettledDays?: number
}

type StatementOf = {
  customerId: string
  month: LocalMonth
  /** Which of several of its kind; null for what has none. */
  subjectId: string | null
  nowMs: number
  /** It is about to be mailed: kinds that keep versions store it. */
  isMailed: boolean
}

/** A transaction on the rows of the customer whose statement it is. */
export type OwnRows = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** One kind of statement that is mailed by the month; null where the month has nothing to say. Which domain makes it is wired in app.ts. */
export type StatementKind = {
  kind: 'settlement' | 'charging'
  make: (
    own: OwnRows,
    of: StatementOf,
  ) => Promise<((language: Language) => MonthlyStatement | Promise<MonthlyStatement>) | null>
}
