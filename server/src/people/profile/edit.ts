import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { imageName, updateProfile } from '@gridmast/contract/people/profile.ts'
import { takeOfDay } from '#access/attempts.ts'
import { checkCurrentPassword } from '#access/passwords.ts'
import { endCodes, newOtp, otpHmac, saveCode } from '#access/one-time-codes.ts'
import { getProfile } from '#access/profile.ts'
import { route } from '#context.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Upload } from '#platform/http/multipart.ts'
import { smallPicture } from '#platform/files/picture.ts'
import { emailCode } from './mails.ts'
import { isEmailTaken, lockUser, saveUser } from './queries.ts'

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
export const edit = route(updateProfile, async (ask) => {
  const { app, viewer, own, audit, nowMs, body, file } = ask
  const { userId } = viewer
  const moves = viewer.email.toLowerCase() !== body.email.toLowerCase()
  if (moves) await checkCurrentPassword(ask, body.currentPassword)
  const taken = moves && (await app.records.system((tx) => isEmailTaken(tx, body.email)))
  if (moves) {
    const day = { kind: 'email-day', key: app.secret.hmac('email-day', userId), most: changesPerDay }
    const fullUntilMs = await app.records.system((tx) => takeOfDay(tx, day, nowMs))
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
      ...(moves ? {} : { email: body.email }), // the same address in another case
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
    if (moves) {
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
      if (!taken) await queueMail(tx, reader, emailCode(before.name, otp))
      await audit(tx, 'profile.email-asked', before.email, { after: { email: body.email } })
    }
    return getProfile(tx, customerId, userId)
  })
  return { user, emailToConfirm: moves ? body.email : null }
})
