import { z } from 'zod'
import { call } from '#call.ts'
import { contact, countryCode, email, givenPassword, newPassword, otp, requiredText, shortText, text } from '#fields.ts'
import { m } from '#messages.ts'
import { languages, user } from './user.ts'

export const profile = call({
  method: 'GET',
  path: '/user/profile',
  summary: 'Get the profile of the signed-in user',
  may: 'profile.read',
  of: ['profile'],
  restricted: true,
  response: z.object({ user }),
})

/** Allowed endings (specification text 2, section 5, including `peg`). */
export const imageName = /\.(jpg|png|peg|jpeg)$/i

export const updateProfile = call({
  method: 'PUT',
  path: '/user/update-profile',
  summary:
    'Change your own profile: multipart, `values` as JSON and optionally the picture `profileImage` (JPEG or PNG). Another email needs the password, and waits until a code sent there confirms it.',
  may: 'profile.edit',
  touches: ['profile'],
  upload: 'profileImage',
  body: z.strictObject({
    name: shortText,
    email: email(),
    contact,
    countryCode,
    removeImage: z.boolean().optional(),
    currentPassword: text(200).optional(),
  }),
  /** `emailToConfirm`: address of the sent code; the email is unchanged until its confirmation. */
  response: z.object({ user, emailToConfirm: z.string().nullable() }),
  ok: m.profileUpdated,
})

export const confirmEmail = call({
  method: 'PUT',
  path: '/user/confirm-email',
  summary: 'Confirm the new email with the code that was sent to it; every other session ends',
  may: 'profile.edit',
  touches: ['profile'],
  body: z.strictObject({ code: otp }),
  response: z.object({ user }),
  ok: m.emailConfirmed,
})

export const undoEmail = call({
  method: 'POST',
  path: '/user/undo-email',
  summary:
    'Restore the previous email with the link that was mailed to it: every session, every API key and the password end',
  may: 'public',
  touches: ['profile'],
  body: z.strictObject({ id: requiredText(100) }),
  ok: m.emailUndone,
})

export const updatePassword = call({
  method: 'PUT',
  path: '/user/update-password',
  summary: 'Change your own password; every session ends, `token` replaces the current one',
  may: 'session.use',
  touches: ['profile', 'sign-in'],
  restricted: true,
  body: z
    .strictObject({
      currentPassword: givenPassword,
      newPassword,
      confirmNewPassword: givenPassword,
      revokeApiKeys: z.boolean().optional(),
    })
    .refine((form) => form.newPassword === form.confirmNewPassword, {
      path: ['confirmNewPassword'],
      error: m.newPasswordsDontMatch,
    }),
  response: z.object({ token: z.string() }),
  ok: m.passwordUpdated,
})

export const saveLanguage = call({
  method: 'PUT',
  path: '/user/language',
  summary: 'Set the language of the mails to you; by default it is the language of your company',
  may: 'session.use',
  touches: ['profile'],
  body: z.strictObject({ language: z.enum(languages) }),
})

const code = requiredText(20)

export const beginSecondFactor = call({
  method: 'POST',
  path: '/user/second-factor/begin',
  summary: 'Create a secret for an authenticator app; nothing changes until it is confirmed',
  may: 'session.use',
  touches: [],
  restricted: 'second-factor',
  body: z.strictObject({ currentPassword: givenPassword }),
  response: z.object({ secret: z.string(), uri: z.string() }),
})

export const confirmSecondFactor = call({
  method: 'POST',
  path: '/user/second-factor/confirm',
  summary: 'Turn the second factor on with a code of the app; the recovery codes are shown only once',
  may: 'session.use',
  touches: [],
  restricted: 'second-factor',
  body: z.strictObject({ code }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  ok: m.secondFactorOn,
})

export const removeSecondFactor = call({
  method: 'POST',
  path: '/user/second-factor/remove',
  summary: 'Turn the second factor off, unless the company requires it',
  may: 'session.use',
  touches: ['profile'],
  body: z.strictObject({ currentPassword: givenPassword }),
  ok: m.secondFactorOff,
})
