import { normalDecimal } from '@gridmast/contract/numbers.ts'
import {
  demandResponseLastReported,
  lastPrices as lastPricesCall,
  pricing,
  signalTypes,
} from '@gridmast/contract/prices.ts'
import { auctionsOf } from '@gridmast/contract/price-signals.ts'
import { can } from '@gridmast/contract/roles.ts'
import { today } from '@gridmast/contract/time.ts'
import { findNewestPrices, findPricesAt, getReserveDay } from '#market/published-prices.ts'
import { route } from '#context.ts'
import { auctionsFor, unitOf } from './auctions.ts'
import { findOwnSignals, getOwnSignal } from './own-signals.ts'
import { findPriceSignals } from './queries.ts'
import {
  basisOf,
  columnsOf,
  endCell,
  endColumn,
  pointOf,
  priceCell,
  priceColumn,
  timeCells,
  timeColumns,
} from './shown.ts'

const signals = route(signalTypes, async ({ viewer }) => {
  return {
    groups: [...Map.groupBy(findOwnSignals(viewer), ({ market }) => market)].map(([market, group]) => ({
      market,
      signals: group.map(({ _id, name, area, priceTypes }) => ({ _id, name, area, priceTypes })),
    })),
  }
})

const prices = route(pricing, async ({ app, viewer, own, nowMs, params, query }) => {
  const date = query.date ?? today(nowMs)
  const signal = getOwnSignal(viewer, params.id)
  const auctions = auctionsFor(signal, query.priceType)
  const { rows, exchange, source, lastReported } = await own((tx) => getReserveDay(tx, signal, auctions, date))
  const unit = unitOf(app, signal)
  if (query.format) {
    const fileName = `${signal.market} pricing ${signal.area} ${query.priceType ?? 'Total'} ${date}`
    return {
      file: {
        fileName,
        sheet: 'Pricing',
        columns: [...timeColumns, endColumn, priceColumn(`Price (${unit})`)],
        rows: rows.map((row) => [...timeCells(row), endCell(row), priceCell(row.price_dkk)]),
      },
    }
  }
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
    lastReported,
    source,
  }
})

const lastPrices = route(lastPricesCall, async ({ app, viewer, own, nowMs }) => {
  const ownSignals = findOwnSignals(viewer)
  const { dayAhead, reserves } = await own(async (tx, customerId) => {
    // Day-ahead prices have a capability of their own.
    const priceSignals = can(viewer, 'prices.read') ? await findPriceSignals(tx, customerId) : []
    const now = await findPricesAt(tx, [...new Set(priceSignals.map(({ area }) => area))], nowMs)
    const dayAhead = priceSignals.flatMap((signal) =>
      now.filter(({ area }) => area === signal.area).map((row) => ({ ...row, id: signal.price_signal_id })),
    )
    return { dayAhead, reserves: await findNewestPrices(tx, ownSignals, auctionsOf.Total) }
  })
  const shown = (row: { id: string; starts_at: Date; price_dkk: string }, unit: string) => ({
    signal: row.id,
    start_time: row.starts_at.toISOString(),
    price: normalDecimal(row.price_dkk),
    unit,
  })
  return {
    prices: [
      ...dayAhead.map((row) => shown(row, 'DKK/MWh')),
      ...ownSignals.flatMap((signal) =>
        reserves.filter(({ id }) => id === signal._id).map((row) => shown(row, unitOf(app, signal))),
      ),
    ],
  }
})

const lastReported = route(demandResponseLastReported, async ({ viewer, own, query }) => {
  const signal = getOwnSignal(viewer, query.signal)
  const [newest] = await own((tx) => findNewestPrices(tx, [signal], auctionsOf.Total))
  return { lastReported: newest?.fetched_at.toISOString() ?? null }
})

export const reservePrices = [signals, prices, lastPrices, lastReported]
