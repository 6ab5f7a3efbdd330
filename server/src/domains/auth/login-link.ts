import { limits } from '@gridmast/contract/limits.ts'
import { writeAudit } from '#platform/audit.ts'
import { queueMail } from '#platform/mail.ts'
import type { Records } from '#platform/records.ts'
import type { Secret } from '#platform/secret.ts'
import { addCode } from './codes.ts'
import { mails } from './mails.ts'
import { getLogin, hasSecondFactor, maySignIn, removeSecondFactor } from './queries.ts'

/**
 * The id of a sign-in link that the operator hands to someone: one use, 10 minutes (security rule S5). A person who has lost phone
 * and recovery codes gets it with `withoutSecondFactor`, which takes the second factor away and tells its owner.
 */
export const makeLoginLink = (
  records: Records,
  secret: Secret,
  email: string,
  nowMs: number,
  { withoutSecondFactor = false } = {},
): Promise<string> =>
  records.system(async (tx) => {
    const person = await getLogin(tx, email)
    if (!person || !maySignIn(person)) throw new Error(`${email}: no account that may sign in`)
    const byOperator = (action: string) =>
      writeAudit(tx, person.customer_id, nowMs, {
        userId: null,
        who: 'operator',
        action,
        subject: person.email,
        result: 'ok',
      })
    if (withoutSecondFactor && hasSecondFactor(person)) {
      await removeSecondFactor(tx, person)
      await queueMail(tx, person.customer_id, mails.secondFactorRemoved(person))
      await byOperator('second-factor.off')
    }
    await byOperator('auth.login-link')
    return addCode(tx, secret, person, { purpose: 'login-link', nowMs, lifeMs: limits.linkLifeMs })
  })
