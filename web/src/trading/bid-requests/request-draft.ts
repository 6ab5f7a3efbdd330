import type { BidRequest, BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import type { Excluded } from './ExcludedDays.tsx'
import { type Kind, kindsOf, noTexts, type SlotTexts, textsOf, valueOf } from './slot-values.ts'
import { bidBasis, previewBids } from '@gridmast/contract/trading/bid-basis.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { formChecks } from '#lib/call-form.ts'
import { useCall } from '#lib/query.ts'

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

/** Without custom bidding capacity and price are sent empty. */
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

const typingMs = 500

type Request = { market: string; draft: Draft; licenseId: string | undefined; requestId: string | undefined }

export const useBasisAndPreview = ({ market, draft, licenseId, requestId }: Request) => {
  const basis = useCall(bidBasis, {
    sent: { query: { groupId: draft.groupId, market } },
    enabled: draft.groupId !== '',
    keepWhile: draft.groupId,
  })
  const { note: _, ...lists } = bodyOf(market, draft)
  const now = { ...lists, licenseId: licenseId ?? '', biddingMarket: market, requestId }
  // As text, so that equal forms are one request.
  const [settled] = useDebouncedValue(JSON.stringify(now), typingMs)
  const body = JSON.parse(settled) as typeof now // the text of `now`
  // A schema can be read once the file of the checks has loaded.
  const isValid = formChecks.useFile() !== undefined && previewBids.body.safeParse(body).success
  const preview = useCall(previewBids, { sent: { body }, enabled: isValid, keepWhile: draft.groupId })
  const rereadPreview = () => void (isValid && preview.refetch())
  return { basis: basis.data, preview: isValid ? preview.data : undefined, rereadPreview }
}
