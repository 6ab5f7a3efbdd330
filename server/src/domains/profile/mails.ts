import { limits } from '@gridmast/contract/limits.ts'
import { formatDateTime, zone } from '@gridmast/contract/time.ts'
import type { Mail } from '#platform/mail.ts'

const notYou = 'If this was not you, change your password at once and tell your administrator.'

const told = (to: string, subject: string, what: string, nowMs: number): Mail => ({
  to,
  subject,
  text: `${what}\n\nWhen: ${formatDateTime(nowMs)} (${zone})\n\n${notYou}\n`,
})

const keysEnded = (apiKeys: number) => (apiKeys > 0 ? ` and ${apiKeys} API keys were revoked` : '')

export const passwordChanged = (to: string, apiKeys: number, nowMs: number) =>
  told(
    to,
    'Your Gridmast password was changed',
    `The password of your Gridmast account was changed${keysEnded(apiKeys)}.`,
    nowMs,
  )

export const secondFactorOn = (to: string, nowMs: number) =>
  told(
    to,
    'Two-step sign-in is on',
    'Signing in to your Gridmast account now also requires a code from your authenticator app.',
    nowMs,
  )

export const secondFactorOff = (to: string, nowMs: number) =>
  told(to, 'Two-step sign-in is off', 'Signing in to your Gridmast account now requires your password only.', nowMs)

export const emailCode = (to: string, name: string, code: string): Mail => ({
  to,
  subject: 'Confirm your new email',
  text: [
    `Hello ${name},`,
    `Your code to use this address in Gridmast is ${code}`,
    `It works once, for ${limits.otpLifeMs / 60_000} minutes. If you did not request it, you can ignore this email.`,
    'Gridmast',
  ].join('\n\n'),
})

/** The address before gets the way back: whoever loses the account must hear of it and can take it again. */
export const emailChanged = (from: string, to: string, undoLink: string, nowMs: number): Mail[] => {
  const subject = 'The email of your Gridmast account was changed'
  const what = `The email of your Gridmast account was changed from ${from} to ${to}.`
  const days = limits.undoEmailLifeMs / 86_400_000
  const wayBack = `If this was not you, open this link within ${days} days. It restores your email, signs everyone out and asks you for a new password:\n${undoLink}`
  return [
    { to: from, subject, text: `${what}\n\nWhen: ${formatDateTime(nowMs)} (${zone})\n\n${wayBack}\n` },
    told(to, subject, what, nowMs),
  ]
}

export const emailUndone = (to: string, apiKeys: number, nowMs: number): Mail => ({
  to,
  subject: 'Your Gridmast email was restored',
  text: [
    `Your Gridmast account has this email again. Everyone was signed out${keysEnded(apiKeys)}.`,
    'Choose a new password with "Forgot password" on the sign-in page.',
    `When: ${formatDateTime(nowMs)} (${zone})`,
  ].join('\n\n'),
})
