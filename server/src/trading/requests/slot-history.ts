import { bidBasis, findBids, previewBids } from '@gridmast/contract/trading/bid-basis.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { auctionsOfMarket, firstOpenDay, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { minimumBidKw } from '@gridmast/contract/grid/market-fit.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { addDays, datesBetween, dayBounds, type LocalDate, type Span, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { getLicence } from '#access/licence.ts'
import { ownRoute, route, type App } from '#context.ts'
import { bidMwOf, daysBefore, forecastOf, measuredAvailable, type SlotsKw } from '#delivery/scoring/available.ts'
import { nothingBought, publishedAs } from '#grid/published/published-prices.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, getRow, type RowOf, selectRows } from '#platform/records/rows.ts'
import { earnedOn, meanPrices, type Published, slotPrices, sumOf } from './earnings.ts'
import { productsOf, type Offer } from './expansion.ts'
import { openSlotBook, withDays } from './overlaps.ts'
import { columnsOf, findConcurrentRequests, findGates, getRequest } from './queries.ts'
import { warningsOf } from './warnings.ts'

/** Figures next to a request, and its bids with their results; rules: slot-history.md. */

type BidInstance = Awaited<ReturnType<typeof getBidInstance>>

const getBidInstance = async (tx: Tx, customerId: string, instanceId: string, day: LocalDate) => {
  const instance = await getRow(tx, customerId, 'instance', { instance_id: instanceId, enabled: true }, [
    'licence_id',
    'markets',
    'area',
    'flexible_kw',
  ])
  const kinds = { instance_id: instanceId, kind: ['capacityUp', 'capacityDown'] }
  const signals = await selectRows(tx, customerId, 'signal', kinds).select(['kind', 'no']).execute()
  const contract = await selectRows(tx, customerId, 'instance_contract', { instance_id: instanceId })
    .select(['auctions', sql<string>`trim_scale(default_price_eur)::text`.as('default_price_eur')])
    .where('valid_from', '<=', day)
    .where((where) => where.or([where('valid_to', 'is', null), where('valid_to', '>', day)]))
    .executeTakeFirst()
  const numberOf = (name: string) => signals.find(({ kind }) => kind === name)?.no ?? null
  return { ...instance, up: numberOf('capacityUp'), down: numberOf('capacityDown'), contract: contract ?? null }
}

export const findPublished = async (
  tx: Tx,
  area: string | null,
  products: readonly string[],
  { fromMs, toMs }: Span,
): Promise<Published> => {
  const rows = await sqlRows<{ product: string; auction: string; starts_at: Date; price: string; none: boolean }>(tx)`
    select distinct on (p.market, a.auction, p.starts_at) p.market as product, a.auction, p.starts_at,
      trim_scale(p.price_eur)::text as price, ${nothingBought} as none
    from market_price p join ${publishedAs} on a.published = p.auction
    where p.market = any(${products}::text[]) and p.area = ${area} and p.product = '' and p.price_eur is not null
      and p.starts_at >= ${new Date(fromMs)} and p.starts_at < ${new Date(toMs)}
    order by p.market, a.auction, p.starts_at, a.place`
  const byStart = new Map(rows.map((row) => [`${row.product}/${row.auction}/${row.starts_at.getTime()}`, row]))
  const at = (product: string, auction: string, startMs: number) => byStart.get(`${product}/${auction}/${startMs}`)
  return { priceAt: (...of) => at(...of)?.price ?? null, isBought: (...of) => at(...of)?.none !== true }
}

export const spanOf = (days: readonly LocalDate[]) => ({
  fromMs: dayBounds(days[0] ?? '').fromMs,
  toMs: dayBounds(days.at(-1) ?? '').toMs,
})

export const findMarketMeans = async (tx: Tx, area: string | null, market: string, nowMs: number) => {
  const days = daysBefore(nowMs)
  const products = productsOf(market, area)
  const { priceAt } = await findPublished(tx, area, products, spanOf(days))
  const means = products.flatMap((product) =>
    auctionsOfMarket(market).map((auction) =>
      meanPrices(days.map((day) => slotPrices(market, { product, auction }, day, priceAt))),
    ),
  )
  return (means[0] ?? []).map((_, slot) => {
    const published = means.flatMap((one) => one[slot] ?? []).toSorted(compareDecimals)
    const [lowEur, highEur] = [published[0], published.at(-1)]
    return lowEur !== undefined && highEur !== undefined ? { lowEur, highEur } : null
  })
}

const readAvailable = async ({ readings }: App, { up, down }: BidInstance, market: string, nowMs: number) => {
  const days = daysBefore(nowMs)
  if (up !== null && down !== null) return measuredAvailable(readings, { up, down }, market, days)
  const none: SlotsKw = Array.from({ length: requestSlots(market) ?? 0 }, () => null)
  return new Map(days.map((day) => [day, none]))
}

const readInstance = (own: Own['own'], groupId: string, market: string, nowMs: number) =>
  own(async (tx, customerId) => {
    if (requestSlots(market) === null) throw invalid({ market: m.marketNotSupported })
    const firstDay = firstOpenDay(await findGates(tx, market), nowMs)
    const instance = await getBidInstance(tx, customerId, groupId, firstDay)
    if (!instance.markets.includes(market)) throw invalid({ groupId: m.notOfEventType })
    return { ...instance, firstDay }
  })

/** The first open day without a request of the instance on the market; null when all days that can be requested have one. */
const findFreeDay = async (
  tx: Tx,
  customerId: string,
  of: { groupId: string; market: string; firstDay: LocalDate },
) => {
  const { groupId, market, firstDay } = of
  const span = { groupId, startDate: firstDay, endDate: addDays(firstDay, limits.bidRequestDays - 1) }
  const requests = await findConcurrentRequests(tx, customerId, span, undefined)
  const taken = new Set(requests.filter((one) => one.market === market).flatMap((one) => withDays(one).days))
  return datesBetween(span.startDate, span.endDate).find((day) => !taken.has(day)) ?? null
}

const basis = route(bidBasis, async ({ app, own, nowMs, query: { groupId, market } }) => {
  const instance = await readInstance(own, groupId, market, nowMs)
  const measured = await readAvailable(app, instance, market, nowMs)
  const days = [...measured.keys()]
  const products = productsOf(market, instance.area)
  const { priceAt } = await own((tx) => findPublished(tx, instance.area, products, spanOf(days)))
  const freeDay = await own((tx, customerId) =>
    findFreeDay(tx, customerId, { groupId, market, firstDay: instance.firstDay }),
  )
  const forecastKw = forecastOf([...measured.values()], requestSlots(market) ?? 0)
  const minimumKw = minimumBidKw(market)
  const { contract } = instance
  return {
    flexibleMw: Number(instance.flexible_kw) / 1000,
    minimumMw: minimumKw === null ? null : minimumKw / 1000,
    freeDay,
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
    contract: contract && {
      auctions: contract.auctions,
      priceEur: contract.default_price_eur,
      bidMw: forecastKw.map(bidMwOf),
    },
  }
})

const earnedDays = 30

const preview = route(previewBids, async ({ app, own, nowMs, body }) => {
  const { biddingMarket: market, groupId, licenseId, requestId } = body
  const instance = await readInstance(own, groupId, market, nowMs)
  if (instance.licence_id !== licenseId) throw notFound()
  const measured = body.customBidding ? null : await readAvailable(app, instance, market, nowMs)
  const columns = { market, ...columnsOf({ ...body, note: '' }) }
  const offer: Offer = {
    ...columns,
    area: instance.area,
    contract: instance.contract,
    forecastKw: measured ? forecastOf([...measured.values()], requestSlots(market) ?? 0) : [],
  }
  const past = Array.from({ length: earnedDays }, (_, i) => addDays(today(nowMs), i - earnedDays))
  return own(async (tx, customerId) => {
    await getLicence(tx, customerId, licenseId)
    if (requestId !== undefined) await getRequest(tx, customerId, requestId)
    const request = withDays(columns)
    const book = openSlotBook(await findConcurrentRequests(tx, customerId, body, requestId))
    const warnings = warningsOf(request, book.kwOnOtherMarkets(groupId, request), {
      flexibleKw: instance.flexible_kw,
      means: await findMarketMeans(tx, instance.area, market, nowMs),
    })
    const published = await findPublished(tx, instance.area, productsOf(market, instance.area), spanOf(past))
    const days = past.map((day) => ({ day, earned: earnedOn(offer, day, published) }))
    const other = book.findOverlap(groupId, request)
    const overlap = other?.requestId
      ? { requestId: other.requestId, startDate: other.span.first, endDate: other.span.last }
      : null
    return { warnings, overlap, earned: sumOf(days), days }
  })
})

type BidFigures = Omit<Data<typeof findBids>['bids'][number], 'start' | 'end'> & RowOf<'bid', 'starts_at' | 'ends_at'>

const bids = ownRoute(findBids, async (tx, customerId, { params: { id }, query }) => {
  const { market } = await getRequest(tx, customerId, id)
  const placed = await selectRows(tx, customerId, 'bid', { request_id: id })
    .select('day')
    .distinct()
    .orderBy('day', 'desc')
    .execute()
  const days = placed.map(({ day }) => day)
  const day = query.day ?? days[0] ?? null
  const rows = await sqlRows<BidFigures>(tx)`
      select slot, product, auction, starts_at, ends_at, trim_scale(capacity_mw)::text as "capacityMw",
        trim_scale(price_eur)::text as "priceEur", won, trim_scale(won_mw)::text as "wonMw",
        trim_scale(marginal_price_eur)::text as "marginalPriceEur", decided_by as "decidedBy"
      from bid where customer_id = ${customerId} and request_id = ${id} and day = ${day}
      order by starts_at, product, auction`
  const auctions = [...new Set(rows.map(({ auction }) => auction))]
  const files =
    day === null
      ? []
      : await selectRows(tx, customerId, 'bid_file', { market, day, auction: auctions })
          .select(['auction', 'name', 'sent_at'])
          .orderBy('auction')
          .execute()
  return {
    day,
    days,
    bids: rows.map(({ starts_at, ends_at, ...figures }) => ({
      ...figures,
      start: starts_at.toISOString(),
      end: ends_at.toISOString(),
    })),
    files: files.map(({ auction, name, sent_at }) => ({ auction, name, sentAt: sent_at.toISOString() })),
  }
})

export const bidBases = [basis, preview, bids]
