import { formatNumber } from '@gridmast/contract/numbers.ts'
import { atLocalTime, formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { type Block, type Document, heading, quiet, title } from './document.ts'
import { type Cell, type ReadTable, titleOf, type TableFile } from './table-file.ts'

type Rows = Cell[][]

const decimalsOf = (numberFormat: string | undefined): number => /\.(0+)/.exec(numberFormat ?? '')?.[1]?.length ?? 0

const dayText = /^\d{4}-\d\d-\d\d$/

const cellText = (cell: Cell | undefined, { numberFormat }: TableFile['columns'][number]): string => {
  if (cell === null || cell === undefined) return '–'
  if (cell instanceof Date) return formatDateTime(cell.getTime())
  if (typeof cell === 'string') return dayText.test(cell) ? formatDate(cell) : cell
  if (numberFormat === undefined) return String(cell)
  return formatNumber(cell, { decimals: decimalsOf(numberFormat), minDecimals: decimalsOf(numberFormat) })
}

const isNumeric = (rows: Rows, at: number) =>
  rows.some((row) => typeof row[at] === 'number') &&
  rows.every((row) => typeof row[at] === 'number' || row[at] === null)

const maxCharts = 4
/** Points of a chart, as least and greatest value of each part: a line of 800 points fills the page. */
const maxParts = 400

/** Least and greatest value of each part, in order of time; a part without values is a gap. */
const drawnPoints = (points: [number, number | null][]): [number, number | null][] => {
  if (points.length <= 2 * maxParts) return points
  const size = Math.ceil(points.length / maxParts)
  return Array.from({ length: Math.ceil(points.length / size) }, (_, i) =>
    points.slice(i * size, (i + 1) * size),
  ).flatMap((part): [number, number | null][] => {
    const known = part.filter((point): point is [number, number] => point[1] !== null)
    const [first] = known
    if (!first) return [[part[0]?.[0] ?? 0, null]]
    const least = known.reduce((a, b) => (b[1] < a[1] ? b : a), first)
    const greatest = known.reduce((a, b) => (b[1] > a[1] ? b : a), first)
    return least[0] <= greatest[0] ? [least, greatest] : [greatest, least]
  })
}

type DateKind = TableFile['columns'][number]['dateKind']

const timeOf = (cell: Cell | undefined, kind: DateKind): number | null => {
  if (kind === 'instants' && cell instanceof Date) return cell.getTime()
  return kind === 'days' && typeof cell === 'string' && dayText.test(cell) ? atLocalTime(cell, '00:00') : null
}

/** Quarters of the span; of a list by day the days next to them. */
const ticksOf = (times: readonly number[], kind: DateKind): number[] => {
  const [fromMs, toMs] = [times[0] ?? 0, times.at(-1) ?? 0]
  const quarters = [0, 1, 2, 3, 4].map((i) => i / 4)
  if (kind !== 'days') return quarters.map((part) => fromMs + (toMs - fromMs) * part)
  return [...new Set(quarters.map((part) => times[Math.round((times.length - 1) * part)] ?? fromMs))]
}

/** One chart per column of numbers for a table by time, as a report of a chart has. */
const chartsOf = (columns: TableFile['columns'], rows: Rows): Block[] => {
  const kind = columns[0]?.dateKind
  const times: number[] = []
  for (const [cell] of rows) {
    const at = timeOf(cell, kind)
    if (at === null || at <= (times.at(-1) ?? -Infinity)) return []
    times.push(at)
  }
  if (times.length < 2) return []
  const figures = columns.flatMap(({ header, numberFormat }, at) =>
    numberFormat && isNumeric(rows, at) ? [{ header, numberFormat, at }] : [],
  )
  return figures.slice(0, maxCharts).map(({ header, numberFormat, at }): Block => {
    const points = rows.map((row, i): [number, number | null] => [times[i] ?? 0, row[at] as number | null]) // isNumeric
    const values = points.flatMap(([, value]) => value ?? [])
    const [least, greatest] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
    const room = greatest === least ? Math.max(1, Math.abs(least) / 10) : 0
    const [low, high] = [least - room, greatest + room]
    const decimals = decimalsOf(numberFormat)
    return {
      kind: 'chart',
      title: header,
      points: drawnPoints(points),
      y: [low, (low + high) / 2, high].map((value) => ({ value, text: formatNumber(value, { decimals }) })),
      x: ticksOf(times, kind).map((ms) => ({
        value: ms,
        text: kind === 'days' ? formatDate(ms) : formatDateTime(ms).slice(0, 16),
      })),
    }
  })
}

/** Widest columns of a portrait page. */
const portraitColumns = 6

const blocksOf = ({ columns, rows, about = {} }: ReadTable, maxRows: number): Block[] => [
  ...Object.entries(about).map(([label, words]) => quiet(`${label}: ${words}`)),
  ...chartsOf(columns, rows),
  ...(rows.length > maxRows
    ? [quiet(`The table has the first ${formatNumber(maxRows)} of ${formatNumber(rows.length)} rows.`)]
    : []),
  ...(rows.length === 0 ? [quiet('There was nothing to report.')] : []),
  {
    kind: 'table',
    columns: columns.map(({ header, dateKind, width = 20 }, at) => ({
      header,
      share: dateKind === 'instants' ? 32 : Math.min(40, Math.max(8, width)),
      isNumber: isNumeric(rows, at),
    })),
    rows: rows.slice(0, maxRows).map((row) => columns.map((column, at) => cellText(row[at], column))),
  },
]

type Head = { title: string; under: string; madeAt: Date; maxRows: number }

/** Tables as a document for print, with a heading for each of several: charts of a series above it, local times, Danish numbers. */
export const tablesDocument = (files: readonly ReadTable[], head: Head): Document => {
  const { title: name, under, madeAt, maxRows } = head
  return {
    fileName: files[0]?.fileName ?? name,
    title: name,
    language: 'en',
    madeAt,
    landscape: files.some(({ columns }) => columns.length > portraitColumns),
    foot: `Gridmast · ${name} · ${formatDateTime(madeAt.getTime())} · Times are Danish`,
    blocks: [
      title(name, under),
      ...files.flatMap((file) => [...(files.length > 1 ? [heading(titleOf(file))] : []), ...blocksOf(file, maxRows)]),
    ],
  }
}
