import { formatDateTime, zone } from '@gridmast/contract/time.ts'
import type { Mail } from '#platform/mail.ts'

const notYou = 'If this was not you, change your password at once and tell your administrator.'

const told = (to: string, subject: string, what: string, nowMs: number): Mail => ({
  to,
  subject,
  text: `${what}\n\nWhen: ${formatDateTime(nowMs)} (${zone})\n\n${notYou}\n`,
})

export const passwordChanged = (to: string, nowMs: number) =>
  told(to, 'Your Gridmast password was changed', 'The password of your Gridmast account was changed.', nowMs)

export const secondFactorOn = (to: string, nowMs: number) =>
  told(
    to,
    'Two-step sign-in is on',
    'Signing in to your Gridmast account now also asks for a code of your authenticator app.',
    nowMs,
  )

export const secondFactorOff = (to: string, nowMs: number) =>
  told(to, 'Two-step sign-in is off', 'Signing in to your Gridmast account asks for the password only.', nowMs)

/** To both addresses: whoever loses the account must hear of it. */
export const emailChanged = (from: string, to: string, nowMs: number): Mail[] =>
  [from, to].map((address) =>
    told(
      address,
      'The email of your Gridmast account was changed',
      `The email of your Gridmast account was changed from ${from} to ${to}.`,
      nowMs,
    ),
  )
