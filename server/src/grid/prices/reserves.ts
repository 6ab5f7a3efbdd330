import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { normalDecimal } from '@gridmast/contract/numbers.ts'
import {
  bulkDownload,
  demandResponseLastReported,
  lastPrices as lastPricesCall,
  pricing,
  signalTypes,
} from '@gridmast/contract/grid/prices.ts'
import { auctionsOf, signalsOf, type PriceSignal, type PriceType } from '@gridmast/contract/grid/price-signals.ts'
import type { PublishedSource } from '@gridmast/contract/source.ts'
import { can } from '@gridmast/contract/roles.ts'
import { datesIn } from '@gridmast/contract/slots.ts'
import { dayBounds, today } from '@gridmast/contract/time.ts'
import type { Viewer } from '#access/viewer.ts'
import { route } from '#context.ts'
import { findNewestPrices, findPricesAt, findReservePrices, getReserveDays } from '#grid/published/published-prices.ts'
import { getSourceOfPrices } from '#grid/published/sources.ts'
import { fileDays } from '#platform/files/table-file.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import { basisOf, columnsOf, inPages, pointOf, priceFile, type Price } from './price-table.ts'
import { findPriceSignals } from './queries.ts'

const findReserveSignals = ({ biddingMarkets, areas }: Viewer): PriceSignal[] => {
  const all = biddingMarkets.flatMap((market) => signalsOf(market, areas))
  return [...new Map(all.map((signal) => [signal._id, signal])).values()]
}

const getReserveSignal = (viewer: Viewer, id: string): PriceSignal => {
  const signal = findReserveSignals(viewer).find((one) => one._id === id)
  if (!signal) throw notFound()
  return signal
}

const auctionsFor = (signal: PriceSignal, priceType: PriceType = 'Total'): readonly string[] => {
  if (!signal.priceTypes.includes(priceType)) throw invalid({ priceType: m.noSuchAuction })
  return auctionsOf[priceType]
}

const unitOf = ({ market }: Pick<PriceSignal, 'market'>) => (market === 'FCR' ? 'DKK/MW per block of 4 h' : 'DKK/MW')

type ReserveFile = {
  signal: PriceSignal
  priceType: PriceType | undefined
  days: string
  unit: string
  source: PublishedSource
  rows: Iterable<Price> | AsyncIterable<Price>
}

const reserveFile = ({ signal: { market, area }, priceType = 'Total', days, unit, source, rows }: ReserveFile) =>
  priceFile({
    fileName: `${market} pricing ${area} ${priceType} ${days}`,
    about: { Market: market, Area: area, Auction: priceType },
    unit,
    source,
    rows,
    prices: { Price: (row) => row.price_dkk },
  })

const signals = route(signalTypes, async ({ viewer }) => {
  return {
    groups: [...Map.groupBy(findReserveSignals(viewer), ({ market }) => market)].map(([market, group]) => ({
      market,
      signals: group.map(({ _id, name, area, priceTypes }) => ({ _id, name, area, priceTypes })),
    })),
  }
})

const prices = route(pricing, async ({ viewer, own, nowMs, params, query }) => {
  const dates = datesIn(readWindow(query, nowMs, dayBounds(today(nowMs)), limits.priceDays))
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const signal = getReserveSignal(viewer, params.id)
  const auctions = auctionsFor(signal, query.priceType)
  const { rows, exchange, source, lastReported } = await own((tx) => getReserveDays(tx, signal, auctions, first, last))
  const unit = unitOf(signal)
  const days = fileDays(first, last)
  if (query.format) return reserveFile({ signal, priceType: query.priceType, days, unit, source, rows })
  return {
    graph: columnsOf(signal.name, unit, rows),
    prices: rows.map((row) => ({
      ...pointOf(row),
      priceEur: row.price_eur,
      volumeMw: row.volume_mw,
      auction: row.auction,
    })),
    unit,
    market: signal.market,
    area: signal.area,
    ...basisOf(rows, exchange),
    // Days have different rates.
    ...(first === last ? {} : { exchange: null }),
    lastReported,
    source,
  }
})

/** 'Bulk Download Excel file': rows of a range of days, as JSON up to a limit, as a file of any length. */
const bulk = route(bulkDownload, async ({ viewer, own, query }) => {
  const { startDate, endDate, priceType } = query
  const span = { fromMs: dayBounds(startDate).fromMs, toMs: dayBounds(endDate).toMs }
  const signal = getReserveSignal(viewer, query.signal)
  const auctions = auctionsFor(signal, priceType)
  const unit = unitOf(signal)
  const read = (fromMs: number, rows: number) =>
    own((tx) => findReservePrices(tx, signal, auctions, { ...span, fromMs }, rows))
  if (query.format) {
    const source = await own((tx) => getSourceOfPrices(tx, signal.market, signal.area, span))
    const rows = inPages(span.fromMs, read)
    return reserveFile({ signal, priceType, days: fileDays(startDate, endDate), unit, source, rows })
  }
  const rows = await read(span.fromMs, limits.priceRows + 1)
  if (rows.length > limits.priceRows) throw invalid({ format: m.tooManyRows(limits.priceRows) })
  return { prices: rows.map(pointOf), unit }
})

const lastPrices = route(lastPricesCall, async ({ viewer, own, nowMs }) => {
  const reserveSignals = findReserveSignals(viewer)
  const { dayAhead, reserves } = await own(async (tx, customerId) => {
    const priceSignals = can(viewer, 'prices.read') ? await findPriceSignals(tx, customerId) : []
    const now = await findPricesAt(tx, [...new Set(priceSignals.map(({ area }) => area))], nowMs)
    const dayAhead = priceSignals.flatMap((signal) =>
      now.filter(({ area }) => area === signal.area).map((row) => ({ ...row, id: signal.price_signal_id })),
    )
    return { dayAhead, reserves: await findNewestPrices(tx, reserveSignals, auctionsOf.Total) }
  })
  const priceOf = (row: { id: string; starts_at: Date; price_dkk: string }, unit: string) => ({
    signal: row.id,
    start_time: row.starts_at.toISOString(),
    price: normalDecimal(row.price_dkk),
    unit,
  })
  return {
    prices: [
      ...dayAhead.map((row) => priceOf(row, 'DKK/MWh')),
      ...reserveSignals.flatMap((signal) =>
        reserves.filter(({ id }) => id === signal._id).map((row) => priceOf(row, unitOf(signal))),
      ),
    ],
  }
})

const lastReported = route(demandResponseLastReported, async ({ viewer, own, query }) => {
  const signal = getReserveSignal(viewer, query.signal)
  const [newest] = await own((tx) => findNewestPrices(tx, [signal], auctionsOf.Total))
  return { lastReported: newest?.fetched_at.toISOString() ?? null }
})

export const reservePrices = [signals, prices, bulk, lastPrices, lastReported]
