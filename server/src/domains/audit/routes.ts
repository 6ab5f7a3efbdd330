import { findAudit, verifyAudit, type AuditEntry } from '@gridmast/contract/audit.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { verifyChain } from '#platform/audit.ts'
import { invalid } from '#platform/errors.ts'
import { route } from '#context.ts'
import { auditFile } from './file.ts'
import { findActions, findEntries, measureEntries, type Filter } from './queries.ts'

const shown = (row: Awaited<ReturnType<typeof findEntries>>[number]): AuditEntry => ({
  entryNo: row.entry_no,
  at: row.at.toISOString(),
  userId: row.user_id,
  who: row.who,
  action: row.action,
  subject: row.subject,
  before: row.before,
  after: row.after,
  result: row.result,
  requestId: row.request_id,
})

const find = route(findAudit, async ({ app, viewer, own, query }) => {
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
    entries: (await findEntries(tx, customerId, filter, query)).map(shown),
    totalCount: (await measureEntries(tx, customerId, filter)).count,
    actions: await findActions(tx, customerId),
  }))
})

const verify = route(verifyAudit, async ({ app, viewer }) => {
  const { entries, firstBroken } = await verifyChain(app.records, viewer.customerId)
  return { entries, whole: firstBroken === null, firstBroken }
})

export const audits = [find, verify]
