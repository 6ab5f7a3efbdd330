import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime, formatTime, localDateOf } from '@gridmast/contract/time.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import type { Letter, Mail } from '#platform/messaging/mail.ts'
import { mailWords } from './mail-words.ts'

export type MailedActivation = {
  market: string
  direction: 'increased' | 'decreased'
  startMs: number
  /** Null while it runs. */
  endMs: number | null
  /** What was asked for, in percent of the capacity. */
  deltaLoad: number
}

export type Activations = {
  instance: string
  isSimulated: boolean
  activations: readonly MailedActivation[]
  /** The page of the subscriptions, and the link that stops these mails without signing in. */
  pageLink: string
  stopLink: string
}

/** A mail lists so many activations; the portal has them all. */
const mostListed = 50

const words = {
  en: {
    one: (instance: string, market: string) => `${instance}: activated in ${market}`,
    many: (instance: string, n: number) => `${instance}: ${n} activations`,
    lead: (instance: string) => `${instance} was activated.`,
    increased: 'increased',
    decreased: 'decreased',
    load: (percent: string) => `delta load ${percent} %`,
    to: 'to',
    running: 'still running',
    more: (n: number) => `And ${n} more: the portal has them all.`,
    ...mailWords.en,
    page: 'Choose who receives these emails:',
    stop: 'Stop receiving them, without signing in:',
  },
  da: {
    one: (instance: string, market: string) => `${instance}: aktiveret i ${market}`,
    many: (instance: string, n: number) => `${instance}: ${n} aktiveringer`,
    lead: (instance: string) => `${instance} blev aktiveret.`,
    increased: 'opregulering',
    decreased: 'nedregulering',
    load: (percent: string) => `lastændring ${percent} %`,
    to: 'til',
    running: 'i gang endnu',
    more: (n: number) => `Og ${n} mere: portalen viser dem alle.`,
    ...mailWords.da,
    page: 'Vælg, hvem der får disse mails:',
    stop: 'Stop dem uden at logge ind:',
  },
} satisfies Record<Language, object>

const spanOf = ({ startMs, endMs }: MailedActivation, { to, running }: { to: string; running: string }) => {
  if (endMs === null) return `${formatDateTime(startMs)}, ${running}`
  const end = localDateOf(startMs) === localDateOf(endMs) ? formatTime(endMs) : formatDateTime(endMs)
  return `${formatDateTime(startMs)} ${to} ${end}`
}

/** One mail of all that was activated since the one before. */
export const activationMail = (told: Activations): Letter => ({
  en: inWords(words.en, told),
  da: inWords(words.da, told),
})

const inWords = (say: typeof words.en, told: Activations): Omit<Mail, 'to'> => {
  const { instance, activations, isSimulated, pageLink, stopLink } = told
  const listed = activations.slice(0, mostListed).map((one) => {
    const load = say.load(formatNumber(one.deltaLoad, { decimals: 1, minDecimals: 0 }))
    return `${spanOf(one, say)}\n${one.market}, ${say[one.direction]}, ${load}`
  })
  const [first] = activations
  const left = activations.length - listed.length
  return {
    subject:
      activations.length === 1 && first ? say.one(instance, first.market) : say.many(instance, activations.length),
    text: [
      say.lead(instance),
      ...listed,
      ...(left > 0 ? [say.more(left)] : []),
      ...(isSimulated ? [say.simulated] : []),
      say.times,
      `${say.page}\n${pageLink}`,
      `${say.stop}\n${stopLink}`,
      'Gridmast',
    ].join('\n\n'),
    unsubscribe: stopLink,
  }
}

/** To an address outside the company, before anything else goes there. */
export const confirmAddress = (about: { company: string; email: string; days: number; link: string }): Letter => {
  const { company, email, days, link } = about
  return {
    en: {
      subject: `Confirm your email address for messages from ${company}`,
      text: [
        `${company} wants to send messages from Gridmast to ${email}: alerts, activations, bid results or monthly statements.`,
        `Confirm the address within ${days} days: ${link}`,
        'Nothing is sent before. If you do not know the company, ignore this email.',
      ].join('\n\n'),
    },
    da: {
      subject: `Bekræft din e-mailadresse til beskeder fra ${company}`,
      text: [
        `${company} vil sende beskeder fra Gridmast til ${email}: alarmer, aktiveringer, budresultater eller månedlige opgørelser.`,
        `Bekræft adressen inden ${days} dage: ${link}`,
        'Intet sendes før det. Kender du ikke virksomheden, så se bort fra denne mail.',
      ].join('\n\n'),
    },
  }
}
