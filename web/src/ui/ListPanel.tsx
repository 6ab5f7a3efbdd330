import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode, Ref } from 'react'
import { translateText } from '#lib/i18n.ts'
import { ErrorBanner } from './Banner.tsx'
import { DataTable } from './DataTable.tsx'
import classes from './ListPanel.module.css'
import { Panel } from './Panel.tsx'

type Read = Pick<UseQueryResult, 'error' | 'isFetching' | 'isPending' | 'isPlaceholderData' | 'data' | 'refetch'>

/** Why a read failed, and another try; nothing while it has not failed. */
const ReadError = ({ read, title }: { read: Read; title: string }) =>
  read.error && (
    <ErrorBanner title={title} onRetry={() => void read.refetch()} retrying={read.isFetching}>
      {translateText(read.error.message)}
    </ErrorBanner>
  )

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'loading'> & {
  read: Read
  /** What could not be loaded, as a sentence. */
  failed: string
  title?: string
  note?: ReactNode
  badge?: ReactNode
  tools?: ReactNode
  filters?: ReactNode
  ref?: Ref<HTMLElement>
}

/** A card with a list: its heading, filters and rows, and what it says while it waits, when it failed, and when it is empty. */
export const ListPanel = <Row,>({ read, failed, title, note, badge, tools, filters, ref, ...table }: Props<Row>) => (
  <Panel title={title} note={note} badge={badge} label={table.label} tools={tools} ref={ref} bleed>
    {filters && <div className={classes.filters}>{filters}</div>}
    {read.error && (
      <div className={classes.error}>
        <ReadError read={read} title={failed} />
      </div>
    )}
    {(read.isPending || read.data !== undefined) && (
      <DataTable {...table} loading={read.isPending || read.isPlaceholderData} />
    )}
  </Panel>
)
