import type { BulkResult } from '@gridmast/contract/bulk.ts'
import { SearchField } from '#ui/FilterRow.tsx'
import { Button } from '@mantine/core'
import {
  type ChargerTag,
  findChargerTagGroups,
  findChargerTags,
  moveChargerTags,
  removeChargerTag,
  getChargingChoice,
  saveChargingChoice,
} from '@gridmast/contract/charging/tags.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { limits } from '@gridmast/contract/limits.ts'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useRemoval } from '#lib/removal.ts'
import { useCan } from '#lib/user.tsx'
import { useSavedList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { StopDialog, type Disabled, ActiveFlag } from './ActiveFlag.tsx'
import { TagDialog } from './TagForm.tsx'
import { SpentBar } from './Budget.tsx'
import { type evSearch, tagFilters } from './search.ts'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import { Stack, Text } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Select } from '#ui/Select.tsx'
import { GroupList } from './GroupList.tsx'

type Actions = {
  onEdit: (tag: ChargerTag) => void
  onRemove: (tag: ChargerTag) => void
  onOff: (off: Disabled) => void
}

const useColumns = (actions: Actions, mayEdit: boolean): Columns<ChargerTag> => [
  column.text('name', t('Name'), ({ name }) => name, { card: 'lead' }),
  column.cell('tagID', t('Tag ID'), ({ tagID }) => (
    <code className="gm-num" style={{ fontFamily: 'inherit', fontSize: 'inherit' }}>
      {tagID}
    </code>
  )),
  column.cell('group', t('Group'), ({ groupData }) =>
    groupData ? (
      <>
        {groupData.name}
        {!groupData.action && <Text ink="ink3"> · {t('Inactive')}</Text>}
      </>
    ) : (
      unknownText
    ),
  ),
  column.cell('budget', t('Budget this month'), ({ name, budget }) => <SpentBar name={name} budget={budget} />, {
    omitWhen: ({ budget }) => budget === null,
  }),
  column.text('type', t('Charging type'), () => 'tagId'),
  column.date('created', t('Created At'), ({ createdAt }) => createdAt),
  column.cell(
    'active',
    t('Active'),
    (tag) => <ActiveFlag kind="tag" row={tag} mayEdit={mayEdit} onOff={actions.onOff} />,
    { card: 'corner' },
  ),
  mayEdit &&
    column.actions(t('Actions'), (tag) => [
      { icon: IconPencil, label: t('Edit {{name}}', { name: tag.name }), onClick: () => actions.onEdit(tag) },
      { icon: IconTrash, label: t('Delete {{name}}', { name: tag.name }), onClick: () => actions.onRemove(tag) },
    ]),
]

/** Tags, 15 a page; the active flag is saved at once. */
export const TagList = ({ search, onSearch }: UrlProps<typeof evSearch>) => {
  const mayEdit = useCan('ev-charging.edit')
  const [editing, setEditing] = useState<ChargerTag | null>(null)
  const mayRemote = useCan('ev-charging.remote')
  const [off, setOff] = useState<readonly Disabled[]>([])
  const onDisabled = (one: Disabled) => mayRemote && setOff((others) => [...others, one])
  const add = useRef<HTMLButtonElement>(null)
  const { groupId, search: text } = search
  const groups = useCall(findChargerTagGroups, {})
  const { remove, isRemoved } = useRemoval(removeChargerTag, {
    sent: ({ _id }: ChargerTag) => ({ params: { id: _id } }),
    onRemoved: () => add.current?.focus(),
  })
  const list = useSavedList(
    findChargerTags,
    { query: { ...(groupId ? { groupId } : {}), ...(text ? { search: text } : {}) } },
    {
      rows: ([answer]) => answer?.tags ?? [],
      total: ([answer]) => answer?.totalCount ?? 0,
      isRemoved,
      pageSize: limits.evPageSize,
      limit: search.limit,
      views: { list: 'tags', filters: tagFilters, existing: { groupId: groups.data?.groups.map(({ _id }) => _id) } },
    },
  )
  const columns = useColumns({ onEdit: setEditing, onRemove: remove, onOff: onDisabled }, mayEdit)
  const names = (groups.data?.groups ?? []).map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <>
      <SavedList
        title={t('Tags')}
        help="budget"
        note={list.query.data && t('Total Count {{n}}', { n: list.paging.total })}
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
            <SearchField
              label={t('Search')}
              placeholder={t('Name, tag or group')}
              value={text ?? ''}
              onChange={(next) => onSearch({ search: next || undefined, page: undefined })}
            />
            <SingleSessionSwitch mayEdit={mayEdit} />
          </>
        }
        {...list}
        failed={t('The tags could not be loaded.')}
        columns={columns}
        onOpen={mayEdit ? setEditing : undefined}
        bulk={
          mayEdit && {
            name: ({ name }) => name,
            renderActs: (tags, onDone) => <MoveTags tags={tags} groups={names} onDone={onDone} />,
          }
        }
        rowKey={({ _id }) => _id}
        numbered
        emptyReason={
          text
            ? t('No tag matches the search.')
            : groupId
              ? t('No tag is in this group.')
              : t('Drivers present a tag to a charger to start a session.')
        }
      />
      {mayEdit && (
        <TagDialog
          editing={editing ?? (search.createTagModal ? 'new' : null)}
          groups={names}
          onOff={onDisabled}
          onClose={() => {
            setEditing(null)
            if (search.createTagModal) onSearch({ createTagModal: undefined })
          }}
        />
      )}
      <StopDialog off={off[0] ?? null} onClose={() => setOff(([, ...others]) => others)} />
    </>
  )
}

const noGroup = 'none'

type MoveProps = {
  tags: readonly ChargerTag[]
  groups: { value: string; label: string }[]
  onDone: (result: BulkResult) => void
}

const MoveTags = ({ tags, groups, onDone }: MoveProps) => {
  const { mutate, isPending } = useDo(moveChargerTags)
  return (
    <Select
      aria-label={t('Move to group')}
      placeholder={t('Move to group')}
      w={200}
      searchable
      disabled={isPending}
      nothingFoundMessage={t('No such group')}
      data={[{ value: noGroup, label: t('No group') }, ...groups]}
      value={null}
      onChange={(next) =>
        next &&
        mutate(
          { body: { ids: tags.map(({ _id }) => _id), groupId: next === noGroup ? null : next } },
          { onSuccess: onDone },
        )
      }
    />
  )
}

const SingleSessionSwitch = ({ mayEdit }: { mayEdit: boolean }) => {
  const read = useCall(getChargingChoice, {})
  const isOn = read.data?.oneSession ?? false
  const words = t('A tag with a running session is refused at other connectors')
  if (!mayEdit) return isOn && <span className="gm-meta">{words}</span>
  return (
    <div data-end>
      <SavedSwitch
        label={t('One session for each tag')}
        aria-label={t('One session for each tag')}
        description={words}
        disabled={read.data === undefined}
        checked={isOn}
        call={saveChargingChoice}
        sent={(oneSession) => ({ body: { oneSession } })}
      />
    </div>
  )
}

export const TagsTab = ({ search, onSearch }: UrlProps<typeof evSearch>) => {
  const view = search.subTab ?? 'tag'
  return (
    <Stack gap={16}>
      <div>
        <Segments
          label={t('Tags or groups')}
          value={view}
          onChange={(next) =>
            onSearch({ subTab: next === 'tag' ? undefined : next, page: undefined, groupId: undefined })
          }
          data={[
            { value: 'tag', label: t('Tag') },
            { value: 'group', label: t('Group') },
          ]}
        />
      </div>
      {view === 'tag' ? (
        <TagList search={search} onSearch={onSearch} />
      ) : (
        <GroupList onOpen={(groupId) => onSearch({ subTab: undefined, groupId, page: undefined })} />
      )}
    </Stack>
  )
}
