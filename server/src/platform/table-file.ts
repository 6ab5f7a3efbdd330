import { Readable } from 'node:stream'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { writeXlsxStream } from 'hucre'

export type Column = { header: string; width?: number; numberFormat?: string }
export type Cell = string | number | null

/** A table that leaves as a file, streamed in constant memory. The time zone of a column stands in its header. */
export type TableFile = {
  fileName: string
  format: FileFormat
  sheet: string
  columns: Column[]
  rows: AsyncIterable<Cell[]> | Iterable<Cell[]>
}

const mime: Record<FileFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** Text that a spreadsheet would run as a formula gets an apostrophe (security rule L2). In xlsx it is typed as text already. */
const csvCell = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function* csvLines(file: TableFile) {
  const line = (cells: Cell[]) => `${cells.map(csvCell).join(',')}\r\n`
  let text = `\uFEFF${line(file.columns.map((column) => column.header))}`
  for await (const row of file.rows) {
    text += line(row)
    if (text.length > 64 * 1024) {
      yield text
      text = ''
    }
  }
  yield text
}

const xlsx = (file: TableFile) =>
  Readable.fromWeb(
    writeXlsxStream(file.rows, {
      name: file.sheet,
      columns: file.columns.map((column) => ({
        header: column.header,
        width: column.width ?? 20,
        ...(column.numberFormat ? { numFmt: column.numberFormat } : {}),
      })),
      freezePane: { rows: 1 },
      // The DOM and the node typings name the same stream twice.
    }) as Parameters<typeof Readable.fromWeb>[0],
  )

export const tableStream = (file: TableFile): Readable =>
  file.format === 'csv' ? Readable.from(csvLines(file)) : xlsx(file)

export const tableHeaders = (file: TableFile) => ({
  'content-type': mime[file.format],
  'content-disposition': `attachment; filename="${file.fileName.replace(/[^\w.-]+/g, '_')}.${file.format}"`,
})
