import type { Data } from '@gridmast/contract/call.ts'
import { dataHubOverview } from '@gridmast/contract/meters/data-hub.ts'
import { addDays, type LocalDate, today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLoadedList } from '#lib/list.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { noRange } from '#ui/Chart/RangePicker.tsx'
import { SharedZoom } from '#ui/Chart/SharedZoom.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Stack } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { coverageWords, type MeterView, type Period, cvrText } from './meter-words.ts'
import { useMeterPeriod } from './useMeterPeriod.tsx'
import { DataHubCard } from './DataHubCard.tsx'
import type { HubSearch } from './search.ts'

type Search = Pick<HubSearch, 'date' | 'view' | 'range' | 'zoom'>
type Props = { search: Search; onSearch: (part: Search) => void }

export const DataHubOverview = ({ search, onSearch }: Props) => {
  const newest = addDays(today(useNow(60_000)), -1)
  const { date = newest, view = 'day' } = search
  const { period, isRange, place, keepWhile, picker } = useMeterPeriod(view, date)
  const choose = (next: LocalDate) => onSearch({ date: next === newest ? undefined : next, ...noRange })
  const onView = (next: MeterView) => onSearch({ view: next === 'day' ? undefined : next, ...noRange })
  return (
    <Stack gap={12}>
      <FilterRow label={t('Date')} onSubmit={() => {}}>
        <DaySteps value={date} max={newest} onChange={choose}>
          <DateField label={t('Date')} value={date} max={newest} onChange={choose} />
        </DaySteps>
        {picker}
      </FilterRow>
      <SharedZoom span={period.span} place={place}>
        <DataHubCard height={320} shown={{ period, keepWhile, view: isRange ? undefined : view, onView }} />
      </SharedZoom>
      <MeterTable period={period} keepWhile={keepWhile} />
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

const MeterTable = ({ period, keepWhile }: { period: Period; keepWhile: string | undefined }) => {
  const read = useCall(dataHubOverview, { sent: { query: period.sent }, keepWhile })
  const list = useLoadedList(columnsOf(), { list: 'meter-figures' })
  return (
    <SavedList
      {...list}
      query={read}
      failed={t('The readings could not be loaded.')}
      title={t('Meters')}
      help="meterCost"
      note={period.words}
      rows={read.data?.meters ?? []}
      rowKey={({ id }) => id}
    />
  )
}
