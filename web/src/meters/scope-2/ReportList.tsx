import { formatNumber } from '@gridmast/contract/numbers.ts'
import { findScopeReports, scopeReportColumns, type ScopeReportHead } from '@gridmast/contract/meters/scope-2.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { NotRead, WithoutFactor } from './Lacking.tsx'
import classes from './scope-2.module.css'

type Props = { onOpen: (reportId: string) => void }

/** The reports that were made, newest first. */
export const ReportList = ({ onOpen }: Props) => {
  const list = useList(
    findScopeReports,
    { query: {} },
    {
      sortable: scopeReportColumns,
      pageOf: ({ reports, totalCount }) => ({ rows: reports, total: totalCount }),
    },
  )
  return (
    <ListPanel
      title={t('Reports')}
      label={t('Reports')}
      {...list}
      failed={t('The reports could not be loaded.')}
      columns={columnsOf(onOpen)}
      rowKey={({ _id }) => _id}
      emptyReason={t('Choose a period and make the first one.')}
    />
  )
}

const columnsOf = (onOpen: (reportId: string) => void): Columns<ScopeReportHead> => [
  column.cell(
    'period',
    t('Period'),
    (report) => (
      <TextButton onClick={() => onOpen(report._id)}>
        {formatDate(report.startDate)} – {formatDate(report.endDate)}
      </TextButton>
    ),
    { card: 'lead' },
  ),
  column.figure(
    'kgCo2',
    t('Emission (kg CO₂)'),
    ({ total }) => (
      <span className={`${classes.amount} ${classes.corner}`}>
        <WithoutFactor figures={total} /> {formatNumber(total.kgCo2, { decimals: 1 })}
      </span>
    ),
    { card: 'corner' },
  ),
  column.figure('kwh', t('Consumption (kWh)'), ({ total }) => (
    <span className={classes.amount}>
      <NotRead figures={total} /> {formatNumber(total.kwh, { decimals: 0 })}
    </span>
  )),
  column.number('meters', t('Meters'), ({ meters }) => meters),
  column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
  column.text('madeBy', t('Created by'), ({ madeBy }) => madeBy),
]
