import { m } from '@gridmast/contract/messages.ts'
import { invalid } from '#platform/errors.ts'
import { verifyPassword } from '#platform/password.ts'
import type { Records } from '#platform/records.ts'
import type { Own } from '#platform/route.ts'
import type { Secret } from '#platform/secret.ts'
import { forgetTries, takeTry, type Bucket } from './attempts.ts'
import type { Viewer } from './viewer.ts'

type Ask = Own & { app: { records: Records; secret: Secret }; viewer: Viewer; nowMs: number }

export const wrongPassword = () => invalid({ currentPassword: m.wrongPassword })

/** Answers the stored hash that the password fits. Guessing is slowed as it is at sign-in (security rule S3) and on the audit trail. */
export const checkCurrentPassword = async (
  { app, viewer, own, audit, nowMs }: Ask,
  password: string | undefined,
): Promise<string> => {
  if (!password) throw invalid({ currentPassword: m.required })
  const { userId } = viewer
  const bucket: Bucket = { kind: 'current-password', key: app.secret.hmac('current-password', userId) }
  await app.records.system((tx) => takeTry(tx, bucket, nowMs))
  const { password_hash: hash } = await own((tx, customerId) =>
    tx
      .selectFrom('app_user')
      .select('password_hash')
      .where('customer_id', '=', customerId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(),
  )
  if (!(await verifyPassword(password, hash))) {
    await own((tx) => audit(tx, 'profile.current-password', viewer.email, { result: 'refused' }))
    throw wrongPassword()
  }
  await app.records.system((tx) => forgetTries(tx, bucket))
  return hash
}
