import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import { formatDate, formatDateTime, localSpan } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/messaging/mail.ts'

type File = {
  company: string
  market: string
  auction: string
  day: string
  gateMs: number
  bids: number
  /** The largest of them. */
  mostMw: string
  name: string
  content: string
}

/** To the operator: the bids of a company for one auction and day. */
export const bidFile = ({ company, market, auction, day, gateMs, bids, mostMw, name, content }: File): Letter => {
  const what = `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`
  const attachments = [{ name, content }]
  const [mw, gate] = [formatNumber(mostMw), formatDateTime(gateMs)]
  return {
    en: {
      subject: `Bids of ${company}: ${what}`,
      text: `The file has ${bids} ${bids === 1 ? 'bid' : 'bids'} of up to ${mw} MW. The gate closes on ${gate} (Europe/Berlin).`,
      attachments,
    },
    da: {
      subject: `Bud fra ${company}: ${what}`,
      text: `Filen har ${bids} bud på op til ${mw} MW. Fristen udløber ${gate} (Europe/Berlin).`,
      attachments,
    },
  }
}

type Missed = Pick<File, 'company' | 'market' | 'auction' | 'day' | 'gateMs'> & { instances: string[] }

/** To the operator: a gate closed before the bids of a company were sent. */
export const gateMissed = ({ company, market, auction, day, gateMs, instances }: Missed): Letter => {
  const what = `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`
  const [gate, names] = [formatDateTime(gateMs), instances.join(', ')]
  return {
    en: {
      subject: `Bids not sent for ${company}: ${what}`,
      text: `The gate closed on ${gate} (Europe/Berlin) before bids were sent: Gridmast was not running between cut-off and gate. Nothing is bid for: ${names}. If the grid operator still takes bids, send them by hand.`,
    },
    da: {
      subject: `Bud ikke sendt for ${company}: ${what}`,
      text: `Fristen udløb ${gate} (Europe/Berlin), før bud blev sendt: Gridmast kørte ikke mellem afsendelse og frist. Der bydes ikke for: ${names}. Hvis den systemansvarlige stadig tager imod bud, skal de sendes manuelt.`,
    },
  }
}

type Result = {
  /** They were told otherwise before. */
  isCorrected: boolean
  instance: string
  market: string
  auction: string
  day: string
  sent: number
  won: number
  /** The largest that was won in a slot; null where none was. */
  mostMw: string | null
  link: string
}

/** To those who subscribe to bid results of an instance. */
export const bidResult = ({ isCorrected, instance, market, auction, day, sent, won, mostMw, link }: Result): Letter => {
  const what = `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`
  const upTo = (words: string) => (mostMw === null ? '' : `, ${words} ${formatNumber(mostMw)} MW`)
  return {
    en: {
      subject: `${isCorrected ? 'Corrected: ' : ''}${instance}: ${won} of ${sent} bids won`,
      text: `${instance} won ${won} of ${sent} bids in ${what}${upTo('up to')}.\n\n${link}\n\nGridmast`,
    },
    da: {
      subject: `${isCorrected ? 'Rettet: ' : ''}${instance}: ${won} af ${sent} bud vundet`,
      text: `${instance} har vundet ${won} af ${sent} bud i ${what}${upTo('op til')}.\n\n${link}\n\nGridmast`,
    },
  }
}

type AtRisk = {
  instance: string
  market: string
  slots: readonly RiskSlot[]
  support: { name: string; phone: string | null; email: string }
  link: string
}

const mostLines = 24

/** To those who subscribe to bid results of an instance: what is sold and not expected to be there. */
export const soldAtRisk = ({ instance, market, slots, support, link }: AtRisk): Letter => {
  const kw = (value: number | null) => `${formatNumber(value, { decimals: 1, minDecimals: 0 })} kW`
  const eur = (value: string | null) => `${formatNumber(value, { decimals: 2 })} EUR`
  const first = slots.map(({ start }) => start).toSorted()[0] ?? ''
  const begin = formatDateTime(Date.parse(first)).slice(0, 16)
  const call = [support.name, support.phone, support.email].filter((one) => one !== null).join(', ')
  const isUnknown = slots.every(({ state }) => state === 'unknown')
  const lines = (words: { of: string; expected: string; unknown: string; lost: string; more: string }) => [
    ...slots.slice(0, mostLines).map(({ product, start, end, ...slot }) => {
      const when = `${formatDate(Date.parse(start))} ${localSpan(Date.parse(start), Date.parse(end))} ${product}`
      if (slot.state === 'unknown') return `${when}: ${kw(slot.soldKw)}, ${words.unknown}`
      const money =
        slot.lossEur === null ? '' : `; ${words.lost} ${eur(slot.lossEur)} ${words.of} ${eur(slot.atStakeEur)}`
      return `${when}: ${kw(slot.soldKw)}, ${words.expected} ${kw(slot.expectedKw)} ± ${kw(slot.usualErrorKw)}${money}`
    }),
    ...(slots.length > mostLines ? [`${words.more}: ${slots.length - mostLines}`] : []),
  ]
  const count = slots.length
  return {
    en: {
      subject: isUnknown
        ? `${instance} is silent: ${count} sold ${count === 1 ? 'slot' : 'slots'} unknown (${market})`
        : `${instance}: ${count} sold ${count === 1 ? 'slot' : 'slots'} at risk (${market})`,
      text: [
        isUnknown
          ? `${instance} has not reported for 15 minutes. Whether what is sold on ${market} will be there is not known.`
          : `Less is expected of ${instance} than is sold on ${market}.`,
        lines({ of: 'of', expected: 'expected', unknown: 'nothing known', lost: 'would lose', more: 'More' }).join(
          '\n',
        ),
        `Until ${begin} (Europe/Berlin) it can be made good. Call: ${call}.`,
        link,
        'Gridmast',
      ].join('\n\n'),
    },
    da: {
      subject: isUnknown
        ? `${instance} er tavs: ${count} ${count === 1 ? 'solgt periode' : 'solgte perioder'} ukendt (${market})`
        : `${instance}: ${count} ${count === 1 ? 'solgt periode' : 'solgte perioder'} i fare (${market})`,
      text: [
        isUnknown
          ? `${instance} har ikke meldt i 15 minutter. Det vides ikke, om det solgte på ${market} er der.`
          : `Der ventes mindre af ${instance}, end der er solgt på ${market}.`,
        lines({ of: 'af', expected: 'ventet', unknown: 'intet kendt', lost: 'ville miste', more: 'Flere' }).join('\n'),
        `Indtil ${begin} (Europe/Berlin) kan det rettes op. Ring til: ${call}.`,
        link,
        'Gridmast',
      ].join('\n\n'),
    },
  }
}
