import * as contract from '@gridmast/contract/trading/bid-requests.ts'
import { cutOffMs, firstOpenDay, gateMs, nextOpenDay, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { getLicence } from '#access/licence.ts'
import { ownRoute, route } from '#context.ts'
import { eachOf } from '#platform/http/bulk.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  columnsOf,
  countPending,
  countRequests,
  findGates,
  findOutcomes,
  findRequests,
  getRequest,
  isBiddingMarket,
  lockRequest,
  saveRequest,
  type RequestRow,
  withdrawRequest,
} from './queries.ts'
import { checkRequest, submitRequest } from './submit.ts'

const statusOf = (text: string) => contract.bidRequestStatuses.find((status) => status === text) ?? 'pending'

const notSent = { sent: 0, won: 0, lost: 0 }

const toBidRequest = (row: RequestRow, bids = notSent): contract.BidRequest => ({
  _id: row.request_id,
  licenseId: row.licence_id,
  groupId: row.instance_id,
  groupName: row.instance_name,
  biddingMarket: row.market,
  startDate: row.start_date,
  endDate: row.end_date,
  capacity: row.capacity_mw.map(Number),
  price: row.price_eur.map(Number),
  regulationPrice: row.regulation_price_eur?.map(Number) ?? null,
  excludedDays: row.excluded_days,
  note: row.note,
  customBidding: row.custom_bidding,
  status: statusOf(row.status),
  bids,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

const find = ownRoute(contract.findBidRequests, async (tx, customerId, { nowMs, query }) => {
  if (query.licenseId !== undefined) await getLicence(tx, customerId, query.licenseId)
  const { limit, skip, sort, order, ...of } = query
  const filter = { ...of, today: today(nowMs) }
  const rows = await findRequests(tx, customerId, filter, { limit, skip, sort, order })
  const outcomes = await findOutcomes(
    tx,
    customerId,
    rows.map(({ request_id }) => request_id),
  )
  return {
    bidRequests: rows.map((row) => toBidRequest(row, outcomes.get(row.request_id))),
    totalCount: await countRequests(tx, customerId, filter),
  }
})

const get = ownRoute(contract.getBidRequest, async (tx, customerId, { params }) => {
  const row = await getRequest(tx, customerId, params.id)
  return toBidRequest(row, (await findOutcomes(tx, customerId, [row.request_id])).get(row.request_id))
})

const create = ownRoute(contract.createBidRequest, async (tx, customerId, { audit, nowMs, body }) => {
  const { licenseId, biddingMarket: market } = body
  await getLicence(tx, customerId, licenseId)
  if (!(await isBiddingMarket(tx, customerId, market))) throw invalid({ biddingMarket: m.marketNotSupported })
  const requestId = newId(nowMs)
  if ((await countPending(tx, customerId)) >= limits.pendingBidRequests)
    throw new Refusal(409, m.tooManyBidRequests(limits.pendingBidRequests))
  const warnings = await submitRequest(tx, customerId, body, requestId, nowMs)
  const bidRequest = toBidRequest(await lockRequest(tx, customerId, requestId))
  await audit(tx, 'bid-request.create', bidRequest.groupName, { after: bidRequest })
  return { bidRequest, warnings }
})

/** A request that may still be changed, locked; one whose first day is closed counts as placed. */
const lockPending = async (tx: Tx, customerId: string, requestId: string, nowMs: number) => {
  const row = await lockRequest(tx, customerId, requestId)
  if (row.status === 'withdrawn') throw new Refusal(409, m.bidRequestWithdrawn)
  if (row.status === 'placed' || row.start_date < firstOpenDay(await findGates(tx, row.market), nowMs))
    throw new Refusal(409, m.bidRequestPlaced)
  return row
}

/** Later than the earlier `updated_at` even in the same millisecond, so that concurrent readers detect the change. */
const changedAt = ({ updated_at }: RequestRow, nowMs: number) => new Date(Math.max(nowMs, updated_at.getTime() + 1))

const update = ownRoute(contract.updateBidRequest, async (tx, customerId, { audit, nowMs, params, body }) => {
  const row = await lockPending(tx, customerId, params.id, nowMs)
  if (row.updated_at.getTime() !== Date.parse(body.updatedAt)) throw new Refusal(409, m.bidRequestChanged)
  const [wrong] = contract.wrongSlots(row.market, body)
  if (wrong) throw invalid({ [wrong.path.join('.')]: wrong.message })
  const place = { licenceId: row.licence_id, market: row.market, requestId: params.id, nowMs }
  const warnings = await checkRequest(tx, customerId, body, place)
  const changed = { instance_id: body.groupId, updated_at: changedAt(row, nowMs) }
  await saveRequest(tx, customerId, params.id, changed, columnsOf(body))
  const bidRequest = toBidRequest(await lockRequest(tx, customerId, params.id))
  await audit(tx, 'bid-request.update', bidRequest.groupName, { before: toBidRequest(row), after: bidRequest })
  return { bidRequest, warnings }
})

type Withdrawal = { audit: Own['audit']; nowMs: number }

const withdrawOne = async (tx: Tx, customerId: string, requestId: string, { audit, nowMs }: Withdrawal) => {
  const row = await lockPending(tx, customerId, requestId, nowMs)
  await withdrawRequest(tx, customerId, requestId, new Date(nowMs))
  await audit(tx, 'bid-request.delete', row.instance_name, { before: toBidRequest(row) })
}

const remove = ownRoute(contract.removeBidRequest, (tx, customerId, { params, ...input }) =>
  withdrawOne(tx, customerId, params.id, input),
)

const withdraw = ownRoute(contract.withdrawBidRequests, (tx, customerId, { body, ...input }) =>
  eachOf(body.ids, (requestId) => withdrawOne(tx, customerId, requestId, input)),
)

const gates = route(contract.findBidGates, ({ own, nowMs, query: { market } }) =>
  own(async (tx) => {
    const marketGates = await findGates(tx, market)
    return {
      slots: requestSlots(market),
      gates: marketGates.map((gate) => {
        const day = nextOpenDay(gate, nowMs)
        const [cutOffAt, gateAt] = [cutOffMs(gate, day), gateMs(gate, day)].map((ms) => new Date(ms).toISOString())
        return { auction: gate.auction, day, cutOffAt: cutOffAt ?? '', gateAt: gateAt ?? '' }
      }),
      firstOpenDay: firstOpenDay(marketGates, nowMs),
    }
  }),
)

export const bidRequests = [find, get, create, update, remove, withdraw, gates]
