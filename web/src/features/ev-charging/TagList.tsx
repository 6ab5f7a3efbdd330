import { Button, Select } from '@mantine/core'
import {
  type ChargerTag,
  findChargerTagGroups,
  findChargerTags,
  removeChargerTag,
  saveChargerTag,
} from '@gridmast/contract/ev-charging.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { StopDialog, type SwitchedOff } from './StopDialog.tsx'
import { TagDialog } from './TagForm.tsx'
import { SpentBar } from './Budget.tsx'
import { ActiveFlag, EditActs } from './TagRow.tsx'
import { OneSession } from './OneSession.tsx'
import { rowsOf, type TagsSearch } from './tag-search.ts'
import classes from './ev-charging.module.css'

type Acts = {
  onEdit: (tag: ChargerTag) => void
  onRemove: (tag: ChargerTag) => void
  onActive: (tag: ChargerTag, action: boolean) => void
}

const useColumns = (acts: Acts | null, saving: string | null): Column<ChargerTag>[] => {
  const { t } = useTranslation()
  return [
    { key: 'name', title: t('Name'), lead: true, cell: ({ name }) => name },
    { key: 'tagID', title: t('Tag ID'), cell: ({ tagID }) => <code className={classes.code}>{tagID}</code> },
    {
      key: 'group',
      title: t('Group'),
      cell: ({ groupData }) =>
        groupData ? (
          <>
            {groupData.name}
            {!groupData.action && <span className={classes.quiet}> · {t('Inactive')}</span>}
          </>
        ) : (
          unknownText
        ),
    },
    {
      key: 'budget',
      title: t('Budget this month'),
      saysNothing: ({ budget }) => budget === null,
      cell: ({ name, budget }) => <SpentBar name={name} budget={budget} />,
    },
    { key: 'type', title: t('Charging type'), cell: () => 'tagId' },
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
      cell: (tag) => (
        <ActiveFlag
          row={tag}
          saving={saving === tag._id}
          onActive={acts ? (action) => acts.onActive(tag, action) : undefined}
        />
      ),
    },
    ...(acts
      ? [
          {
            key: 'actions',
            title: t('Action'),
            acts: true,
            align: 'right' as const,
            cell: (tag: ChargerTag) => (
              <span className={classes.rowActs}>
                <EditActs name={tag.name} onEdit={() => acts.onEdit(tag)} onRemove={() => acts.onRemove(tag)} />
              </span>
            ),
          },
        ]
      : []),
  ]
}

type Props = { search: TagsSearch; onSearch: (part: TagsSearch) => void }

/** Tags, 15 a page; the active flag is saved at once. */
export const TagList = ({ search, onSearch }: Props) => {
  const { t } = useTranslation()
  const mayEdit = useCan('ev-charging.edit')
  const [editing, setEditing] = useState<ChargerTag | null>(null)
  const [removing, setRemoving] = useState<ChargerTag | null>(null)
  const [off, setOff] = useState<SwitchedOff | null>(null)
  const mayRemote = useCan('ev-charging.remote')
  const add = useRef<HTMLButtonElement>(null)
  const { page, pageSize, skip } = rowsOf(search)
  const { groupId } = search
  const read = useCall(findChargerTags, {
    sent: { query: { limit: pageSize, skip, ...(groupId ? { groupId } : {}) } },
    question: groupId ?? 'all',
  })
  const groups = useCall(findChargerTagGroups, {})
  const saving = useDo(saveChargerTag, { renews: [findChargerTags] })
  const deleting = useDo(removeChargerTag, { renews: [findChargerTags, findChargerTagGroups] })
  const columns = useColumns(
    mayEdit
      ? {
          onEdit: setEditing,
          onRemove: setRemoving,
          onActive: ({ _id, name }, action) =>
            saving.mutate(
              { params: { id: _id }, body: { action } },
              {
                onSuccess: ({ running }) => {
                  if (!action && running > 0 && mayRemote) setOff({ kind: 'tag', id: _id, name, running })
                },
              },
            ),
        }
      : null,
    saving.isPending ? saving.variables.params.id : null,
  )
  const [answer] = read.data ?? []
  const names = (groups.data?.groups ?? []).map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <>
      <ListPanel
        label={t('Tags')}
        title={t('Tags')}
        note={answer && t('Total Count {{count}}', { count: answer.totalCount })}
        tools={
          mayEdit && (
            <Button
              ref={add}
              leftSection={<IconPlus stroke={1.8} aria-hidden />}
              onClick={() => onSearch({ createTagModal: true })}
            >
              {t('Create tag')}
            </Button>
          )
        }
        filters={
          <>
            <Select
              label={t('Group')}
              w={220}
              placeholder={t('All')}
              clearable
              searchable
              nothingFoundMessage={t('No such group')}
              data={names}
              value={groupId ?? null}
              onChange={(next) => onSearch({ groupId: next ?? undefined, page: undefined })}
            />
            <OneSession mayEdit={mayEdit} />
          </>
        }
        read={read}
        failed={t('The tags could not be loaded.')}
        columns={columns}
        rows={answer?.tags ?? []}
        rowKey={({ _id }) => _id}
        numbered
        emptyReason={
          groupId ? t('No tag is in this group.') : t('A tag is what a driver shows to a charger before it charges.')
        }
        pageSize={pageSize}
        paging={{
          page,
          total: answer?.totalCount ?? 0,
          onPage: (next) => onSearch({ page: next === 1 ? undefined : next }),
        }}
      />
      {mayEdit && (
        <TagDialog
          editing={editing ?? (search.createTagModal ? 'new' : null)}
          groups={names}
          onOff={(one) => mayRemote && setOff(one)}
          onClose={() => {
            setEditing(null)
            if (search.createTagModal) onSearch({ createTagModal: undefined })
          }}
        />
      )}
      <StopDialog off={off} onClose={() => setOff(null)} />
      <ConfirmDialog
        opened={removing !== null}
        title={t('Delete this tag?')}
        confirm={t('Delete')}
        danger
        sending={deleting.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() =>
          removing &&
          deleting.mutate(
            { params: { id: removing._id } },
            { onSuccess: () => add.current?.focus(), onSettled: () => setRemoving(null) },
          )
        }
      >
        {t('{{name}} may no longer charge. What was charged with it stays listed.', { name: removing?.name ?? '' })}
      </ConfirmDialog>
    </>
  )
}
