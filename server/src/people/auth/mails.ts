import { limits } from '@gridmast/contract/limits.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/messaging/mail.ts'

type AccountForm = { name: string; company: string; email: string; message: string }

const minutes = limits.otpLifeMs / minuteMs

type Said = { subject: string; lines: string[] }
const toPerson = (name: string, en: Said, da: Said): Letter => ({
  en: { subject: en.subject, text: [`Hello ${name},`, ...en.lines, 'Gridmast'].join('\n\n') },
  da: { subject: da.subject, text: [`Hej ${name}`, ...da.lines, 'Gridmast'].join('\n\n') },
})

const notYou = {
  en: 'If that was not you, reset your password at once and tell your administrator.',
  da: 'Var det ikke dig, så nulstil straks din adgangskode, og sig det til din administrator.',
}

export const code = (name: string, otp: string): Letter =>
  toPerson(
    name,
    {
      subject: 'Your one-time code',
      lines: [
        `Your code to choose a new password is ${otp}`,
        `It works once, for ${minutes} minutes. If you did not request it, you can ignore this email.`,
      ],
    },
    {
      subject: 'Din engangskode',
      lines: [
        `Din kode til at vælge en ny adgangskode er ${otp}`,
        `Den virker én gang i ${minutes} minutter. Har du ikke bedt om den, kan du se bort fra denne mail.`,
      ],
    },
  )

export const passwordChanged = (name: string, apiKeys: number): Letter => {
  const keys =
    apiKeys > 0 ? { en: ` and ${apiKeys} API keys revoked`, da: `, og ${apiKeys} API-nøgler tilbagekaldt` } : null
  return toPerson(
    name,
    {
      subject: 'Your password was changed',
      lines: [`Your password was changed with a one-time code. All sessions were ended${keys?.en ?? ''}.`, notYou.en],
    },
    {
      subject: 'Din adgangskode er ændret',
      lines: [`Din adgangskode er ændret med en engangskode. Alle sessioner er afsluttet${keys?.da ?? ''}.`, notYou.da],
    },
  )
}

/** To the operator: no word of a stranger's stands in its head. */
export const accountRequested = ({ name, company, email, message }: AccountForm): Letter => ({
  en: {
    subject: 'New account request',
    text: [
      `${name} of ${company} has requested an account. Reply to ${email}.`,
      message,
      'Name, company and email are as entered and have not been checked.',
    ].join('\n\n'),
  },
  da: {
    subject: 'Ny anmodning om konto',
    text: [
      `${name} fra ${company} har bedt om en konto. Svar til ${email}.`,
      message,
      'Navn, virksomhed og e-mail er som indtastet og er ikke kontrolleret.',
    ].join('\n\n'),
  },
})

export const secondFactorRemoved = (name: string): Letter =>
  toPerson(
    name,
    {
      subject: 'Two-step sign-in was turned off',
      lines: [
        'The operator turned two-step sign-in off for your account, so that you can sign in with a link.',
        'Set it up again under Security. If you did not ask for this, tell your administrator at once.',
      ],
    },
    {
      subject: 'Totrinslogin er slået fra',
      lines: [
        'Operatøren har slået totrinslogin fra for din konto, så du kan logge ind med et link.',
        'Sæt det op igen under Sikkerhed. Har du ikke bedt om det, så sig det straks til din administrator.',
      ],
    },
  )

export const recoveryCodeUsed = (name: string): Letter =>
  toPerson(
    name,
    { subject: 'A recovery code was used', lines: ['A recovery code was used to sign in to your account.', notYou.en] },
    {
      subject: 'En gendannelseskode er brugt',
      lines: ['En gendannelseskode er brugt til at logge ind på din konto.', notYou.da],
    },
  )
