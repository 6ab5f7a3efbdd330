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

export const dueAt = (month: LocalMonth): number => atLocalTime(`${addMonths(month, 1)}-05`, '08:00')

export const monthsDue = (afterMs: number, untilMs: number): LocalMonth[] => {
  const months: LocalMonth[] = []
  for (let month = addMonths(localMonthOf(afterMs), -1); dueAt(month) <= untilMs; month = addMonths(month, 1))
    if (dueAt(month) > afterMs) months.push(month)
  return months
}

export const monthText = (month: LocalMonth): string => {
  const { fromMs, toMs } = monthBounds(month)
  return `${formatDate(fromMs)} – ${formatDate(toMs - 1)}`
}

export type MonthlyStatement = {
  document: Document
  file: TableFile
  version?: number
  unsettledDays?: number
}

type StatementOf = {
  customerId: string
  month: LocalMonth
  subjectId: string | null
  nowMs: number
  isMailed: boolean
}

export type OwnRows = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** `make` returns null for a month without content; the domains of the kinds are wired in app.ts. */
export type StatementKind = {
  kind: 'settlement' | 'charging'
  make: (
    own: OwnRows,
    of: StatementOf,
  ) => Promise<((language: Language) => MonthlyStatement | Promise<MonthlyStatement>) | null>
}
