import { limits } from '@gridmast/contract/limits.ts'
import type { Mail } from '#platform/mail.ts'

type AccountForm = { name: string; company: string; email: string; message: string }
type Person = { email: string; name: string }

const letter = (person: Person, subject: string, lines: string[]): Mail => ({
  to: person.email,
  subject,
  text: [`Hello ${person.name},`, ...lines, 'Gridmast'].join('\n\n'),
})

const notYou = 'If that was not you, reset your password at once and tell your administrator.'

/** The words of what sign-in and recovery send. */
export const mails = {
  code: (person: Person, code: string): Mail =>
    letter(person, 'Your one-time code', [
      `Your code to choose a new password is ${code}`,
      `It works once, for ${limits.otpLifeMs / 60_000} minutes. If you did not request it, you can ignore this email.`,
    ]),
  passwordChanged: (person: Person, apiKeys: number): Mail =>
    letter(person, 'Your password was changed', [
      `Your password was changed with a one-time code. All sessions were ended${apiKeys > 0 ? ` and ${apiKeys} API keys revoked` : ''}.`,
      notYou,
    ]),
  accountRequested: (operator: string, form: AccountForm): Mail => ({
    to: operator,
    subject: 'New account request',
    text: [
      `${form.name} of ${form.company} has requested an account. Reply to ${form.email}.`,
      form.message,
      'Name, company and email are as entered and have not been checked.',
    ].join('\n\n'),
  }),
  secondFactorRemoved: (person: Person): Mail =>
    letter(person, 'Two-step sign-in was turned off', [
      'The operator turned two-step sign-in off for your account, so that you can sign in with a link.',
      'Set it up again under Security. If you did not ask for this, tell your administrator at once.',
    ]),
  recoveryCodeUsed: (person: Person): Mail =>
    letter(person, 'A recovery code was used', ['A recovery code was used to sign in to your account.', notYou]),
}
