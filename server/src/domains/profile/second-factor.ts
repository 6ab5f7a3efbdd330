import { m } from '@gridmast/contract/messages.ts'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '@gridmast/contract/profile.ts'
import { newRecoveryCodes, recoveryHmac } from '#access/recovery-codes.ts'
import { matchingStep, newTotpSecret, totpUri } from '#access/second-factor.ts'
import { forgetViewers } from '#access/viewer.ts'
import { invalid, Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { queueMail } from '#platform/mail.ts'
import { route } from '#context.ts'
import { checkCurrentPassword } from './current-password.ts'
import { secondFactorOff, secondFactorOn } from './mails.ts'
import { addRecoveryCodes, lockUser, removeRecoveryCodes, removeTotp, saveUser } from './queries.ts'

/** The new secret waits beside the one in force: whoever breaks off here signs in as before. */
const begin = route(beginSecondFactor, async (ask) => {
  const { app, viewer, own, audit, body } = ask
  await checkCurrentPassword(ask, body.currentPassword)
  const secret = newTotpSecret()
  await own(async (tx, customerId) => {
    await saveUser(tx, customerId, viewer.userId, { totp_pending_sealed: app.secret.seal(secret) })
    await audit(tx, 'second-factor.begin', viewer.email)
  })
  return { secret, uri: totpUri(secret, viewer.email) }
})

const confirm = route(confirmSecondFactor, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { userId } = viewer
  const recoveryCodes = newRecoveryCodes()
  await own(async (tx, customerId) => {
    const { totp_pending_sealed: pending } = await lockUser(tx, customerId, userId)
    if (!pending) throw new Refusal(409, m.secondFactorNotBegun)
    const step = matchingStep(app.secret.unseal(pending), body.code, nowMs, null)
    if (step === null) throw invalid({ code: m.codeWrong })
    await saveUser(tx, customerId, userId, {
      totp_sealed: pending,
      totp_pending_sealed: null,
      totp_confirmed_at: new Date(nowMs),
      totp_last_step: step, // the code that confirmed opens no session
    })
    await removeRecoveryCodes(tx, customerId, userId)
    const stored = recoveryCodes.map((code) => ({ id: newId(nowMs), hmac: recoveryHmac(app.secret, userId, code) }))
    await addRecoveryCodes(tx, customerId, userId, stored, new Date(nowMs))
    await audit(tx, 'second-factor.on', viewer.email)
    await queueMail(tx, customerId, secondFactorOn(viewer.email, nowMs))
  })
  forgetViewers()
  return { recoveryCodes }
})

const remove = route(removeSecondFactor, async (ask) => {
  const { viewer, own, audit, nowMs, body } = ask
  const { userId } = viewer
  await checkCurrentPassword(ask, body.currentPassword)
  await own(async (tx, customerId) => {
    if (!(await removeTotp(tx, customerId, userId))) {
      const { totp_confirmed_at: since } = await lockUser(tx, customerId, userId)
      throw new Refusal(409, since ? m.secondFactorKept : m.secondFactorNotOn)
    }
    await removeRecoveryCodes(tx, customerId, userId)
    await audit(tx, 'second-factor.off', viewer.email)
    await queueMail(tx, customerId, secondFactorOff(viewer.email, nowMs))
  })
  forgetViewers()
  return undefined
})

export const secondFactor = [begin, confirm, remove]
