import { Button } from '@mantine/core'
import { type Meter, meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import { IconAdjustments } from '@tabler/icons-react'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { DearestHours } from './DearestHours.tsx'
import { FormulaDialog } from './FormulaDialog.tsx'
import { MeterChart } from './MeterChart.tsx'
import { MeterFilter } from './MeterFilter.tsx'
import type { Shown } from './meter-model.ts'
import type { hubSearch } from './search.ts'
import { viewText } from './meter-view.ts'
import { type Preview, PreviewDialog } from './PreviewDialog.tsx'
import { ReadingsTable } from './ReadingsTable.tsx'
import { TotalsDialog } from './TotalsDialog.tsx'
import { VersionsPanel } from './VersionsPanel.tsx'
import classes from './data-hub.module.css'

type Props = UrlProps<typeof hubSearch> & {
  meter: Meter
  /** Opens the download of several meters. */
  onDownload: () => void
}

/** What a meter used and cost in a day, month or year. Give it a key of the meter: a preview is of one meter. */
export const MeterOverview = ({ meter, search, onSearch, onDownload }: Props) => {
  const { powerCost: signals } = useUser().customerId
  const newest = addDays(today(useNow(60_000)), -1)
  const [preview, setPreview] = useState<Preview>({})
  const [shown, setShown] = useState<Shown>('consumption')
  const [dialog, setDialog] = useState<'preview' | 'totals' | null>(null)
  const [explained, setExplained] = useState<string | null>(null)
  const date = search.date ?? newest
  const view = search.view ?? 'day'
  const compare = view === 'day' || search.compare === 'before' ? search.compare : undefined
  const query = useCall(meterGraph, {
    sent: { params: { meterId: meter.id }, query: { date, view, compare, ...preview } },
  })
  const { data } = query
  const close = () => setDialog(null)
  const { priceSignal, taxValue } = meter.dataHub
  const isTried = Object.keys(preview).length > 0
  const paid = { priceSignal, taxValue, ...preview }
  const signalName = signals.find(({ _id }) => _id === paid.priceSignal)?.name ?? ''
  return (
    <>
      <MeterFilter
        meter={meter}
        view={view}
        date={date}
        newest={newest}
        compare={compare}
        onSearch={onSearch}
        onDownload={onDownload}
      />
      <MeterChart
        meter={data?.meter ?? meter}
        query={query}
        view={view}
        date={date}
        shown={shown}
        onShown={setShown}
        signals={signals}
        paid={paid}
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
          isTried &&
          data?.preview && (
            <div className={classes.preview} role="status">
              <span>
                {t('Preview with {{signal}} and {{tax}} Kr/mwh. The meter keeps its own prices.', {
                  signal: signalName,
                  tax: formatNumber(paid.taxValue, { decimals: 6, minDecimals: 0 }),
                })}
              </span>
              <button type="button" onClick={() => setPreview({})}>
                {t('Back to its own')}
              </button>
            </div>
          )
        }
      />
      {data?.versions && <VersionsPanel versions={data.versions} date={date} />}
      <DearestHours meterId={meter.id} view={view} date={date} preview={preview} />
      {data && (
        <ReadingsTable
          key={viewText(view, date)}
          data={data}
          view={view}
          date={date}
          onExplain={setExplained}
          onOpen={(day) =>
            onSearch({ view: view === 'year' ? 'month' : undefined, date: day === newest ? undefined : day })
          }
        />
      )}
      {data && (
        <TotalsDialog
          opened={dialog === 'totals'}
          period={viewText(view, date)}
          totals={data.totals}
          sources={data.sources}
          onClose={close}
        />
      )}
      <FormulaDialog meterId={meter.id} at={explained} preview={preview} onClose={() => setExplained(null)} />
      <PreviewDialog
        opened={dialog === 'preview'}
        signals={signals}
        shown={{ priceSignal: paid.priceSignal ?? '', taxValue: String(paid.taxValue ?? '') }}
        onPreview={setPreview}
        onClose={close}
      />
    </>
  )
}
