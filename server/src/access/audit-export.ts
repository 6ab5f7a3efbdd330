import { writeAudit } from '#platform/audit.ts'
import type { Records } from '#platform/records.ts'
import type { Viewer } from './viewer.ts'

/** Every file that leaves the portal is on the audit trail (security rule C4). */
export const auditExport = (
  app: { records: Records; clock: { now: () => number } },
  viewer: Viewer,
  requestId: string,
  subject: string,
): Promise<void> =>
  app.records.tenant(viewer.customerId, (tx) =>
    writeAudit(tx, viewer.customerId, app.clock.now(), {
      userId: viewer.userId,
      who: viewer.email,
      action: 'export',
      subject,
      result: 'ok',
      requestId,
    }),
  )
