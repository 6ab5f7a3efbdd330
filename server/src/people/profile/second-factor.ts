import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '@gridmast/contract/people/profile.ts'
import { withTry } from '#access/attempts.ts'
import { checkCurrentPassword } from '#access/passwords.ts'
import { renewRecoveryCodes } from '#access/one-time-codes.ts'
import { matchingStep, newTotpSecret, totpUri } from '#access/second-factor.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { route } from '#context.ts'
import { secondFactorOff, secondFactorOn } from './mails.ts'
import { lockUser, removeOptionalSecondFactor, saveUser } from '#people/users.ts'

/** The new secret is pending until it is confirmed: an aborted change keeps the old one. */
const begin = route(beginSecondFactor, async (context) => {
  const { app, viewer, own, audit, nowMs, body } = context
  await checkCurrentPassword(context, body.currentPassword)
  const secret = newTotpSecret()
  await own(async (tx, customerId) => {
    await saveUser(tx, customerId, viewer.userId, {
      totp_pending_sealed: app.secret.seal(secret),
      totp_pending_at: new Date(nowMs),
    })
    await audit(tx, 'second-factor.begin', viewer.email)
  })
  return { secret, uri: totpUri(secret, viewer.email) }
})

const confirm = route(confirmSecondFactor, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { userId } = viewer
  const turnOn = async (tx: Tx, customerId: string) => {
    const user = await lockUser(tx, customerId, userId)
    const pending = user.totp_pending_sealed
    const begunMs = user.totp_pending_at?.getTime() ?? 0
    if (!pending || nowMs - begunMs > limits.pendingSecondFactorMs) throw new Refusal(409, m.secondFactorNotBegun)
    const step = matchingStep(app.secret.unseal(pending), body.code, nowMs, null)
    if (step === null) throw invalid({ code: m.codeWrong })
    await saveUser(tx, customerId, userId, {
      totp_sealed: pending,
      totp_pending_sealed: null,
      totp_pending_at: null,
      totp_confirmed_at: new Date(nowMs),
      totp_last_step: step, // the code of the confirmation opens no session
    })
    await audit(tx, 'second-factor.on', viewer.email)
    await queueMail(tx, { customerId, to: viewer.email }, secondFactorOn(nowMs))
    return { recoveryCodes: await renewRecoveryCodes(tx, app.secret, user, nowMs) }
  }
  return withTry(app, { kind: 'second-factor-confirm', of: userId }, nowMs, () => own(turnOn))
})

const remove = route(removeSecondFactor, async (context) => {
  const { viewer, own, audit, nowMs, body } = context
  const { userId } = viewer
  await checkCurrentPassword(context, body.currentPassword)
  await own(async (tx, customerId) => {
    if (!(await removeOptionalSecondFactor(tx, { customer_id: customerId, user_id: userId }))) {
      const { totp_confirmed_at: confirmedAt } = await lockUser(tx, customerId, userId)
      throw new Refusal(409, confirmedAt ? m.secondFactorKept : m.secondFactorNotOn)
    }
    await audit(tx, 'second-factor.off', viewer.email)
    await queueMail(tx, { customerId, to: viewer.email }, secondFactorOff(nowMs))
  })
})

export const secondFactor = [begin, confirm, remove]
