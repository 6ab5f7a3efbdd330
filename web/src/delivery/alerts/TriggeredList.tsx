import { Button } from '@mantine/core'
import { findTriggered, type TriggeredAlert, triggeredColumns } from '@gridmast/contract/notifications/triggered.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useLiveAlerts } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import { DateField } from '#ui/date/DateField.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { criteriaWords, triggerName, typeWords, withUnit } from './alert-words.ts'

type Props = {
  licenceId: string
  date: string
  today: string
  page: number
  pageSize: number
  onDate: (date: string) => void
  onPage: (page: number) => void
}

const useColumns = (): Column<TriggeredAlert>[] => [
  {
    key: 'name',
    title: t('Name'),
    lead: true,
    cell: ({ _id, source, ...named }) => (
      <Link to="/e3-Legacy/$source" params={{ source }} search={{ trigger: _id }} className="gm-link">
        {triggerName(named)}
      </Link>
    ),
  },
  { key: 'instance', title: t('Instance'), plain: true, cell: ({ groupName }) => groupName },
  { key: 'type', title: t('Type'), cell: ({ type }) => t(typeWords[type]) },
  {
    key: 'time',
    title: t('Trigger time'),
    plain: true,
    digits: true,
    cell: ({ triggerTime }) => formatDateTime(Date.parse(triggerTime)),
  },
  { key: 'value', title: t('Value'), align: 'right', cell: ({ value, type }) => withUnit(value, type) },
  {
    key: 'criteria',
    title: t('Criteria'),
    cell: ({ criteria, threshold, type }) => `${t(criteriaWords[criteria])} ${withUnit(threshold, type)}`,
  },
  {
    key: 'state',
    title: t('Status'),
    corner: true,
    cell: ({ acknowledgedAt, late, closedAt }) =>
      closedAt ? (
        <Tag kind="up">{t('Resolved')}</Tag>
      ) : acknowledgedAt ? (
        <Tag>{t('Acknowledged')}</Tag>
      ) : late ? (
        <Tag kind="outline">{t('Late data')}</Tag>
      ) : (
        t('New')
      ),
  },
]

export const TriggeredList = ({ licenceId, date, today, page, pageSize, onDate, onPage }: Props) => {
  const [sort, sorting] = useSorting(triggeredColumns, () => onPage(1))
  const read = useCall(findTriggered, {
    sent: { params: { id: licenceId }, query: { date, ...sort, limit: pageSize, skip: (page - 1) * pageSize } },
    keepWhile: `${licenceId} ${date}`,
  })
  useLiveAlerts(() => void read.refetch())
  const columns = useColumns()
  return (
    <ListPanel
      label={t('Triggered Alerts')}
      read={read}
      failed={t('The triggered alerts could not be loaded.')}
      filters={
        <>
          <DateField label={t('Date')} value={date} max={today} onChange={onDate} />
          <Button
            data-end
            variant="default"
            leftSection={<IconRefresh stroke={1.8} aria-hidden />}
            loading={read.isFetching}
            onClick={() => void read.refetch()}
          >
            {t('Refresh')}
          </Button>
        </>
      }
      columns={columns}
      rows={read.data?.triggered ?? []}
      rowKey={({ _id }) => _id}
      emptyReason={t('No alert was triggered on {{date}}.', { date: formatDate(date) })}
      pageSize={pageSize}
      sorting={sorting}
      paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
    />
  )
}
