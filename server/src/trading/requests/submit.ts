import type { BidRequestForm, BidWarning } from '@gridmast/contract/trading/bid-requests.ts'
import { firstOpenDay } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { openSlotBook, withDays } from './overlaps.ts'
import { addRequest, columnsOf, findConcurrentRequests, findGates, lockInstance } from './queries.ts'
import { findMarketMeans } from './slot-history.ts'
import { warningsOf } from './warnings.ts'

/** Throws the refusal of a request; returns its warnings. */
export const checkRequest = async (
  tx: Tx,
  customerId: string,
  form: Omit<BidRequestForm, 'licenseId' | 'biddingMarket'>,
  { licenceId, market, requestId, nowMs }: { licenceId: string; market: string; requestId: string; nowMs: number },
): Promise<BidWarning[]> => {
  const instance = await lockInstance(tx, customerId, form.groupId, licenceId)
  if (!instance.markets.includes(market)) throw invalid({ groupId: m.notOfEventType })
  if (form.startDate < firstOpenDay(await findGates(tx, market), nowMs))
    throw new Refusal(409, m.bidsClosed, { errors: { startDate: m.bidsClosed } })
  const concurrent = await findConcurrentRequests(tx, customerId, form, requestId)
  if (concurrent.length >= limits.bidRequestsBeside) throw new Refusal(409, m.tooManyBeside(limits.bidRequestsBeside))
  const [request, book] = [withDays({ market, ...columnsOf(form) }), openSlotBook(concurrent)]
  if (book.findOverlap(form.groupId, request)) throw new Refusal(409, m.bidsOverlap)
  return warningsOf(request, book.kwOnOtherMarkets(form.groupId, request), {
    flexibleKw: instance.flexible_kw,
    means: await findMarketMeans(tx, instance.area, market, nowMs),
  })
}

export const submitRequest = async (
  tx: Tx,
  customerId: string,
  form: BidRequestForm,
  requestId: string,
  nowMs: number,
): Promise<BidWarning[]> => {
  const { licenseId: licence_id, biddingMarket: market, groupId: instance_id } = form
  const warnings = await checkRequest(tx, customerId, form, { licenceId: licence_id, market, requestId, nowMs })
  const at = new Date(nowMs)
  const row = {
    request_id: requestId,
    licence_id,
    instance_id,
    market,
    status: 'pending',
    created_at: at,
    updated_at: at,
  }
  await addRequest(tx, customerId, row, columnsOf(form))
  return warnings
}
