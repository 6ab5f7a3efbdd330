import { LoadError } from '#ui/Loaded.tsx'
import { Button, Group, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import {
  type ChargerVariable,
  type getChargerService,
  readChargerConfiguration,
  saveChargerConfiguration,
  findChargerFrames,
} from '@gridmast/contract/charging/chargers.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { chargerAnswer } from '#ui/ConnectorState.tsx'
import { t } from '#lib/i18n.ts'
import { useDo, useCall } from '#lib/query.ts'
import { showToast } from '#lib/toast.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import classes from './charge-fleet.module.css'

type Service = Data<typeof getChargerService>

const keyOf = ({ component, variable }: ChargerVariable) => `${component} ${variable}`

type Editing = { key: string; value: string } | null
type Actions = {
  editing: Editing
  onEdit: (editing: Editing) => void
  isSaving: boolean
  onSave: (one: ChargerVariable, value: string) => void
  mayEdit: boolean
}

const useColumns = ({ editing, onEdit, isSaving, onSave, mayEdit }: Actions): Columns<ChargerVariable> => [
  column.text(
    'variable',
    t('Setting'),
    ({ component, variable }) => [component, variable].filter(Boolean).join(' · '),
    { card: 'lead' },
  ),
  column.cell('value', t('Value'), (one) =>
    editing?.key === keyOf(one) ? (
      <form
        className={classes.inputs}
        onSubmit={(event) => {
          event.preventDefault()
          onSave(one, editing.value)
        }}
      >
        <TextInput
          aria-label={t('New value of {{name}}', { name: one.variable })}
          autoComplete="off"
          data-autofocus
          value={editing.value}
          onChange={(event) => onEdit({ key: editing.key, value: event.currentTarget.value })}
        />
        <Button type="submit" size="xs" loading={isSaving}>
          {t('Set')}
        </Button>
        <Button variant="default" size="xs" onClick={() => onEdit(null)}>
          {t('Cancel')}
        </Button>
      </form>
    ) : (
      (one.value ?? unknownText)
    ),
  ),
  mayEdit &&
    column.actions(t('Actions'), (one) => [
      !one.readOnly && {
        icon: IconPencil,
        label: t('Change {{name}}', { name: one.variable }),
        onClick: () => onEdit({ key: keyOf(one), value: one.value ?? '' }),
      },
    ]),
]

/** Settings as last reported by the charger; it may refuse a change. */
export const ServiceConfiguration = ({ service, mayChange }: { service: Service; mayChange: boolean }) => {
  const { charger, configuration } = service
  const [editing, setEditing] = useState<Editing>(null)
  const reading = useDo(readChargerConfiguration)
  const saving = useDo(saveChargerConfiguration)
  const showAnswer = ({ status, accepted }: { status: string; accepted: boolean }) =>
    showToast({ kind: accepted ? 'success' : 'error', message: chargerAnswer(status) })
  const save = ({ component, variable }: ChargerVariable, value: string) =>
    saving.mutate(
      { params: { id: charger._id }, body: { ...(component ? { component } : {}), variable, value } },
      {
        onSuccess: (answer) => {
          showAnswer(answer)
          if (answer.accepted) setEditing(null)
        },
      },
    )
  const columns = useColumns({
    editing,
    onEdit: setEditing,
    isSaving: saving.isPending,
    onSave: save,
    mayEdit: mayChange && charger.isActive,
  })
  return (
    <>
      {mayChange && (
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.8} aria-hidden />}
            disabled={!charger.isActive}
            loading={reading.isPending}
            onClick={() => reading.mutate({ params: { id: charger._id } }, { onSuccess: showAnswer })}
          >
            {t('Read from charger')}
          </Button>
        </Group>
      )}
      <DataTable
        label={t('Configuration')}
        columns={columns}
        rows={configuration}
        rowKey={keyOf}
        pageSize={10}
        loading={false}
        emptyReason={t('The configuration has not been read yet.')}
      />
    </>
  )
}

/** Commands with the charger's answers, and its protocol deviations. */
export const ServiceLog = ({ service }: { service: Service }) => (
  <>
    <DataTable<Service['commands'][number]>
      label={t('Last commands')}
      columns={[
        column.time('at', t('Time'), ({ issuedAt }) => issuedAt, { card: 'lead' }),
        column.text('action', t('Command'), ({ action }) => action),
        column.number('connector', t('Connector'), ({ connectorId }) => connectorId || null),
        column.text('answer', t('Answer'), ({ answer, state }) => answer ?? state),
      ]}
      rows={service.commands}
      rowKey={({ issuedAt, action }) => `${issuedAt} ${action}`}
      pageSize={10}
      loading={false}
      emptyReason={t('No commands sent yet.')}
    />
    <DataTable<Service['deviations'][number]>
      label={t('Deviations')}
      columns={[
        column.text('what', t('Deviation'), ({ deviation }) => deviation, { card: 'lead' }),
        column.number('count', t('Count'), ({ count }) => count),
        column.time('last', t('Last seen'), ({ lastAt }) => lastAt),
      ]}
      rows={service.deviations}
      rowKey={({ deviation }) => deviation}
      pageSize={10}
      loading={false}
      emptyReason={t('No deviations.')}
    />
  </>
)

const rereadMs = 5000

type Frame = Data<typeof findChargerFrames>['frames'][number]

const useFrameColumns = (): Columns<Frame> => [
  column.time('at', t('Time'), ({ at }) => at, { card: 'lead' }),
  column.text('direction', t('Direction'), ({ direction }) =>
    direction === 'in' ? t('From the charger') : t('To the charger'),
  ),
  column.cell('frame', t('Message'), ({ frame }) => <code className={classes.frame}>{frame}</code>, { card: 'plain' }),
]

export const ServiceFrames = ({ chargerId }: { chargerId: string }) => {
  const read = useCall(findChargerFrames, { sent: { params: { id: chargerId } }, refetchIntervalMs: rereadMs })
  const columns = useFrameColumns()
  if (read.error && !read.data) return <LoadError query={read} title={t('The messages could not be loaded.')} />
  return (
    <DataTable
      label={t('Raw messages')}
      columns={columns}
      rows={read.data ? read.data.frames : []}
      rowKey={({ no }) => String(no)}
      pageSize={10}
      loading={read.isPending}
      emptyReason={t('No answers received yet.')}
    />
  )
}
