import { Button, Select } from '@mantine/core'
import {
  type ChargerTag,
  findChargerTagGroups,
  findChargerTags,
  removeChargerTag,
  tagColumns,
} from '@gridmast/contract/charging/ev-charging.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { StopDialog, type SwitchedOff } from './StopDialog.tsx'
import { TagDialog } from './TagForm.tsx'
import { SpentBar } from './Budget.tsx'
import { ActiveFlag, EditActs } from './TagRow.tsx'
import { SingleSessionSwitch } from './SingleSessionSwitch.tsx'
import { useRows } from './paging.ts'
import type { evSearch } from './search.ts'
import classes from './ev-charging.module.css'

type Acts = {
  onEdit: (tag: ChargerTag) => void
  onRemove: (tag: ChargerTag) => void
  onOff: (off: SwitchedOff) => void
}

const useColumns = (acts: Acts, mayEdit: boolean): Column<ChargerTag>[] => [
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
    cell: (tag) => <ActiveFlag kind="tag" row={tag} mayEdit={mayEdit} onOff={acts.onOff} />,
  },
  ...(mayEdit
    ? [
        {
          key: 'actions',
          title: t('Action'),
          acts: true,
          align: 'right' as const,
          cell: (tag: ChargerTag) => (
            <Row as="span" inline gap={4} nowrap>
              <EditActs name={tag.name} onEdit={() => acts.onEdit(tag)} onRemove={() => acts.onRemove(tag)} />
            </Row>
          ),
        },
      ]
    : []),
]

/** Tags, 15 a page; the active flag is saved at once. */
export const TagList = ({ search, onSearch }: UrlProps<typeof evSearch>) => {
  const mayEdit = useCan('ev-charging.edit')
  const [editing, setEditing] = useState<ChargerTag | null>(null)
  const mayRemote = useCan('ev-charging.remote')
  const [off, setOff] = useState<readonly SwitchedOff[]>([])
  const switchedOff = (one: SwitchedOff) => mayRemote && setOff((others) => [...others, one])
  const add = useRef<HTMLButtonElement>(null)
  const { page, pageSize, skip } = useRows(search)
  const { groupId, search: text } = search
  const [sort, sorting] = useSorting(tagColumns)
  const filter = { ...(groupId ? { groupId } : {}), ...(text ? { search: text } : {}) }
  const read = useCall(findChargerTags, {
    sent: { query: { ...filter, ...sort, limit: pageSize, skip } },
    keepWhile: JSON.stringify(filter),
  })
  const groups = useCall(findChargerTagGroups, {})
  const [remove, removeDialog] = useConfirm({
    call: removeChargerTag,
    sent: ({ _id }: ChargerTag) => ({ params: { id: _id } }),
    title: t('Delete this tag?'),
    text: ({ name }) => t('{{name}} may no longer charge. What was charged with it stays listed.', { name }),
    confirm: t('Delete'),
    danger: true,
    onDone: () => add.current?.focus(),
  })
  const columns = useColumns({ onEdit: setEditing, onRemove: remove, onOff: switchedOff }, mayEdit)
  const [answer] = read.data ?? []
  const names = (groups.data?.groups ?? []).map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <>
      <ListPanel
        label={t('Tags')}
        title={t('Tags')}
        note={answer && t('Total Count {{n}}', { n: answer.totalCount })}
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
        read={read}
        failed={t('The tags could not be loaded.')}
        columns={columns}
        rows={answer?.tags ?? []}
        rowKey={({ _id }) => _id}
        numbered
        sorting={sorting}
        emptyReason={
          text
            ? t('No tag matches the search.')
            : groupId
              ? t('No tag is in this group.')
              : t('A tag is what a driver shows to a charger before it charges.')
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
          onOff={switchedOff}
          onClose={() => {
            setEditing(null)
            if (search.createTagModal) onSearch({ createTagModal: undefined })
          }}
        />
      )}
      <StopDialog off={off[0] ?? null} onClose={() => setOff(([, ...others]) => others)} />
      {removeDialog}
    </>
  )
}
