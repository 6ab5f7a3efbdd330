import { m } from '@gridmast/contract/messages.ts'
import { imageName, updateProfile } from '@gridmast/contract/profile.ts'
import { getProfile } from '#access/profile.ts'
import { forgetViewers } from '#access/viewer.ts'
import { invalid, Refusal } from '#platform/errors.ts'
import { queueMail } from '#platform/mail.ts'
import type { Upload } from '#platform/multipart.ts'
import { smallPicture } from '#platform/picture.ts'
import { route } from '#context.ts'
import { emailChanged } from './mails.ts'
import { lockUser, saveUser } from './queries.ts'

/** The picture as it is stored. */
const pictureOf = async (file: Upload): Promise<string> => {
  if (!imageName.test(file.name)) throw invalid({ profileImage: m.imageFormat })
  const small = await smallPicture(file.bytes)
  if ('url' in small) return small.url
  if (small.refused === 'size') throw new Refusal(413, m.imageTooLarge, { errors: { profileImage: m.imageTooLarge } })
  throw invalid({ profileImage: m.imageFormat })
}

/** The unique index decides, so that two who take an e-mail at the same moment do not both get it. */
const emailTaken = (error: unknown): unknown =>
  error instanceof Error && 'constraint' in error && error.constraint === 'app_user_email'
    ? invalid({ email: m.emailTaken })
    : error

export const edit = route(updateProfile, async ({ viewer, own, audit, nowMs, body, file }) => {
  const { userId } = viewer
  const image = file ? { profile_image: await pictureOf(file) } : body.removeImage ? { profile_image: null } : {}
  const user = await own(async (tx, customerId) => {
    const before = await lockUser(tx, customerId, userId)
    await saveUser(tx, customerId, userId, {
      name: body.name,
      email: body.email,
      contact: body.contact,
      country_code: body.countryCode,
      ...image,
    })
    await audit(tx, 'profile.update', before.email, {
      before: {
        name: before.name,
        email: before.email,
        contact: before.contact,
        countryCode: before.country_code,
      },
      after: {
        name: body.name,
        email: body.email,
        contact: body.contact,
        countryCode: body.countryCode,
        ...(file ? { profileImage: 'changed' } : body.removeImage ? { profileImage: 'removed' } : {}),
      },
    })
    if (before.email.toLowerCase() !== body.email.toLowerCase())
      for (const mail of emailChanged(before.email, body.email, nowMs)) await queueMail(tx, customerId, mail)
    return getProfile(tx, customerId, userId)
  }).catch((error: unknown) => {
    throw emailTaken(error)
  })
  forgetViewers()
  return { user }
})
