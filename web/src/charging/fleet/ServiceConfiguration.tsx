import { Button, Group, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import {
  type ChargerVariable,
  type getChargerService,
  readChargerConfiguration,
  saveChargerConfiguration,
} from '@gridmast/contract/charging/chargers.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { chargerAnswer } from '#ui/ConnectorState.tsx'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { showToast } from '#lib/toast.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import classes from './service.module.css'

type Service = Data<typeof getChargerService>

const keyOf = ({ component, variable }: ChargerVariable) => `${component} ${variable}`

type Editing = { key: string; value: string } | null
type Acts = {
  editing: Editing
  onEdit: (editing: Editing) => void
  isSaving: boolean
  onSave: (one: ChargerVariable, value: string) => void
  mayEdit: boolean
}

const useColumns = ({ editing, onEdit, isSaving, onSave, mayEdit }: Acts): Columns<ChargerVariable> => [
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
    column.acts(t('Action'), (one) => [
      !one.readOnly && {
        icon: IconPencil,
        label: t('Change {{name}}', { name: one.variable }),
        onClick: () => onEdit({ key: keyOf(one), value: one.value ?? '' }),
      },
    ]),
]

/** Settings of a charger as it last said them; one is changed by the charger's own leave. */
export const ServiceConfiguration = ({ service, mayChange }: { service: Service; mayChange: boolean }) => {
  const { charger, configuration } = service
  const [editing, setEditing] = useState<Editing>(null)
  const reading = useDo(readChargerConfiguration)
  const saving = useDo(saveChargerConfiguration)
  const told = ({ status, accepted }: { status: string; accepted: boolean }) =>
    showToast({ kind: accepted ? 'success' : 'error', message: chargerAnswer(status) })
  const save = ({ component, variable }: ChargerVariable, value: string) =>
    saving.mutate(
      { params: { id: charger._id }, body: { ...(component ? { component } : {}), variable, value } },
      {
        onSuccess: (answer) => {
          told(answer)
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
            onClick={() => reading.mutate({ params: { id: charger._id } }, { onSuccess: told })}
          >
            {t('Read from the charger')}
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
        emptyReason={t('The configuration was not read yet.')}
      />
    </>
  )
}
