import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, daysBetween, localDateOf } from '@gridmast/contract/time.ts'
import { type AuditEntry, findAudit, verifyAudit } from '@gridmast/contract/people/audit.ts'
import { isEdgeYes } from '@gridmast/contract/delivery/equipment.ts'
import { z } from 'zod'
import * as column from '#platform/files/columns.ts'
import {
  type Column,
  type TableFile,
  checkFileRows,
  rowPages,
  fileDays,
  tableFile,
} from '#platform/files/table-file.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import { verifyChain } from '#platform/records/audit.ts'
import { isYes } from '#protocols/ocpp/orders.ts'
import { route } from '#context.ts'
import { type EntryRow, type Filter, findActions, findEntries, findEntriesBelow, measureEntries } from './queries.ts'

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
const auditFile = async (own: Own['own'], filter: Filter): Promise<{ file: TableFile }> => {
  const { count, oldest, newest, newest_no } = await own((tx, customerId) => measureEntries(tx, customerId, filter))
  const first = oldest ? localDateOf(oldest.getTime()) : '-'
  const last = newest ? localDateOf(newest.getTime()) : '-'
  if (count > 0 && daysBetween(first, last) >= limits.exportDays)
    throw invalid({ startDate: m.exportTooLong(limits.exportDays) })
  checkFileRows(count, 'startDate')
  const entries = rowPages<EntryRow>(({ after, limit }) =>
    own((tx, customerId) => findEntriesBelow(tx, customerId, filter, after?.entry_no ?? (newest_no ?? 0) + 1, limit)),
  )
  return {
    file: tableFile({ fileName: `Audit trail ${fileDays(first, last)}`, sheet: 'Audit trail' }, columns, entries),
  }
}

/** In entries of earlier versions, and of edges, the result is the text of the device. */
const outcomeOf = ({ result, after }: Pick<EntryRow, 'result' | 'after'>): Pick<AuditEntry, 'result' | 'answer'> => {
  if (result !== 'ok' && result !== 'refused')
    return { result: isYes(result) || isEdgeYes(result) ? 'ok' : 'refused', answer: result }
  const recorded = z.object({ command: z.string(), answer: z.string() }).safeParse(after)
  return { result, answer: recorded.success ? recorded.data.answer : null }
}

const toEntry = (row: Awaited<ReturnType<typeof findEntries>>[number]): AuditEntry => ({
  entryNo: row.entry_no,
  at: row.at.toISOString(),
  userId: row.user_id,
  who: row.who,
  action: row.action,
  subject: row.subject,
  before: row.before,
  after: row.after,
  ...outcomeOf(row),
  requestId: row.request_id,
})

const find = route(findAudit, async ({ own, query }) => {
  const { limit, skip, sort, order } = query
  if (query.startDate && query.endDate && query.endDate < query.startDate) throw invalid({ endDate: m.endBeforeStart })
  const filter: Filter = {
    fromMs: query.startDate ? dayBounds(query.startDate).fromMs : undefined,
    toMs: query.endDate ? dayBounds(query.endDate).toMs : undefined,
    who: query.who,
    action: query.action,
    changesOnly: query.changes === 'only',
  }
  if (query.format) return auditFile(own, filter)
  return own(async (tx, customerId) => ({
    entries: (await findEntries(tx, customerId, filter, { limit, skip, sort, order })).map(toEntry),
    totalCount: (await measureEntries(tx, customerId, filter)).count,
    actions: await findActions(tx, customerId),
  }))
})

const verify = route(verifyAudit, async ({ app, viewer }) => {
  const { entries, firstBroken } = await verifyChain(app.records, viewer.customerId)
  return { entries, whole: firstBroken === null, firstBroken }
})

export const audits = [find, verify]
