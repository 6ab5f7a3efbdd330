import type { BidRequest, BidRequestStatus, BidWarning } from '@gridmast/contract/trading/bid-requests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import type { Sentence } from '#i18n/da.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import type { TagKind } from '#ui/Tag.tsx'
import { type Kind, ordinarySlots } from './slot-values.ts'

export const statusWords: Record<BidRequestStatus, Sentence> = {
  pending: 'Pending',
  placed: 'Placed',
  withdrawn: 'Withdrawn',
}
export const statusTags: Record<BidRequestStatus, TagKind> = { pending: 'warn', placed: 'up', withdrawn: 'plain' }

/** Energy is paid per MWh, capacity per MW and slot. */
export const unitWords: Record<Kind, string> = { capacity: 'MW', price: 'EUR/MW', regulationPrice: 'EUR/MWh' }

export const slotWords = (market: string): Sentence =>
  (
    {
      6: 'Six blocks of 4 hours · CET · MW and EUR/MW per block',
      24: '24 hourly slots · CET · MW and EUR/MW per hour',
    } as const
  )[ordinarySlots(market).length] ?? 'The whole day · CET · MW and EUR/MW per day'

export const outcomeOf = ({ bids }: BidRequest): string | null => {
  if (bids.sent === 0) return null
  if (bids.won + bids.lost === 0) return t('{{count}} bids sent', { count: bids.sent })
  const won = t('won {{won}} of {{sent}}', { won: bids.won, sent: bids.sent })
  const open = bids.sent - bids.won - bids.lost
  return open === 0 ? won : `${won} · ${t('{{n}} not decided', { n: open })}`
}

const mwText = (mw: number | null) => `${digits.fixedMw(mw)} MW`

const slotsText = (market: string, slots: readonly number[]): string =>
  slots.length === 1
    ? (ordinarySlots(market)[slots[0] ?? 0]?.label ?? '')
    : t('{{count}} slots', { count: slots.length })

const warningWords: Record<BidWarning['kind'], Sentence> = {
  'above-flexible': '{{offered}} exceeds the registered flexible capacity ({{limit}}) in {{slots}}',
  'above-flexible-with-others':
    'With other requests {{offered}} exceeds the registered flexible capacity ({{limit}}) in {{slots}}',
  'price-below-market': 'Price {{offered}} is far below the 7-day mean of {{limit}} in {{slots}}',
  'price-above-market': 'Price {{offered}} is far above the 7-day mean of {{limit}} in {{slots}}',
  'below-minimum': '{{offered}} is below the smallest bid of {{limit}} in {{slots}}; it is sold in a pool',
  'not-a-step': '{{offered}} is not a step of {{limit}} in {{slots}}',
  'nothing-offered': 'No slot has a capacity: no bid is placed',
  'skipped-hour': '{{slots}} does not exist on the day in March: no bid is placed',
}

export const warningOf = (market: string, { kind, slots, offered, limit }: BidWarning): string => {
  const isPrice = kind === 'price-below-market' || kind === 'price-above-market'
  const figure = (value: number | null) => (isPrice ? `${digits.eur(value)} EUR/MW` : mwText(value))
  return t(warningWords[kind], {
    offered: figure(offered),
    limit: figure(limit),
    slots: slotsText(market, slots),
  })
}

const rangeText = (values: readonly number[], decimals: number): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => formatNumber(value, { decimals }))
  return low === high ? `${low}` : `${low}–\u2060${high}`
}

export const offerOf = ({ customBidding, capacity, price }: BidRequest): string => {
  if (!customBidding) return t('By contract')
  const offered = capacity.flatMap((mw, slot) => (mw > 0 ? [{ mw, eur: price[slot] ?? 0 }] : []))
  if (offered.length === 0) return unknownText
  const mw = rangeText(
    offered.map((slot) => slot.mw),
    limits.bidMwDecimals,
  )
  const eur = rangeText(
    offered.map((slot) => slot.eur),
    limits.bidEurDecimals,
  )
  return `${mw} MW\u00a0· ${eur} EUR/MW`
}
