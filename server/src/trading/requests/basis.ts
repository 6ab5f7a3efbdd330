import { bidBasis, findBids, previewBids } from '@gridmast/contract/trading/bid-basis.ts'
import { auctionsOfMarket, firstOpenDay, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { minimumBidKw } from '@gridmast/contract/grid/market-fit.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import { getLicence } from '#access/licence.ts'
import { route, type App } from '#context.ts'
import { bidMwOf, daysBefore, forecastOf, measuredAvailable, type SlotsKw } from '#delivery/scoring/available.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import {
  findBidsOf,
  findMarketMeans,
  findPublished,
  getBidInstance,
  getRequest,
  spanOf,
  type BidInstance,
} from './basis-queries.ts'
import { toAsked, warningsOf } from './beside.ts'
import { earnedOn, meanPrices, slotPrices, sumOf } from './earnings.ts'
import { productsOf, type Offer } from './expansion.ts'
import { askedOf, findGates, findRequestsBeside } from './queries.ts'

const earnedDays = 30

const toContract = (of: NonNullable<BidInstance['contract']>) => ({
  auctions: of.auctions,
  priceEur: of.default_price_eur,
})

const readAvailable = async ({ readings }: App, { up, down }: BidInstance, market: string, nowMs: number) => {
  const days = daysBefore(nowMs)
  if (up !== null && down !== null) return measuredAvailable(readings, { up, down }, market, days)
  const none: SlotsKw = Array.from({ length: requestSlots(market) ?? 0 }, () => null)
  return new Map(days.map((day) => [day, none]))
}

const readInstance = (
  own: Own['own'],
  { groupId, market, nowMs }: { groupId: string; market: string; nowMs: number },
) =>
  own(async (tx, customerId) => {
    if (requestSlots(market) === null) throw invalid({ market: m.marketNotSupported })
    const firstDay = firstOpenDay(await findGates(tx, market), nowMs)
    const instance = await getBidInstance(tx, customerId, groupId, firstDay)
    if (!instance.markets.includes(market)) throw invalid({ groupId: m.notOfEventType })
    return instance
  })

const basis = route(bidBasis, async ({ app, own, nowMs, query: { groupId, market } }) => {
  const instance = await readInstance(own, { groupId, market, nowMs })
  const measured = await readAvailable(app, instance, market, nowMs)
  const days = [...measured.keys()]
  const products = productsOf(market, instance.area)
  const { priceAt } = await own((tx) => findPublished(tx, instance.area, products, spanOf(days)))
  const forecastKw = forecastOf([...measured.values()], requestSlots(market) ?? 0)
  const minimumKw = minimumBidKw(market)
  return {
    flexibleMw: Number(instance.flexible_kw) / 1000,
    minimumMw: minimumKw === null ? null : minimumKw / 1000,
    prices: products.flatMap((product) =>
      auctionsOfMarket(market).map((auction) => {
        const prices = days.map((day) => slotPrices(market, { product, auction }, day, priceAt))
        return {
          product,
          auction,
          meanEur: meanPrices(prices),
          days: days.map((day, i) => ({ day, eur: prices[i] ?? [] })),
        }
      }),
    ),
    available: [...measured].map(([day, kw]) => ({ day, kw })),
    forecastKw,
    contract: instance.contract && { ...toContract(instance.contract), bidMw: forecastKw.map(bidMwOf) },
  }
})

const preview = route(previewBids, async ({ app, own, nowMs, body }) => {
  const { biddingMarket: market, groupId } = body
  const instance = await readInstance(own, { groupId, market, nowMs })
  if (instance.licence_id !== body.licenseId) throw notFound()
  const measured = body.customBidding ? null : await readAvailable(app, instance, market, nowMs)
  const offer: Offer = {
    market,
    area: instance.area,
    customBidding: body.customBidding,
    capacity: body.capacity.map(String),
    price: body.price.map(String),
    regulationPrice: body.regulationPrice?.map(String) ?? null,
    contract: instance.contract && toContract(instance.contract),
    forecastKw: measured ? forecastOf([...measured.values()], requestSlots(market) ?? 0) : [],
  }
  const past = Array.from({ length: earnedDays }, (_, i) => addDays(today(nowMs), i - earnedDays))
  return own(async (tx, customerId) => {
    await getLicence(tx, customerId, body.licenseId)
    const { startDate, endDate } = body
    const but = body.requestId ?? null
    if (but !== null) await getRequest(tx, customerId, but)
    const beside = await findRequestsBeside(tx, customerId, { instanceId: groupId, startDate, endDate, but })
    const warnings = warningsOf(toAsked(market, body), beside.map(askedOf), {
      flexibleKw: instance.flexible_kw,
      means: await findMarketMeans(tx, instance.area, market, nowMs),
    })
    const published = await findPublished(tx, instance.area, productsOf(market, instance.area), spanOf(past))
    const days = past.map((day) => ({ day, earned: earnedOn(offer, day, published) }))
    return { warnings, earned: sumOf(days), days }
  })
})

const bids = route(findBids, ({ own, params, query }) =>
  own(async (tx, customerId) => {
    const found = await findBidsOf(tx, customerId, params.id, query.day)
    return {
      ...found,
      bids: found.bids.map((bid) => ({
        slot: bid.slot,
        product: bid.product,
        auction: bid.auction,
        start: bid.starts_at.toISOString(),
        end: bid.ends_at.toISOString(),
        capacityMw: bid.capacity_mw,
        priceEur: bid.price_eur,
        won: bid.won,
        wonMw: bid.won_mw,
        marginalPriceEur: bid.marginal_price_eur,
        decidedBy: bid.decided_by,
      })),
      files: found.files.map(({ auction, name, sent_at }) => ({ auction, name, sentAt: sent_at.toISOString() })),
    }
  }),
)

export const bidBases = [basis, preview, bids]
