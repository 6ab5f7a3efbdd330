import { dayBounds, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { auctionsOfMarket } from '@gridmast/contract/bid-slots.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { sql } from 'kysely'
import { nothingBought, publishedAs } from '#grid/published/published-prices.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, type RowOf, selectRows } from '#platform/records/rows.ts'
import { daysBefore } from '#delivery/scoring/available.ts'
import type { MarketMeans } from './beside.ts'
import { meanPrices, type Published, slotPrices } from './earnings.ts'
import { productsOf } from './expansion.ts'

export type BidInstance = {
  instance_id: string
  licence_id: string
  markets: string[]
  area: string | null
  flexible_kw: string
  up: number | null
  down: number | null
  contract: { auctions: string[]; default_price_eur: string } | null
}

export const getBidInstance = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  day: LocalDate,
): Promise<BidInstance> => {
  const found = await getRow(tx, customerId, 'instance', { instance_id: instanceId, enabled: true }, [
    'instance_id',
    'licence_id',
    'markets',
    'area',
    'flexible_kw',
  ])
  const signals = await selectRows(tx, customerId, 'signal', {
    instance_id: instanceId,
    kind: ['capacityUp', 'capacityDown'],
  })
    .select(['kind', 'no'])
    .execute()
  const contract = await selectRows(tx, customerId, 'instance_contract', { instance_id: instanceId })
    .select(['auctions', sql<string>`trim_scale(default_price_eur)::text`.as('default_price_eur')])
    .where('valid_from', '<=', day)
    .where((where) => where.or([where('valid_to', 'is', null), where('valid_to', '>', day)]))
    .executeTakeFirst()
  const noOf = (wanted: string) => signals.find(({ kind }) => kind === wanted)?.no ?? null
  return { ...found, up: noOf('capacityUp'), down: noOf('capacityDown'), contract: contract ?? null }
}

export const findPublished = async (
  tx: Tx,
  area: string | null,
  products: readonly string[],
  { fromMs, toMs }: Span,
): Promise<Published> => {
  const { rows } = await sql<{ product: string; auction: string; starts_at: Date; price: string; none: boolean }>`
    select distinct on (p.market, a.auction, p.starts_at) p.market as product, a.auction, p.starts_at,
      trim_scale(p.price_eur)::text as price, ${nothingBought} as none
    from market_price p join ${publishedAs} on a.published = p.auction
    where p.market = any(${products}::text[]) and p.area = ${area} and p.product = '' and p.price_eur is not null
      and p.starts_at >= ${new Date(fromMs)} and p.starts_at < ${new Date(toMs)}
    order by p.market, a.auction, p.starts_at, a.place`.execute(tx)
  const found = new Map(rows.map((row) => [`${row.product}/${row.auction}/${row.starts_at.getTime()}`, row]))
  const at = (product: string, auction: string, startMs: number) => found.get(`${product}/${auction}/${startMs}`)
  return { priceAt: (...of) => at(...of)?.price ?? null, isBought: (...of) => at(...of)?.none !== true }
}

export const spanOf = (days: readonly LocalDate[]) => ({
  fromMs: dayBounds(days[0] ?? '').fromMs,
  toMs: dayBounds(days.at(-1) ?? '').toMs,
})

export const findMarketMeans = async (
  tx: Tx,
  area: string | null,
  market: string,
  nowMs: number,
): Promise<MarketMeans> => {
  const days = daysBefore(nowMs)
  const products = productsOf(market, area)
  const { priceAt } = await findPublished(tx, area, products, spanOf(days))
  const means = products.flatMap((product) =>
    auctionsOfMarket(market).map((auction) =>
      meanPrices(days.map((day) => slotPrices(market, { product, auction }, day, priceAt))),
    ),
  )
  return (means[0] ?? []).map((_, slot) => {
    const known = means.flatMap((one) => one[slot] ?? []).toSorted(compareDecimals)
    const [lowEur, highEur] = [known[0], known.at(-1)]
    return lowEur !== undefined && highEur !== undefined ? { lowEur, highEur } : null
  })
}

type BidRow = RowOf<
  'bid',
  | 'slot'
  | 'product'
  | 'auction'
  | 'starts_at'
  | 'ends_at'
  | 'capacity_mw'
  | 'price_eur'
  | 'won'
  | 'won_mw'
  | 'marginal_price_eur'
> & { decided_by: 'price' | 'result-file' | null }

export const getRequest = (tx: Tx, customerId: string, requestId: string) =>
  getRow(tx, customerId, 'bid_request', { request_id: requestId }, ['market'])

export const findBidsOf = async (tx: Tx, customerId: string, requestId: string, wanted: LocalDate | undefined) => {
  const request = await getRequest(tx, customerId, requestId)
  const sent = await selectRows(tx, customerId, 'bid', { request_id: requestId })
    .select('day')
    .distinct()
    .orderBy('day', 'desc')
    .execute()
  const days = sent.map(({ day }) => day)
  const day = wanted ?? days[0] ?? null
  const { rows } = await sql<BidRow>`
    select slot, product, auction, starts_at, ends_at, trim_scale(capacity_mw)::text as capacity_mw,
      trim_scale(price_eur)::text as price_eur, won, trim_scale(won_mw)::text as won_mw,
      trim_scale(marginal_price_eur)::text as marginal_price_eur, decided_by
    from bid where customer_id = ${customerId} and request_id = ${requestId} and day = ${day}
    order by starts_at, product, auction`.execute(tx)
  const auctions = [...new Set(rows.map(({ auction }) => auction))]
  const files =
    day === null || auctions.length === 0
      ? []
      : await selectRows(tx, customerId, 'bid_file', { market: request.market, day, auction: auctions })
          .select(['auction', 'name', 'sent_at'])
          .orderBy('auction')
          .execute()
  return { day, days, bids: rows, files }
}
