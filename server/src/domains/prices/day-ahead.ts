import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { powerCost, powerCostDownload } from '@gridmast/contract/prices.ts'
import { addDays, daysBetween, monthBounds, today } from '@gridmast/contract/time.ts'
import { findDayAheadPrices } from '#market/published-prices.ts'
import { invalid } from '#platform/errors.ts'
import { route } from '#context.ts'
import { inPages } from './pages.ts'
import { getOwnDayAhead, getPriceSignal } from './queries.ts'
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

const unit = 'DKK/MWh'

export const dayAhead = route(powerCost, async ({ own, nowMs, query }) => {
  const now = today(nowMs)
  const date = query.date ?? now
  if (daysBetween(date, now) > limits.exportDays) throw invalid({ date: m.tooFarBack(limits.exportDays) })
  const dates = Array.from({ length: query.days ?? 1 }, (_, i) => addDays(date, i))
  const [first, ...further] = await own(async (tx, customerId) => {
    const days = []
    for (const day of dates)
      days.push(await getOwnDayAhead(tx, customerId, query.priceSignal, day, query.resolution ?? 'hour'))
    return days
  })
  if (!first) throw new Error('A day ahead has at least one day')
  const { signal, rows, exchange, source, lastReported } = first
  if (query.format) {
    const name = `${signal.name} ${[date, ...dates.slice(1).slice(-1)].join(' to ')}`
    return {
      file: {
        fileName: `Power cost ${name}`,
        sheet: 'Power cost',
        columns: [...timeColumns, endColumn, priceColumn(`Price (${unit})`)],
        rows: [rows, ...further.map((day) => day.rows)]
          .flat()
          .map((row) => [...timeCells(row), endCell(row), priceCell(row.price_dkk)]),
      },
    }
  }
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

/** 'Download Price (Tax Included)': a local month as published. */
export const dayAheadMonth = route(powerCostDownload, async ({ own, query }) => {
  const signal = await own((tx, customerId) => getPriceSignal(tx, customerId, query.priceSignal))
  const { fromMs, toMs } = monthBounds(query.month)
  const prices = inPages(fromMs, (nextMs, rows) =>
    own((tx) => findDayAheadPrices(tx, signal, { fromMs: nextMs, toMs }, 'quarter', rows)),
  )
  const fileName = `Power cost tax included ${signal.name} ${query.month}`
  const cells = async function* () {
    for await (const row of prices)
      yield [
        ...timeCells(row),
        priceCell(row.price_dkk),
        priceCell(signal.tax_dkk_per_mwh),
        priceCell(row.price_tax_included),
      ]
  }
  return {
    file: {
      fileName,
      sheet: 'Power cost',
      columns: [...timeColumns, ...['Spot', 'Tax', 'Tax included'].map((name) => priceColumn(`${name} (${unit})`))],
      rows: cells(),
    },
  }
})
