import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { localText, zone } from '@gridmast/contract/time.ts'
import type { Exchange } from '#market/exchange-rates.ts'

type Price = { starts_at: Date; duration_s: number; price_dkk: string; dkk_per_eur: string | null }

const endOf = (row: Pick<Price, 'starts_at' | 'duration_s'>) =>
  new Date(row.starts_at.getTime() + row.duration_s * 1000).toISOString()

export const pointOf = (row: Price) => ({
  start_time: row.starts_at.toISOString(),
  end_time: endOf(row),
  price: row.price_dkk,
})

export const columnsOf = (name: string, unit: string, rows: readonly Price[]) => [
  {
    name,
    unit,
    kind: 'column' as const,
    x: rows.map((row) => row.starts_at.getTime()),
    y: rows.map((row) => Number(row.price_dkk)), // drawn, never computed with
  },
]

/** Where the DKK come from: the dataset's own column, or EUR times the rate of the day, which is said then. */
export const basisOf = (rows: readonly Price[], exchange: Exchange) => {
  if (rows.length === 0) return { basis: null, exchange: null }
  if (!rows.some((row) => row.dkk_per_eur !== null)) return { basis: 'dataset' as const, exchange: null }
  return { basis: 'derived' as const, exchange: { ...exchange, dkkPerEur: normalDecimal(exchange.dkkPerEur) } }
}

export const timeColumns = [
  { header: `Start (${zone})`, width: 22 },
  { header: 'Start (UTC)', width: 26 },
]
export const endColumn = { header: 'End (UTC)', width: 26 }
export const priceColumn = (header: string) => ({ header, numberFormat: '#,##0.000' })

export const timeCells = (row: Pick<Price, 'starts_at'>) => [
  localText(row.starts_at.getTime()),
  row.starts_at.toISOString(),
]
export const endCell = endOf
/** A spreadsheet holds binary numbers; nothing is computed from this one. */
export const priceCell = (decimal: string) => Number(decimal)
