import type { BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import { firstOpenDay } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { findMarketMeans } from './basis-queries.ts'
import { isOverlapping, toAsked, warningsOf } from './beside.ts'
import { addRequest, askedOf, findGates, findRequestsBeside, lockInstance } from './queries.ts'

type Form = Omit<BidRequestForm, 'licenseId' | 'biddingMarket'>

export const columnsOf = (form: Form) => ({
  start_date: form.startDate,
  end_date: form.endDate,
  custom_bidding: form.customBidding,
  capacity_mw: form.capacity,
  price_eur: form.price,
  regulation_price_eur: form.customBidding && form.regulationPrice?.length ? form.regulationPrice : null,
  excluded_days: form.excludedDays,
  note: form.note,
})

type Place = { licenceId: string; market: string; requestId: string; nowMs: number }

export const checkRequest = async (
  tx: Tx,
  customerId: string,
  form: Form,
  { licenceId, market, requestId, nowMs }: Place,
) => {
  const instance = await lockInstance(tx, customerId, form.groupId, licenceId)
  if (!instance.markets.includes(market)) throw invalid({ groupId: m.notOfEventType })
  if (form.startDate < firstOpenDay(await findGates(tx, market), nowMs))
    throw new Refusal(409, m.bidsClosed, { errors: { startDate: m.bidsClosed } })
  const beside = await findRequestsBeside(tx, customerId, {
    instanceId: form.groupId,
    startDate: form.startDate,
    endDate: form.endDate,
    but: requestId,
  })
  if (beside.length >= limits.bidRequestsBeside) throw new Refusal(409, m.tooManyBeside(limits.bidRequestsBeside))
  const [asked, others] = [toAsked(market, form), beside.map(askedOf)]
  if (others.some((other) => isOverlapping(asked, other))) throw new Refusal(409, m.bidsOverlap)
  const means = await findMarketMeans(tx, instance.area, market, nowMs)
  return warningsOf(asked, others, { flexibleKw: instance.flexible_kw, means })
}

export const ask = async (tx: Tx, customerId: string, body: BidRequestForm, requestId: string, nowMs: number) => {
  const { licenseId, biddingMarket: market } = body
  const warnings = await checkRequest(tx, customerId, body, { licenceId: licenseId, market, requestId, nowMs })
  const now = new Date(nowMs)
  await addRequest(tx, {
    customer_id: customerId,
    request_id: requestId,
    licence_id: licenseId,
    instance_id: body.groupId,
    market,
    ...columnsOf(body),
    status: 'pending',
    created_at: now,
    updated_at: now,
  })
  return warnings
}
