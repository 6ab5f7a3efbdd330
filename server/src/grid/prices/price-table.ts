import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { sourceLine, type PublishedSource } from '@gridmast/contract/source.ts'
import type { Exchange } from '#grid/published/exchange-rates.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, type TableFile, rowPages } from '#platform/files/table-file.ts'

export type Price = { starts_at: Date; duration_s: number; price_dkk: string; dkk_per_eur: string | null }

const endOf = (row: Price) => new Date(row.starts_at.getTime() + row.duration_s * 1000)

export const pointOf = (row: Price) => ({
  start_time: row.starts_at.toISOString(),
  end_time: endOf(row).toISOString(),
  price: row.price_dkk,
})

export const columnsOf = (name: string, unit: string, rows: readonly Price[]) => [
  {
    name,
    unit,
    kind: 'column' as const,
    x: rows.map((row) => row.starts_at.getTime()),
    y: rows.map((row) => Number(row.price_dkk)), // only drawn, never used in calculations
  },
]

export const basisOf = (rows: readonly Price[], exchange: Exchange) => {
  if (rows.length === 0) return { basis: null, exchange: null }
  if (!rows.some((row) => row.dkk_per_eur !== null)) return { basis: 'dataset' as const, exchange: null }
  return { basis: 'derived' as const, exchange: { ...exchange, dkkPerEur: normalDecimal(exchange.dkkPerEur) } }
}

export const inPages = <Row extends { starts_at: Date }>(
  fromMs: number,
  read: (fromMs: number, rows: number) => Promise<Row[]>,
) => rowPages<Row>(({ after, limit }) => read(after ? after.starts_at.getTime() + 1 : fromMs, limit))

type PriceFile<Row> = {
  fileName: string
  about: { Market: string; Area: string; Auction?: string }
  unit: string
  source: PublishedSource
  prices: Record<string, (row: Row) => string>
  rows: AsyncIterable<Row> | Iterable<Row>
}

export const priceFile = <Row extends Price>(file: PriceFile<Row>): { file: TableFile } => {
  const { fileName, about, unit, source, prices, rows } = file
  const columns: Column<Row>[] = [
    column.instant('Start', (row) => row.starts_at),
    column.instant('End', endOf),
    ...Object.entries(prices).map(([title, priceOf]) => column.number(`${title} (${unit})`, 3, priceOf)),
    column.decimal('DKK per EUR', (row) => row.dkk_per_eur, '0.00000'),
  ]
  const name = { fileName, sheet: 'Prices', about: { ...about, Unit: unit, Source: sourceLine(source) } }
  return { file: tableFile(name, columns, rows) }
}
