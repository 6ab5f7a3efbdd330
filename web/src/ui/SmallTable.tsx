import type { ReactNode } from 'react'
import type { Columns } from './DataTable.tsx'
import classes from './SmallTable.module.css'

type Props<Row> = {
  label: string
  /** The first column names the row. */
  columns: Columns<Row>
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  strongRow?: (row: Row) => boolean
  /** Cells of a last row, one per column. */
  foot?: readonly ReactNode[]
  className?: string | undefined
}

/** All rows of a few columns in a card or dialog; a table on a phone too. */
export const SmallTable = <Row,>({ label, columns: all, rows, rowKey, strongRow, foot, className }: Props<Row>) => {
  const columns = all.filter((column) => !!column)
  const line = (contents: (column: (typeof columns)[number], i: number) => ReactNode) =>
    columns.map((column, i) => {
      const Cell = i === 0 ? 'th' : 'td'
      return (
        <Cell key={column.key} scope={i === 0 ? 'row' : undefined} data-align={column.align}>
          {contents(column, i)}
        </Cell>
      )
    })
  return (
    <table className={[classes.table, className].filter(Boolean).join(' ')} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, title, align }) => (
            <th key={key} scope="col" data-align={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} data-strong={strongRow?.(row) || undefined}>
            {line((column) => column.cell(row))}
          </tr>
        ))}
      </tbody>
      {foot && (
        <tfoot>
          <tr data-strong>{line((_, i) => foot[i])}</tr>
        </tfoot>
      )}
    </table>
  )
}
