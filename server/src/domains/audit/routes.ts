import { findAudit, verifyAudit, type AuditEntry } from '@gridmast/contract/audit.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { auditExport } from '#access/audit-export.ts'
import { verifyChain } from '#platform/audit.ts'
import { invalid } from '#platform/errors.ts'
import { route } from '#route.ts'
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

const find = route(findAudit, async ({ app, viewer, query, requestId }) => {
  const { customerId } = viewer
  if (query.startDate && query.endDate && query.endDate < query.startDate) throw invalid({ endDate: m.endBeforeStart })
  const filter: Filter = {
    fromMs: query.startDate ? dayBounds(query.startDate).fromMs : undefined,
    toMs: query.endDate ? dayBounds(query.endDate).toMs : undefined,
    who: query.who,
    action: query.action,
  }
  if (query.format) {
    const { file, first, last } = await auditFile(app.records, customerId, filter, query.format)
    await auditExport(app, viewer, requestId, `audit trail ${first} to ${last}`)
    return { file }
  }
  return app.records.tenant(customerId, async (tx) => ({
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
