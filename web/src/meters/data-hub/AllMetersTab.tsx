import { ActionIcon, Button } from '@mantine/core'
import {
  findMeterGroups,
  type Meter,
  type MeterGroup,
  saveMeterStatus,
  saveMeterStatuses,
} from '@gridmast/contract/meters/data-hub.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconDownload, IconPlus, IconSettings } from '@tabler/icons-react'
import { type Ref, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLoadedList } from '#lib/list.ts'
import { useCall } from '#lib/query.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { BulkButton } from '#ui/BulkButton.tsx'
import * as column from '#ui/columns.tsx'
import { type Column, type Columns, Hint } from '#ui/DataTable.tsx'
import { Row, Text, TextButton } from '#ui/Layout.tsx'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import { SearchField } from '#ui/FilterRow.tsx'
import { Segments } from '#ui/Segments.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { StatusDot, Tag } from '#ui/Tag.tsx'
import { MeterDownloadDialog } from './MeterDownloadDialog.tsx'
import { type MeterActions, useUpdateMeter } from './meter-actions.tsx'
import { type hubSearch, meterFilters, meterStates } from './search.ts'
import { cvrText, groupText, statusOf, statusWords } from './meter-words.ts'
import classes from './data-hub.module.css'

/** A key without meters has a row, so that it can be edited. */
type MeterRow = { group: MeterGroup; meter: Meter | null }

const rowsOf = (groups: readonly MeterGroup[]): MeterRow[] =>
  groups.flatMap((group): MeterRow[] =>
    group.meterIdData.length === 0 ? [{ group, meter: null }] : group.meterIdData.map((meter) => ({ group, meter })),
  )

const nameOf = ({ meter }: MeterRow) => meter?.dataHub.name ?? ''

const states = ['all', ...meterStates] as const
type State = (typeof states)[number]
const stateNames = {
  all: 'All',
  on: 'On',
  off: 'Off',
  unconfigured: 'Not configured',
} as const satisfies Record<State, string>

const hasState = (state: State, { meter }: MeterRow): boolean =>
  state === 'all' ||
  (meter !== null && state === (!meter.configured ? 'unconfigured' : meter.dataHub.enabled ? 'on' : 'off'))

const matches = ({ group, meter }: MeterRow, text: string): boolean =>
  [group.key, groupText(group), meter?.dataHub.name, meter?.dataHub.address, meter?.meteringPointId]
    .join('\n')
    .toLowerCase()
    .includes(text.toLowerCase())

const MeterSwitch = ({ group, meter }: { group: MeterGroup; meter: Meter }) => {
  const keep = useUpdateMeter()
  const { name, enabled } = meter.dataHub
  return (
    <SavedSwitch
      aria-label={t('{{name}} enabled', { name })}
      checked={enabled}
      call={saveMeterStatus}
      sent={(checked) => ({
        params: { groupId: group._id, meterId: meter.id },
        body: { dataHub: { enabled: checked } },
      })}
      onSaved={(saved) => keep(saved.meter)}
    />
  )
}

const MeterName = ({ meter, onConfigure }: { meter: Meter; onConfigure: (() => void) | undefined }) => {
  const status = statusOf(meter, useNow(60_000))
  const { name } = meter.dataHub
  return (
    <Row as="span" inline nowrap gap={8} className={classes.row}>
      <StatusDot status={status} label={t(statusWords[status])} />
      <span>{name}</span>
      {!meter.configured &&
        (onConfigure ? (
          <TextButton
            plain
            className={classes.key}
            aria-label={t('Configure {{name}}', { name })}
            onClick={onConfigure}
          >
            <Tag kind="warn">{t('Configure')}</Tag>
          </TextButton>
        ) : (
          <Tag kind="warn">{t('Not configured')}</Tag>
        ))}
      {meter.configured && meter.problem !== null && (
        <Hint words={meter.problem}>
          <Tag kind="down">{t('Not readable')}</Tag>
        </Hint>
      )}
    </Row>
  )
}

const useColumns = ({ onEditGroup, onConfigure }: MeterActions): Columns<MeterRow> => {
  const actions: Column<MeterRow> = column.figure(
    'actions',
    t('Actions'),
    ({ group, meter }) =>
      meter && (
        <Row as="span" inline nowrap gap={8} className={classes.row}>
          <ActionIcon
            aria-label={t('Settings of {{name}}', { name: meter.dataHub.name })}
            onClick={() => onConfigure?.(meter, group)}
          >
            <IconSettings size={16} stroke={1.8} />
          </ActionIcon>
          <MeterSwitch group={group} meter={meter} />
        </Row>
      ),
    { card: 'corner' },
  )
  return [
    column.cell(
      'key',
      t('Key/CVR'),
      ({ group }) =>
        onEditGroup ? (
          <TextButton
            plain
            className={classes.key}
            aria-label={t('Edit {{name}}', { name: groupText(group) })}
            onClick={() => onEditGroup(group)}
          >
            <KeyText group={group} />
          </TextButton>
        ) : (
          <KeyText group={group} />
        ),
      { card: 'plain', sort: (row) => `${row.group.key} ${nameOf(row)}` },
    ),
    column.cell(
      'name',
      t('Meter Name'),
      ({ group, meter }) =>
        meter ? (
          <MeterName meter={meter} onConfigure={onConfigure && (() => onConfigure(meter, group))} />
        ) : (
          <Text ink="ink3">{t('No meters under this key')}</Text>
        ),
      { card: 'lead', sort: nameOf },
    ),
    column.cell(
      'id',
      t('Meter Id'),
      ({ meter }) => <span className="gm-num">{meter?.meteringPointId ?? unknownText}</span>,
      { card: 'plain', omitWhen: ({ meter }) => meter === null, sort: ({ meter }) => meter?.meteringPointId ?? '' },
    ),
    ...(onConfigure ? [actions] : []),
  ]
}

const KeyText = ({ group }: { group: MeterGroup }) => (
  <>
    <span className="gm-num">{cvrText(group.key)}</span> <Text ink="ink3">{group.name}</Text>
  </>
)

type Props = MeterActions &
  UrlProps<typeof hubSearch> & {
    /** Receives the focus when a group is deleted. */
    ref?: Ref<HTMLElement>
  }

export const AllMetersTab = ({ search: { search = '', state: chosen }, onSearch, ref, ...actions }: Props) => {
  const state = chosen ?? 'all'
  const query = useCall(findMeterGroups, {})
  const [isDownloading, setDownloading] = useState(false)
  const list = useLoadedList(useColumns(actions), { list: 'meters', filters: meterFilters })
  const groups = query.data?.groups ?? []
  const all = rowsOf(groups)
  const rows = all.filter((row) => hasState(state, row) && matches(row, search))
  const noMeters =
    groups.length > 0
      ? t('No meter found')
      : actions.onAddKey
        ? t('Add the CVR number of your company to see its meters here.')
        : t('An administrator of your company adds its meters by CVR number.')
  return (
    <>
      <SavedList
        {...list}
        query={query}
        failed={t('The meters could not be loaded.')}
        title={t('All Meters')}
        badge={query.data?.source.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
        tools={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload stroke={1.8} aria-hidden />}
              disabled={!groups.some(({ meterIdData }) => meterIdData.length > 0)}
              onClick={() => setDownloading(true)}
            >
              {t('Export')}
            </Button>
            {actions.onAddKey && (
              <Button leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={actions.onAddKey}>
                {t('Add Key')}
              </Button>
            )}
          </>
        }
        filters={
          <>
            <SearchField
              label={t('Find a meter')}
              placeholder={t('Name, address, id or CVR')}
              value={search}
              onChange={(text) => onSearch({ search: text || undefined, page: undefined })}
            />
            <Segments
              label={t('State')}
              value={state}
              onChange={(next) => onSearch({ state: next === 'all' ? undefined : next, page: undefined })}
              data={states.map((value) => ({ value, label: t(stateNames[value]) }))}
            />
          </>
        }
        onOpen={({ group, meter }) => meter && actions.onConfigure?.(meter, group)}
        bulk={
          actions.onConfigure !== undefined && {
            name: nameOf,
            can: ({ meter }) => meter?.configured === true,
            renderActs: (chosen, onDone) =>
              [true, false].map((enabled) => (
                <BulkButton
                  key={String(enabled)}
                  call={saveMeterStatuses}
                  sent={{ body: { ids: chosen.flatMap(({ meter }) => meter?.id ?? []), enabled } }}
                  onDone={onDone}
                >
                  {enabled ? t('Enable meters') : t('Disable meters')}
                </BulkButton>
              )),
          }
        }
        rows={rows}
        rowKey={({ group, meter }) => meter?.id ?? group._id}
        emptyReason={noMeters}
        numbered
        {...(ref ? { ref } : {})}
      />
      <MeterDownloadDialog groups={groups} opened={isDownloading} onClose={() => setDownloading(false)} />
    </>
  )
}
