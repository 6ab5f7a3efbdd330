import { findAudit, verifyAudit, type AuditEntry } from '@gridmast/contract/people/audit.ts'
import { isEdgeYes } from '@gridmast/contract/delivery/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { verifyChain } from '#platform/records/audit.ts'
import { invalid } from '#platform/http/errors.ts'
import { isYes } from '#protocols/ocpp/orders.ts'
import { route } from '#context.ts'
import { auditFile } from './file.ts'
import { type EntryRow, findActions, findEntries, measureEntries, type Filter } from './queries.ts'

/** In entries of earlier versions, and of edges, the result is the text of the device. */
const outcomeOf = ({ result, after }: Pick<EntryRow, 'result' | 'after'>): Pick<AuditEntry, 'result' | 'answer'> => {
  if (result !== 'ok' && result !== 'refused')
    return { result: isYes(result) || isEdgeYes(result) ? 'ok' : 'refused', answer: result }
  const recorded = z.object({ command: z.string(), answer: z.string() }).safeParse(after)
  return { result, answer: recorded.success ? recorded.data.answer : null }
}

const shown = (row: Awaited<ReturnType<typeof findEntries>>[number]): AuditEntry => ({
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

const find = route(findAudit, async ({ app, viewer, own, query }) => {
  const { limit, skip, sort, order } = query
  if (query.startDate && query.endDate && query.endDate < query.startDate) throw invalid({ endDate: m.endBeforeStart })
  const filter: Filter = {
    fromMs: query.startDate ? dayBounds(query.startDate).fromMs : undefined,
    toMs: query.endDate ? dayBounds(query.endDate).toMs : undefined,
    who: query.who,
    action: query.action,
    changesOnly: query.changes === 'only',
  }
  if (query.format) return auditFile(app.records, viewer.customerId, filter)
  return own(async (tx, customerId) => ({
    entries: (await findEntries(tx, customerId, filter, { limit, skip, sort, order })).map(shown),
    totalCount: (await measureEntries(tx, customerId, filter)).count,
    actions: await findActions(tx, customerId),
  }))
})

const verify = route(verifyAudit, async ({ app, viewer }) => {
  const { entries, firstBroken } = await verifyChain(app.records, viewer.customerId)
  return { entries, whole: firstBroken === null, firstBroken }
})

export const audits = [find, verify]
