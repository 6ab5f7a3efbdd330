import { type ReactNode, useEffect, useState } from 'react'
import { Button, Input } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type LocalDate, addDays, addMonths, dayBounds, localMonthOf, today } from '@gridmast/contract/time.ts'
import { IconDownload, IconReceiptTax } from '@tabler/icons-react'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { powerCostDownload } from '@gridmast/contract/grid/prices.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { useDraft, useUrlState } from '#lib/url-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { usePhone } from '#lib/phone.ts'
import { Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Page } from '#ui/Page.tsx'
import { dayAheadSearch } from '#grid/search.ts'
import { SharedZoom } from '#ui/Chart/SharedZoom.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Segments } from '#ui/Segments.tsx'
import { downloadCall } from '#lib/download.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { MonthField } from '#ui/date/MonthField.tsx'
import { DayAheadCard } from './DayAheadCard.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { Select } from '#ui/Select.tsx'

const UpdateTaxDialog = lateDialog(
  async () => (await import('./UpdateTaxDialog.tsx')).UpdateTaxDialog,
  (props) => props.opened,
)

const DayAhead = () => {
  const { powerCost: signals } = useUser().customerId
  const mayEditTax = useCan('tax.edit')
  const [search, change] = useUrlState(dayAheadSearch)
  const [dialog, setDialog] = useState<'tax' | 'download' | null>(null)
  // The palette opens a dialog by a URL parameter, which is removed afterwards.
  const { dialog: linkedDialog } = search
  if (linkedDialog && dialog === null) setDialog(linkedDialog)
  useEffect(() => {
    if (linkedDialog) change({ dialog: undefined })
  }, [linkedDialog, change])
  const now = today(useNow(60_000))
  const isPhone = usePhone()
  const signal = signals.find(({ _id }) => _id === search.signal) ?? signals[0]
  if (!signal)
    return (
      <Page>
        <Panel title="Nordpool" note="(DKK/mW)" label={t('Day ahead')}>
          <Empty title={t('No price signal')}>
            {t('Your company has no price signal. Ask the operator to add one.')}
          </Empty>
        </Panel>
      </Page>
    )
  const filter = { date: search.date ?? now, days: search.days ?? 1, signal: signal._id }
  const refusal = filter.days > limits.dayAheadDays ? m.dayAheadSpan : null
  const close = () => setDialog(null)
  const filterRow = (
    <DayAheadFilter
      // The fields follow a change of the address, for example by Back.
      key={`filter ${JSON.stringify(filter)}`}
      filter={filter}
      signals={signals}
      onSubmit={({ date, days, signal: chosen }) =>
        change({
          date: date === now ? undefined : date,
          days: days === 1 ? undefined : days,
          ...(days === filter.days ? {} : { zoom: undefined }),
          signal: chosen === signals[0]?._id ? undefined : chosen,
        })
      }
      actions={
        <>
          {mayEditTax && (
            <Button variant="default" leftSection={<IconReceiptTax stroke={1.8} />} onClick={() => setDialog('tax')}>
              {t('Update Tax')}
            </Button>
          )}
          <Button variant="default" leftSection={<IconDownload stroke={1.8} />} onClick={() => setDialog('download')}>
            {t('Download Price (Tax Included)')}
          </Button>
        </>
      }
    />
  )
  const chart = refusal ? (
    <Panel key="chart" title="Nordpool" note="(DKK/mW)" label={t('Day ahead')} style={{ minHeight: 390 }}>
      <Empty title={translateText(refusal)} />
    </Panel>
  ) : (
    <SharedZoom
      key="chart"
      span={{
        fromMs: dayBounds(filter.date).fromMs,
        toMs: dayBounds(addDays(filter.date, filter.days - 1)).toMs,
      }}
      place={{ date: filter.date }}
    >
      <DayAheadCard
        priceSignal={signal._id}
        start={filter.date}
        days={filter.days}
        resolution={search.resolution ?? 'quarter'}
        onResolution={(resolution) => change({ resolution: resolution === 'quarter' ? undefined : resolution })}
      />
    </SharedZoom>
  )
  return (
    <Page>
      {isPhone ? [chart, filterRow] : [filterRow, chart]}
      {mayEditTax && <UpdateTaxDialog signals={signals} opened={dialog === 'tax'} onClose={close} />}
      <PriceDownloadDialog signals={signals} priceSignal={signal._id} opened={dialog === 'download'} onClose={close} />
    </Page>
  )
}

type Filter = { date: LocalDate; days: number; signal: string }

type FilterProps = {
  filter: Filter
  signals: Customer['powerCost']
  onSubmit: (filter: Filter) => void
  actions: ReactNode
}

const dayCounts = Array.from({ length: limits.dayAheadDays }, (_, i) => ({ value: String(i + 1), label: i + 1 }))

const DayAheadFilter = ({ filter, signals, onSubmit, actions }: FilterProps) => {
  const { draft, change } = useDraft(filter)
  return (
    <FilterRow label={t('Day ahead')} onSubmit={() => onSubmit(draft)} actions={actions}>
      <DaySteps value={draft.date} onChange={(date) => onSubmit({ ...draft, date })}>
        <DateField label={t('Start Date')} value={draft.date} onChange={(date) => change({ date })} />
      </DaySteps>
      <Input.Wrapper
        label={t('Number of days')}
        labelElement="div"
        error={draft.days > limits.dayAheadDays ? t(m.dayAheadSpan) : null}
      >
        <Segments
          label={t('Number of days')}
          data={dayCounts}
          value={String(draft.days)}
          onChange={(days) => change({ days: Number(days) })}
        />
      </Input.Wrapper>
      <Select
        label={t('Price area')}
        w={132}
        data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={draft.signal}
        allowDeselect={false}
        onChange={(signal) => signal && change({ signal })}
      />
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}

type DownloadProps = {
  signals: Customer['powerCost']
  priceSignal: string
  opened: boolean
  onClose: () => void
}

/** A month of day-ahead prices with tax, as an Excel file. */
const PriceDownloadDialog = (props: DownloadProps) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={t('Download Price (Tax Included)')}>
    {props.opened && <PriceForm {...props} />}
  </Dialog>
)

const PriceForm = ({ signals, priceSignal, onClose }: DownloadProps) => {
  const thisMonth = localMonthOf(useNow(60_000))
  const [signal, setSignal] = useState(priceSignal)
  const [month, setMonth] = useState(thisMonth)
  const download = () => downloadCall(powerCostDownload, { query: { priceSignal: signal, month, format: 'xlsx' } })
  return (
    <DownloadForm download={download} onClose={onClose}>
      <Select
        label={t('Price signal')}
        data={signals.map(({ _id, name: label }) => ({ value: _id, label }))}
        value={signal}
        allowDeselect={false}
        onChange={(next) => next && setSignal(next)}
      />
      <MonthField label={t('Month')} value={month} max={addMonths(thisMonth, 1)} onChange={setMonth} />
    </DownloadForm>
  )
}

export default DayAhead
