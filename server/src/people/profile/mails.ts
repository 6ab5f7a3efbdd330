import { limits } from '@gridmast/contract/limits.ts'
import { dayMs, formatDateTime, minuteMs } from '@gridmast/contract/time.ts'
import { danishTimes, hello, type InBoth, type Letter, letter } from '#platform/messaging/mail.ts'

const minutes = limits.otpLifeMs / minuteMs
const days = limits.undoEmailLifeMs / dayMs

const when = (nowMs: number): InBoth => ({
  en: `When: ${formatDateTime(nowMs)}. ${danishTimes.en}`,
  da: `Tidspunkt: ${formatDateTime(nowMs)}. ${danishTimes.da}`,
})

const notYou = {
  en: 'If this was not you, change your password at once and inform your administrator.',
  da: 'Var det ikke dig, så skift straks din adgangskode, og kontakt din administrator.',
}

const keysRevoked = (apiKeys: number): InBoth =>
  apiKeys > 0
    ? { en: ` and ${apiKeys} API keys were revoked`, da: `, og ${apiKeys} API-nøgler er tilbagekaldt` }
    : { en: '', da: '' }

export const passwordChanged = (apiKeys: number, nowMs: number): Letter => {
  const keys = keysRevoked(apiKeys)
  return letter({
    subject: { en: 'Your Gridmast password was changed', da: 'Din adgangskode til Gridmast er ændret' },
    body: [
      {
        en: `The password of your Gridmast account was changed${keys.en}.`,
        da: `Adgangskoden til din Gridmast-konto er ændret${keys.da}.`,
      },
      when(nowMs),
      notYou,
    ],
  })
}

export const secondFactorOn = (nowMs: number): Letter =>
  letter({
    subject: { en: 'Two-step sign-in is on', da: 'Totrinslogin er slået til' },
    body: [
      {
        en: 'Signing in to your Gridmast account now also requires a code from your authenticator app.',
        da: 'Login på din Gridmast-konto kræver nu også en kode fra din godkendelsesapp.',
      },
      when(nowMs),
      notYou,
    ],
  })

export const secondFactorOff = (nowMs: number): Letter =>
  letter({
    subject: { en: 'Two-step sign-in is off', da: 'Totrinslogin er slået fra' },
    body: [
      {
        en: 'Signing in to your Gridmast account now requires your password only.',
        da: 'Login på din Gridmast-konto kræver nu kun din adgangskode.',
      },
      when(nowMs),
      notYou,
    ],
  })

export const emailCode = (name: string, code: string): Letter =>
  letter({
    subject: { en: 'Confirm your new email', da: 'Bekræft din nye e-mail' },
    body: [
      hello(name),
      {
        en: `Your code to use this address in Gridmast is ${code}`,
        da: `Din kode til at bruge denne adresse i Gridmast er ${code}`,
      },
      {
        en: `It is valid once, for ${minutes} minutes. If you did not request it, you can ignore this email.`,
        da: `Den gælder én gang i ${minutes} minutter. Har du ikke bedt om den, kan du se bort fra denne mail.`,
      },
      'Gridmast',
    ],
  })

const emailChange = (from: string, to: string, nowMs: number, nextStep: InBoth): Letter =>
  letter({
    subject: { en: 'The email of your Gridmast account was changed', da: 'E-mailen til din Gridmast-konto er ændret' },
    body: [
      {
        en: `The email of your Gridmast account was changed from ${from} to ${to}.`,
        da: `E-mailen til din Gridmast-konto er ændret fra ${from} til ${to}.`,
      },
      when(nowMs),
      nextStep,
    ],
  })

export const emailChanged = (from: string, to: string, nowMs: number): Letter => emailChange(from, to, nowMs, notYou)

export const emailTaken = (from: string, to: string, undoLink: string, nowMs: number): Letter =>
  emailChange(from, to, nowMs, {
    en: `If this was not you, open this link within ${days} days. It restores your email, signs everyone out and asks you for a new password:\n${undoLink}`,
    da: `Var det ikke dig, så åbn dette link inden for ${days} dage. Det gendanner din e-mail, logger alle ud og beder dig om en ny adgangskode:\n${undoLink}`,
  })

export const emailUndone = (apiKeys: number, nowMs: number): Letter => {
  const keys = keysRevoked(apiKeys)
  return letter({
    subject: { en: 'Your Gridmast email was restored', da: 'Din e-mail i Gridmast er gendannet' },
    body: [
      {
        en: `Your Gridmast account has this email again. Everyone was signed out${keys.en}.`,
        da: `Din Gridmast-konto har igen denne e-mail. Alle er logget ud${keys.da}.`,
      },
      when(nowMs),
      {
        en: 'Choose a new password with "Forgot password" on the sign-in page.',
        da: 'Vælg en ny adgangskode med "Glemt adgangskode?" på loginsiden.',
      },
    ],
  })
}
