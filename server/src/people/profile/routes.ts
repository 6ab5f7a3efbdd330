import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { imageName, profile, saveLanguage, updatePassword, updateProfile } from '@gridmast/contract/people/profile.ts'
import { countOfDay } from '#access/attempts.ts'
import { checkCurrentPassword, passwordProblem, wrongPassword } from '#access/passwords.ts'
import { endCodes, newOtp, otpHmac, saveCode } from '#access/one-time-codes.ts'
import { getProfile } from '#access/profile.ts'
import { route } from '#context.ts'
import { Refusal, invalid } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Upload } from '#platform/http/multipart.ts'
import { smallPicture } from '#platform/files/picture.ts'
import { isEmailUsed, isRemembered, lockUser, savePassword, saveUser } from '#people/users.ts'
import { addSession, endSessionsOf } from '#access/sessions.ts'
import { hashPassword, verifyPassword } from '#platform/security/password.ts'
import { emailCode, passwordChanged } from './mails.ts'
import { email } from './email.ts'
import { firstSteps } from './first-steps.ts'
import { secondFactor } from './second-factor.ts'

const pictureOf = async (file: Upload): Promise<string> => {
  if (!imageName.test(file.name)) throw invalid({ profileImage: m.imageFormat })
  const small = await smallPicture(file.bytes)
  if ('url' in small) return small.url
  if (small.refused === 'size') throw new Refusal(413, m.imageTooLarge, { errors: { profileImage: m.imageTooLarge } })
  throw invalid({ profileImage: m.imageFormat })
}

const changesPerDay = 5

/**
 * All fields except the email are saved at once. A new email requires the password and a code from its mailbox, so that a stolen session cannot
 * take over the account. An address of another user gets the same answer and no code.
 */
const edit = route(updateProfile, async (context) => {
  const { app, viewer, own, audit, nowMs, body, file } = context
  const { userId } = viewer
  const isNewEmail = viewer.email.toLowerCase() !== body.email.toLowerCase()
  if (isNewEmail) await checkCurrentPassword(context, body.currentPassword)
  const isUsed = isNewEmail && (await app.records.system((tx) => isEmailUsed(tx, body.email)))
  if (isNewEmail) {
    const day = { kind: 'email-day', key: app.secret.hmac('email-day', userId), most: changesPerDay }
    const fullUntilMs = await app.records.system((tx) => countOfDay(tx, day, nowMs))
    if (fullUntilMs > 0) throw new Refusal(429, m.tooMany, { retryAfterS: Math.ceil((fullUntilMs - nowMs) / 1000) })
  }
  const image = file ? { profile_image: await pictureOf(file) } : body.removeImage ? { profile_image: null } : {}
  const user = await own(async (tx, customerId) => {
    const before = await lockUser(tx, customerId, userId)
    await saveUser(tx, customerId, userId, {
      name: body.name,
      contact: body.contact,
      country_code: body.countryCode,
      ...image,
      ...(isNewEmail ? {} : { email: body.email }), // the same address in another case
    })
    await audit(tx, 'profile.update', before.email, {
      before: { name: before.name, contact: before.contact, countryCode: before.country_code },
      after: {
        name: body.name,
        contact: body.contact,
        countryCode: body.countryCode,
        ...(file ? { profileImage: 'changed' } : body.removeImage ? { profileImage: 'removed' } : {}),
      },
    })
    if (isNewEmail) {
      const otp = newOtp()
      await endCodes(tx, before, ['email'], nowMs)
      await saveCode(tx, before, {
        purpose: 'email',
        hmac: otpHmac(app.secret, 'email', userId, otp),
        nowMs,
        lifeMs: limits.otpLifeMs,
        detail: body.email,
      })
      const reader = { customerId, to: body.email, language: before.language }
      if (!isUsed) await queueMail(tx, reader, emailCode(before.name, otp))
      await audit(tx, 'profile.email-asked', before.email, { after: { email: body.email } })
    }
    return getProfile(tx, customerId, userId)
  })
  return { user, emailToConfirm: isNewEmail ? body.email : null }
})

const password = route(updatePassword, async (context) => {
  const { viewer, own, audit, nowMs, body, request } = context
  const { userId } = viewer
  const problem = passwordProblem(body.newPassword)
  if (problem) throw invalid({ newPassword: problem })
  const previousHash = await checkCurrentPassword(context, body.currentPassword)
  if (await verifyPassword(body.newPassword, previousHash)) throw invalid({ newPassword: m.samePassword })
  const hash = await hashPassword(body.newPassword)
  const token = await own(async (tx, customerId) => {
    const owner = { customer_id: customerId, user_id: userId }
    if (!(await savePassword(tx, owner, hash, nowMs, previousHash))) throw wrongPassword()
    const remembered = await isRemembered(tx, customerId, viewer.sessionId)
    const ended = await endSessionsOf(tx, owner, nowMs, { apiKeys: body.revokeApiKeys ?? false })
    const newToken = await addSession(tx, {
      customerId,
      userId,
      remembered,
      nowMs,
      userAgent: request.headers['user-agent'],
      address: request.ip,
    })
    await audit(tx, 'profile.password', viewer.email, { after: ended })
    await queueMail(tx, { customerId, to: viewer.email }, passwordChanged(ended.apiKeys, nowMs))
    return newToken
  })
  return { token }
})

const read = route(profile, async ({ viewer, own }) => ({
  user: await own((tx, customerId) => getProfile(tx, customerId, viewer.userId)),
}))

const language = route(saveLanguage, async ({ viewer, own, audit, body }) => {
  await own(async (tx, customerId) => {
    const before = await lockUser(tx, customerId, viewer.userId)
    if (before.language === body.language) return
    await saveUser(tx, customerId, viewer.userId, body)
    await audit(tx, 'profile.language', viewer.email, { before: { language: before.language }, after: body })
  })
})

export const profiles = [read, edit, language, ...email, password, ...secondFactor, ...firstSteps]
