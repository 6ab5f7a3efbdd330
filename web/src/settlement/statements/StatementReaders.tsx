import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import type { ChargerTagGroup } from '@gridmast/contract/charging/ev-charging.ts'
import { findChargerTagGroups } from '@gridmast/contract/charging/ev-charging.ts'
import {
  addStatementReader,
  findStatementReaders,
  removeStatementReader,
  type StatementReader,
} from '@gridmast/contract/settlement/statements.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { EmailAddress } from '#ui/EmailAddress.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { monthWords } from './StatementMonths.tsx'
import classes from './statements.module.css'

const whatWords = ({ kind, groupName }: Pick<StatementReader, 'kind' | 'groupName'>): string =>
  kind === 'settlement'
    ? t('Settlements')
    : groupName === null
      ? t('Charging: tags without a group')
      : t('Charging: {{name}}', { name: groupName })

const useColumns = (onRemove: ((reader: StatementReader) => void) | null): Column<StatementReader>[] => [
  {
    key: 'email',
    title: t('Email'),
    lead: true,
    cell: ({ email, unconfirmed }) => <EmailAddress email={email} unconfirmed={unconfirmed} />,
  },
  { key: 'what', title: t('Statement'), plain: true, cell: (reader) => whatWords(reader) },
  {
    key: 'last',
    title: t('Last mailed'),
    digits: true,
    cell: ({ last }) =>
      last === null ? t('Not yet') : `${monthWords(last.month)} · ${formatDate(Date.parse(last.at))}`,
  },
  ...(onRemove
    ? [
        {
          key: 'actions',
          title: t('Actions'),
          align: 'right' as const,
          corner: true,
          cell: (reader: StatementReader) => (
            <ActionIcon
              aria-label={t('Remove {{email}} from {{what}}', { email: reader.email, what: whatWords(reader) })}
              onClick={() => onRemove(reader)}
            >
              <IconTrash size={16} stroke={1.8} />
            </ActionIcon>
          ),
        },
      ]
    : []),
]

/** Who is mailed which statement, and when the next ones leave. */
export const StatementReaders = () => {
  const mayEdit = useCan('statement.edit')
  const read = useCall(findStatementReaders, {})
  const [adding, setAdding] = useState<true | null>(null)
  const [removing, setRemoving] = useState<StatementReader | null>(null)
  const panel = useRef<HTMLElement>(null)
  const removal = useDo(removeStatementReader)
  const columns = useColumns(mayEdit ? setRemoving : null)
  const next = read.data?.next
  return (
    <>
      <ListPanel
        ref={panel}
        label={t('Mailed to')}
        title={t('Mailed to')}
        note={
          next &&
          t('Next: {{month}}, sent {{at}}', {
            month: monthWords(next.month),
            at: formatDateTime(Date.parse(next.at)).slice(0, 16),
          })
        }
        tools={
          mayEdit && (
            <Button leftSection={<IconPlus stroke={1.8} />} onClick={() => setAdding(true)}>
              {t('Add recipient')}
            </Button>
          )
        }
        read={read}
        failed={t('The readers could not be loaded.')}
        columns={columns}
        rows={read.data?.readers ?? []}
        rowKey={({ _id }) => _id}
        emptyReason={t('No recipients yet. A statement is sent once a month, as PDF and Excel.')}
      />
      <FormDialog editing={adding} onClose={() => setAdding(null)} size={480} title={t('Add recipient')}>
        {(_, { onUnsaved, onCancel, onDone }) => (
          <AddReader onUnsaved={onUnsaved} onCancel={onCancel} onDone={onDone} />
        )}
      </FormDialog>
      <ConfirmDialog
        opened={removing !== null}
        title={t('Remove this reader?')}
        confirm={t('Remove')}
        danger
        sending={removal.isPending}
        onConfirm={() =>
          removing &&
          removal.mutate(
            { params: { id: removing._id } },
            { onSuccess: () => panel.current?.focus(), onSettled: () => setRemoving(null) },
          )
        }
        onClose={() => setRemoving(null)}
      >
        {removing && t('{{email}} gets no more statements of this kind.', { email: removing.email })}
      </ConfirmDialog>
    </>
  )
}

type AddProps = { onUnsaved: (unsaved: boolean) => void; onCancel: () => void; onDone: () => void }

const settlement = 'settlement'
const ungrouped = 'ungrouped'

const AddReader = ({ onUnsaved, onCancel, onDone }: AddProps) => {
  const mayCharge = useCan('ev-charging.read')
  const groups = useCall(findChargerTagGroups, { enabled: mayCharge })
  const { form, field, submit, sending, waitS } = useCallForm(addStatementReader, {
    initial: { email: '', what: settlement },
    fields: ['email'],
    toBody: ({ email, what }) =>
      what === settlement
        ? { email, kind: settlement }
        : { email, kind: 'charging', ...(what === ungrouped ? {} : { groupId: what }) },
    onDone,
  })
  const email = field('email')
  return (
    <form noValidate onSubmit={submit} className={classes.form}>
      <TextInput
        label={t('Email')}
        type="email"
        autoComplete="off"
        required
        data-autofocus
        {...email}
        onChange={(event) => {
          email.onChange(event)
          onUnsaved(event.currentTarget.value !== '')
        }}
      />
      {mayCharge && (
        <Select
          label={t('Statement')}
          allowDeselect={false}
          searchable
          data={[
            { value: settlement, label: t('Settlements') },
            { value: ungrouped, label: t('Charging: tags without a group') },
            ...(groups.data?.groups ?? []).map(({ _id, name }: ChargerTagGroup) => ({
              value: _id,
              label: t('Charging: {{name}}', { name }),
            })),
          ]}
          value={form.values.what}
          onChange={(what) => form.setFieldValue('what', what ?? settlement)}
        />
      )}
      <p className={classes.about}>
        {t('The statement of a month is sent on the 5th of the next month at 08:00, in the recipient’s language.')}
      </p>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Add recipient')}
      </FormActions>
    </form>
  )
}
