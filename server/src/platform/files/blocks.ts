import type { Block, TableColumn } from './document.ts'

export type PrintedColumn<Row> = TableColumn & { value: (row: Row) => string }

export const title = (text: string, under: string): Block => ({ kind: 'title', text, under })

export const heading = (text: string): Block => ({ kind: 'heading', text })

export const text = (words: string): Block => ({ kind: 'text', text: words })
export const quiet = (words: string): Block => ({ kind: 'text', text: words, tone: 'quiet' })
export const warning = (words: string): Block => ({ kind: 'text', text: words, tone: 'warning' })

export const figures = (...all: [string, string, string][]): Block => ({
  kind: 'figures',
  figures: all.map(([label, value, unit]) => ({ label, value, unit })),
})

export const column = <Row>(header: string, share: number, value: (row: Row) => string): PrintedColumn<Row> => ({
  header,
  share,
  value,
})

export const number = <Row>(header: string, share: number, value: (row: Row) => string): PrintedColumn<Row> => ({
  ...column(header, share, value),
  isNumber: true,
})

export const table = <Row>(
  rows: readonly Row[],
  columns: readonly PrintedColumn<NoInfer<Row>>[],
  total?: NoInfer<Row>,
): Block => ({
  kind: 'table',
  columns: columns.map(({ value: _, ...heading }) => heading),
  rows: (total === undefined ? rows : [...rows, total]).map((row) => columns.map(({ value }) => value(row))),
  isSummed: total !== undefined,
})
