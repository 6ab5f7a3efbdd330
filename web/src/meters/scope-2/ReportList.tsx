import { formatNumber } from '@gridmast/contract/numbers.ts'
import { findScopeReports, scopeReportColumns, type ScopeReportHead } from '@gridmast/contract/meters/scope-2.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/TextButton.tsx'
import { NotRead, WithoutFactor } from './Lacking.tsx'
import classes from './scope-2.module.css'

type Props = { page: number; onPage: (page: number) => void; onOpen: (reportId: string) => void }

/** The reports that were made, newest first. */
export const ReportList = ({ page, onPage, onOpen }: Props) => {
  const [sort, sorting] = useSorting(scopeReportColumns)
  const pageSize = usePageSize()
  const query = { ...sort, limit: pageSize, skip: (page - 1) * pageSize }
  const read = useCall(findScopeReports, { sent: { query }, keepWhile: 'scope 2 reports' })
  return (
    <ListPanel
      title={t('Reports')}
      label={t('Reports')}
      read={read}
      failed={t('The reports could not be loaded.')}
      columns={columnsOf(onOpen)}
      rows={read.data?.reports ?? []}
      pageSize={pageSize}
      rowKey={({ _id }) => _id}
      sorting={sorting}
      emptyReason={t('Choose a period and make the first one.')}
      paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
    />
  )
}

const columnsOf = (onOpen: (reportId: string) => void): Column<ScopeReportHead>[] => [
  {
    key: 'period',
    title: t('Period'),
    lead: true,
    cell: (report) => (
      <TextButton onClick={() => onOpen(report._id)}>
        {formatDate(report.startDate)} – {formatDate(report.endDate)}
      </TextButton>
    ),
  },
  {
    key: 'kgCo2',
    title: t('Emission (kg CO₂)'),
    align: 'right',
    corner: true,
    cell: ({ total }) => (
      <span className={`${classes.amount} ${classes.corner}`}>
        <WithoutFactor figures={total} /> {formatNumber(total.kgCo2, { decimals: 1 })}
      </span>
    ),
  },
  {
    key: 'kwh',
    title: t('Consumption (kWh)'),
    align: 'right',
    cell: ({ total }) => (
      <span className={classes.amount}>
        <NotRead figures={total} /> {formatNumber(total.kwh, { decimals: 0 })}
      </span>
    ),
  },
  { key: 'meters', title: t('Meters'), align: 'right', cell: ({ meters }) => meters },
  { key: 'madeAt', title: t('Created'), cell: ({ madeAt }) => formatDateTime(Date.parse(madeAt)) },
  { key: 'madeBy', title: t('Created by'), cell: ({ madeBy }) => madeBy },
]
