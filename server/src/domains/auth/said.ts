import type { AuditEntry } from '#platform/audit.ts'
import type { Person } from './queries.ts'

/** What an audit entry says of somebody's own sign-in. */
export const said = (
  person: Person,
  action: string,
  result: 'ok' | 'refused',
  more: { requestId?: string; subject?: string | undefined; after?: unknown },
): AuditEntry => ({
  userId: person.user_id,
  who: person.email,
  action,
  subject: more.subject ?? person.email,
  result,
  ...(more.requestId ? { requestId: more.requestId } : {}),
  ...(more.after === undefined ? {} : { after: more.after }),
})
