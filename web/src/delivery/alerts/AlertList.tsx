import { ActionIcon, Button } from '@mantine/core'
import { type Alert, alertColumns, findAlerts, removeAlert } from '@gridmast/contract/delivery/alerts.ts'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { EmailAddress } from '#ui/EmailAddress.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { StatusDot } from '#ui/StatusDot.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { AlertDialog, type Group } from './AlertForm.tsx'
import { criteriaWords, typeWords, withUnit } from './alert-words.ts'

type Acts = { onEdit: (alert: Alert) => void; onRemove: (alert: Alert) => void }

const useColumns = (acts: Acts | null): Column<Alert>[] => {
  const actions: Column<Alert>[] = acts
    ? [
        {
          key: 'actions',
          title: t('Actions'),
          acts: true,
          align: 'right',
          cell: (alert) => (
            <Row as="span" inline gap={8} nowrap>
              <ActionIcon aria-label={t('Edit {{name}}', { name: alert.name })} onClick={() => acts.onEdit(alert)}>
                <IconPencil size={16} stroke={1.8} />
              </ActionIcon>
              <ActionIcon aria-label={t('Delete {{name}}', { name: alert.name })} onClick={() => acts.onRemove(alert)}>
                <IconTrash size={16} stroke={1.8} />
              </ActionIcon>
            </Row>
          ),
        },
      ]
    : []
  return [
    { key: 'name', title: t('Name'), lead: true, cell: ({ name }) => name },
    { key: 'instance', title: t('Instance'), plain: true, cell: ({ properties }) => properties.groupName },
    { key: 'criteria', title: t('Criteria'), cell: ({ criteria }) => t(criteriaWords[criteria]) },
    { key: 'type', title: t('Type'), cell: ({ properties }) => t(typeWords[properties.type]) },
    {
      key: 'value',
      title: t('Threshold/Value'),
      align: 'right',
      cell: ({ value, properties }) => withUnit(value, properties.type),
    },
    {
      key: 'interval',
      title: t('Alert Interval'),
      align: 'right',
      cell: ({ properties }) =>
        properties.alertInterval === 0
          ? t('At each crossing')
          : t('{{minutes}} min', { minutes: properties.alertInterval }),
    },
    {
      key: 'schedule',
      title: t('Schedule Start/End'),
      cell: ({ properties }) => `${properties.startTime}–${properties.endTime}`,
    },
    {
      key: 'email',
      title: t('Email'),
      plain: true,
      cell: ({ email, unconfirmed }) => <EmailAddress email={email} unconfirmed={unconfirmed} />,
    },
    {
      key: 'status',
      title: t('Status'),
      corner: true,
      cell: ({ properties }) => (
        <Row as="span" inline gap={8} nowrap>
          <StatusDot status={properties.notification ? 'fresh' : 'off'} />
          {properties.notification ? t('On') : t('Off')}
        </Row>
      ),
    },
    ...actions,
  ]
}

type Props = {
  licenceId: string
  groups: readonly Group[]
  page: number
  pageSize: number
  creating: boolean
  onPage: (page: number) => void
  onCreating: (creating: boolean) => void
}

export const AlertList = ({ licenceId, groups, page, pageSize, creating, onPage, onCreating }: Props) => {
  const { email } = useUser()
  const mayEdit = useCan('alert.edit')
  const [editing, setEditing] = useState<Alert | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [remove, removeDialog] = useConfirm({
    call: removeAlert,
    sent: ({ _id }: Alert) => ({ params: { id: _id } }),
    title: t('Delete this alert?'),
    text: ({ name }) => t('{{name}} is no longer watched. What it triggered stays listed.', { name }),
    confirm: t('Delete'),
    danger: true,
    onDone: () => add.current?.focus(),
  })
  const columns = useColumns(mayEdit ? { onEdit: setEditing, onRemove: remove } : null)
  const [sort, sorting] = useSorting(alertColumns, () => onPage(1))
  const read = useCall(findAlerts, {
    sent: { params: { id: licenceId }, query: { ...sort, limit: pageSize, skip: (page - 1) * pageSize } },
    keepWhile: licenceId,
  })
  const close = () => {
    setEditing(null)
    if (creating) onCreating(false)
  }
  return (
    <>
      <ListPanel
        label={t('Alerts')}
        title={t('Alerts')}
        tools={
          mayEdit && (
            <Button ref={add} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => onCreating(true)}>
              {t('Create alert')}
            </Button>
          )
        }
        read={read}
        failed={t('The alerts could not be loaded.')}
        columns={columns}
        rows={read.data?.alerts ?? []}
        rowKey={({ _id }) => _id}
        emptyReason={t('An alert tells you when power or consumption of an instance passes a threshold.')}
        pageSize={pageSize}
        sorting={sorting}
        paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
      />
      {mayEdit && (
        <AlertDialog {...{ licenceId, email, groups }} editing={editing ?? (creating ? 'new' : null)} onClose={close} />
      )}
      {removeDialog}
    </>
  )
}
