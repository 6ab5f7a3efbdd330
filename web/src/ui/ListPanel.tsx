import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode, Ref } from 'react'
import { DataTable } from './DataTable.tsx'
import { LoadError, type QueryState } from './Loaded.tsx'
import classes from './ListPanel.module.css'
import { Panel } from './Panel.tsx'

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'loading'> & {
  query: QueryState & Pick<UseQueryResult, 'isPlaceholderData'>
  failed: string
  title?: string
  note?: ReactNode
  badge?: ReactNode
  tools?: ReactNode
  filters?: ReactNode
  ref?: Ref<HTMLElement>
}

export const ListPanel = <Row,>({ query, failed, title, note, badge, tools, filters, ref, ...table }: Props<Row>) => (
  <Panel title={title} note={note} badge={badge} label={table.label} tools={tools} ref={ref} bleed>
    {filters && <div className={classes.filters}>{filters}</div>}
    {query.error && (
      <div className={classes.error}>
        <LoadError query={query} title={failed} />
      </div>
    )}
    {(query.isPending || query.data !== undefined) && (
      <DataTable {...table} loading={query.isPending || query.isPlaceholderData} />
    )}
  </Panel>
)
