import { Button, TextInput } from '@mantine/core'
import { type ChargerTagGroup, findChargerTagGroups } from '@gridmast/contract/charging/tags.ts'
import {
  addStatementReader,
  findStatementReaders,
  removeStatementReader,
  type StatementReader,
} from '@gridmast/contract/settlement/statements.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useRemoval } from '#lib/removal.ts'
import { useCan } from '#lib/user.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { EmailAddress } from '#ui/EmailAddress.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { monthWords } from './StatementMonths.tsx'
import { Note } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

const whatWords = ({ kind, groupName }: Pick<StatementReader, 'kind' | 'groupName'>): string =>
  kind === 'settlement'
    ? t('Settlements')
    : groupName === null
      ? t('Charging: tags without a group')
      : t('Charging: {{name}}', { name: groupName })

const useColumns = (onRemove: ((reader: StatementReader) => void) | null): Columns<StatementReader> => [
  column.cell(
    'email',
    t('Email'),
    ({ email, unconfirmed }) => <EmailAddress email={email} unconfirmed={unconfirmed} />,
    { card: 'lead', sort: ({ email }) => email },
  ),
  column.text('what', t('Statement'), (reader) => whatWords(reader), { card: 'plain', sort: true }),
  column.text(
    'last',
    t('Last mailed'),
    ({ last }) => (last === null ? t('Not yet') : `${monthWords(last.month)} · ${formatDate(Date.parse(last.at))}`),
    { digits: true, sort: ({ last }) => last?.at ?? '' },
  ),
  onRemove &&
    column.actions(
      t('Actions'),
      (reader) => [
        {
          icon: IconTrash,
          label: t('Remove {{email}} from {{what}}', { email: reader.email, what: whatWords(reader) }),
          onClick: () => onRemove(reader),
        },
      ],
      { card: 'corner' },
    ),
]

export const StatementReaders = () => {
  const mayEdit = useCan('statement.edit')
  const read = useCall(findStatementReaders, {})
  const [adding, setAdding] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const { remove, isRemoved } = useRemoval(removeStatementReader, {
    sent: ({ _id }: StatementReader) => ({ params: { id: _id } }),
    onRemoved: () => panel.current?.focus(),
  })
  const columns = useColumns(mayEdit ? remove : null)
  const next = read.data?.next
  return (
    <>
      <ListPanel
        ref={panel}
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
        query={read}
        failed={t('The recipients could not be loaded.')}
        columns={columns}
        rows={read.data?.readers.filter((reader) => !isRemoved(reader))}
        rowKey={({ _id }) => _id}
        emptyReason={t('No recipients yet. A statement is sent once a month, as PDF and Excel.')}
      />
      <AddReaderDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  )
}

const settlement = 'settlement'
const ungrouped = 'ungrouped'

const AddReaderDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const mayCharge = useCan('ev-charging.read')
  const groups = useCall(findChargerTagGroups, { enabled: mayCharge && opened })
  return (
    <CallFormDialog
      title={t('Add recipient')}
      submit={t('Add recipient')}
      size={480}
      gap={12}
      call={addStatementReader}
      initial={opened ? { email: '', what: settlement } : null}
      toBody={({ email, what }) =>
        what === settlement
          ? { email, kind: settlement }
          : { email, kind: 'charging', ...(what === ungrouped ? {} : { groupId: what }) }
      }
      onClose={onClose}
    >
      {({ form, field, values }) => (
        <>
          <TextInput label={t('Email')} type="email" autoComplete="off" data-autofocus {...field('email')} />
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
              value={values.what}
              onChange={(what) => form.setFieldValue('what', what ?? settlement)}
            />
          )}
          <Note size="note">
            {t('The statement of a month is sent on the 5th of the next month at 08:00, in the recipient’s language.')}
          </Note>
        </>
      )}
    </CallFormDialog>
  )
}
