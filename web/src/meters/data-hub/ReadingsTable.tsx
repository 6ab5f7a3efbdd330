import { formatDate, hourMs, localDateOf, type LocalDate, formatDateTime } from '@gridmast/contract/time.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { monthLabel, slotLabel, slotWords } from '#ui/Chart/shape.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import type { MeterData } from './meter-model.ts'
import { type Period, qualityWords } from './meter-words.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import classes from './data-hub.module.css'
import type { ReactNode } from 'react'
import { Grid, Text, TextButton } from '#ui/Layout.tsx'

type Reading = NonNullable<MeterData['readings']>[number]

const readingColumns = (onExplain: (at: string) => void): Columns<Reading> => [
  column.cell(
    'time',
    t('Time'),
    ({ from, to }) => <span className="gm-num">{slotLabel(Date.parse(from), Date.parse(to))}</span>,
    { card: 'lead', sort: ({ from }) => from },
  ),
  column.number('kwh', t('Consumption (kWh)'), ({ kwh }) => kwh, { decimals: 3, sort: true }),
  column.cell(
    'quality',
    t('Quality'),
    ({ quality }) =>
      quality === 'measured' ? t(qualityWords[quality]) : <Tag kind="warn">{t(qualityWords[quality])}</Tag>,
    { sort: ({ quality }) => quality },
  ),
  column.figure(
    'dkk',
    t('Cost (DKK)'),
    ({ from, to, dkk }) => {
      const time = slotLabel(Date.parse(from), Date.parse(to))
      const words = digits.quarterDkk(dkk)
      return (
        <Amount label={t('Cost of {{time}}: {{dkk}} DKK', { time, dkk: words })} onOpen={() => onExplain(from)}>
          {words}
        </Amount>
      )
    },
    { card: 'corner', sort: ({ dkk }) => Number(dkk ?? -Infinity) },
  ),
]

type PeriodRow = { fromMs: number; kwh: number | null; dkk: number | null; kg: number | null }

const periodTitles = () => ({
  day: { one: t('Time'), all: t('Readings') },
  hours: { one: t('Hour'), all: t('Hours') },
  days: { one: t('Day'), all: t('Days') },
  month: { one: t('Day'), all: t('Days') },
  year: { one: t('Month'), all: t('Months') },
})

const periodColumns = (by: Period['by'], onOpen: (date: LocalDate) => void): Columns<PeriodRow> => [
  column.cell(
    'period',
    periodTitles()[by].one,
    ({ fromMs }) => {
      if (by === 'hours') return <span className="gm-num">{slotWords(fromMs, fromMs + hourMs)}</span>
      const words = by === 'year' ? monthLabel(fromMs) : formatDate(fromMs)
      return (
        <Amount label={t('Open {{page}}', { page: words })} onOpen={() => onOpen(localDateOf(fromMs))}>
          {words}
        </Amount>
      )
    },
    { card: 'lead' },
  ),
  column.number('kwh', t('Consumption (kWh)'), ({ kwh }) => kwh, { decimals: 1, sort: true }),
  column.number('dkk', t('Cost (DKK)'), ({ dkk }) => dkk, { card: 'corner', decimals: 2, sort: true }),
  column.number('kg', t('Emission (kg CO₂)'), ({ kg }) => kg, { decimals: 1, sort: true }),
]

type Props = {
  data: MeterData
  period: Period
  onExplain: (at: string) => void
  /** Opens a day, or a month of a year. */
  onOpen: (date: LocalDate) => void
}

/** Readings of a day with their quality, hours or days of a range, days of a month, or months of a year. */
export const ReadingsTable = ({ data, period: { by, words }, onExplain, onOpen }: Props) => {
  const pageSize = usePageSize(by === 'day' || by === 'hours' ? 24 : 31)
  const title = periodTitles()[by].all
  return (
    <Panel title={title} note={words} label={title} help="meterCost" bleed>
      {data.readings ? (
        <DataTable
          label={title}
          columns={readingColumns(onExplain)}
          rows={data.readings}
          rowKey={({ from }) => from}
          pageSize={pageSize}
          dense
        />
      ) : (
        <DataTable
          label={title}
          columns={periodColumns(by, onOpen)}
          rows={periodsOf(data)}
          rowKey={({ fromMs }) => String(fromMs)}
          pageSize={pageSize}
          dense
        />
      )}
    </Panel>
  )
}

const periodsOf = ({ graph }: MeterData): PeriodRow[] => {
  const named = (name: string) => graph.find((series) => series.name === name)
  const x = named('consumption')?.x ?? []
  const at = (name: string, i: number) => named(name)?.y[i] ?? null
  const last = x.findLastIndex((_, i) => at('consumption', i) !== null)
  // Rows after the last reading are empty.
  return x.slice(0, last + 1).map((fromMs, i) => ({
    fromMs,
    kwh: at('consumption', i),
    dkk: at('cost', i),
    kg: at('co2', i),
  }))
}

type Version = NonNullable<Data<typeof meterGraph>['versions']>[number]

const changeNames = { first: 'First reading', added: 'Added values', corrected: 'Corrected values' } as const

type VersionRow = Version & { isNow: boolean }

const versionColumns = (): Columns<VersionRow> => [
  column.cell('version', t('Version'), ({ version }) => <span className="gm-num">{version}</span>, { card: 'lead' }),
  column.cell('readAt', t('Read'), ({ fetchedAt }) => (
    <span className="gm-num">{formatDateTime(Date.parse(fetchedAt))}</span>
  )),
  column.cell('change', t('Change'), ({ change }) =>
    change === 'corrected' ? <Tag kind="warn">{t(changeNames[change])}</Tag> : t(changeNames[change]),
  ),
  column.number('kwh', t('Consumption (kWh)'), ({ kwh }) => kwh, { card: 'corner', decimals: 3 }),
  column.text('now', t('Current version'), ({ isNow }) => (isNow ? t('Current version') : ''), {
    card: 'plain',
    omitWhen: ({ isNow }) => !isNow,
  }),
]

type Change = NonNullable<Version['changes']>['first'][number]

/** `1,000 → 3,000 kWh, Estimated → Measured`, without the unchanged part. */
const changeWords = ({ before, after }: Change): string => {
  return [
    before.kwh !== after.kwh && `${digits.meterKwh(before.kwh)} → ${digits.meterKwh(after.kwh)} kWh`,
    before.quality !== after.quality && `${t(qualityWords[before.quality])} → ${t(qualityWords[after.quality])}`,
  ]
    .filter(Boolean)
    .join(', ')
}

const Changes = ({ changes }: VersionRow) => {
  const more = changes ? changes.count - changes.first.length : 0
  return (
    <Text as="div" ink="ink2" size="small" above={2} below={6}>
      {changes ? (
        <Grid as="ul" fill={250} gap={16} rowGap={2} aria-label={t('Changed intervals')}>
          {changes.first.map((change) => (
            <li key={change.from}>
              <span className="gm-num">{slotLabel(Date.parse(change.from), Date.parse(change.to))}</span>{' '}
              {changeWords(change)}
            </li>
          ))}
          {more > 0 && <li>{t('and {{n}} more', { n: more })}</li>}
        </Grid>
      ) : (
        <Grid fill={250}>{t('The resolution has changed: all intervals are new.')}</Grid>
      )}
    </Text>
  )
}

/** Versions of a day from the source, newest first; nothing for a single version. */
export const VersionsPanel = ({ versions, date }: { versions: readonly Version[]; date: LocalDate }) => {
  if (versions.length < 2) return null
  const rows = versions.map((version, i) => ({ ...version, isNow: i === 0 }))
  return (
    <Panel title={t('Versions')} note={formatDate(date)} label={t('Versions')} bleed>
      <DataTable
        label={t('Versions')}
        columns={versionColumns()}
        rows={rows}
        rowKey={({ version }) => String(version)}
        renderBelow={(row) => row.change !== 'first' && <Changes {...row} />}
        dense
      />
    </Panel>
  )
}

export const Amount = ({ label, onOpen, children }: { label: string; onOpen: () => void; children: ReactNode }) => (
  <TextButton plain className={classes.amount} aria-label={label} aria-haspopup="dialog" onClick={onOpen}>
    {children}
  </TextButton>
)
