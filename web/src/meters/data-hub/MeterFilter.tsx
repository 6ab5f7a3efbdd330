import { Menu, Select } from '@mantine/core'
import { downloadMeters, type Meter } from '@gridmast/contract/meters/data-hub.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { downloadCall } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { MonthField } from '#ui/date/MonthField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Segments } from '#ui/Segments.tsx'
import type { HubSearch } from './search.ts'
import { daysOf, type MeterView, viewText } from './meter-view.ts'

type Compare = NonNullable<HubSearch['compare']>

type Props = {
  meter: Meter
  view: MeterView
  date: LocalDate
  /** The newest day that Eloverblik can have. */
  newest: LocalDate
  compare: Compare | undefined
  onSearch: (part: Partial<HubSearch>) => void
  /** The download of several meters. */
  onDownload: () => void
}

const befores = { day: 'Day before', month: 'Month before', year: 'Year before' } as const
/** Eloverblik keeps five years. */
const yearsKept = 5

/** Which day, month or year of a meter is shown, what it is compared with, and its file. */
export const MeterFilter = ({ meter, view, date, newest, compare, onSearch, onDownload }: Props) => {
  const toDate = (next: LocalDate) => onSearch({ date: next === newest ? undefined : next })
  const { first, last } = daysOf(view, date)
  const download = (format: FileFormat) =>
    downloadCall(
      downloadMeters,
      {
        query: { format },
        body: { devices: [meter.id], startDate: first, endDate: last < newest ? last : newest },
      },
      `${meter.dataHub.name} ${viewText(view, date)}.${format}`,
    )
  const newestYear = Number(newest.slice(0, 4))
  const years = Array.from({ length: yearsKept + 1 }, (_, i) => String(newestYear - i))
  const phone = usePhone()
  const steps = (
    <DaySteps value={date} unit={view} max={newest} onChange={toDate}>
      {view === 'day' && <DateField label={t('Date')} value={date} max={newest} onChange={toDate} />}
      {view === 'month' && (
        <MonthField
          label={t('Month')}
          value={date.slice(0, 7)}
          max={newest.slice(0, 7)}
          onChange={(month) => toDate(`${month}-01`)}
        />
      )}
      {view === 'year' && (
        <Select
          label={t('Year')}
          w={112}
          data={years}
          value={date.slice(0, 4)}
          allowDeselect={false}
          onChange={(year) => year && toDate(`${year}-01-01`)}
        />
      )}
    </DaySteps>
  )
  const row = (
    <FilterRow
      label={t('Period')}
      chosen={[view !== 'day', compare].filter(Boolean).length}
      onSubmit={() => {}}
      actions={
        <ExportButton disabled={first > newest} onExport={download}>
          <Menu.Item onClick={onDownload}>{t('Several meters …')}</Menu.Item>
        </ExportButton>
      }
    >
      <Segments
        label={t('Period')}
        value={view}
        onChange={(next) =>
          onSearch({
            view: next === 'day' ? undefined : next,
            ...(next !== 'day' && compare === 'profile' ? { compare: undefined } : {}),
          })
        }
        data={[
          { value: 'day', label: t('Day') },
          { value: 'month', label: t('Month') },
          { value: 'year', label: t('Year') },
        ]}
      />
      {!phone && steps}
      <Select
        label={t('Compare with')}
        w={190}
        data={[
          { value: '', label: t('Nothing') },
          { value: 'before', label: t(befores[view]) },
          ...(view === 'day' ? [{ value: 'profile', label: t('Average hour profile') }] : []),
        ]}
        value={compare ?? ''}
        allowDeselect={false}
        onChange={(next) => onSearch({ compare: next === 'before' || next === 'profile' ? next : undefined })}
      />
    </FilterRow>
  )
  // The neighbouring days stay at hand.
  return phone ? (
    <>
      {steps}
      {row}
    </>
  ) : (
    row
  )
}
