import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { daysBetween, localDateOf } from '@gridmast/contract/time.ts'
import * as column from '#platform/files/columns.ts'
import { checkFileRows, type Column, tableFile, type TableFile, rowPages } from '#platform/files/table-file.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Records } from '#platform/records/records.ts'
import { type EntryRow, findEntriesBelow, measureEntries, type Filter } from './queries.ts'

/** A cell of a sheet is limited to 32,767 characters. */
const cellCharacters = 32_000

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value).slice(0, cellCharacters))

const columns: Column<EntryRow>[] = [
  column.text('Entry', (entry) => entry.entry_no, 10),
  column.instant('Time', (entry) => entry.at),
  column.text('Who', (entry) => entry.who, 30),
  column.text('Action', (entry) => entry.action),
  column.text('Subject', (entry) => entry.subject, 40),
  column.text('Before', (entry) => json(entry.before), 40),
  column.text('After', (entry) => json(entry.after), 40),
  column.text('Result', (entry) => entry.result, 12),
  column.text('Request', (entry) => entry.request_id, 38),
]

/** The filtered range as a file, newest first. Throws a 400 when it exceeds the limits of an export (security rule L1). */
export const auditFile = async (records: Records, customerId: string, filter: Filter): Promise<{ file: TableFile }> => {
  const { count, oldest, newest, newest_no } = await records.tenant(customerId, (tx) =>
    measureEntries(tx, customerId, filter),
  )
  const first = oldest ? localDateOf(oldest.getTime()) : '-'
  const last = newest ? localDateOf(newest.getTime()) : '-'
  if (count > 0 && daysBetween(first, last) >= limits.exportDays)
    throw invalid({ startDate: m.exportTooLong(limits.exportDays) })
  checkFileRows(count, 'startDate')
  const entries = rowPages<EntryRow>(({ after, limit }) =>
    records.tenant(customerId, (tx) =>
      findEntriesBelow(tx, customerId, filter, after?.entry_no ?? (newest_no ?? 0) + 1, limit),
    ),
  )
  return { file: tableFile({ fileName: `Audit trail ${first} ${last}`, sheet: 'Audit trail' }, columns, entries) }
}
