import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import { formatDate, formatDateTime, localSpan } from '@gridmast/contract/time.ts'
import { type InBoth, type Letter, letter, danishTimes } from '#platform/messaging/mail.ts'

type Auction = { market: string; auction: string; day: string }

const auctionText = ({ market, auction, day }: Auction) =>
  `${market}${auction === '' ? '' : ` ${auction}`}, ${formatDate(day)}`

type File = Auction & {
  company: string
  gateMs: number
  bids: number
  mostMw: string
  name: string
  content: string
}

export const bidFile = (file: File): Letter => {
  const { company, gateMs, bids, mostMw, name, content } = file
  const attachments = [{ name, content }]
  const [auction, mw, gate] = [auctionText(file), formatNumber(mostMw), formatDateTime(gateMs)]
  return letter({
    subject: { en: `Bids of ${company}: ${auction}`, da: `Bud fra ${company}: ${auction}` },
    body: [
      {
        en: `The file has ${bids} ${bids === 1 ? 'bid' : 'bids'} of up to ${mw} MW. The gate closes on ${gate}.`,
        da: `Filen har ${bids} bud på op til ${mw} MW. Fristen udløber ${gate}.`,
      },
      danishTimes,
    ],
    attachments: { en: attachments, da: attachments },
  })
}

export const gateMissed = (missed: Auction & Pick<File, 'company' | 'gateMs'> & { instances: string[] }): Letter => {
  const { company, gateMs, instances } = missed
  const [auction, gate, names] = [auctionText(missed), formatDateTime(gateMs), instances.join(', ')]
  return letter({
    subject: { en: `Bids not sent for ${company}: ${auction}`, da: `Bud ikke sendt for ${company}: ${auction}` },
    body: [
      {
        en: `Bids were not sent before the gate closed on ${gate}: Gridmast was not running between cut-off and gate. No bids are placed for: ${names}. If the grid operator still accepts bids, send them manually.`,
        da: `Bud blev ikke sendt, før fristen udløb ${gate}: Gridmast kørte ikke mellem afsendelse og frist. Der bydes ikke for: ${names}. Hvis den systemansvarlige stadig tager imod bud, skal de sendes manuelt.`,
      },
      danishTimes,
    ],
  })
}

type Result = Auction & {
  isCorrected: boolean
  instance: string
  sent: number
  won: number
  mostMw: string | null
  link: string
}

export const bidResult = (result: Result): Letter => {
  const { isCorrected, instance, sent, won, mostMw, link } = result
  const auction = auctionText(result)
  const upTo = (words: string) => (mostMw === null ? '' : `, ${words} ${formatNumber(mostMw)} MW`)
  return letter({
    subject: {
      en: `${isCorrected ? 'Corrected: ' : ''}${instance}: ${won} of ${sent} bids won`,
      da: `${isCorrected ? 'Rettet: ' : ''}${instance}: ${won} af ${sent} bud vundet`,
    },
    body: [
      {
        en: `${instance} won ${won} of ${sent} bids in ${auction}${upTo('up to')}.`,
        da: `${instance} har vundet ${won} af ${sent} bud i ${auction}${upTo('op til')}.`,
      },
      link,
      'Gridmast',
    ],
  })
}

type AtRisk = {
  instance: string
  market: string
  slots: readonly RiskSlot[]
  support: { name: string; phone: string | null; email: string }
  link: string
}

const maxLines = 24

const kw = (value: number | null) => `${formatNumber(value, { decimals: 1, minDecimals: 0 })} kW`
const eur = (value: string | null) => `${formatNumber(value, { decimals: 2 })} EUR`

const slotWords = {
  en: { of: 'of', expected: 'expected', unknown: 'expected capacity unknown', lost: 'possible loss', more: 'More' },
  da: { of: 'af', expected: 'ventet', unknown: 'forventet kapacitet ukendt', lost: 'muligt tab', more: 'Flere' },
}

const slotLine = ({ product, start, end, ...slot }: RiskSlot, words: typeof slotWords.en): string => {
  const [fromMs, toMs] = [Date.parse(start), Date.parse(end)]
  const sold = `${formatDate(fromMs)} ${localSpan(fromMs, toMs)} ${product}: ${kw(slot.soldKw)}`
  if (slot.state === 'unknown') return `${sold}, ${words.unknown}`
  const money = slot.lossEur === null ? '' : `; ${words.lost} ${eur(slot.lossEur)} ${words.of} ${eur(slot.atStakeEur)}`
  return `${sold}, ${words.expected} ${kw(slot.expectedKw)} ± ${kw(slot.usualErrorKw)}${money}`
}

const slotLines = (slots: readonly RiskSlot[], words: typeof slotWords.en): string =>
  [
    ...slots.slice(0, maxLines).map((slot) => slotLine(slot, words)),
    ...(slots.length > maxLines ? [`${words.more}: ${slots.length - maxLines}`] : []),
  ].join('\n')

const atRiskRemedy = ({ slots, support }: AtRisk): InBoth => {
  const first = slots.map(({ start }) => start).toSorted()[0] ?? ''
  const begin = formatDateTime(Date.parse(first)).slice(0, 16)
  const contact = [support.name, support.phone, support.email].filter((one) => one !== null).join(', ')
  return {
    en: `Fix by ${begin}: restore the capacity or call ${contact}.`,
    da: `Ret op inden ${begin}: Genopret kapaciteten, eller ring til ${contact}.`,
  }
}

const atRiskSubject = ({ instance, market, slots }: AtRisk): InBoth => {
  const count = slots.length
  const [sold, solgt] =
    count === 1 ? ['1 sold slot', '1 solgt periode'] : [`${count} sold slots`, `${count} solgte perioder`]
  return slots.every(({ state }) => state === 'unknown')
    ? {
        en: `${instance} is silent: ${sold} unknown (${market})`,
        da: `${instance} er tavs: ${solgt} ukendt (${market})`,
      }
    : { en: `${instance}: ${sold} at risk (${market})`, da: `${instance}: ${solgt} i fare (${market})` }
}

export const soldAtRiskPush = (about: AtRisk) => ({ title: atRiskSubject(about), body: atRiskRemedy(about) })

export const soldAtRisk = (about: AtRisk): Letter => {
  const { instance, market, slots, link } = about
  const isUnknown = slots.every(({ state }) => state === 'unknown')
  return letter({
    subject: atRiskSubject(about),
    body: [
      isUnknown
        ? {
            en: `${instance} has not reported for 15 minutes. The capacity for what is sold on ${market} is unknown.`,
            da: `${instance} har ikke meldt i 15 minutter. Kapaciteten til det, der er solgt på ${market}, er ukendt.`,
          }
        : {
            en: `Expected capacity of ${instance} is below what is sold on ${market}.`,
            da: `Forventet kapacitet for ${instance} er lavere end den solgte på ${market}.`,
          },
      { en: slotLines(slots, slotWords.en), da: slotLines(slots, slotWords.da) },
      atRiskRemedy(about),
      danishTimes,
      link,
      'Gridmast',
    ],
  })
}
