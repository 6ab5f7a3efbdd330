import { Button } from '@mantine/core'
import {
  type ChargerTransaction,
  findChargerTransactions,
  getChargerTransaction,
} from '@gridmast/contract/charging/sessions.ts'
import { findChargers } from '@gridmast/contract/charging/ev-charging.ts'
import { findChargerTagGroups } from '@gridmast/contract/charging/tags.ts'
import { addDays, formatDateTime, type LocalDate, today } from '@gridmast/contract/time.ts'
import { useThrottledCallback } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconHelp, IconPlugConnectedX } from '@tabler/icons-react'
import { limits } from '@gridmast/contract/limits.ts'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import { useLiveChargers, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { ConnectorState } from '#ui/ConnectorState.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterRow, SearchField } from '#ui/FilterRow.tsx'
import { Row, Stack, Text, TextButton } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Select } from '#ui/Select.tsx'
import { SessionCostDialog, hasChargedRefused, isDoubted } from './SessionCostDialog.tsx'
import { type EvSearch, type evSearch, sessionFilters } from './search.ts'
import { TagSelect } from './TagSelect.tsx'
import classes from './ev-charging.module.css'
import { type UrlProps, useDraft } from '#lib/url-state.ts'
import { Waiting } from '#ui/Loaded.tsx'

const defaultDays = 30
const rereadAtMostMs = 3000

const daysOf = ({ startDate, endDate }: EvSearch, now: LocalDate) => ({
  start: startDate ?? addDays(endDate ?? now, 1 - defaultDays),
  end: endDate ?? now,
})

const modeWords = (mode: ChargerTransaction['mode']) =>
  ({ tag: t('Tag'), remote: t('Remote'), adhoc: t('Without a tag') })[mode]

const Status = ({ of }: { of: ChargerTransaction }) => {
  const { status, chargingState, refused } = of
  if (isDoubted(of))
    return (
      <Tag kind="warn" icon={<IconAlertTriangle size={12} stroke={2} aria-hidden />}>
        {t('Energy to confirm')}
      </Tag>
    )
  if (refused)
    return (
      <Tag kind="down" icon={<IconPlugConnectedX size={12} stroke={2} aria-hidden />}>
        {hasChargedRefused(of) ? t('Charged although refused') : t('Refused')}
      </Tag>
    )
  if (status === 'starting' || status === 'active')
    return <ConnectorState state={chargingState ?? (status === 'active' ? 'charging' : 'preparing')} />
  if (status === 'ended')
    return (
      <Tag kind="up" icon={<IconCheck size={12} stroke={2} aria-hidden />}>
        {t('Completed')}
      </Tag>
    )
  return (
    <Tag kind="warn" icon={<IconHelp size={12} stroke={2} aria-hidden />}>
      {status === 'abandoned' ? t('Stop not reported') : t('Start not reported')}
    </Tag>
  )
}

const useColumns = (onCost: (session: ChargerTransaction) => void): Columns<ChargerTransaction> => [
  column.text('tag', t('Tag'), ({ tagName }) => tagName, { card: 'lead' }),
  column.text('idTag', t('Tag ID'), ({ idTag }) => idTag, { card: 'plain' }),
  column.text('charger', t('Charger'), ({ chargerName }) => chargerName, { card: 'plain' }),
  column.number('connector', t('Connector'), ({ connectorId }) => connectorId, { card: 'more' }),
  column.text('mode', t('Mode'), ({ mode }) => modeWords(mode), { card: 'more' }),
  column.figure(
    'consumption',
    t('Consumption (kWh)'),
    ({ consumption, doubtedKwh, energyReview, estimated }) => (
      <>
        {doubtedKwh !== null && energyReview === null ? (
          <s title={t('Reported by the charger, not confirmed')}>{digits.kwh(doubtedKwh)}</s>
        ) : (
          digits.kwh(consumption)
        )}
        {estimated && (
          <>
            {' '}
            <Text ink="ink3">{t('Estimated')}</Text>
          </>
        )}
      </>
    ),
    { wraps: true },
  ),
  column.figure('cost', t('Cost (DKK)'), (session) => (
    <TextButton
      strong
      roomy
      aria-label={t('How the cost of {{cost}} DKK is calculated', {
        cost: digits.dkk(session.cost?.total),
      })}
      onClick={() => onCost(session)}
    >
      {digits.dkk(session.cost?.total)}
    </TextButton>
  )),
  column.cell('status', t('Status'), (one) => <Status of={one} />, { card: 'corner' }),
  column.text('type', t('Type'), ({ type }) => type, { card: 'more' }),
  column.time('start', t('Start time'), ({ startTime }) => startTime, { card: 'plain' }),
  column.cell(
    'end',
    t('End time'),
    ({ endTime }) => (endTime ? formatDateTime(Date.parse(endTime)) : <Text ink="ink3">{t('Ongoing')}</Text>),
    { card: 'more', digits: true },
  ),
]

type Props = UrlProps<typeof evSearch> & { licenceId: string }

export const TransactionsTab = ({ licenceId, search, onSearch }: Props) => {
  const now = today(useNow(60_000))
  const open = (session: ChargerTransaction) => onSearch({ session: session._id })
  const columns = useColumns(open)
  const { chargerId, connectorId, groupId, tagId, search: text } = search
  const { start: startDate, end: endDate } = daysOf(search, now)
  const chosen = {
    ...(chargerId ? { chargerId } : {}),
    ...(connectorId ? { connectorId } : {}),
    ...(groupId ? { groupId } : {}),
    ...(tagId ? { tagId } : {}),
    startDate,
    endDate,
  }
  const filter = { ...chosen, ...(text ? { search: text } : {}) }
  const list = useSavedList(
    findChargerTransactions,
    { query: filter },
    {
      rows: ({ transactions }) => transactions,
      pageSize: limits.evPageSize,
      limit: search.limit,
      views: { list: 'charging-sessions', filters: sessionFilters },
    },
  )
  const { query: read } = list
  const review = useCall(findChargerTransactions, { sent: { query: { attention: 'true', limit: maxReviewed } } })
  const loaded = [...(read.data?.transactions ?? []), ...(review.data?.transactions ?? [])]
  const inList = loaded.find(({ _id }) => _id === search.session)
  const single = useCall(getChargerTransaction, {
    sent: { params: { id: search.session ?? '' } },
    enabled: search.session !== undefined && read.data !== undefined && !inList,
  })
  const reread = useThrottledCallback(() => {
    void read.refetch()
    void review.refetch()
  }, rereadAtMostMs)
  useLiveChargers(reread)
  useLiveResume(reread)
  return (
    <Stack gap={16}>
      <Filters
        key={JSON.stringify(chosen)}
        {...{ licenceId, search, now, onSearch }}
        actions={<ExportButton {...list.file} />}
      />
      {/* Shown together: 'Needs attention' is above the list and would push it down. */}
      {review.isPending && (
        <Panel label={t('Transactions')}>
          <Waiting height={480} />
        </Panel>
      )}
      {!review.isPending && (
        <>
          <NeedsAttention
            sessions={review.data?.transactions ?? []}
            total={review.data?.totalCount ?? 0}
            onOpen={open}
          />
          <SavedList
            title={t('Transactions')}
            help="chargingCost"
            note={read.data && t('Total Count {{n}}', { n: read.data.totalCount })}
            tools={
              <Text ink="ink3" className={classes.overall}>
                {t('Overall consumption')} <b className="gm-num">{digits.kwh(read.data?.overallConsumption)}</b> kWh
                {read.data && read.data.refusedConsumption > 0 && (
                  <>
                    {' · '}
                    {t('{{kwh}} kWh of refused sessions not included', {
                      kwh: digits.kwh(read.data.refusedConsumption),
                    })}
                  </>
                )}
              </Text>
            }
            filters={
              <SearchField
                label={t('Search')}
                placeholder={t('Name, tag or charger')}
                value={text ?? ''}
                onChange={(next) => onSearch({ search: next || undefined, page: undefined })}
              />
            }
            {...list}
            failed={t('The transactions could not be loaded.')}
            columns={columns}
            onOpen={open}
            rowKey={({ _id }) => _id}
            warnRow={(one) => isDoubted(one) || hasChargedRefused(one)}
            numbered
            tight
            emptyReason={t('No sessions in this period match the filter.')}
          />
        </>
      )}
      <SessionCostDialog
        session={inList ?? (search.session === undefined ? null : (single.data?.transaction ?? null))}
        onClose={() => onSearch({ session: undefined })}
      />
    </Stack>
  )
}

/** Newest first; a company with more of them reviews these first. */
const maxReviewed = 20

type AttentionProps = {
  sessions: readonly ChargerTransaction[]
  total: number
  onOpen: (one: ChargerTransaction) => void
}

const NeedsAttention = ({ sessions, total, onOpen }: AttentionProps) => {
  if (sessions.length === 0) return null
  return (
    <Panel title={t('Needs attention')} label={t('Needs attention')} note={<span className="gm-num">{total}</span>}>
      <Stack as="ul" className={classes.attention}>
        {sessions.map((one) => (
          <Row as="li" key={one._id} gap={16} rowGap={8} justify="between">
            <Row as="span" gap={12} rowGap={4}>
              <Status of={one} />
              <b>{one.chargerName}</b>
              <Text ink="ink3">
                {[
                  one.tagName ?? one.idTag,
                  `${digits.kwh(one.consumption ?? one.doubtedKwh)} kWh`,
                  formatDateTime(Date.parse(one.startTime)),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Row>
            <Button
              variant="default"
              size="xs"
              aria-label={t('Review the session of {{time}}', { time: formatDateTime(Date.parse(one.startTime)) })}
              onClick={() => onOpen(one)}
            >
              {t('Review')}
            </Button>
          </Row>
        ))}
      </Stack>
    </Panel>
  )
}

const all = 'all'

type FilterProps = Props & { now: LocalDate; actions: React.ReactNode }

const Filters = ({ licenceId, search, now, onSearch, actions }: FilterProps) => {
  const chargers = useCall(findChargers, { sent: { params: { id: licenceId } } }).data?.chargers ?? []
  const groups = useCall(findChargerTagGroups, {}).data?.groups ?? []
  const { draft, change } = useDraft(search)
  const days = daysOf(draft, now)
  const inUse = [
    search.chargerId,
    search.connectorId,
    search.groupId,
    search.tagId,
    search.startDate ?? search.endDate,
  ].filter(Boolean).length
  const chosen = chargers.find(({ _id }) => _id === draft.chargerId)
  const connectors = chosen?.connectors.length ?? Math.max(1, ...chargers.map((one) => one.connectors.length))
  const choices = (of: { value: string; label: string }[]) => [{ value: all, label: t('All') }, ...of]
  const valueOf = (next: string | null) => (next === all || next === null ? undefined : next)
  return (
    <FilterRow
      label={t('Filter of the transactions')}
      actions={actions}
      chosen={inUse}
      onSubmit={() => {
        const byDefault = daysOf({}, now)
        onSearch({
          chargerId: draft.chargerId,
          connectorId: draft.connectorId,
          groupId: draft.groupId,
          tagId: draft.tagId,
          startDate: days.start === byDefault.start && days.end === byDefault.end ? undefined : days.start,
          endDate: days.end === byDefault.end ? undefined : days.end,
          page: undefined,
        })
      }}
    >
      <Select
        label={t('Charger')}
        w={160}
        allowDeselect={false}
        searchable
        data={choices(chargers.map(({ _id, name }) => ({ value: _id, label: name })))}
        value={draft.chargerId ?? all}
        onChange={(next) => change({ chargerId: valueOf(next), connectorId: undefined })}
      />
      <Select
        label={t('Connector')}
        w={120}
        allowDeselect={false}
        data={choices(Array.from({ length: connectors }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })))}
        value={String(draft.connectorId ?? all)}
        onChange={(next) => {
          const one = valueOf(next)
          change({ connectorId: one === undefined ? undefined : Number(one) })
        }}
      />
      <Select
        label={t('Tag group')}
        w={160}
        allowDeselect={false}
        searchable
        data={choices(groups.map(({ _id, name }) => ({ value: _id, label: name })))}
        value={draft.groupId ?? all}
        onChange={(next) => change({ groupId: valueOf(next), tagId: undefined })}
      />
      <TagSelect groupId={draft.groupId} value={draft.tagId} onChange={(tagId) => change({ tagId })} />
      <div data-day>
        <RangeField
          label={t('Start and end date')}
          value={days}
          max={now}
          onChange={({ start, end }) => change({ startDate: start, endDate: end })}
        />
      </div>
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
