import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode, Ref } from 'react'
import { DataTable } from './DataTable.tsx'
import { LoadError, type QueryState } from './Loaded.tsx'
import classes from './ListPanel.module.css'
import type { HelpName } from './Help.tsx'
import { Panel } from './Panel.tsx'

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'loading' | 'label' | 'rows'> & {
  query: QueryState & Pick<UseQueryResult, 'isPlaceholderData'>
  failed: string
  rows: readonly Row[] | undefined
  title?: string
  /** Accessible name; default: the title. */
  label?: string
  note?: ReactNode
  badge?: ReactNode
  help?: HelpName
  tools?: ReactNode
  filters?: ReactNode
  notice?: ReactNode
  /** Below the rows. */
  bar?: ReactNode
  /** The saved view of the list is not applied yet. */
  isOpening?: boolean
  ref?: Ref<HTMLElement>
}

export const ListPanel = <Row,>(props: Props<Row>) => {
  const { query, failed, rows = [], title = '', label = title, note, badge, help, tools, filters, ...others } = props
  const { notice, bar, isOpening = false, ref, ...table } = others
  return (
    <Panel title={title} note={note} badge={badge} help={help} label={label} tools={tools} ref={ref} bleed>
      {filters && <div className={classes.filters}>{filters}</div>}
      {notice && <div className={classes.error}>{notice}</div>}
      {query.error && (
        <div className={classes.error}>
          <LoadError query={query} title={failed} />
        </div>
      )}
      {(query.isPending || query.data !== undefined) && (
        <DataTable
          {...table}
          label={label}
          rows={rows}
          loading={isOpening || query.isPending || query.isPlaceholderData}
        />
      )}
      {bar}
    </Panel>
  )
}
