import { limits } from '@gridmast/contract/limits.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { hello, type Letter, letter } from '#platform/messaging/mail.ts'

type AccountForm = { name: string; company: string; email: string; message: string }

const minutes = limits.otpLifeMs / minuteMs

const notYou = {
  en: 'If that was not you, reset your password at once and inform your administrator.',
  da: 'Var det ikke dig, så nulstil straks din adgangskode, og kontakt din administrator.',
}

export const code = (name: string, otp: string): Letter =>
  letter({
    subject: { en: 'Your one-time code', da: 'Din engangskode' },
    body: [
      hello(name),
      { en: `Your code to choose a new password is ${otp}`, da: `Din kode til at vælge en ny adgangskode er ${otp}` },
      {
        en: `It is valid once, for ${minutes} minutes. If you did not request it, you can ignore this email.`,
        da: `Den gælder én gang i ${minutes} minutter. Har du ikke bedt om den, kan du se bort fra denne mail.`,
      },
      'Gridmast',
    ],
  })

export const passwordChanged = (name: string, apiKeys: number): Letter => {
  const keys =
    apiKeys > 0 ? { en: ` and ${apiKeys} API keys revoked`, da: `, og ${apiKeys} API-nøgler tilbagekaldt` } : null
  return letter({
    subject: { en: 'Your password was changed', da: 'Din adgangskode er ændret' },
    body: [
      hello(name),
      {
        en: `Your password was changed with a one-time code. All sessions were ended${keys?.en ?? ''}.`,
        da: `Din adgangskode er ændret med en engangskode. Alle sessioner er afsluttet${keys?.da ?? ''}.`,
      },
      notYou,
      'Gridmast',
    ],
  })
}

/** To the operator. The subject has no text of the form. */
export const accountRequested = ({ name, company, email, message }: AccountForm): Letter =>
  letter({
    subject: { en: 'New account request', da: 'Ny anmodning om konto' },
    body: [
      {
        en: `${name} of ${company} has requested an account. Reply to ${email}.`,
        da: `${name} fra ${company} har bedt om en konto. Svar til ${email}.`,
      },
      message,
      {
        en: 'Name, company and email are as entered and have not been checked.',
        da: 'Navn, virksomhed og e-mail er som indtastet og er ikke kontrolleret.',
      },
    ],
  })

export const secondFactorRemoved = (name: string): Letter =>
  letter({
    subject: { en: 'Two-step sign-in was turned off', da: 'Totrinslogin er slået fra' },
    body: [
      hello(name),
      {
        en: 'The operator turned two-step sign-in off for your account, so that you can sign in with a link.',
        da: 'Operatøren har slået totrinslogin fra for din konto, så du kan logge ind med et link.',
      },
      {
        en: 'Set it up again under Security. If you did not request this, inform your administrator at once.',
        da: 'Sæt det op igen under Sikkerhed. Har du ikke bedt om det, så kontakt straks din administrator.',
      },
      'Gridmast',
    ],
  })

export const recoveryCodeUsed = (name: string): Letter =>
  letter({
    subject: { en: 'A recovery code was used', da: 'En gendannelseskode er brugt' },
    body: [
      hello(name),
      {
        en: 'A recovery code was used to sign in to your account.',
        da: 'En gendannelseskode er brugt til at logge ind på din konto.',
      },
      notYou,
      'Gridmast',
    ],
  })
