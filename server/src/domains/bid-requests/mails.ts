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
  /** Sum over all bids. */
  mw: string
  name: string
  content: string
}

/** To the operator: the bids of a company for one auction and day. */
export const bidFile = ({ company, market, auction, day, gateMs, bids, mw, name, content }: File): Letter => {
  const what = `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`
  const attachments = [{ name, content }]
  const [sum, gate] = [formatNumber(mw), formatDateTime(gateMs)]
  return {
    en: {
      subject: `Bids of ${company}: ${what}`,
      text: `${bids} bids, ${sum} MW in all, are in the file. The gate closes on ${gate} (Europe/Berlin).`,
      attachments,
    },
    da: {
      subject: `Bud fra ${company}: ${what}`,
      text: `${bids} bud, ${sum} MW i alt, er i filen. Fristen udløber ${gate} (Europe/Berlin).`,
      attachments,
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
  /** Sum over the bids won. */
  wonMw: string
  link: string
}

/** To those who subscribe to bid results of an instance. */
export const bidResult = ({ instance, market, auction, day, sent, won, wonMw, link }: Result): Letter => {
  const what = `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`
  const mw = formatNumber(wonMw)
  return {
    en: {
      subject: `${instance}: ${won} of ${sent} bids won`,
      text: `${won} of the ${sent} bids of ${instance} were won in ${what}: ${mw} MW in all.\n\n${link}\n\nGridmast`,
    },
    da: {
      subject: `${instance}: ${won} af ${sent} bud vundet`,
      text: `${instance} har vundet ${won} af ${sent} bud i ${what}: ${mw} MW i alt.\n\n${link}\n\nGridmast`,
    },
  }
}
