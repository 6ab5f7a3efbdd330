import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime, formatTime, localDateOf } from '@gridmast/contract/time.ts'
import { danishTimes, type InBoth, inLines, type Letter, letter, simulatedFigures } from '#platform/messaging/mail.ts'

export type MailedActivation = {
  market: string
  direction: 'increased' | 'decreased'
  startMs: number
  endMs: number | null
  deltaLoad: number
}

type Activations = {
  instance: string
  isSimulated: boolean
  activations: readonly MailedActivation[]
  pageLink: string
  stopLink: string
}

const maxListed = 50

const spanOf = ({ startMs, endMs }: MailedActivation, words: { to: string; running: string }) => {
  if (endMs === null) return `${formatDateTime(startMs)}, ${words.running}`
  const end = localDateOf(startMs) === localDateOf(endMs) ? formatTime(endMs) : formatDateTime(endMs)
  return `${formatDateTime(startMs)} ${words.to} ${end}`
}

const activationText = (one: MailedActivation): InBoth => {
  const percent = formatNumber(one.deltaLoad, { decimals: 1, minDecimals: 0 })
  const isIncreased = one.direction === 'increased'
  const en = `${isIncreased ? 'increased' : 'decreased'}, delta load ${percent} %`
  const da = `${isIncreased ? 'opregulering' : 'nedregulering'}, lastændring ${percent} %`
  return {
    en: `${spanOf(one, { to: 'to', running: 'still running' })}\n${one.market}, ${en}`,
    da: `${spanOf(one, { to: 'til', running: 'i gang endnu' })}\n${one.market}, ${da}`,
  }
}

export const activationPush = (
  { instance, isSimulated }: Pick<Activations, 'instance' | 'isSimulated'>,
  one: MailedActivation,
) => ({
  title: { en: `${instance}: activated in ${one.market}`, da: `${instance}: aktiveret i ${one.market}` },
  body: inLines([activationText(one), isSimulated ? simulatedFigures : null]),
})

export const activationMail = ({ instance, activations, isSimulated, pageLink, stopLink }: Activations): Letter => {
  const listed = activations.slice(0, maxListed)
  const [count, unlisted] = [activations.length, activations.length - listed.length]
  const market = count === 1 ? activations[0]?.market : undefined
  return letter({
    subject:
      market === undefined
        ? { en: `${instance}: ${count} activations`, da: `${instance}: ${count} aktiveringer` }
        : { en: `${instance}: activated in ${market}`, da: `${instance}: aktiveret i ${market}` },
    body: [
      { en: `${instance} was activated.`, da: `${instance} blev aktiveret.` },
      ...listed.map(activationText),
      unlisted > 0
        ? { en: `And ${unlisted} more, listed in the portal.`, da: `Og ${unlisted} mere, som vises i portalen.` }
        : null,
      isSimulated ? simulatedFigures : null,
      danishTimes,
      {
        en: `Manage the recipients of these emails:\n${pageLink}`,
        da: `Administrér modtagerne af disse mails:\n${pageLink}`,
      },
      { en: `Unsubscribe without signing in:\n${stopLink}`, da: `Afmeld uden at logge ind:\n${stopLink}` },
      'Gridmast',
    ],
    unsubscribe: stopLink,
  })
}

export const confirmAddress = (about: { company: string; email: string; days: number; link: string }): Letter => {
  const { company, email, days, link } = about
  return letter({
    subject: {
      en: `Confirm your email address for messages from ${company}`,
      da: `Bekræft din e-mailadresse til beskeder fra ${company}`,
    },
    body: [
      {
        en: `${company} wants to send messages from Gridmast to ${email}: alerts, activations, bid results or monthly statements.`,
        da: `${company} vil sende beskeder fra Gridmast til ${email}: alarmer, aktiveringer, budresultater eller månedlige opgørelser.`,
      },
      {
        en: `Confirm the address within ${days} days: ${link}`,
        da: `Bekræft adressen inden ${days} dage: ${link}`,
      },
      {
        en: 'Until then no messages are sent. If you do not know the company, ignore this email.',
        da: 'Indtil da sendes ingen beskeder. Kender du ikke virksomheden, så se bort fra denne mail.',
      },
    ],
  })
}
