import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, localDateOf, type LocalDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { monthLabel, slotLabel } from '#ui/Chart/shape.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Amount } from './Amount.tsx'
import type { MeterData } from './meter-model.ts'
import { type MeterView, viewText } from './meter-view.ts'
import { qualityWords } from './meter-words.ts'

type Reading = NonNullable<MeterData['readings']>[number]

const readingColumns = (onExplain: (at: string) => void): Column<Reading>[] => [
  {
    key: 'time',
    title: t('Time'),
    lead: true,
    cell: ({ from, to }) => <span className="gm-num">{slotLabel(Date.parse(from), Date.parse(to))}</span>,
  },
  {
    key: 'kwh',
    title: t('Consumption (kWh)'),
    align: 'right',
    sortBy: ({ kwh }) => Number(kwh ?? -Infinity),
    cell: ({ kwh }) => formatNumber(kwh, { decimals: 3 }),
  },
  {
    key: 'quality',
    title: t('Quality'),
    sortBy: ({ quality }) => quality,
    cell: ({ quality }) =>
      quality === 'measured' ? t(qualityWords[quality]) : <Tag kind="warn">{t(qualityWords[quality])}</Tag>,
  },
  {
    key: 'dkk',
    title: t('Cost (DKK)'),
    align: 'right',
    corner: true,
    sortBy: ({ dkk }) => Number(dkk ?? -Infinity),
    cell: ({ from, to, dkk }) => {
      const time = slotLabel(Date.parse(from), Date.parse(to))
      const words = formatNumber(dkk, { decimals: 4 })
      return (
        <Amount label={t('Cost of {{time}}: {{dkk}} DKK', { time, dkk: words })} onOpen={() => onExplain(from)}>
          {words}
        </Amount>
      )
    },
  },
]

type Period = { fromMs: number; kwh: number | null; dkk: number | null; kg: number | null }

const periodColumns = (view: MeterView, onOpen: (date: LocalDate) => void): Column<Period>[] => [
  {
    key: 'period',
    title: view === 'month' ? t('Day') : t('Month'),
    lead: true,
    cell: ({ fromMs }) => {
      const words = view === 'month' ? formatDate(fromMs) : monthLabel(fromMs)
      return (
        <Amount label={t('Open {{page}}', { page: words })} onOpen={() => onOpen(localDateOf(fromMs))}>
          {words}
        </Amount>
      )
    },
  },
  {
    key: 'kwh',
    title: t('Consumption (kWh)'),
    align: 'right',
    sortBy: ({ kwh }) => kwh ?? -Infinity,
    cell: ({ kwh }) => formatNumber(kwh, { decimals: 1 }),
  },
  {
    key: 'dkk',
    title: t('Cost (DKK)'),
    align: 'right',
    corner: true,
    sortBy: ({ dkk }) => dkk ?? -Infinity,
    cell: ({ dkk }) => formatNumber(dkk, { decimals: 2 }),
  },
  {
    key: 'kg',
    title: t('Emission (kg CO₂)'),
    align: 'right',
    sortBy: ({ kg }) => kg ?? -Infinity,
    cell: ({ kg }) => formatNumber(kg, { decimals: 1 }),
  },
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
