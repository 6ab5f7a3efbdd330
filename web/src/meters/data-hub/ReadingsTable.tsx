import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, localDateOf, type LocalDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { monthLabel, slotLabel } from '#ui/Chart/shape.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Amount } from './Amount.tsx'
import type { MeterData } from './meter-model.ts'
import { type MeterView, viewText } from './meter-view.ts'
import { qualityWords } from './meter-words.ts'

type Reading = NonNullable<MeterData['readings']>[number]

const readingColumns = (onExplain: (at: string) => void): Columns<Reading> => [
  column.cell(
    'time',
    t('Time'),
    ({ from, to }) => <span className="gm-num">{slotLabel(Date.parse(from), Date.parse(to))}</span>,
    { card: 'lead' },
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
      const words = formatNumber(dkk, { decimals: 4 })
      return (
        <Amount label={t('Cost of {{time}}: {{dkk}} DKK', { time, dkk: words })} onOpen={() => onExplain(from)}>
          {words}
        </Amount>
      )
    },
    { card: 'corner', sort: ({ dkk }) => Number(dkk ?? -Infinity) },
  ),
]

type Period = { fromMs: number; kwh: number | null; dkk: number | null; kg: number | null }

const periodColumns = (view: MeterView, onOpen: (date: LocalDate) => void): Columns<Period> => [
  column.cell(
    'period',
    view === 'month' ? t('Day') : t('Month'),
    ({ fromMs }) => {
      const words = view === 'month' ? formatDate(fromMs) : monthLabel(fromMs)
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
  view: MeterView
  date: LocalDate
  onExplain: (at: string) => void
  /** Opens a day of a month, or a month of a year. */
  onOpen: (date: LocalDate) => void
}

/** The figures behind the chart: readings of a day with their quality, days of a month, months of a year. */
export const ReadingsTable = ({ data, view, date, onExplain, onOpen }: Props) => {
  const pageSize = usePageSize(view === 'day' ? 24 : 31)
  const title = view === 'day' ? t('Readings') : view === 'month' ? t('Days') : t('Months')
  return (
    <Panel title={title} note={viewText(view, date)} label={title} bleed>
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
          columns={periodColumns(view, onOpen)}
          rows={periodsOf(data)}
          rowKey={({ fromMs }) => String(fromMs)}
          pageSize={pageSize}
          dense
        />
      )}
    </Panel>
  )
}

const periodsOf = ({ graph }: MeterData): Period[] => {
  const named = (name: string) => graph.find((series) => series.name === name)
  const x = named('consumption')?.x ?? []
  const at = (name: string, i: number) => named(name)?.y[i] ?? null
  const last = x.findLastIndex((_, i) => at('consumption', i) !== null)
  // What lies after the last reading has nothing to say.
  return x.slice(0, last + 1).map((fromMs, i) => ({
    fromMs,
    kwh: at('consumption', i),
    dkk: at('cost', i),
    kg: at('co2', i),
  }))
}
