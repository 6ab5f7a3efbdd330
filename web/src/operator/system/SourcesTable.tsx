import type { Data } from '@gridmast/contract/call.ts'
import type { systemStatus } from '@gridmast/contract/operator/system.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime, formatTime, localDateOf, localTime } from '@gridmast/contract/time.ts'
import { IconAlertCircle, IconCheck, IconCircleDashed, IconClockPause } from '@tabler/icons-react'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Row, Text } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Backfill, CoverageBar } from './Coverage.tsx'
import classes from './SystemOverview.module.css'
import { nameOf, type Source, isEdge, isLate, stateOf } from './sources.ts'

const states = {
  fresh: { words: 'Fresh', kind: 'up', icon: IconCheck },
  stale: { words: 'Stale', kind: 'warn', icon: IconClockPause },
  silent: { words: 'No data yet', kind: 'plain', icon: IconCircleDashed },
  failed: { words: 'Failed', kind: 'down', icon: IconAlertCircle },
} as const
const silentEdge = { words: 'Never reported', kind: 'warn', icon: IconCircleDashed } as const

const lagText = (seconds: number) => {
  if (seconds < 120) return t('{{n}} s', { n: seconds })
  return seconds < 7200
    ? t('{{n}} min', { n: Math.round(seconds / 60) })
    : t('{{n}} h', { n: Math.round(seconds / 3600) })
}

/** Published data is on time until it is late, whenever it was fetched. An edge reports continuously. */
export const delayText = (source: Source): string => {
  const { lagS, lateS } = source
  if (lagS === null) return unknownText
  if (isEdge(source)) return lagText(lagS)
  if (stateOf(source) === 'fresh') return t('On time')
  return lateS ? t('{{time}} late', { time: lagText(lateS) }) : lagText(lagS)
}

const expectedAreas = ({ areas = [] }: Source) =>
  areas.flatMap(({ area, lateS }) => (lateS === null ? [] : { area, lateS }))

/** Delay of a source, by price area where its data has areas. */
const Delay = (source: Source) => {
  const areas = expectedAreas(source)
  const late = areas.filter(({ lateS }) => isLate(lateS))
  const onTime = areas.filter(({ lateS }) => !isLate(lateS)).map(({ area }) => area)
  if (areas.length === 0) return delayText(source)
  return (
    <span className={classes.delay}>
      {late.map(({ area, lateS }) => (
        <span key={area}>
          {area} {t('{{time}} late', { time: lagText(lateS) })}
        </span>
      ))}
      {onTime.length > 0 && (
        <span>
          {late.length === 0 && `${delayText(source)} `}
          <Text as="small" ink="ink3" style={{ fontSize: 11.5 }}>
            {onTime.join(' ')}
          </Text>
        </span>
      )}
    </span>
  )
}

/** With the date unless it is today. */
const whenText = (ms: number, nowMs: number) =>
  localDateOf(ms) === localDateOf(nowMs) ? formatTime(ms) : formatDateTime(ms)

/** Data that reaches to midnight covers the day before. */
const endText = (ms: number) => {
  const isMidnight = localTime(ms) === '00:00'
  return `${formatDate(isMidnight ? ms - 1 : ms)} ${isMidnight ? '24:00' : localTime(ms)}`
}

const From = ({ source, simulated }: Source) => (
  <Row as="span" inline gap={6} rowGap={0} ink="ink2">
    {nameOf(source).from} {simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
  </Row>
)

const State = (source: Source) => {
  const state = stateOf(source)
  const { words, kind, icon: Icon } = state === 'silent' && isEdge(source) ? silentEdge : states[state]
  return (
    <Tag kind={kind} icon={<Icon size={12} aria-hidden />}>
      {t(words)}
    </Tag>
  )
}

const gapsCell = ({ gaps, backfill }: Source) => (
  <CoverageBar gaps={gaps ?? null} isFilling={backfill ? backfill.done + backfill.failed < backfill.all : false} />
)
const backfillCell = ({ backfill }: Source) => <Backfill backfill={backfill ?? null} />
const fromCell = (source: Source) => <From {...source} />
const stateCell = (source: Source) => <State {...source} />
const delayCell = (source: Source) => <Delay {...source} />

export const SourcesTable = ({ read }: { read: UseQueryResult<Data<typeof systemStatus>> }) => {
  const now = useNow(60_000)
  const columns: Columns<Source> = [
    column.text('source', t('Source'), ({ source }) => translateText(nameOf(source).words), {
      card: 'lead',
      sort: true,
    }),
    column.cell('from', t('From'), fromCell, { card: 'plain', wraps: true, sort: ({ source }) => nameOf(source).from }),
    column.cell('state', t('State'), stateCell, { card: 'corner', sort: stateOf }),
    column.text(
      'lastSuccess',
      t('Last success'),
      ({ lastSuccess }) => (lastSuccess ? whenText(Date.parse(lastSuccess), now) : '–'),
      { digits: true, sort: ({ lastSuccess }) => lastSuccess ?? '' },
    ),
    column.cell('lag', t('Delay'), delayCell, {
      omitWhen: ({ lagS }) => lagS === null,
      sort: ({ lagS }) => lagS ?? Number.MAX_SAFE_INTEGER,
    }),
    // A source without a success covers nothing, although another source may have delivered the same market.
    column.text(
      'coveredUntil',
      t('Covered until'),
      ({ coveredUntil, lastSuccess }) =>
        coveredUntil && lastSuccess ? endText(Date.parse(coveredUntil)) : unknownText,
      {
        card: 'more',
        omitWhen: ({ coveredUntil, lastSuccess }) => !coveredUntil || !lastSuccess,
        digits: true,
        sort: ({ coveredUntil }) => coveredUntil ?? '',
      },
    ),
    column.cell('gaps', t('Coverage, 30 days'), gapsCell, {
      card: 'more',
      omitWhen: ({ gaps }) => !gaps,
      sort: ({ gaps }) => (gaps ? gaps.missing / gaps.expected : -1),
    }),
    column.cell('backfill', t('History'), backfillCell, {
      card: 'more',
      wraps: true,
      omitWhen: ({ backfill }) => !backfill || backfill.all === 0,
    }),
  ]
  return (
    <ListPanel
      title={t('Data freshness')}
      query={read}
      failed={t('The system overview could not be loaded.')}
      columns={columns}
      rows={read.data?.sources}
      rowKey={({ source }) => source}
      warnRow={(source) => stateOf(source) === 'stale'}
      tight
    />
  )
}
