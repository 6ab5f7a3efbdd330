import { z } from 'zod'
import { call } from './call.ts'
import { contact, countryCode, email, givenPassword, newPassword, requiredText, shortText } from './fields.ts'
import { m } from './messages.ts'
import { user } from './user.ts'

export const profile = call({
  method: 'GET',
  path: '/user/profile',
  summary: 'The profile of the signed-in user',
  may: 'profile.read',
  restricted: true,
  response: z.object({ user }),
})

/** Names a picture may end in (specification text 2, section 5, `peg` among them). */
export const imageName = /\.(jpg|png|peg|jpeg)$/i

export const updateProfile = call({
  method: 'PUT',
  path: '/user/update-profile',
  summary:
    'Change the own profile: multipart, `values` as JSON and optionally the picture `profileImage` (JPEG or PNG)',
  may: 'profile.edit',
  upload: 'profileImage',
  body: z.strictObject({ name: shortText, email: email(), contact, countryCode, removeImage: z.boolean().optional() }),
  response: z.object({ user }),
  ok: m.profileUpdated,
})

export const updatePassword = call({
  method: 'PUT',
  path: '/user/update-password',
  summary: 'Change the own password; every session ends, `token` is a new one in place of this',
  may: 'session.use',
  restricted: true,
  body: z
    .strictObject({
      currentPassword: givenPassword,
      newPassword,
      confirmNewPassword: givenPassword,
    })
    .refine((form) => form.newPassword === form.confirmNewPassword, {
      path: ['confirmNewPassword'],
      error: m.newPasswordsDontMatch,
    }),
  response: z.object({ token: z.string() }),
  ok: m.passwordUpdated,
})

const code = requiredText(20)

export const beginSecondFactor = call({
  method: 'POST',
  path: '/user/second-factor/begin',
  summary: 'A new secret for an authenticator app; nothing changes until it is confirmed',
  may: 'session.use',
  restricted: true,
  body: z.strictObject({ currentPassword: givenPassword }),
  response: z.object({ secret: z.string(), uri: z.string() }),
})

export const confirmSecondFactor = call({
  method: 'POST',
  path: '/user/second-factor/confirm',
  summary: 'Turn the second factor on with a code of the app; the recovery codes are shown once',
  may: 'session.use',
  restricted: true,
  body: z.strictObject({ code }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  ok: m.secondFactorOn,
})

export const removeSecondFactor = call({
  method: 'POST',
  path: '/user/second-factor/remove',
  summary: 'Turn the second factor off, unless the company requires it',
  may: 'session.use',
  body: z.strictObject({ currentPassword: givenPassword }),
  ok: m.secondFactorOff,
})
