import { Select } from '@mantine/core'
import { type AuditEntry, auditColumns, findAudit } from '@gridmast/contract/people/audit.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { type ReactNode, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { useList } from '#lib/list.ts'
import { BelowList } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterFold, SearchField } from '#ui/FilterRow.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { actionWords, domainName, domainOf, recordedText } from './audit-words.ts'
import { EntryDialog } from './EntryDialog.tsx'
import { ResultTag } from './ResultTag.tsx'

export type AuditFilter = {
  start: string
  end: string
  who: string
  action: string
  show: 'changes' | 'all'
}

const useColumns = (onOpen: (entry: AuditEntry) => void): Columns<AuditEntry> => [
  column.time('at', t('Time'), ({ at }) => at, { card: 'plain' }),
  column.text('who', t('Who'), ({ who }) => who, { card: 'plain', cut: 40 }),
  column.cell(
    'action',
    t('Action'),
    (entry) => (
      <TextButton
        plain
        strong
        covers
        aria-label={t('Open entry {{entry}}: {{action}}', {
          entry: entry.entryNo,
          action: translateText(actionWords(entry.action)),
        })}
        onClick={() => onOpen(entry)}
      >
        {translateText(actionWords(entry.action))}
      </TextButton>
    ),
    { card: 'lead' },
  ),
  column.text('subject', t('Subject'), ({ subject }) => recordedText(subject), {
    card: 'plain',
    omitWhen: ({ subject }) => subject === '',
    cut: 48,
  }),
  column.cell('result', t('Result'), (entry) => <ResultTag entry={entry} />, { card: 'corner' }),
  column.number('no', t('Entry'), ({ entryNo }) => entryNo),
]

type Props = {
  filter: AuditFilter
  chosen: number
  today: string
  onFilter: (change: Partial<AuditFilter>) => void
  below?: ReactNode
}

/** Who did what, newest first. */
export const AuditTable = ({ filter, chosen, today, onFilter, below }: Props) => {
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const columns = useColumns(setOpened)
  const wanted = {
    startDate: filter.start,
    endDate: filter.end,
    ...(filter.who === '' ? {} : { who: filter.who }),
    ...(filter.action === '' ? {} : { action: filter.action }),
    // Whoever asks for sign-ins wants to see them.
    ...(filter.show === 'changes' && filter.action === '' ? { changes: 'only' as const } : {}),
  }
  const list = useList(
    findAudit,
    { query: wanted },
    {
      sortable: auditColumns,
      pageOf: ({ entries, totalCount }) => ({ rows: entries, total: totalCount }),
    },
  )
  const { query: read } = list
  // What may be chosen stays while another choice is read.
  const [actions, setActions] = useState<readonly string[]>([])
  if (read.data && read.data.actions !== actions) setActions(read.data.actions)
  return (
    <>
      <ListPanel
        {...list}
        failed={t('The audit trail could not be loaded.')}
        filters={
          <FilterFold
            chosen={chosen}
            actions={
              <ExportButton
                onExport={(format) => downloadCall(findAudit, { query: { ...wanted, format } }, `audit.${format}`)}
              />
            }
          >
            <Select
              label={t('Show')}
              w={170}
              allowDeselect={false}
              data={[
                { value: 'changes', label: t('Changes only') },
                { value: 'all', label: t('Everything') },
              ]}
              value={filter.show}
              onChange={(show) => onFilter({ show: show === 'all' ? 'all' : 'changes' })}
            />
            <RangeField
              label={t('Date')}
              value={{ start: filter.start, end: filter.end }}
              max={today}
              onChange={(range) => onFilter(range)}
            />
            <SearchField
              label={t('Who')}
              placeholder={t('Name or email')}
              value={filter.who}
              onChange={(who) => onFilter({ who })}
            />
            <ActionField value={filter.action} actions={actions} onChange={(action) => onFilter({ action })} />
          </FilterFold>
        }
        label={t('Audit trail')}
        columns={columns}
        rowKey={({ entryNo }) => String(entryNo)}
        emptyReason={t('Nothing from {{start}} to {{end}} matches the filter.', {
          start: formatDate(filter.start),
          end: formatDate(filter.end),
        })}
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
      <EntryDialog entry={opened} onClose={() => setOpened(null)} />
    </>
  )
}

type ActionProps = { value: string; actions: readonly string[]; onChange: (action: string) => void }

const ActionField = ({ value, actions, onChange }: ActionProps) => {
  const known = value === '' || actions.includes(value) || value === domainOf(value) ? actions : [...actions, value]
  const domains = [...new Set([...known.map(domainOf), ...(value === '' ? [] : [domainOf(value)])])]
  const data = domains.map((domain) => {
    const own = known.filter((action) => domainOf(action) === domain && action !== domain)
    const all = {
      value: domain,
      label:
        own.length > 0
          ? t('{{domain}}: all', { domain: translateText(domainName(domain)) })
          : translateText(actionWords(domain)),
    }
    return {
      group: translateText(domainName(domain)),
      items: [all, ...own.map((action) => ({ value: action, label: translateText(actionWords(action)) }))],
    }
  })
  return (
    <Select
      label={t('Action')}
      w={260}
      searchable
      clearable
      placeholder={t('All actions')}
      nothingFoundMessage={t('No such action')}
      clearButtonProps={{ 'aria-label': t('All actions') }}
      data={data}
      value={value === '' ? null : value}
      onChange={(action) => onChange(action ?? '')}
    />
  )
}
