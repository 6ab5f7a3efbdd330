import { type ActivationEvent, findEvents, minDeltaLoadPercent } from '@gridmast/contract/delivery/events.ts'
import { type EventType, eventTypes, isMarket, markets } from '@gridmast/contract/markets.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { historyProgress } from '@gridmast/contract/operator/system.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { formatDate, minuteMs, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { useNow, minutesAndSeconds } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useSavedList } from '#lib/list.ts'
import { digits, format, simulatedWords } from '#lib/format.ts'
import { usePhone } from '#lib/phone.ts'
import { DataTable } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { TextFigure } from '#ui/Figure.tsx'
import { Grid, Note, Row, Stack, TextButton } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { CommandLog } from './CommandLog.tsx'
import { ControlSheet } from './ControlSheet.tsx'
import { DataLog } from './DataLog.tsx'
import { EventFilters } from './EventFilters.tsx'
import { type EventGroup, GroupList } from './GroupList.tsx'
import { useEventColumns } from './columns.tsx'
import { rowsOf } from './disturbances.ts'
import { eventFilters, type EventSearch, daysOf } from './filter.ts'
import classes from './events.module.css'
import { MenuDivider, MenuItem } from '#ui/Menu.tsx'

const rereadMs = minuteMs

/** `107` -> `1:47 min` */
const minutesOf = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? unknownText : `${minutesAndSeconds(Math.round(seconds))} min`

type Search = EventSearch & { eventType?: EventType | undefined }
type Props = {
  /** A market; or a licence, whose instances may be sold on several. */
  of: { market: string } | { licenseId: string; name: string }
  instances: readonly EventGroup[]
  search: Search
  onSearch: (part: Partial<Search>) => void
}

const typesOf = (instances: readonly EventGroup[]): EventType[] => {
  const groups = new Set(instances.flatMap(({ market }) => market.filter(isMarket).map((one) => markets[one].group)))
  return eventTypes.filter((type) => groups.has(type))
}

export const Events = ({ of, instances, search, onSearch }: Props) => {
  const phone = usePhone()
  const now = today(useNow(60_000))
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [dataLog, setDataLog] = useState<ActivationEvent | null>(null)
  const [commandLog, setCommandLog] = useState<ActivationEvent | null>(null)
  const group =
    instances.find(({ _id }) => _id === search.instance) ?? (instances.length === 1 ? instances[0] : undefined)
  const { start, end } = daysOf(search.dateRange, now)
  const { direction, deltaLoad, smaller, duration } = search
  const isGrouped = !group && instances.length > 1
  const hidesSmaller = deltaLoad === undefined && smaller === undefined
  const market = 'market' in of ? of.market : undefined
  const types = market === undefined ? typesOf(instances) : []
  const eventType = types.find((type) => type === search.eventType) ?? types[0]
  const filter = {
    ...('market' in of ? { market: of.market } : { licenseId: of.licenseId }),
    ...(types.length > 1 && eventType ? { eventType } : {}),
    startDate: start,
    endDate: end,
    ...(group ? { instanceId: group._id } : {}),
    ...(direction ? { direction } : {}),
    ...(deltaLoad === undefined ? {} : { deltaLoad }),
    ...(hidesSmaller ? { leastDeltaLoad: minDeltaLoadPercent } : {}),
    ...(duration ? { duration } : {}),
  }
  const list = useSavedList(
    findEvents,
    { query: { ...filter, ...(isGrouped ? { by: 'disturbance' as const } : {}) } },
    {
      rows: (data) => rowsOf(data, (count) => t('{{count}} instances', { count })),
      total: (data) => data.rowCount,
      refetchIntervalMs: end >= now ? rereadMs : undefined,
      views: { list: 'events', filters: eventFilters, existing: { instance: instances.map(({ _id }) => _id) } },
    },
  )
  const { data } = list.query
  const history = useCall(historyProgress, { enabled: data?.totalCount === 0 })
  const isImporting = history.data !== undefined && history.data.telemetry !== null
  const groupName = group?.name ?? t('All instances')
  const title = t('Activation Events ({{group}})', { group: groupName })
  const [opened, setOpened] = useState<readonly string[]>([])
  const toggle = (id: string) => setOpened(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id])
  const columns = useEventColumns({
    named: isGrouped,
    opened,
    onToggle: toggle,
    withMarket: market === undefined,
    bySetPoint:
      market === undefined ? eventType === 'frr_based' : isMarket(market) && markets[market].group === 'frr_based',
    onDataLog: setDataLog,
    onCommandLog: setCommandLog,
  })
  const filterCount = [direction, deltaLoad, duration].filter((one) => one !== undefined).length
  const isFiltered = filterCount > 0
  const chosen = filterCount + (search.dateRange === undefined ? 0 : 1)
  const countText =
    data &&
    [
      ...(isGrouped && data.rowCount < data.totalCount ? [t('{{count}} disturbances', { count: data.rowCount })] : []),
      t('{{count}} events', { count: data.totalCount }),
      ...(data.totalConsumption === null ? [] : [format.kwh(data.totalConsumption)]),
    ].join(' · ')
  const simulated = simulatedOf(data?.events.map((event) => event.simulated) ?? [])
  const simulatedText = simulated && simulatedWords(simulated)
  const actions = (
    <>
      <ExportButton disabled={!data || data.totalCount === 0} onExport={fileOf(findEvents, { query: filter })}>
        <MenuDivider />
        <MenuItem onClick={() => setSheetOpen(true)}>{t('Control sheet …')}</MenuItem>
      </ExportButton>
    </>
  )
  const filters = (
    <EventFilters
      key={JSON.stringify([direction, deltaLoad, smaller, duration, start, end])}
      search={search}
      today={now}
      onSubmit={onSearch}
      actions={actions}
      chosen={chosen}
    />
  )
  const groups = (
    <GroupList
      instances={instances}
      chosen={group?._id}
      onChoose={(instance) => onSearch({ instance, page: undefined })}
      market={market}
    />
  )
  return (
    <Stack gap="cards">
      {phone && groups}
      {filters}
      <Grid gap="cards" align="start" className={classes.columns}>
        {!phone && groups}
        <SavedList
          {...list}
          failed={t('The events could not be loaded.')}
          title={title}
          help="events"
          note={phone ? undefined : countText}
          badge={!phone && simulatedText && <Tag kind="outline">{simulatedText}</Tag>}
          footNote={
            data &&
            data.hiddenCount > 0 && (
              <TextButton onClick={() => onSearch({ smaller: 'shown', page: undefined })}>
                {t('{{n}} below {{least}} % hidden', {
                  n: digits.count(data.hiddenCount),
                  least: minDeltaLoadPercent,
                })}
              </TextButton>
            )
          }
          filters={
            types.length > 1 && (
              <Segments
                label={t('Markets')}
                value={eventType ?? 'fcr_based'}
                onChange={(next) => onSearch({ eventType: next === types[0] ? undefined : next, page: undefined })}
                data={[
                  { value: 'fcr_based', label: t('FCR Markets') },
                  { value: 'frr_based', label: t('FRR Markets') },
                ]}
              />
            )
          }
          tools={
            <Row gap={phone ? 12 : 28} nowrap={!phone} justify="between" className={classes.durations}>
              {phone && (
                <Note wholeLine className={`gm-meta ${classes.counts}`}>
                  {[countText, simulatedText].filter(Boolean).join(' · ') || '\u00a0'}
                </Note>
              )}
              <TextFigure label={phone ? t('Shortest') : t('Minimum duration')} value={minutesOf(data?.minDuration)} />
              <TextFigure label={phone ? t('Average') : t('Average duration')} value={minutesOf(data?.avgDuration)} />
              <TextFigure label={phone ? t('Longest') : t('Maximum duration')} value={minutesOf(data?.maxDuration)} />
            </Row>
          }
          numbered
          tight
          columns={columns}
          onOpen={(row) => (row.parts ? toggle(row._id) : setDataLog(row))}
          rowKey={({ _id }) => _id}
          renderBelow={({ _id, parts }) =>
            parts &&
            opened.includes(_id) && (
              <DataTable
                label={t('Instances')}
                dense
                tight
                columns={columns.filter((one) => one && one.key !== 'market' && one.key !== 'direction' && !one.extra)}
                rows={parts}
                rowKey={(part) => part._id}
              />
            )
          }
          emptyReason={[
            isFiltered
              ? t('Nothing from {{start}} to {{end}} matches the filter.', {
                  start: formatDate(start),
                  end: formatDate(end),
                })
              : data && data.hiddenCount > 0
                ? t('No activation of {{least}} % or more from {{start}} to {{end}}.', {
                    least: minDeltaLoadPercent,
                    start: formatDate(start),
                    end: formatDate(end),
                  })
                : t('No activation from {{start}} to {{end}}.', { start: formatDate(start), end: formatDate(end) }),
            isImporting && t('History is still being imported.'),
          ]
            .filter(Boolean)
            .join(' ')}
        />
      </Grid>
      <ControlSheet
        opened={isSheetOpen}
        market={market}
        instances={instances}
        chosen={group?._id}
        onClose={() => setSheetOpen(false)}
      />
      <DataLog event={dataLog} onClose={() => setDataLog(null)} />
      <CommandLog event={commandLog} onClose={() => setCommandLog(null)} />
    </Stack>
  )
}
