import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/mail.ts'

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
      text: `Fristen udløb ${gate} (Europe/Berlin), før bud blev sendt: Gridmast kørte ikke mellem afsendelse og frist. Der bydes ikke for: ${names}. Hvis netoperatøren stadig tager imod bud, skal de sendes manuelt.`,
    },
  }
}

type Result = {
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
export const bidResult = ({ instance, market, auction, day, sent, won, mostMw, link }: Result): Letter => {
  const what = `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`
  const upTo = (words: string) => (mostMw === null ? '' : `, ${words} ${formatNumber(mostMw)} MW`)
  return {
    en: {
      subject: `${instance}: ${won} of ${sent} bids won`,
      text: `${instance} won ${won} of ${sent} bids in ${what}${upTo('up to')}.\n\n${link}\n\nGridmast`,
    },
    da: {
      subject: `${instance}: ${won} af ${sent} bud vundet`,
      text: `${instance} har vundet ${won} af ${sent} bud i ${what}${upTo('op til')}.\n\n${link}\n\nGridmast`,
    },
  }
}
