import { Button } from '@mantine/core'
import { type Meter, meterGraph, downloadMeters } from '@gridmast/contract/meters/data-hub.ts'
import { addDays, today, type LocalDate } from '@gridmast/contract/time.ts'
import { IconAdjustments } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { DearestHours } from './DearestHours.tsx'
import type { Preview } from './CostDialogs.tsx'
import { MeterChart } from './MeterChart.tsx'
import type { ChartQuantity } from './meter-model.ts'
import type { hubSearch, HubSearch } from './search.ts'
import type { MeterView, Period } from './meter-words.ts'
import { useMeterPeriod } from './useMeterPeriod.tsx'
import { ReadingsTable, VersionsPanel } from './ReadingsTable.tsx'
import { fileOf } from '#lib/download.ts'
import { usePhone } from '#lib/phone.ts'
import { noRange } from '#ui/Chart/RangePicker.tsx'
import { SharedZoom } from '#ui/Chart/SharedZoom.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { MonthField } from '#ui/date/MonthField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Row, TextButton } from '#ui/Layout.tsx'
import { MenuItem } from '#ui/Menu.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { Select } from '#ui/Select.tsx'

const FormulaDialog = lateDialog(
  async () => (await import('./CostDialogs.tsx')).FormulaDialog,
  (props) => props.at !== null,
)
const PreviewDialog = lateDialog(
  async () => (await import('./CostDialogs.tsx')).PreviewDialog,
  (props) => props.opened,
)
const TotalsDialog = lateDialog(
  async () => (await import('./CostDialogs.tsx')).TotalsDialog,
  (props) => props.opened,
)

type Props = UrlProps<typeof hubSearch> & {
  meter: Meter
  /** Opens the download of several meters. */
  onDownload: () => void
}

/** Consumption and cost of a meter in a day, month or year, or in a range. Its React key is the meter, because a preview belongs to one meter. */
export const MeterOverview = ({ meter, search, onSearch, onDownload }: Props) => {
  const { powerCost: signals } = useUser().customerId
  const newest = addDays(today(useNow(60_000)), -1)
  const [preview, setPreview] = useState<Preview>({})
  const [quantity, setQuantity] = useState<ChartQuantity>('consumption')
  const [dialog, setDialog] = useState<'preview' | 'totals' | null>(null)
  const [explained, setExplained] = useState<string | null>(null)
  const date = search.date ?? newest
  const view = search.view ?? 'day'
  const { period, isRange, place, keepWhile, picker } = useMeterPeriod(view, date)
  const compare = !isRange && (view === 'day' || search.compare === 'before') ? search.compare : undefined
  const query = useCall(meterGraph, {
    sent: { params: { meterId: meter.id }, query: { ...period.sent, compare, ...preview } },
    keepWhile: keepWhile && JSON.stringify([keepWhile, preview]),
  })
  const { data } = query
  const close = () => setDialog(null)
  const { priceSignal, taxValue } = meter.dataHub
  const isPreview = Object.keys(preview).length > 0
  const prices = { priceSignal, taxValue, ...preview }
  const signalName = signals.find(({ _id }) => _id === prices.priceSignal)?.name ?? ''
  return (
    <>
      <MeterFilter
        meter={meter}
        view={view}
        date={date}
        newest={newest}
        period={period}
        range={{ isOn: isRange, picker }}
        compare={compare}
        onSearch={onSearch}
        onDownload={onDownload}
      />
      <SharedZoom span={period.span} place={{ ...place, device: meter.id }}>
        <MeterChart
          meter={data?.meter ?? meter}
          query={query}
          period={period}
          quantity={quantity}
          onQuantity={setQuantity}
          signals={signals}
          prices={prices}
          onExplain={() => setDialog('totals')}
          tools={
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconAdjustments size={14} stroke={1.8} aria-hidden />}
              onClick={() => setDialog('preview')}
            >
              {t('Try other prices')}
            </Button>
          }
          banner={
            isPreview &&
            data?.preview && (
              <Row plate="tint" gap={12} rowGap={4} justify="between" ink="link" role="status">
                <span>
                  {t('Preview with {{signal}} and {{tax}} Kr/mwh. The meter keeps its own prices.', {
                    signal: signalName,
                    tax: digits.tax(prices.taxValue),
                  })}
                </span>
                <TextButton
                  plain
                  style={{ fontWeight: 600, textDecoration: 'underline' }}
                  onClick={() => setPreview({})}
                >
                  {t('End preview')}
                </TextButton>
              </Row>
            )
          }
        />
      </SharedZoom>
      {data?.versions && <VersionsPanel versions={data.versions} date={date} />}
      <DearestHours meterId={meter.id} period={period} preview={preview} />
      {data && (
        <ReadingsTable
          key={period.words}
          data={data}
          period={period}
          onExplain={setExplained}
          onOpen={(day) =>
            onSearch({
              view: period.by === 'year' ? 'month' : undefined,
              date: day === newest ? undefined : day,
              ...noRange,
            })
          }
        />
      )}
      {data && (
        <TotalsDialog
          opened={dialog === 'totals'}
          period={period.words}
          totals={data.totals}
          sources={data.sources}
          onClose={close}
        />
      )}
      <FormulaDialog meterId={meter.id} at={explained} preview={preview} onClose={() => setExplained(null)} />
      <PreviewDialog
        opened={dialog === 'preview'}
        signals={signals}
        current={{ priceSignal: prices.priceSignal ?? '', taxValue: String(prices.taxValue ?? '') }}
        onPreview={setPreview}
        onClose={close}
      />
    </>
  )
}

type Compare = NonNullable<HubSearch['compare']>

type FilterProps = {
  meter: Meter
  view: MeterView
  date: LocalDate
  /** The newest day that Eloverblik can have. */
  newest: LocalDate
  period: Period
  range: { isOn: boolean; picker: ReactNode }
  compare: Compare | undefined
  onSearch: (part: Partial<HubSearch>) => void
  /** The download of several meters. */
  onDownload: () => void
}

const befores = { day: 'Day before', month: 'Month before', year: 'Year before' } as const
/** Eloverblik keeps five years. */
const yearsKept = 5

const MeterFilter = (props: FilterProps) => {
  const { meter, view, date, newest, period, range, compare, onSearch, onDownload } = props
  const toDate = (next: LocalDate) => onSearch({ date: next === newest ? undefined : next, ...noRange })
  const { first, last } = period
  const file = fileOf(downloadMeters, {
    query: {},
    body: { devices: [meter.id], startDate: first, endDate: last < newest ? last : newest },
  })
  const download = Object.assign(file, { address: `${downloadMeters.path}?devices=${meter.id}` })
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
      chosen={[view !== 'day', compare, range.isOn].filter(Boolean).length}
      onSubmit={() => {}}
      actions={
        <ExportButton disabled={first > newest} onExport={download}>
          <MenuItem onClick={onDownload}>{t('Several meters …')}</MenuItem>
        </ExportButton>
      }
    >
      <Segments
        label={t('Period')}
        value={view}
        onChange={(next) =>
          onSearch({
            view: next === 'day' ? undefined : next,
            ...noRange,
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
      {range.picker}
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
        disabled={range.isOn}
        onChange={(next) => onSearch({ compare: next === 'before' || next === 'profile' ? next : undefined })}
      />
    </FilterRow>
  )
  return phone ? (
    <>
      {steps}
      {row}
    </>
  ) : (
    row
  )
}
