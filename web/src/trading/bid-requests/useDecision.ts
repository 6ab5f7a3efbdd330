import { bidBasis, previewBids } from '@gridmast/contract/trading/bid-basis.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useCall } from '#lib/query.ts'
import { bodyOf, type Draft } from './request-draft.ts'

const typingMs = 500

type Asked = { market: string; draft: Draft; licenseId: string | undefined; requestId: string | undefined }

/** What is known of the instance, and what the bids as they stand would have earned; asked after a pause in typing, and only of what would be taken. */
export const useDecision = ({ market, draft, licenseId, requestId }: Asked) => {
  const basis = useCall(bidBasis, {
    sent: { query: { groupId: draft.groupId, market } },
    enabled: draft.groupId !== '',
    keepWhile: draft.groupId,
  })
  const { note: _, ...lists } = bodyOf(market, draft)
  const now = { ...lists, licenseId: licenseId ?? '', biddingMarket: market, requestId }
  // As text, so that equal forms are one question.
  const [settled] = useDebouncedValue(JSON.stringify(now), typingMs)
  const body = JSON.parse(settled) as typeof now // what was just written
  const isTaken = previewBids.body.safeParse(body).success
  const preview = useCall(previewBids, { sent: { body }, enabled: isTaken, keepWhile: draft.groupId })
  return { basis: basis.data, preview: isTaken ? preview.data : undefined }
}
