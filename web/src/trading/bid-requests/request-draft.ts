import type { BidRequest, BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import type { Excluded } from './ExcludedDays.tsx'
import { type Kind, kindsOf, noTexts, type SlotTexts, textsOf, valueOf } from './slot-values.ts'

/** What the form of a request holds while it is filled in. */
export type Draft = SlotTexts & {
  groupId: string
  startDate: string
  endDate: string
  customBidding: boolean
  note: string
  excludedDays: Excluded[]
}

export const newDraft = (market: string, groupId: string, firstDay: string): Draft => ({
  ...noTexts(market),
  groupId,
  startDate: firstDay,
  endDate: firstDay,
  customBidding: true,
  note: '',
  excludedDays: [],
})

export const draftOf = (row: BidRequest): Draft => {
  const { biddingMarket, groupId, startDate, endDate, customBidding, note, excludedDays } = row
  const texts = customBidding ? textsOf(biddingMarket, row) : noTexts(biddingMarket)
  return { ...texts, groupId, startDate, endDate, customBidding, note, excludedDays }
}

/** With custom bidding off capacity and price are sent empty, whatever stands in the cells. */
export const bodyOf = (market: string, draft: Draft): Omit<BidRequestForm, 'licenseId' | 'biddingMarket'> => {
  const { groupId, startDate, endDate, customBidding, note, excludedDays } = draft
  const list = (kind: Kind) => (customBidding ? draft[kind].map((text) => valueOf(kind, text)) : [])
  const hasEnergy = kindsOf(market).includes('regulationPrice')
  return {
    groupId,
    startDate,
    endDate,
    customBidding,
    note,
    excludedDays,
    capacity: list('capacity'),
    price: list('price'),
    regulationPrice: hasEnergy && customBidding ? list('regulationPrice') : null,
  }
}
