import { limits } from '@gridmast/contract/limits.ts'
import type { Mail } from '#platform/mail.ts'

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
      `Your code to choose a new password is ${code.slice(0, 4)} ${code.slice(4)}.`,
      `It works once, for ${limits.otpLifeMs / 60_000} minutes. If you did not ask for it, you need not do anything.`,
    ]),
  passwordChanged: (person: Person): Mail =>
    letter(person, 'Your password was changed', [
      'Your password was changed with a one-time code, and every session was ended.',
      notYou,
    ]),
  recoveryCodeUsed: (person: Person): Mail =>
    letter(person, 'A recovery code was used', ['A recovery code was used to sign in to your account.', notYou]),
}
