import { z } from 'zod'
import { call, id } from '#call.ts'
import { email, givenPassword, longText, newPassword, otp, requiredText, shortText, text } from '#fields.ts'
import { m } from '#messages.ts'
import { user } from './user.ts'
import { wallShow } from './wall.ts'

const remember = z.boolean().optional()

export const login = call({
  method: 'POST',
  path: '/user/login',
  summary:
    'Sign in with email and password. `challenge`: a second factor is required next. `redirect`: an admin-type account; `token` is its one-time code for that portal.',
  may: 'public',
  touches: [],
  body: z.strictObject({ user: z.strictObject({ email: email(), password: givenPassword }), remember }),
  response: z.object({
    token: z.string().nullable(),
    user: user.nullable(),
    challenge: z.string().optional(),
    redirect: z.url().nullable().optional(),
  }),
  ok: m.loginSuccess,
})

export const loginSecondFactor = call({
  method: 'POST',
  path: '/user/login/second-factor',
  summary: 'Finish a sign-in with a code of the authenticator app, or with a recovery code',
  may: 'public',
  touches: [],
  body: z.strictObject({
    challenge: requiredText(100),
    code: requiredText(20),
    remember,
  }),
  response: login.response,
  ok: m.loginSuccess,
})

export const loginLink = call({
  method: 'POST',
  path: '/user/login-link',
  summary: 'Sign in with the id of a sign-in link: once, within 10 minutes',
  may: 'public',
  touches: [],
  body: z.strictObject({ id: requiredText(100) }),
  response: login.response,
  ok: m.loginSuccess,
})

export const handoff = call({
  method: 'POST',
  path: '/user/handoff',
  summary: 'Get the user of a one-time code for the admin portal; once, within 60 seconds',
  may: 'public',
  touches: [],
  body: z.strictObject({ code: requiredText(100) }),
  response: z.object({ email: z.string(), name: z.string(), userRole: z.string(), customerId: id('customer') }),
})

export const requestAccount = call({
  method: 'POST',
  path: '/user/request-account',
  summary: 'Request an account from the operator; the answer is the same for every address',
  may: 'public',
  touches: [],
  body: z.strictObject({ name: shortText, company: shortText, email: email(), message: longText }),
  ok: m.accountRequested,
})

export const resetPassword = call({
  method: 'POST',
  path: '/user/reset-password',
  summary: 'Mail a one-time code; the answer is the same for unknown emails',
  may: 'public',
  touches: [],
  body: z.strictObject({ email: email() }),
  response: z.object({ resendInS: z.number() }),
  ok: m.otpSent,
})

export const resendOtp = call({
  method: 'POST',
  path: '/user/resend-otp',
  summary: 'Mail another one-time code after the countdown has reached 0',
  may: 'public',
  touches: [],
  body: z.strictObject({ email: email() }),
  response: z.object({ resendInS: z.number() }),
  ok: m.otpResent,
})

export const resetWithOtp = call({
  method: 'POST',
  path: '/user/reset-with-otp',
  summary: 'Choose a new password with the one-time code; every session of the user ends',
  may: 'public',
  touches: [],
  body: z
    .strictObject({
      email: email(),
      otp,
      newPassword,
      confirmNewPassword: givenPassword,
    })
    .refine((form) => form.newPassword === form.confirmNewPassword, {
      path: ['confirmNewPassword'],
      error: m.passwordsDontMatch,
    }),
  ok: m.passwordReset,
})

export const verify = call({
  method: 'GET',
  path: '/user/verify',
  summary: 'Get the signed-in user with the customer record, and the step that is required before other calls work',
  may: 'session.use',
  of: ['profile', 'company', 'instance'],
  restricted: true,
  wall: true,
  response: z.object({
    user,
    due: z.enum(['password', 'second-factor']).nullable(),
    /** Name of the wall screen whose session this is; its `user` has no personal data. */
    wall: z.string().optional(),
    /** Null: the standard cards. */
    wallShow: wallShow.nullish(),
  }),
})

export const logout = call({
  method: 'POST',
  path: '/user/logout',
  summary: 'End this session',
  may: 'session.use',
  touches: [],
  restricted: true,
  wall: true,
  ok: m.logoutSuccess,
})

export const logoutAll = call({
  method: 'POST',
  path: '/user/logout-all',
  summary: 'End this session and the sessions of the given tokens; an invalid token is ignored',
  may: 'session.use',
  touches: [],
  restricted: 'second-factor',
  body: z.strictObject({ tokens: z.array(text(200)).max(50) }),
  ok: m.logoutSuccess,
})

export const sessions = call({
  method: 'GET',
  path: '/user/sessions',
  summary: 'List the sessions of the signed-in user',
  may: 'session.use',
  of: ['sign-in'],
  response: z.object({
    sessions: z.array(
      z.object({
        _id: id('session'),
        current: z.boolean(),
        createdAt: z.iso.datetime(),
        lastUsedAt: z.iso.datetime(),
        remembered: z.boolean(),
        /** Name of a wall screen. */
        wall: z.string().nullable(),
        wallShow: wallShow.nullable(),
        userAgent: z.string().nullable(),
        address: z.string().nullable(),
      }),
    ),
  }),
})

export const revokeSession = call({
  method: 'DELETE',
  path: '/user/sessions/{sessionId}',
  summary: 'End one of the own sessions',
  may: 'session.use',
  touches: ['sign-in'],
  params: z.object({ sessionId: id('session') }),
  ok: m.sessionRevoked,
})
