import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { daysBetween, localDateOf } from '@gridmast/contract/time.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Records } from '#platform/records/records.ts'
import { rowPages } from '#platform/records/row-pages.ts'
import type { Cell, TableFile } from '#platform/files/table-file.ts'
import { type EntryRow, findEntriesBelow, measureEntries, type Filter } from './queries.ts'

/** A cell of a sheet holds 32,767 characters. */
const cellCharacters = 32_000

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value).slice(0, cellCharacters))

async function* rows(records: Records, customerId: string, filter: Filter, newestNo: number): AsyncGenerator<Cell[]> {
  const entries = rowPages<EntryRow>(({ after, limit }) =>
    records.tenant(customerId, (tx) =>
      findEntriesBelow(tx, customerId, filter, after?.entry_no ?? newestNo + 1, limit),
    ),
  )
  for await (const { entry_no, at, who, action, subject, before, after, result, request_id } of entries)
    yield [entry_no, at, who, action, subject, json(before), json(after), result, request_id]
}

/** The whole filtered range as a file, newest first. Throws a 400 when it is too long or too large for one (security rule L1). */
export const auditFile = async (records: Records, customerId: string, filter: Filter): Promise<{ file: TableFile }> => {
  const { count, oldest, newest, newest_no } = await records.tenant(customerId, (tx) =>
    measureEntries(tx, customerId, filter),
  )
  const first = oldest ? localDateOf(oldest.getTime()) : '-'
  const last = newest ? localDateOf(newest.getTime()) : '-'
  if (count > 0 && daysBetween(first, last) >= limits.exportDays)
    throw invalid({ startDate: m.exportTooLong(limits.exportDays) })
  if (count >= limits.exportRows) throw invalid({ startDate: m.exportTooLarge(limits.exportRows) })
  return {
    file: {
      fileName: `Audit trail ${first} ${last}`,
      sheet: 'Audit trail',
      columns: [
        { header: 'Entry', width: 10 },
        { header: 'Time', holds: 'instants' },
        { header: 'Who', width: 30 },
        { header: 'Action' },
        { header: 'Subject', width: 40 },
        { header: 'Before', width: 40 },
        { header: 'After', width: 40 },
        { header: 'Result', width: 12 },
        { header: 'Request', width: 38 },
      ],
      rows: rows(records, customerId, filter, newest_no ?? 0),
    },
  }
}
