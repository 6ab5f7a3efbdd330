import { randomBytes } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { confirmEmail, undoEmail } from '@gridmast/contract/people/profile.ts'
import { withTry } from '#access/attempts.ts'
import { addCode, endCodes, getCodeOwner, otpHmacs, useCode, useUserCode } from '#access/one-time-codes.ts'
import { getProfile } from '#access/profile.ts'
import { endSessionsOf } from '#access/sessions.ts'
import { portalAddress } from '#config.ts'
import { route } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { hashPassword } from '#platform/security/password.ts'
import type { Tx } from '#platform/records/records.ts'
import { emailChanged, emailTaken, emailUndone } from './mails.ts'
import { lockUser, saveUser } from '#people/users.ts'

/** A unique index decides between concurrent changes to the same email; the answer does not reveal that another user has it. */
const unlessEmailUsed = (refusal: Refusal) => (error: unknown) => {
  throw error instanceof Error && 'constraint' in error && error.constraint === 'app_user_email' ? refusal : error
}

const confirm = route(confirmEmail, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { userId, sessionId } = viewer
  const changeEmail = async (tx: Tx, customerId: string) => {
    const before = await lockUser(tx, customerId, userId)
    const code = await useUserCode(tx, before, 'email', otpHmacs(app.secret, 'email', userId, body.code), nowMs)
    if (!code?.detail) throw invalid({ code: m.codeWrong })
    await saveUser(tx, customerId, userId, { email: code.detail })
    const ended = await endSessionsOf(tx, before, nowMs, { except: sessionId })
    await endCodes(tx, before, ['reset'], nowMs)
    const lifeMs = limits.undoEmailLifeMs
    const undo = await addCode(tx, app.secret, before, { purpose: 'email-undo', nowMs, lifeMs, detail: before.email })
    const after = { email: code.detail, sessionsEnded: ended.sessions }
    await audit(tx, 'profile.email', before.email, { before: { email: before.email }, after })
    const link = portalAddress(app.config, `/auth/undo-email/${undo}`)
    const { email: from, language } = before
    await queueMail(tx, { customerId, to: from, language }, emailTaken(from, code.detail, link, nowMs))
    await queueMail(tx, { customerId, to: code.detail, language }, emailChanged(from, code.detail, nowMs))
    return { user: await getProfile(tx, customerId, userId) }
  }
  return withTry(app, { kind: 'email-code', of: userId }, nowMs, () =>
    own(changeEmail).catch(unlessEmailUsed(invalid({ code: m.codeWrong }))),
  )
})

/** From the mailbox of the previous address: all sessions end and the password is replaced, so that only a reader of that mailbox can sign in again. */
const undo = route(undoEmail, async ({ app, nowMs, body, requestId }) => {
  const expired = new Refusal(401, m.undoExpired)
  const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'email-undo', body.id, nowMs))
  if (!owner) throw expired
  const randomHash = await hashPassword(randomBytes(24).toString('base64url'))
  await app.records
    .tenant(owner.customer_id, async (tx) => {
      const code = await useCode(tx, app.secret, 'email-undo', body.id, nowMs)
      if (!code?.detail) throw expired
      const before = await lockUser(tx, code.customer_id, code.user_id)
      await saveUser(tx, code.customer_id, code.user_id, { email: code.detail, password_hash: randomHash })
      const ended = await endSessionsOf(tx, code, nowMs, { apiKeys: true })
      await endCodes(tx, code, ['reset', 'email', 'email-undo'], nowMs)
      await writeAudit(tx, code.customer_id, nowMs, {
        userId: code.user_id,
        who: code.detail,
        action: 'profile.email-undone',
        subject: before.email,
        before: { email: before.email },
        after: { email: code.detail, ...ended },
        requestId,
      })
      const reader = { customerId: code.customer_id, to: code.detail, language: before.language }
      await queueMail(tx, reader, emailUndone(ended.apiKeys, nowMs))
    })
    .catch(unlessEmailUsed(expired))
})

export const email = [confirm, undo]
