import { m } from '@gridmast/contract/messages.ts'
import { forgetTries, takeTry, type Bucket } from '#access/attempts.ts'
import type { Viewer } from '#access/viewer.ts'
import type { App } from '#app.ts'
import { writeAudit } from '#platform/audit.ts'
import { invalid } from '#platform/errors.ts'
import { verifyPassword } from '#platform/password.ts'
import { getPasswordHash } from './queries.ts'

export const wrongPassword = () => invalid({ currentPassword: m.wrongPassword })

/** Answers the stored hash that the password fits. Guessing is slowed as it is at sign-in (security rule S3) and on the audit trail. */
export const checkCurrentPassword = async (
  app: App,
  viewer: Viewer,
  password: string,
  requestId: string,
): Promise<string> => {
  const { customerId, userId } = viewer
  const bucket: Bucket = { kind: 'current-password', key: app.secret.hmac('current-password', userId) }
  const nowMs = app.clock.now()
  await app.records.system((tx) => takeTry(tx, bucket, nowMs))
  const hash = await app.records.tenant(customerId, (tx) => getPasswordHash(tx, customerId, userId))
  if (!(await verifyPassword(password, hash))) {
    await app.records.tenant(customerId, (tx) =>
      writeAudit(tx, customerId, nowMs, {
        userId,
        who: viewer.email,
        action: 'profile.current-password',
        subject: viewer.email,
        result: 'refused',
        requestId,
      }),
    )
    throw wrongPassword()
  }
  await app.records.system((tx) => forgetTries(tx, bucket))
  return hash
}
