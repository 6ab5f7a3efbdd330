import type { BidRequest, BidRequestStatus, BidWarning } from '@gridmast/contract/bid-requests.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Sentence } from '#i18n/da.ts'
import type { TFunction } from '#lib/i18n.ts'
import type { TagKind } from '#ui/Tag.tsx'
import { type Kind, ordinarySlots } from './slot-values.ts'

export const statusWords: Record<BidRequestStatus, Sentence> = {
  pending: 'Pending',
  placed: 'Placed',
  withdrawn: 'Withdrawn',
}
export const statusTags: Record<BidRequestStatus, TagKind> = { pending: 'warn', placed: 'up', withdrawn: 'plain' }

/** The energy is paid by MWh; capacity by MW and slot. */
export const unitWords: Record<Kind, string> = { capacity: 'MW', price: 'EUR/MW', regulationPrice: 'EUR/MWh' }

/** What the slots of a market are. */
export const slotWords = (market: string): Sentence =>
  (
    {
      6: 'Six blocks of 4 hours · CET · MW and EUR/MW per block',
      24: '24 hourly slots · CET · MW and EUR/MW per hour',
    } as const
  )[ordinarySlots(market).length] ?? 'The whole day · CET · MW and EUR/MW per day'

export const outcomeOf = ({ bids }: BidRequest, t: TFunction): string | null => {
  if (bids.sent === 0) return null
  if (bids.won + bids.lost === 0) return t('{{n}} bids sent', { n: bids.sent })
  const won = t('won {{won}} of {{sent}}', { won: bids.won, sent: bids.sent })
  const open = bids.sent - bids.won - bids.lost
  return open === 0 ? won : `${won} · ${t('{{n}} not decided', { n: open })}`
}

/** A warning, with the slot that it was first seen in. */
export const warningOf = (market: string, { kind, slot, limitMw }: BidWarning, t: TFunction): string => {
  const time = slot === null ? '' : (ordinarySlots(market)[slot]?.label ?? '')
  const mw = formatNumber(limitMw)
  if (kind === 'below-minimum')
    return t('{{time}}: less than the smallest bid of {{mw}} MW; it is sold in a pool', { time, mw })
  if (kind === 'not-a-step') return t('{{time}}: bids go in steps of {{mw}} MW', { time, mw })
  if (kind === 'above-flexible')
    return t('{{time}}: with other requests it exceeds the registered flexible capacity ({{mw}} MW)', { time, mw })
  if (kind === 'skipped-hour') return t('{{time}} does not exist on the day in March: it is not bid', { time })
  return t('No slot has a capacity: nothing is bid')
}
