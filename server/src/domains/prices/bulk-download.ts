import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { bulkDownload } from '@gridmast/contract/prices.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { findReservePrices } from '#market/published-prices.ts'
import { invalid } from '#platform/errors.ts'
import { route } from '#context.ts'
import { auctionsFor, unitOf } from './auctions.ts'
import { getOwnSignal } from './own-signals.ts'
import { inPages } from './pages.ts'
import { endCell, endColumn, pointOf, priceCell, priceColumn, timeCells, timeColumns } from './shown.ts'

/** 'Bulk Download Excel file': rows of a range of days, as JSON up to a bound, as a file of any length. */
export const bulkPrices = route(bulkDownload, async ({ app, viewer, own, query }) => {
  const span = { fromMs: dayBounds(query.startDate).fromMs, toMs: dayBounds(query.endDate).toMs }
  const signal = getOwnSignal(viewer, query.signal)
  const auctions = auctionsFor(signal, query.priceType)
  const unit = unitOf(app, signal)
  const read = (fromMs: number, rows: number) =>
    own((tx) => findReservePrices(tx, signal, auctions, { ...span, fromMs }, rows))
  if (!query.format) {
    const rows = await read(span.fromMs, limits.priceRows + 1)
    if (rows.length > limits.priceRows) throw invalid({ format: m.tooManyRows(limits.priceRows) })
    return { prices: rows.map(pointOf), unit }
  }
  const days = `${query.startDate} to ${query.endDate}`
  const fileName = `${signal.market} pricing ${signal.area} ${query.priceType ?? 'Total'} ${days}`
  const cells = async function* () {
    for await (const row of inPages(span.fromMs, read))
      yield [...timeCells(row), endCell(row), priceCell(row.price_dkk)]
  }
  return {
    file: {
      fileName,
      sheet: 'Prices',
      columns: [...timeColumns, endColumn, priceColumn(`Price (${unit})`)],
      rows: cells(),
    },
  }
})
