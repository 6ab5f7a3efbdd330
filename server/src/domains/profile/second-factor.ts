import { m } from '@gridmast/contract/messages.ts'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '@gridmast/contract/profile.ts'
import { newRecoveryCodes, recoveryHmac } from '#access/recovery-codes.ts'
import { matchingStep, newTotpSecret, totpUri } from '#access/second-factor.ts'
import { forgetViewers, type Viewer } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { invalid, Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { queueMail } from '#platform/mail.ts'
import type { Tx } from '#platform/records.ts'
import { route } from '#route.ts'
import { checkCurrentPassword } from './current-password.ts'
import { secondFactorOff, secondFactorOn } from './mails.ts'
import { addRecoveryCodes, lockUser, removeRecoveryCodes, removeTotp, saveUser } from './queries.ts'

const audit = (tx: Tx, viewer: Viewer, nowMs: number, action: string, requestId: string) =>
  writeAudit(tx, viewer.customerId, nowMs, {
    userId: viewer.userId,
    who: viewer.email,
    action,
    subject: viewer.email,
    result: 'ok',
    requestId,
  })

/** The new secret waits beside the one in force: whoever breaks off here signs in as before. */
const begin = route(beginSecondFactor, async ({ app, viewer, body, requestId }) => {
  await checkCurrentPassword(app, viewer, body.currentPassword, requestId)
  const secret = newTotpSecret()
  await app.records.tenant(viewer.customerId, async (tx) => {
    await saveUser(tx, viewer.customerId, viewer.userId, { totp_pending_sealed: app.secret.seal(secret) })
    await audit(tx, viewer, app.clock.now(), 'second-factor.begin', requestId)
  })
  return { secret, uri: totpUri(secret, viewer.email) }
})

const confirm = route(confirmSecondFactor, async ({ app, viewer, body, requestId }) => {
  const { customerId, userId } = viewer
  const nowMs = app.clock.now()
  const recoveryCodes = newRecoveryCodes()
  await app.records.tenant(customerId, async (tx) => {
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
    await audit(tx, viewer, nowMs, 'second-factor.on', requestId)
    await queueMail(tx, customerId, secondFactorOn(viewer.email, nowMs))
  })
  forgetViewers()
  return { recoveryCodes }
})

const remove = route(removeSecondFactor, async ({ app, viewer, body, requestId }) => {
  const { customerId, userId } = viewer
  await checkCurrentPassword(app, viewer, body.currentPassword, requestId)
  const nowMs = app.clock.now()
  await app.records.tenant(customerId, async (tx) => {
    if (!(await removeTotp(tx, customerId, userId))) {
      const { totp_confirmed_at: since } = await lockUser(tx, customerId, userId)
      throw new Refusal(409, since ? m.secondFactorKept : m.secondFactorNotOn)
    }
    await removeRecoveryCodes(tx, customerId, userId)
    await audit(tx, viewer, nowMs, 'second-factor.off', requestId)
    await queueMail(tx, customerId, secondFactorOff(viewer.email, nowMs))
  })
  forgetViewers()
  return undefined
})

export const secondFactor = [begin, confirm, remove]
