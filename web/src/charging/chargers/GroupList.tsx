import { ActionIcon, Button } from '@mantine/core'
import {
  type ChargerTagGroup,
  findChargerTagGroups,
  removeChargerTagGroup,
} from '@gridmast/contract/charging/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconFileText, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/TextButton.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { StatementDialog } from './StatementDialog.tsx'
import { StopDialog, type SwitchedOff } from './StopDialog.tsx'
import { GroupDialog } from './TagForm.tsx'
import { SpentBar } from './Budget.tsx'
import { ActiveFlag, EditActs } from './TagRow.tsx'
import classes from './ev-charging.module.css'

type Acts = {
  onOpen: (groupId: string) => void
  onStatement: (group: ChargerTagGroup) => void
  onEdit: (group: ChargerTagGroup) => void
  onRemove: (group: ChargerTagGroup) => void
  onOff: (off: SwitchedOff) => void
}

const useColumns = (acts: Acts, mayEdit: boolean): Column<ChargerTagGroup>[] => [
  { key: 'name', title: t('Name'), lead: true, cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    key: 'tags',
    title: t('Tags'),
    align: 'right',
    sortBy: ({ tagCount }) => tagCount,
    cell: ({ _id, name, tagCount }) => (
      <TextButton
        strong
        className={classes.count}
        aria-label={t('Tags of {{name}}: {{n}}', { name, n: tagCount })}
        onClick={() => acts.onOpen(_id)}
      >
        {tagCount}
      </TextButton>
    ),
  },
  {
    key: 'budget',
    title: t('Budget this month'),
    saysNothing: ({ budget }) => budget === null,
    cell: ({ name, budget }) => <SpentBar name={name} budget={budget} />,
  },
  {
    key: 'created',
    title: t('Created At'),
    digits: true,
    cell: ({ createdAt }) => formatDate(Date.parse(createdAt)),
  },
  {
    key: 'active',
    title: t('Active'),
    corner: true,
    cell: (group) => <ActiveFlag kind="group" row={group} mayEdit={mayEdit} onOff={acts.onOff} />,
  },
  {
    key: 'actions',
    title: t('Action'),
    acts: true,
    align: 'right',
    cell: (group) => (
      <Row as="span" inline gap={4} nowrap>
        <ActionIcon
          aria-label={t('Statement of {{name}}', { name: group.name })}
          onClick={() => acts.onStatement(group)}
        >
          <IconFileText size={16} stroke={1.8} />
        </ActionIcon>
        {mayEdit && (
          <EditActs name={group.name} onEdit={() => acts.onEdit(group)} onRemove={() => acts.onRemove(group)} />
        )}
      </Row>
    ),
  },
]

/** Groups of tags; one that is switched off blocks all of its tags. */
export const GroupList = ({ onOpen }: { onOpen: (groupId: string) => void }) => {
  const mayEdit = useCan('ev-charging.edit')
  const [editing, setEditing] = useState<ChargerTagGroup | 'new' | null>(null)
  const mayRemote = useCan('ev-charging.remote')
  const [off, setOff] = useState<readonly SwitchedOff[]>([])
  const switchedOff = (one: SwitchedOff) => mayRemote && setOff((others) => [...others, one])
  const [stated, setStated] = useState<ChargerTagGroup | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const read = useCall(findChargerTagGroups, {})
  const [remove, removeDialog] = useConfirm({
    call: removeChargerTagGroup,
    sent: ({ _id }: ChargerTagGroup) => ({ params: { id: _id } }),
    title: t('Delete this group?'),
    text: ({ name }) => t('The tags of {{name}} stay, without a group.', { name }),
    confirm: t('Delete'),
    danger: true,
    onDone: () => add.current?.focus(),
  })
  const columns = useColumns(
    { onOpen, onStatement: setStated, onEdit: setEditing, onRemove: remove, onOff: switchedOff },
    mayEdit,
  )
  return (
    <>
      <ListPanel
        label={t('Tag groups')}
        title={t('Tag groups')}
        tools={
          mayEdit && (
            <Button ref={add} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setEditing('new')}>
              {t('Create group')}
            </Button>
          )
        }
        read={read}
        failed={t('The tag groups could not be loaded.')}
        columns={columns}
        rows={read.data?.groups ?? []}
        rowKey={({ _id }) => _id}
        numbered
        pageSize={limits.evPageSize}
        emptyReason={t('A group blocks or opens all of its tags at once.')}
      />
      <StatementDialog group={stated} onClose={() => setStated(null)} />
      {mayEdit && <GroupDialog editing={editing} onOff={switchedOff} onClose={() => setEditing(null)} />}
      <StopDialog off={off[0] ?? null} onClose={() => setOff(([, ...others]) => others)} />
      {removeDialog}
    </>
  )
}
