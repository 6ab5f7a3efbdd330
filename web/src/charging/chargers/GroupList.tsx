import { Button } from '@mantine/core'
import { type ChargerTagGroup, findChargerTagGroups, removeChargerTagGroup } from '@gridmast/contract/charging/tags.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { IconFileText, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState, useId } from 'react'
import { t, currentLanguage } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useRemoval } from '#lib/removal.ts'
import { useCan } from '#lib/user.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { StopDialog, type Disabled, ActiveFlag } from './ActiveFlag.tsx'
import { GroupDialog } from './TagForm.tsx'
import { SpentBar } from './Budget.tsx'
import { chargingStatement } from '@gridmast/contract/charging/charging-costs.ts'
import { addMonths, today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { MonthField } from '#ui/date/MonthField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { Segments } from '#ui/Segments.tsx'

type Actions = {
  onOpen: (groupId: string) => void
  onStatement: (group: ChargerTagGroup) => void
  onEdit: (group: ChargerTagGroup) => void
  onRemove: (group: ChargerTagGroup) => void
  onOff: (off: Disabled) => void
}

const useColumns = (actions: Actions, mayEdit: boolean): Columns<ChargerTagGroup> => [
  column.text('name', t('Name'), ({ name }) => name, { card: 'lead', sort: true }),
  column.figure(
    'tags',
    t('Tags'),
    ({ _id, name, tagCount }) => (
      <TextButton
        strong
        roomy
        aria-label={t('Tags of {{name}}: {{n}}', { name, n: tagCount })}
        onClick={() => actions.onOpen(_id)}
      >
        {tagCount}
      </TextButton>
    ),
    { sort: ({ tagCount }) => tagCount },
  ),
  column.cell('budget', t('Budget this month'), ({ name, budget }) => <SpentBar name={name} budget={budget} />, {
    omitWhen: ({ budget }) => budget === null,
  }),
  column.date('created', t('Created At'), ({ createdAt }) => createdAt, { sort: true }),
  column.cell(
    'active',
    t('Active'),
    (group) => <ActiveFlag kind="group" row={group} mayEdit={mayEdit} onOff={actions.onOff} />,
    { card: 'corner', sort: ({ action }) => Number(action) },
  ),
  column.actions(t('Actions'), (group) => [
    {
      icon: IconFileText,
      label: t('Statement of {{name}}', { name: group.name }),
      onClick: () => actions.onStatement(group),
    },
    mayEdit && {
      icon: IconPencil,
      label: t('Edit {{name}}', { name: group.name }),
      onClick: () => actions.onEdit(group),
    },
    mayEdit && {
      icon: IconTrash,
      label: t('Delete {{name}}', { name: group.name }),
      onClick: () => actions.onRemove(group),
    },
  ]),
]

/** Groups of tags; a disabled group blocks all of its tags. */
export const GroupList = ({ onOpen }: { onOpen: (groupId: string) => void }) => {
  const mayEdit = useCan('ev-charging.edit')
  const [editing, setEditing] = useState<ChargerTagGroup | 'new' | null>(null)
  const mayRemote = useCan('ev-charging.remote')
  const [off, setOff] = useState<readonly Disabled[]>([])
  const switchedOff = (one: Disabled) => mayRemote && setOff((others) => [...others, one])
  const [stated, setStated] = useState<ChargerTagGroup | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const read = useCall(findChargerTagGroups, {})
  const { remove, isRemoved } = useRemoval(removeChargerTagGroup, {
    sent: ({ _id }: ChargerTagGroup) => ({ params: { id: _id } }),
    onRemoved: () => add.current?.focus(),
  })
  const columns = useColumns(
    { onOpen, onStatement: setStated, onEdit: setEditing, onRemove: remove, onOff: switchedOff },
    mayEdit,
  )
  return (
    <>
      <ListPanel
        title={t('Tag groups')}
        help="budget"
        tools={
          mayEdit && (
            <Button ref={add} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setEditing('new')}>
              {t('Create group')}
            </Button>
          )
        }
        query={read}
        failed={t('The tag groups could not be loaded.')}
        columns={columns}
        rows={read.data?.groups.filter((group) => !isRemoved(group))}
        rowKey={({ _id }) => _id}
        numbered
        pageSize={limits.evPageSize}
        emptyReason={t('A group blocks or allows all its tags at once.')}
      />
      <StatementDialog group={stated} onClose={() => setStated(null)} />
      {mayEdit && <GroupDialog editing={editing} onOff={switchedOff} onClose={() => setEditing(null)} />}
      <StopDialog off={off[0] ?? null} onClose={() => setOff(([, ...others]) => others)} />
    </>
  )
}

type Props = { group: ChargerTagGroup | null; onClose: () => void }

/** Monthly statement of a tag group. */
const StatementDialog = ({ group, onClose }: Props) => (
  <Dialog opened={group !== null} onClose={onClose} size={480} title={t('Monthly statement')}>
    {group && <Choice group={group} onClose={onClose} />}
  </Dialog>
)

const formats = ['pdf', 'xlsx', 'csv'] as const

const Choice = ({ group, onClose }: { group: ChargerTagGroup; onClose: () => void }) => {
  const language = currentLanguage()
  const thisMonth = today(useNow(60_000)).slice(0, 7)
  const [month, setMonth] = useState(addMonths(thisMonth, -1))
  const [format, setFormat] = useState<(typeof formats)[number]>('pdf')
  const id = useId()
  return (
    <DownloadForm
      onClose={onClose}
      download={() => downloadCall(chargingStatement, { query: { month, groupId: group._id, format, language } })}
    >
      <p className="gm-meta">
        {t('Sessions of {{name}} that began in the month, with energy, cost and what drivers pay.', {
          name: group.name,
        })}
      </p>
      <MonthField label={t('Month')} value={month} max={thisMonth} onChange={setMonth} />
      <div role="group" aria-labelledby={id}>
        <div id={id} className="gm-meta">
          {t('File')}
        </div>
        <Segments
          label={t('File')}
          value={format}
          onChange={setFormat}
          data={formats.map((one) => ({ value: one, label: one.toUpperCase() }))}
        />
      </div>
    </DownloadForm>
  )
}
