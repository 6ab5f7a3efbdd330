import type { ComponentProps } from 'react'
import { ListPanel } from './ListPanel.tsx'
import { type Bulk, useRowKeys, useSelection } from './row-selection.tsx'

export type SelectListProps<Row> = Omit<ComponentProps<typeof ListPanel<Row>>, 'rows'> & {
  rows: readonly Row[]
  /** Enter or a click on a row. */
  onOpen?: ((row: Row) => void) | undefined
  /** Acts on several rows. */
  bulk?: Bulk<Row> | false
}

/** A list whose rows are reached by keyboard and, with `bulk`, selected for an act. */
export const SelectList = <Row,>({ onOpen, bulk, columns, ...list }: SelectListProps<Row>) => {
  const { rows, rowKey, renderBelow } = list
  const selection = useSelection(rows, rowKey, bulk || undefined)
  const rowKeys = useRowKeys<Row>({ onOpen, onToggle: selection.toggle })
  return (
    <ListPanel
      {...list}
      columns={bulk ? [selection.column, ...columns] : columns}
      rowProps={(row, i) => ({ ...rowKeys(row, i), 'data-selected': selection.isSelected(row) || undefined })}
      renderBelow={(row) => selection.failureOf(row) ?? renderBelow?.(row)}
      bar={selection.bar}
    />
  )
}
