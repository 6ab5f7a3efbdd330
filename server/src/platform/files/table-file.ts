import { Readable } from 'node:stream'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { localText, offsetMs, zone } from '@gridmast/contract/time.ts'
import { writeXlsx, writeXlsxStream } from 'hucre'
import { invalid } from '#platform/http/errors.ts'

type Heading = {
  header: string
  width?: number | undefined
  numberFormat?: string | undefined
  /**
   * Real dates of a sheet: `days` as `2026-11-20`, `months` as `2026-11`, `instants` as a Date. An instant has two columns, local time and
   * UTC, because the repeated hour of October is ambiguous in local time.
   */
  dateKind?: 'instants' | 'days' | 'months'
}
export type Cell = string | number | Date | null

export type Column<Row> = Heading & { value: (row: Row, index: number) => Cell }

type FileName = {
  fileName: string
  sheet: string
  /** Values of all rows, such as market, unit and source: head lines of a sheet, columns at the end of a csv. */
  about?: Record<string, string> | undefined
}

export type TableFile = FileName & { columns: readonly Heading[]; rows: AsyncIterable<Cell[]> | Iterable<Cell[]> }

/** A file whose rows are in memory. */
export type ReadTable = Omit<TableFile, 'rows'> & { rows: Cell[][] }

type Table<Row> = { columns: readonly Column<Row>[]; rows: AsyncIterable<Row> | Iterable<Row> }

async function* cellRows<Row>({ columns, rows }: Table<Row>): AsyncGenerator<Cell[]> {
  let index = 0
  for await (const row of rows) {
    yield columns.map(({ value }) => value(row, index))
    index += 1
  }
}

export const tableFile = <Row>(
  name: FileName,
  columns: Table<Row>['columns'],
  rows: Table<Row>['rows'],
): TableFile => ({
  ...name,
  columns,
  rows: cellRows({ columns, rows }),
})

/** Throws a 400 for a field of the period when the rows exceed a sheet. */
export const checkFileRows = (count: number, field: 'startDate' | 'endDate') => {
  if (count >= limits.exportRows) throw invalid({ [field]: m.exportTooLarge(limits.exportRows) })
}

const mime: Record<FileFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

const dateFormats = { instants: 'yyyy-mm-dd hh:mm:ss', days: 'yyyy-mm-dd', months: 'yyyy-mm' }

const writtenHeadings = (columns: readonly Heading[]): Heading[] =>
  columns.flatMap((column) => {
    const { header, dateKind } = column
    if (!dateKind) return [column]
    const dates = { ...column, numberFormat: dateFormats[dateKind] }
    return dateKind === 'instants'
      ? [zone, 'UTC'].map((name) => ({ ...dates, header: `${header} (${name})` }))
      : [dates]
  })

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe (security rule L2). With `;` as the list separator, as in Denmark, a cell
 * starts after each `;` of the text, even inside quotes. A line break would start a row and becomes a blank.
 */
const harmless = (text: string): string =>
  text
    .replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
    // One match per run of blanks: one per tab takes quadratic time.
    .replaceAll(/[;\t][\s"]*|^(?![;\t])[\s"]*/g, (found, at: number, whole: string) => {
      const isRun = /[=+\-@＝＋－＠]/.test(whole.charAt(at + found.length))
      const safe = isRun ? found.replace(/^[;\t]?/, "$&'").replaceAll(/(?!^)\t/g, "\t'") : found
      return at === 0 && found.startsWith('\t') ? `'${safe}` : safe
    })

const csvText = (text: string): string => {
  const safe = harmless(text)
  return /[",;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvCells = (cell: Cell, column: Heading | undefined): string[] => {
  if (cell === null) return column?.dateKind === 'instants' ? ['', ''] : ['']
  if (cell instanceof Date) return [localText(cell.getTime()), cell.toISOString()]
  return [typeof cell === 'number' ? String(cell) : csvText(cell)]
}

async function* csvLines({ columns, about = {}, rows }: TableFile) {
  const line = (cells: string[]) => `${cells.join(',')}\r\n`
  const [names, values] = [Object.keys(about).map(csvText), Object.values(about).map(csvText)]
  let text = `\uFEFF${line([...writtenHeadings(columns).map(({ header }) => csvText(header)), ...names])}`
  for await (const row of rows) {
    text += line([...row.flatMap((cell, i) => csvCells(cell, columns[i])), ...values])
    if (text.length > 64 * 1024) {
      yield text
      text = ''
    }
  }
  yield text
}

/** Cells of a sheet have no time zone: local time is written as if it were UTC. */
const sheetCells = (cell: Cell, column: Heading | undefined): Cell[] => {
  if (cell instanceof Date) return [new Date(cell.getTime() + offsetMs(cell.getTime())), cell]
  if (cell === null && column?.dateKind === 'instants') return [null, null]
  return [column?.dateKind && typeof cell === 'string' ? new Date(cell) : cell]
}

async function* sheetRows({ columns, about = {}, rows }: TableFile): AsyncGenerator<Cell[]> {
  const head = Object.entries(about)
  yield* head
  if (head.length > 0) yield []
  yield writtenHeadings(columns).map(({ header }) => header)
  for await (const row of rows) yield row.flatMap((cell, i) => sheetCells(cell, columns[i]))
}

const headLines = ({ about = {} }: TableFile) => {
  const lines = Object.keys(about).length
  return lines > 0 ? lines + 2 : 1
}

const sheetOf = (file: TableFile) => ({
  name: file.sheet,
  columns: writtenHeadings(file.columns).map(({ width = 20, numberFormat }) => ({
    width,
    ...(numberFormat ? { numFmt: numberFormat } : {}),
  })),
  freezePane: { rows: headLines(file) },
})

const xlsx = (file: TableFile) =>
  Readable.fromWeb(
    writeXlsxStream(sheetRows(file), {
      ...sheetOf(file),
      repeatHeaders: false,
      // the DOM and Node.js typings declare the same stream separately
    }) as Parameters<typeof Readable.fromWeb>[0],
  )

/** Days or months in a file name: `2026-11-01--2026-11-07`. */
export const fileDays = (first: string, last: string): string => (first === last ? first : `${first}--${last}`)

/** `Frequency DK2` of `Frequency DK2 2026-11-20 00:00`. */
export const titleOf = ({ fileName }: Pick<TableFile, 'fileName'>): string =>
  fileName.replace(/[ _]20\d\d-[01]\d(-\d\d)?(( |--).*)?$/, '').replaceAll('_', ' ')

/** A sheet has at most 31 characters, some are not allowed, and an apostrophe neither first nor last. */
const sheetName = (file: ReadTable): string =>
  titleOf(file)
    .replaceAll(/[\\/:*?[\]]/g, ' ')
    .slice(0, 31)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll(/^[' ]+|[' ]+$/g, '') || file.sheet

/** Names that differ only in case are one name to a spreadsheet. */
const sheetNames = (files: readonly ReadTable[]): string[] => {
  const used = new Set<string>()
  return files.map((file) => {
    const name = sheetName(file)
    let unique = name
    for (let n = 2; used.has(unique.toLowerCase()); n++) unique = `${name.slice(0, 27).trimEnd()} ${n}`
    used.add(unique.toLowerCase())
    return unique
  })
}

/** One workbook with a sheet for each table, in memory. */
export const sheetsOf = async (files: readonly ReadTable[]): Promise<Buffer> => {
  const names = sheetNames(files)
  const sheets = await Promise.all(
    files.map(async (file, at) => {
      const rows: Cell[][] = []
      for await (const row of sheetRows(file)) rows.push(row)
      return { ...sheetOf(file), name: names[at] ?? file.sheet, rows }
    }),
  )
  return Buffer.from(await writeXlsx({ sheets }))
}

export const tableStream = (file: TableFile, format: FileFormat): Readable =>
  format === 'csv' ? Readable.from(csvLines(file)) : xlsx(file)

export const keptHeaders = (name: string) => ({
  'content-type': name.endsWith('.jsonl') ? 'application/x-ndjson' : mime.csv,
  'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '_')}"`,
})

export const tableHeaders = (file: TableFile, format: FileFormat) => ({
  'content-type': mime[format],
  'content-disposition': `attachment; filename="${file.fileName.replace(/[^\w.-]+/g, '_')}.${format}"`,
})

/** Rows per page, the part of a file in memory. */
export const pageRows = 1000

/** One query per page: constant memory, and no transaction is open while a slow client reads. */
async function* pages<Row>(read: (done: number, after: Row | undefined) => Promise<readonly Row[]>) {
  let after: Row | undefined
  for (let done = 0; ; done += pageRows) {
    const page = await read(done, after)
    yield* page
    if (page.length < pageRows) return
    after = page.at(-1)
  }
}

/** Rows of a file; a page continues after the last row of the previous page. */
export const rowPages = <Row>(
  read: (page: { limit: number; after: Row | undefined }) => Promise<readonly Row[]>,
): AsyncGenerator<Row> => pages<Row>((_, after) => read({ limit: pageRows, after }))

/** Rows of a file whose order has no key; a page skips the rows of the previous pages. */
export const skippedPages = <Row>(
  read: (page: { limit: number; skip: number }) => Promise<readonly Row[]>,
): AsyncGenerator<Row> => pages<Row>((skip) => read({ limit: pageRows, skip }))
