import { limits } from '@gridmast/contract/limits.ts'
import { dayMs, formatDateTime, minuteMs, zone } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/messaging/mail.ts'

const minutes = limits.otpLifeMs / minuteMs
const days = limits.undoEmailLifeMs / dayMs

type Said = { subject: string; lines: string[] }
/** What happened, when, and what to do. */
const told = (nowMs: number, en: Said, da: Said): Letter => {
  const at = `${formatDateTime(nowMs)} (${zone})`
  const text = (when: string, [what, ...then]: string[]) => `${[what, `${when}: ${at}`, ...then].join('\n\n')}\n`
  return {
    en: { subject: en.subject, text: text('When', en.lines) },
    da: { subject: da.subject, text: text('Tidspunkt', da.lines) },
  }
}

const notYou = {
  en: 'If this was not you, change your password at once and tell your administrator.',
  da: 'Var det ikke dig, så skift straks din adgangskode, og sig det til din administrator.',
}

const keysEnded = (apiKeys: number) =>
  apiKeys > 0
    ? { en: ` and ${apiKeys} API keys were revoked`, da: `, og ${apiKeys} API-nøgler er tilbagekaldt` }
    : { en: '', da: '' }

export const passwordChanged = (apiKeys: number, nowMs: number): Letter => {
  const keys = keysEnded(apiKeys)
  return told(
    nowMs,
    {
      subject: 'Your Gridmast password was changed',
      lines: [`The password of your Gridmast account was changed${keys.en}.`, notYou.en],
    },
    {
      subject: 'Din adgangskode til Gridmast er ændret',
      lines: [`Adgangskoden til din Gridmast-konto er ændret${keys.da}.`, notYou.da],
    },
  )
}

export const secondFactorOn = (nowMs: number): Letter =>
  told(
    nowMs,
    {
      subject: 'Two-step sign-in is on',
      lines: ['Signing in to your Gridmast account now also requires a code from your authenticator app.', notYou.en],
    },
    {
      subject: 'Totrinslogin er slået til',
      lines: ['Login på din Gridmast-konto kræver nu også en kode fra din godkendelsesapp.', notYou.da],
    },
  )

export const secondFactorOff = (nowMs: number): Letter =>
  told(
    nowMs,
    {
      subject: 'Two-step sign-in is off',
      lines: ['Signing in to your Gridmast account now requires your password only.', notYou.en],
    },
    {
      subject: 'Totrinslogin er slået fra',
      lines: ['Login på din Gridmast-konto kræver nu kun din adgangskode.', notYou.da],
    },
  )

export const emailCode = (name: string, code: string): Letter => ({
  en: {
    subject: 'Confirm your new email',
    text: [
      `Hello ${name},`,
      `Your code to use this address in Gridmast is ${code}`,
      `It works once, for ${minutes} minutes. If you did not request it, you can ignore this email.`,
      'Gridmast',
    ].join('\n\n'),
  },
  da: {
    subject: 'Bekræft din nye e-mail',
    text: [
      `Hej ${name}`,
      `Din kode til at bruge denne adresse i Gridmast er ${code}`,
      `Den virker én gang i ${minutes} minutter. Har du ikke bedt om den, kan du se bort fra denne mail.`,
      'Gridmast',
    ].join('\n\n'),
  },
})

const moved = (from: string, to: string) => ({
  en: {
    subject: 'The email of your Gridmast account was changed',
    what: `The email of your Gridmast account was changed from ${from} to ${to}.`,
  },
  da: {
    subject: 'E-mailen til din Gridmast-konto er ændret',
    what: `E-mailen til din Gridmast-konto er ændret fra ${from} til ${to}.`,
  },
})

export const emailChanged = (from: string, to: string, nowMs: number): Letter => {
  const { en, da } = moved(from, to)
  return told(
    nowMs,
    { subject: en.subject, lines: [en.what, notYou.en] },
    { subject: da.subject, lines: [da.what, notYou.da] },
  )
}

/** The address before gets the way back: whoever loses the account must hear of it and can take it again. */
export const emailTaken = (from: string, to: string, undoLink: string, nowMs: number): Letter => {
  const { en, da } = moved(from, to)
  const wayBack = {
    en: `If this was not you, open this link within ${days} days. It restores your email, signs everyone out and asks you for a new password:\n${undoLink}`,
    da: `Var det ikke dig, så åbn dette link inden for ${days} dage. Det gendanner din e-mail, logger alle ud og beder dig om en ny adgangskode:\n${undoLink}`,
  }
  return told(
    nowMs,
    { subject: en.subject, lines: [en.what, wayBack.en] },
    { subject: da.subject, lines: [da.what, wayBack.da] },
  )
}

export const emailUndone = (apiKeys: number, nowMs: number): Letter => {
  const keys = keysEnded(apiKeys)
  return told(
    nowMs,
    {
      subject: 'Your Gridmast email was restored',
      lines: [
        `Your Gridmast account has this email again. Everyone was signed out${keys.en}.`,
        'Choose a new password with "Forgot password" on the sign-in page.',
      ],
    },
    {
      subject: 'Din e-mail i Gridmast er gendannet',
      lines: [
        `Din Gridmast-konto har igen denne e-mail. Alle er logget ud${keys.da}.`,
        'Vælg en ny adgangskode med "Glemt adgangskode?" på loginsiden.',
      ],
    },
  )
}
