import { powerCost } from '@gridmast/contract/prices.ts'
import { dayBounds, localText, today, zone } from '@gridmast/contract/time.ts'
import { auditExport } from '#access/audit-export.ts'
import { route } from '#route.ts'
import { findDayAheadPrices, findSource, getPriceSignal, type DayAheadPrice } from './queries.ts'

const unit = 'DKK/MWh'
const source = 'Energi Data Service'

/** '541.650000' -> '541.65': trailing zeros say nothing. */
const trimmed = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

const endOf = (row: DayAheadPrice) => new Date(row.starts_at.getTime() + row.duration_s * 1000)

export const prices = [
  route(powerCost, async ({ app, viewer, query, requestId }) => {
    const date = query.date ?? today(app.clock.now())
    const { signal, rows, states } = await app.records.tenant(viewer.customerId, async (tx) => {
      const found = await getPriceSignal(tx, viewer.customerId, query.priceSignal)
      return {
        signal: found,
        rows: await findDayAheadPrices(tx, found, dayBounds(date), query.resolution ?? 'hour'),
        states: await findSource(tx, 'energi-data-service'),
      }
    })
    if (query.format) {
      await auditExport(app, viewer, requestId, `power cost ${signal.name} ${date}`)
      return {
        file: {
          format: query.format,
          fileName: `Power cost ${signal.name} ${date}`,
          sheet: 'Power cost',
          columns: [
            { header: `Start (${zone})` },
            { header: 'Start (UTC)' },
            { header: 'End (UTC)' },
            { header: `Price (${unit})`, numberFormat: '#,##0.000' },
          ],
          rows: rows.map((row) => [
            localText(row.starts_at.getTime()),
            row.starts_at.toISOString(),
            endOf(row).toISOString(),
            Number(row.price_dkk), // a spreadsheet holds binary numbers; nothing is computed from this one
          ]),
        },
      }
    }
    const state = states.find((one) => one.dataset === 'DayAheadPrices')
    return {
      graph: [
        {
          name: signal.name,
          unit,
          kind: 'column' as const,
          x: rows.map((row) => row.starts_at.getTime()),
          y: rows.map((row) => Number(row.price_dkk)), // drawn, never computed with
        },
      ],
      prices: rows.map((row) => ({
        start_time: row.starts_at.toISOString(),
        end_time: endOf(row).toISOString(),
        price: trimmed(row.price_dkk),
        priceTaxIncluded: trimmed(row.price_tax_included),
      })),
      unit,
      area: signal.area,
      tax: trimmed(signal.tax_dkk_per_mwh),
      exchange: null,
      basis: rows.length === 0 ? null : rows.some((row) => row.derived) ? ('derived' as const) : ('dataset' as const),
      lastReported: state?.last_success_at?.toISOString() ?? null,
      source: { name: source, dataset: 'DayAheadPrices', simulated: state?.simulated ?? false },
    }
  }),
]
