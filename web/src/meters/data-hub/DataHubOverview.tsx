import type { Data } from '@gridmast/contract/call.ts'
import { dataHubOverview } from '@gridmast/contract/meters/data-hub.ts'
import { addDays, type LocalDate, today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLoadedList } from '#lib/list.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { LocalZoom } from '#ui/Chart/LocalZoom.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Stack } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { coverageWords, type MeterView, spanOf, viewText, cvrText } from './meter-words.ts'
import { DataHubCard } from './DataHubCard.tsx'

type Props = { date: LocalDate | undefined; onDate: (date: LocalDate | undefined) => void }

export const DataHubOverview = ({ date: chosen, onDate }: Props) => {
  const newest = addDays(today(useNow(60_000)), -1)
  const date = chosen ?? newest
  const [view, setView] = useState<MeterView>('day')
  const choose = (next: LocalDate) => onDate(next === newest ? undefined : next)
  return (
    <Stack gap={12}>
      <FilterRow label={t('Date')} onSubmit={() => {}}>
        <DaySteps value={date} max={newest} onChange={choose}>
          <DateField label={t('Date')} value={date} max={newest} onChange={choose} />
        </DaySteps>
      </FilterRow>
      {/* The period is not in the address, so its zoom is not either. */}
      <LocalZoom span={spanOf(view, date)} of={viewText(view, date)} place={{ date }}>
        <DataHubCard height={320} date={date} period={{ view, onView: setView }} />
      </LocalZoom>
      <MeterTable view={view} date={date} />
    </Stack>
  )
}

type MeterRow = Data<typeof dataHubOverview>['meters'][number]

const columnsOf = (): Columns<MeterRow> => [
  column.cell(
    'name',
    t('Meter Name'),
    ({ id, name }) => (
      <Link to="/insights/dataHub" search={{ device: id }} className="gm-link">
        {name}
      </Link>
    ),
    { card: 'lead', sort: ({ name }) => name },
  ),
  column.cell('key', t('Key/CVR'), ({ key }) => <span className="gm-num">{cvrText(key)}</span>, {
    sort: ({ key }) => key,
  }),
  column.number('kwh', t('Consumption (kWh)'), ({ totals }) => totals.kwh, { decimals: 1, sort: true }),
  column.number('dkk', t('Cost (DKK)'), ({ totals }) => totals.dkk?.total, { card: 'corner', decimals: 2, sort: true }),
  column.number('kg', t('Emission (kg CO₂)'), ({ totals }) => totals.kgCo2, { decimals: 1, sort: true }),
  column.figure(
    'coverage',
    t('Coverage'),
    ({ totals }) => coverageWords(totals.coverage, { isDay: false, resolution: 'hour' }),
    { sort: ({ totals: { coverage } }) => coverage.read / Math.max(coverage.intervals, 1) },
  ),
]

const MeterTable = ({ view, date }: { view: MeterView; date: LocalDate }) => {
  const read = useCall(dataHubOverview, { sent: { query: { date, view } } })
  const list = useLoadedList(columnsOf(), { list: 'meter-figures' })
  return (
    <SavedList
      {...list}
      query={read}
      failed={t('The readings could not be loaded.')}
      title={t('Meters')}
      help="meterCost"
      note={viewText(view, date)}
      rows={read.data?.meters ?? []}
      rowKey={({ id }) => id}
    />
  )
}
