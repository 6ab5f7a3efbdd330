import { m } from '@gridmast/contract/messages.ts'
import { forgetTries, takeTry, type Bucket } from '#access/attempts.ts'
import type { Viewer } from '#access/viewer.ts'
import type { App } from '#context.ts'
import { invalid } from '#platform/errors.ts'
import { verifyPassword } from '#platform/password.ts'
import type { Own } from '#platform/route.ts'
import { getPasswordHash } from './queries.ts'

export const wrongPassword = () => invalid({ currentPassword: m.wrongPassword })

/** Answers the stored hash that the password fits. Guessing is slowed as it is at sign-in (security rule S3) and on the audit trail. */
export const checkCurrentPassword = async (
  { app, viewer, own, audit, nowMs }: Own & { app: App; viewer: Viewer; nowMs: number },
  password: string,
): Promise<string> => {
  const { userId } = viewer
  const bucket: Bucket = { kind: 'current-password', key: app.secret.hmac('current-password', userId) }
  await app.records.system((tx) => takeTry(tx, bucket, nowMs))
  const hash = await own((tx, customerId) => getPasswordHash(tx, customerId, userId))
  if (!(await verifyPassword(password, hash))) {
    await own((tx) => audit(tx, 'profile.current-password', viewer.email, { result: 'refused' }))
    throw wrongPassword()
  }
  await app.records.system((tx) => forgetTries(tx, bucket))
  return hash
}
