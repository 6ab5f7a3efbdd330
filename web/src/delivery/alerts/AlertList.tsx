import { Button } from '@mantine/core'
import { type Alert, findAlerts, removeAlert } from '@gridmast/contract/delivery/alerts.ts'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useRemoval } from '#lib/removal.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { useSavedList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { EmailAddress } from '#ui/EmailAddress.tsx'
import { Row } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { StatusDot } from '#ui/Tag.tsx'
import { AlertDialog, type Group } from './AlertForm.tsx'
import { criteriaWords, typeWords, withUnit } from './alert-words.ts'

type Actions = { onEdit: (alert: Alert) => void; onRemove: (alert: Alert) => void }

const useColumns = (actions: Actions | null): Columns<Alert> => {
  return [
    column.text('name', t('Name'), ({ name }) => name, { card: 'lead' }),
    column.text('instance', t('Instance'), ({ properties }) => properties.groupName, { card: 'plain' }),
    column.text('criteria', t('Criteria'), ({ criteria }) => t(criteriaWords[criteria])),
    column.text('type', t('Type'), ({ properties }) => t(typeWords[properties.type])),
    column.figure('value', t('Threshold/Value'), ({ value, properties }) => withUnit(value, properties.type)),
    column.figure('interval', t('Alert Interval'), ({ properties }) =>
      properties.alertInterval === 0
        ? t('At each crossing')
        : t('{{minutes}} min', { minutes: properties.alertInterval }),
    ),
    column.text(
      'schedule',
      t('Schedule Start/End'),
      ({ properties }) => `${properties.startTime}–${properties.endTime}`,
    ),
    column.cell(
      'email',
      t('Email'),
      ({ email, unconfirmed }) => <EmailAddress email={email} unconfirmed={unconfirmed} />,
      { card: 'plain', wraps: true },
    ),
    column.cell(
      'status',
      t('Status'),
      ({ properties }) => (
        <Row as="span" inline gap={8} nowrap>
          <StatusDot status={properties.notification ? 'fresh' : 'off'} />
          {properties.notification ? t('On') : t('Off')}
        </Row>
      ),
      { card: 'corner' },
    ),
    actions &&
      column.actions(t('Actions'), (alert) => [
        { icon: IconPencil, label: t('Edit {{name}}', { name: alert.name }), onClick: () => actions.onEdit(alert) },
        { icon: IconTrash, label: t('Delete {{name}}', { name: alert.name }), onClick: () => actions.onRemove(alert) },
      ]),
  ]
}

type Props = {
  licenceId: string
  groups: readonly Group[]
  /** Chosen in a new alert. */
  instance: string | undefined
  limit: number | undefined
  creating: boolean
  onCreating: (creating: boolean) => void
}

export const AlertList = ({ licenceId, groups, instance, limit, creating, onCreating }: Props) => {
  const { email } = useUser()
  const mayEdit = useCan('alert.edit')
  const [editing, setEditing] = useState<Alert | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const { remove, isRemoved } = useRemoval(removeAlert, {
    sent: ({ _id }: Alert) => ({ params: { id: _id } }),
    onRemoved: () => add.current?.focus(),
  })
  const columns = useColumns(mayEdit ? { onEdit: setEditing, onRemove: remove } : null)
  const list = useSavedList(
    findAlerts,
    { params: { id: licenceId }, query: {} },
    { rows: ({ alerts }) => alerts, isRemoved, limit, ownPage: true, views: { list: 'alerts' } },
  )
  const close = () => {
    setEditing(null)
    if (creating) onCreating(false)
  }
  return (
    <>
      <SavedList
        title={t('Alerts')}
        tools={
          mayEdit && (
            <Button ref={add} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => onCreating(true)}>
              {t('Create alert')}
            </Button>
          )
        }
        {...list}
        failed={t('The alerts could not be loaded.')}
        columns={columns}
        onOpen={mayEdit ? setEditing : undefined}
        rowKey={({ _id }) => _id}
        emptyReason={t('An alert notifies you when power or consumption of an instance crosses a threshold.')}
      />
      {mayEdit && (
        <AlertDialog
          {...{ licenceId, email, groups, instance }}
          editing={editing ?? (creating ? 'new' : null)}
          onClose={close}
        />
      )}
    </>
  )
}
