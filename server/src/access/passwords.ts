import { m } from '@gridmast/contract/messages.ts'
import { dictionary } from '@zxcvbn-ts/language-common'
import { invalid } from '#platform/http/errors.ts'
import { verifyPassword } from '#platform/security/password.ts'
import type { Records } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import type { Secret } from '#platform/security/secret.ts'
import { withTry } from './attempts.ts'
import type { Viewer } from './viewer.ts'

const common = new Set(dictionary['passwords-common'].filter((word) => word.length >= 8))

/** The problem of a new password, or null. The contract checks its length (security rule S2). */
export const passwordProblem = (password: string): string | null => {
  const plain = password.normalize('NFKC').toLowerCase()
  const sameCharacter = new Set(plain).size === 1
  return common.has(plain) || plain.includes('gridmast') || sameCharacter ? m.commonPassword : null
}

type PasswordRequest = Own & { app: { records: Records; secret: Secret }; viewer: Viewer; nowMs: number }

export const wrongPassword = () => invalid({ currentPassword: m.wrongPassword })

/** Answers the stored hash. Guesses are throttled as at sign-in (security rule S3) and on the audit trail. */
export const checkCurrentPassword = async (
  { app, viewer, own, audit, nowMs }: PasswordRequest,
  password: string | undefined,
): Promise<string> => {
  if (!password) throw invalid({ currentPassword: m.required })
  const { userId } = viewer
  return withTry(app, { kind: 'current-password', of: userId }, nowMs, async () => {
    const { password_hash: hash } = await own((tx, customerId) =>
      selectRows(tx, customerId, 'app_user', { user_id: userId }).select('password_hash').executeTakeFirstOrThrow(),
    )
    if (await verifyPassword(password, hash)) return hash
    await own((tx) => audit(tx, 'profile.current-password', viewer.email, { result: 'refused' }))
    throw wrongPassword()
  })
}
