import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { powerCost, powerCostDownload, updateTax } from '@gridmast/contract/grid/prices.ts'
import { addDays, dayBounds, monthBounds, today } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { findDayAheadPrices } from '#grid/published/published-prices.ts'
import { getSourceOfPrices } from '#grid/published/sources.ts'
import { fileDays } from '#platform/files/table-file.ts'
import { notFound } from '#platform/http/errors.ts'
import { basisOf, columnsOf, inPages, pointOf, priceFile } from './price-table.ts'
import { getSignalDay, getPriceSignal, lockPriceSignals, saveTax } from './queries.ts'
import { reservePrices } from './reserves.ts'

const unit = 'DKK/MWh'
const market = 'day-ahead'

const dayAhead = route(powerCost, async ({ own, nowMs, query }) => {
  const date = query.date ?? today(nowMs)
  const resolution = query.resolution ?? 'hour'
  if (query.format) {
    const last = addDays(date, (query.days ?? 1) - 1)
    const span = { fromMs: dayBounds(date).fromMs, toMs: dayBounds(last).toMs }
    const { signal, source, rows } = await own(async (tx, customerId) => {
      const signal = await getPriceSignal(tx, customerId, query.priceSignal)
      const source = await getSourceOfPrices(tx, market, signal.area, span)
      return { signal, source, rows: await findDayAheadPrices(tx, signal, span, resolution) }
    })
    return priceFile({
      fileName: `Power cost ${signal.name} ${fileDays(date, last)}`,
      about: { Market: market, Area: signal.area },
      unit,
      source,
      rows,
      prices: { Price: (row) => row.price_dkk },
    })
  }
  const { signal, rows, exchange, source, lastReported } = await own((tx, customerId) =>
    getSignalDay(tx, customerId, query.priceSignal, date, resolution),
  )
  return {
    graph: columnsOf(signal.name, unit, rows),
    prices: rows.map((row) => ({ ...pointOf(row), priceTaxIncluded: row.price_tax_included })),
    unit,
    area: signal.area,
    tax: normalDecimal(signal.tax_dkk_per_mwh),
    ...basisOf(rows, exchange),
    lastReported,
    source,
  }
})

const dayAheadMonth = route(powerCostDownload, async ({ own, query }) => {
  const { fromMs, toMs } = monthBounds(query.month)
  const { signal, source } = await own(async (tx, customerId) => {
    const signal = await getPriceSignal(tx, customerId, query.priceSignal)
    return { signal, source: await getSourceOfPrices(tx, market, signal.area, { fromMs, toMs }) }
  })
  return priceFile({
    fileName: `Power cost tax included ${signal.name} ${query.month}`,
    about: { Market: market, Area: signal.area },
    unit,
    source,
    prices: {
      Spot: (row) => row.price_dkk,
      Tax: () => signal.tax_dkk_per_mwh,
      'Tax included': (row) => row.price_tax_included,
    },
    rows: inPages(fromMs, (nextMs, rows) =>
      own((tx) => findDayAheadPrices(tx, signal, { fromMs: nextMs, toMs }, 'quarter', rows)),
    ),
  })
})

const taxes = route(updateTax, async ({ own, audit, body }) => {
  await own(async (tx, customerId) => {
    const signals = await lockPriceSignals(tx, customerId)
    const changes = Object.entries(body.taxes).map(([id, tax]) => {
      const signal = signals.find((one) => one.price_signal_id === id)
      if (!signal) throw notFound()
      return { id, name: signal.name, before: normalDecimal(signal.tax_dkk_per_mwh), after: normalDecimal(String(tax)) }
    })
    const changed = changes.filter(({ before, after }) => before !== after)
    if (changed.length === 0) return
    for (const { id, after } of changed) await saveTax(tx, customerId, id, after)
    await audit(tx, 'prices.tax', changed.map(({ name }) => name).join(', '), {
      before: Object.fromEntries(changed.map(({ name, before }) => [`${name} (DKK/MWh)`, Number(before)])),
      after: Object.fromEntries(changed.map(({ name, after }) => [`${name} (DKK/MWh)`, Number(after)])),
    })
  })
})

export const prices = [dayAhead, dayAheadMonth, taxes, ...reservePrices]
