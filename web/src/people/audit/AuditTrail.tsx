import { TextButton } from '#ui/Layout.tsx'
import { addDays, formatDate, today } from '@gridmast/contract/time.ts'
import { type AuditEntry, findAudit } from '@gridmast/contract/people/audit.ts'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { useUrlState } from '#lib/url-state.ts'
import { Page } from '#ui/Page.tsx'
import { auditSearch } from '#people/search.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import { BelowList } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterFold, SearchField } from '#ui/FilterRow.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Select } from '#ui/Select.tsx'
import { VerifyChain } from './VerifyChain.tsx'
import { pickParams } from '#lib/search-params.ts'
import { actionWords, domainName, domainOf, recordedText } from './audit-words.ts'
import { EntryDialog, ResultTag } from './EntryDialog.tsx'
import classes from './audit.module.css'

const auditFilters = pickParams(auditSearch, 'start', 'end', 'who', 'action', 'show')

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
  column.cell(
    'subject',
    t('Subject'),
    ({ subject }) => <span className={classes.subject}>{recordedText(subject)}</span>,
    { card: 'plain', omitWhen: ({ subject }) => subject === '' },
  ),
  column.cell('result', t('Result'), (entry) => <ResultTag entry={entry} />, { card: 'corner' }),
  column.number('no', t('Entry'), ({ entryNo }) => entryNo),
]

const AuditTrail = () => {
  const [search, change] = useUrlState(auditSearch)
  const now = today(useNow(60_000))
  const firstDay = addDays(now, -29)
  const { end = now, who, action, show } = search
  // A typed address may have the days in the wrong order.
  const start = (search.start ?? firstDay) > end ? end : (search.start ?? firstDay)
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const columns = useColumns(setOpened)
  const query = {
    startDate: start,
    endDate: end,
    ...(who && { who }),
    ...(action && { action }),
    // Sign-ins are no changes: a chosen action is listed in any case.
    ...(show !== 'all' && !action && { changes: 'only' as const }),
  }
  const list = useSavedList(
    findAudit,
    { query },
    { rows: ({ entries }) => entries, views: { list: 'audit-trail', filters: auditFilters } },
  )
  const { data, isPending } = list.query
  // The choices stay while another choice is loaded.
  const [actions, setActions] = useState<readonly string[]>([])
  if (data && data.actions !== actions) setActions(data.actions)
  return (
    <Page>
      <SavedList
        {...list}
        failed={t('The audit trail could not be loaded.')}
        filters={
          <FilterFold
            chosen={[search.start ?? search.end, who, action, show].filter(Boolean).length}
            actions={<ExportButton onExport={list.file.onExport} />}
          >
            <Select
              label={t('Show')}
              w={170}
              allowDeselect={false}
              data={[
                { value: 'changes', label: t('Changes only') },
                { value: 'all', label: t('Everything') },
              ]}
              value={show ?? 'changes'}
              onChange={(next) => change({ show: next === 'all' ? next : undefined, page: undefined })}
            />
            <RangeField
              label={t('Date')}
              value={{ start, end }}
              max={now}
              onChange={(range) =>
                change({
                  start: range.start === firstDay ? undefined : range.start,
                  end: range.end === now ? undefined : range.end,
                  page: undefined,
                })
              }
            />
            <SearchField
              label={t('Who')}
              placeholder={t('Name or email')}
              value={who ?? ''}
              onChange={(next) => change({ who: next || undefined, page: undefined })}
            />
            <ActionField
              value={action ?? ''}
              actions={actions}
              onChange={(next) => change({ action: next || undefined, page: undefined })}
            />
          </FilterFold>
        }
        title={t('Audit trail')}
        columns={columns}
        onOpen={setOpened}
        rowKey={({ entryNo }) => String(entryNo)}
        emptyReason={t('Nothing from {{start}} to {{end}} matches the filter.', {
          start: formatDate(start),
          end: formatDate(end),
        })}
      />
      <BelowList isPending={isPending}>
        <VerifyChain />
      </BelowList>
      <EntryDialog entry={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}

type ActionProps = { value: string; actions: readonly string[]; onChange: (action: string) => void }

const ActionField = ({ value, actions, onChange }: ActionProps) => {
  const isListed = value === '' || actions.includes(value) || value === domainOf(value)
  const allActions = isListed ? actions : [...actions, value]
  const domains = [...new Set([...allActions, ...(value === '' ? [] : [value])].map(domainOf))]
  const data = domains.map((domain) => {
    const ofDomain = allActions.filter((action) => domainOf(action) === domain && action !== domain)
    const all = {
      value: domain,
      label:
        ofDomain.length > 0
          ? t('{{domain}}: all', { domain: translateText(domainName(domain)) })
          : translateText(actionWords(domain)),
    }
    return {
      group: translateText(domainName(domain)),
      items: [all, ...ofDomain.map((action) => ({ value: action, label: translateText(actionWords(action)) }))],
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

export default AuditTrail
