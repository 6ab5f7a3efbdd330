import { useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { IconDownload, IconReceiptTax } from '@tabler/icons-react'
import { t, translateText } from '#lib/i18n.ts'
import { DayAheadCard } from './DayAheadCard.tsx'
import { PriceDownloadDialog } from './PriceDownloadDialog.tsx'
import { UpdateTaxDialog } from './UpdateTaxDialog.tsx'
import { useNow } from '#lib/clock.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { usePhone } from '#lib/phone.ts'
import { Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Page } from '#ui/Page.tsx'
import { DayAheadFilter } from './DayAheadFilter.tsx'
import { dayAheadSearch, mostDays } from './search.ts'

const DayAhead = () => {
  const { powerCost: signals } = useUser().customerId
  const mayEditTax = useCan('tax.edit')
  const [search, change] = useUrlState(dayAheadSearch)
  const [dialog, setDialog] = useState<'tax' | 'download' | null>(null)
  // The palette opens a dialog by the address, which does not keep it.
  const { dialog: asked } = search
  if (asked && dialog === null) setDialog(asked)
  useEffect(() => {
    if (asked) change({ dialog: undefined })
  }, [asked, change])
  const now = today(useNow(60_000))
  // On a phone the answer comes first, the question below it.
  const phone = usePhone()
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
  const shown = { date: search.date ?? now, days: search.days ?? 1, signal: signal._id }
  const refused = shown.days > mostDays ? m.dayAheadSpan : null
  const close = () => setDialog(null)
  const filter = (
    <DayAheadFilter
      // The address changed by itself, such as by going back: the fields follow it.
      key={`filter ${JSON.stringify(shown)}`}
      shown={shown}
      signals={signals}
      onSubmit={({ date, days, signal: chosen }) =>
        change({
          date: date === now ? undefined : date,
          days: days === 1 ? undefined : days,
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
  const chart = refused ? (
    <Panel key="chart" title="Nordpool" note="(DKK/mW)" label={t('Day ahead')} style={{ minHeight: 390 }}>
      <Empty title={translateText(refused)} />
    </Panel>
  ) : (
    <DayAheadCard
      key="chart"
      priceSignal={signal._id}
      start={shown.date}
      days={shown.days}
      resolution={search.resolution ?? 'quarter'}
      onResolution={(resolution) => change({ resolution: resolution === 'quarter' ? undefined : resolution })}
    />
  )
  return (
    <Page>
      {phone ? [chart, filter] : [filter, chart]}
      {mayEditTax && <UpdateTaxDialog signals={signals} opened={dialog === 'tax'} onClose={close} />}
      <PriceDownloadDialog signals={signals} priceSignal={signal._id} opened={dialog === 'download'} onClose={close} />
    </Page>
  )
}

export default DayAhead
