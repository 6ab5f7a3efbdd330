import type { Viewer } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import type { Tx } from '#platform/records.ts'

export type Form = { name: string; url: string; events: readonly string[]; enabled: boolean }

/** Many receivers carry a secret in the path of their address: the trail names the host only. */
const shown = ({ name, url, events, enabled }: Form) => ({ name, host: new URL(url).host, events, enabled })

export const auditWebhook = (
  tx: Tx,
  viewer: Viewer,
  nowMs: number,
  requestId: string,
  what: { action: string; subject: string; before?: Form; after?: Form; event?: string },
) =>
  writeAudit(tx, viewer.customerId, nowMs, {
    userId: viewer.userId,
    who: viewer.email,
    action: `webhook.${what.action}`,
    subject: what.subject,
    ...(what.before ? { before: shown(what.before) } : {}),
    ...(what.after
      ? {
          after: {
            ...shown(what.after),
            ...(what.before && what.before.url !== what.after.url ? { url: 'changed' } : {}),
          },
        }
      : {}),
    ...(what.event ? { after: { event: what.event } } : {}),
    result: 'ok',
    requestId,
  })
