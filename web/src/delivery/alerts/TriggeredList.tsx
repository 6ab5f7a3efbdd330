import { Button } from '@mantine/core'
import { acknowledgeSeveral } from '@gridmast/contract/notifications/acknowledging.ts'
import { findTriggered, type TriggeredAlert } from '@gridmast/contract/notifications/triggered.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconRefresh } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import { useLiveAlerts } from '#lib/live.ts'
import { useCan } from '#lib/user.tsx'
import { BulkButton } from '#ui/BulkButton.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Tag } from '#ui/Tag.tsx'
import { triggeredFilters } from './search.ts'
import { criteriaWords, triggerName, typeWords, withUnit } from './alert-words.ts'

type Props = {
  licenceId: string
  date: string
  today: string
  limit: number | undefined
  onDate: (date: string) => void
}

const useColumns = (): Columns<TriggeredAlert> => [
  column.cell(
    'name',
    t('Name'),
    ({ _id, source, ...named }) => (
      <Link to="/e3-Legacy/$source" params={{ source }} search={{ trigger: _id }} className="gm-link">
        {triggerName(named)}
      </Link>
    ),
    { card: 'lead' },
  ),
  column.text('instance', t('Instance'), ({ groupName }) => groupName, { card: 'plain' }),
  column.text('type', t('Type'), ({ type }) => t(typeWords[type])),
  column.time('time', t('Trigger time'), ({ triggerTime }) => triggerTime, { card: 'plain' }),
  column.figure('value', t('Value'), ({ value, type }) => withUnit(value, type)),
  column.text(
    'criteria',
    t('Criteria'),
    ({ criteria, threshold, type }) => `${t(criteriaWords[criteria])} ${withUnit(threshold, type)}`,
  ),
  column.cell(
    'state',
    t('Status'),
    ({ acknowledgedAt, late, closedAt }) =>
      closedAt ? (
        <Tag kind="up">{t('Resolved')}</Tag>
      ) : acknowledgedAt ? (
        <Tag>{t('Acknowledged')}</Tag>
      ) : late ? (
        <Tag kind="outline">{t('Late data')}</Tag>
      ) : (
        t('New')
      ),
    { card: 'corner' },
  ),
]

export const TriggeredList = ({ licenceId, date, today, limit, onDate }: Props) => {
  const list = useSavedList(
    findTriggered,
    { params: { id: licenceId }, query: { date } },
    {
      rows: ({ triggered }) => triggered,
      limit,
      ownPage: true,
      views: { list: 'triggered-alerts', filters: triggeredFilters },
    },
  )
  const { query } = list
  useLiveAlerts(() => void query.refetch())
  const columns = useColumns()
  const mayEdit = useCan('alert.edit')
  const navigate = useNavigate()
  return (
    <SavedList
      label={t('Triggered Alerts')}
      {...list}
      failed={t('The triggered alerts could not be loaded.')}
      filters={
        <>
          <DateField label={t('Date')} value={date} max={today} onChange={onDate} />
          <Button
            data-end
            variant="default"
            leftSection={<IconRefresh stroke={1.8} aria-hidden />}
            loading={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {t('Refresh')}
          </Button>
        </>
      }
      bulk={
        mayEdit && {
          name: triggerName,
          can: ({ acknowledgedAt, closedAt }) => acknowledgedAt === null && closedAt === null,
          renderActs: (chosen, onDone) => (
            <BulkButton
              call={acknowledgeSeveral}
              sent={{ body: { ids: chosen.map(({ _id }) => _id) } }}
              onDone={onDone}
            >
              {t('Acknowledge')}
            </BulkButton>
          ),
        }
      }
      onOpen={({ _id, source }) =>
        void navigate({ to: '/e3-Legacy/$source', params: { source }, search: { trigger: _id } })
      }
      columns={columns}
      rowKey={({ _id }) => _id}
      emptyReason={t('No alert was triggered on {{date}}.', { date: formatDate(date) })}
    />
  )
}
