import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { sourceLine, type PublishedSource } from '@gridmast/contract/source.ts'
import type { Exchange } from '#grid/published/exchange-rates.ts'
import type { Cell, TableFile } from '#platform/files/table-file.ts'
import { rowPages } from '#platform/records/row-pages.ts'

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
    y: rows.map((row) => Number(row.price_dkk)), // drawn, never computed with
  },
]

/** Where the DKK come from: the dataset's own column, or EUR times the rate of the day, which is said then. */
export const basisOf = (rows: readonly Price[], exchange: Exchange) => {
  if (rows.length === 0) return { basis: null, exchange: null }
  if (!rows.some((row) => row.dkk_per_eur !== null)) return { basis: 'dataset' as const, exchange: null }
  return { basis: 'derived' as const, exchange: { ...exchange, dkkPerEur: normalDecimal(exchange.dkkPerEur) } }
}

/** The rows of a file, each page of which goes on after the last start. */
export const inPages = <Row extends { starts_at: Date }>(
  fromMs: number,
  read: (fromMs: number, rows: number) => Promise<Row[]>,
): AsyncGenerator<Row> =>
  rowPages<Row>(({ after, limit }) => read(after ? after.starts_at.getTime() + 1 : fromMs, limit))

type PriceFile<Row> = {
  fileName: string
  about: { Market: string; Area: string; Auction?: string }
  unit: string
  source: PublishedSource
  /** What a column is called, and the decimal it holds. */
  prices: Record<string, (row: Row) => string>
  rows: AsyncIterable<Row> | Iterable<Row>
}

/** Prices as a file; the rate stands beside each one that was published in EUR alone. */
export const priceFile = <Row extends Price>({
  fileName,
  about,
  unit,
  source,
  prices,
  rows,
}: PriceFile<Row>): { file: TableFile } => {
  const cells = async function* (): AsyncGenerator<Cell[]> {
    for await (const row of rows)
      yield [
        row.starts_at,
        endOf(row),
        // A spreadsheet holds binary numbers; nothing is computed from these.
        ...Object.values(prices).map((priceOf) => Number(priceOf(row))),
        row.dkk_per_eur === null ? null : Number(row.dkk_per_eur),
      ]
  }
  return {
    file: {
      fileName,
      sheet: 'Prices',
      about: { ...about, Unit: unit, Source: sourceLine(source) },
      columns: [
        { header: 'Start', holds: 'instants' },
        { header: 'End', holds: 'instants' },
        ...Object.keys(prices).map((name) => ({ header: `${name} (${unit})`, numberFormat: '#,##0.000' })),
        { header: 'DKK per EUR', numberFormat: '0.00000' },
      ],
      rows: cells(),
    },
  }
}
