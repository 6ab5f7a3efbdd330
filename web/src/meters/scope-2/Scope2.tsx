import { ReportCard, NotRead, WithoutFactor } from './ReportCard.tsx'
import { ReportForm } from './ReportForm.tsx'
import classes from './scope-2.module.css'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { scope2Search } from './search.ts'
import { findScopeReports, type ScopeReportHead } from '@gridmast/contract/meters/scope-2.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Row, Stack, TextButton } from '#ui/Layout.tsx'

const Scope2 = () => {
  const [search, change] = useUrlState(scope2Search)
  const open = (report: string | undefined) => change({ report, by: undefined })
  const mayRemove = useCan('scope-2.remove')
  return (
    <Stack as="main" gap={16}>
      {useCan('scope-2.make') && <ReportForm onMade={open} />}
      {search.report && (
        <ReportCard
          key={search.report}
          reportId={search.report}
          part={search.by ?? 'months'}
          onPart={(by) => change({ by: by === 'months' ? undefined : by })}
          onRemoved={mayRemove ? () => open(undefined) : undefined}
        />
      )}
      <ReportList onOpen={open} />
    </Stack>
  )
}

export default Scope2

type ListProps = { onOpen: (reportId: string) => void }

export const ReportList = ({ onOpen }: ListProps) => {
  const list = useSavedList(
    findScopeReports,
    { query: {} },
    { rows: ({ reports }) => reports, views: { list: 'scope-2-reports' } },
  )
  return (
    <SavedList
      title={t('Reports')}
      {...list}
      failed={t('The reports could not be loaded.')}
      columns={columnsOf(onOpen)}
      onOpen={({ _id }) => onOpen(_id)}
      rowKey={({ _id }) => _id}
      emptyReason={t('Choose a period and create the first report.')}
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
      <Row as="span" inline gap={6} rowGap={4} justify="end" className={classes.corner}>
        <WithoutFactor figures={total} /> {digits.kgCo2(total.kgCo2)}
      </Row>
    ),
    { card: 'corner' },
  ),
  column.figure('kwh', t('Consumption (kWh)'), ({ total }) => (
    <Row as="span" inline gap={6} rowGap={4} justify="end">
      <NotRead figures={total} /> {digits.wholeKwh(total.kwh)}
    </Row>
  )),
  column.number('meters', t('Meters'), ({ meters }) => meters),
  column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
  column.text('madeBy', t('Created by'), ({ madeBy }) => madeBy),
]
