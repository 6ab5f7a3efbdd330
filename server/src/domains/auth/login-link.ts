import { limits } from '@gridmast/contract/limits.ts'
import { writeAudit } from '#platform/audit.ts'
import type { Records } from '#platform/records.ts'
import type { Secret } from '#platform/secret.ts'
import { addCode } from './codes.ts'
import { getLogin, maySignIn } from './queries.ts'

/** The id of a sign-in link that the operator hands to someone: one use, 10 minutes (security rule S5). */
export const makeLoginLink = (records: Records, secret: Secret, email: string, nowMs: number): Promise<string> =>
  records.system(async (tx) => {
    const person = await getLogin(tx, email)
    if (!person || !maySignIn(person)) throw new Error(`${email}: no account that may sign in`)
    await writeAudit(tx, person.customer_id, nowMs, {
      userId: null,
      who: 'operator',
      action: 'auth.login-link',
      subject: person.email,
      result: 'ok',
    })
    return addCode(tx, secret, person, { purpose: 'login-link', nowMs, lifeMs: limits.linkLifeMs })
  })
