import { Select } from '@mantine/core'
import { type SoldCapacity, soldCapacity } from '@gridmast/contract/bid-basis.ts'
import { addDays, dayBounds, formatDate, today } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/user.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { type TFunction, useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel, ChartSeries } from '#ui/Chart/model.ts'
import { useReading } from '#ui/Chart/reading.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { LastReported } from '#ui/LastReported.tsx'
import classes from './bid-requests.module.css'

type Search = { date?: string | undefined; instance?: string | undefined }
type Props = { market: string; customer: Customer; search: Search; onSearch: (change: Search) => void }

const staleMs = 15 * 60_000

/** Bars of what is sold in each slot, and a step line of what stood ready in it. */
const soldModel = (
  market: string,
  { slots }: Pick<SoldCapacity, 'slots'>,
  { date, nowMs, t }: { date: string; nowMs: number; t: TFunction },
): ChartModel => {
  const x = slots.map(({ start }) => Date.parse(start))
  const ends = slots.map(({ end }) => Date.parse(end))
  const products = [...new Set(slots.flatMap(({ sold }) => sold.map(({ product }) => product)))]
  const sold = products.map((product, i): ChartSeries => ({
    name: product === market ? t('Sold') : `${t('Sold')} ${product}`,
    ...{ unit: 'kW', kind: 'column', x, ends, colour: i === 0 ? 1 : 4 },
    y: slots.map((slot) => slot.sold.find((one) => one.product === product)?.kw ?? 0),
  }))
  const ready: ChartSeries = {
    ...{ name: t('Available kW'), unit: 'kW', kind: 'step', x, ends, colour: 6 },
    y: slots.map(({ availableKw }) => availableKw),
  }
  return {
    ...{ series: [...sold, ready], span: dayBounds(date), unit: 'kW', decimals: 1, fromZero: true },
    ...{ nowMs, timeLabels: 'hour' },
  }
}

/** What is sold of a market over a day, beside what stood ready. */
export const SoldCapacityTab = ({ market, customer, search, onSearch }: Props) => {
  const { t } = useTranslation()
  const now = useNow(60_000)
  const date = search.date ?? today(now)
  const instances = customer.instances.filter((one) => one.market.includes(market))
  const instanceId = instances.find(({ _id }) => _id === search.instance)?._id
  const query = { market, date, ...(instanceId ? { instanceId } : {}) }
  const read = useCall(soldCapacity, { sent: { query }, refetchIntervalMs: 60_000 })
  const { data } = read
  const model = useMemo(
    () => (data ? soldModel(market, data, { date, nowMs: now, t }) : null),
    [data, market, date, now, t],
  )
  const toDate = (next: string) => onSearch({ date: next === today(now) ? undefined : next })
  const last = addDays(today(now), 7)
  const isSold = data?.slots.some(({ sold }) => sold.length > 0)
  const isEmpty = data?.slots.every(({ sold, availableKw }) => sold.length === 0 && availableKw === null)
  return (
    <div className={classes.tab}>
      <FilterRow label={t('Sold Capacity')} onSubmit={() => {}}>
        <Select
          label={t('Instance')}
          w={220}
          data={[
            { value: '', label: t('All instances') },
            ...instances.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          value={instanceId ?? ''}
          onChange={(next) => onSearch({ instance: next || undefined })}
        />
        <DaySteps value={date} max={last} onChange={toDate}>
          <DateField label={t('Date')} value={date} max={last} onChange={toDate} />
        </DaySteps>
      </FilterRow>
      <ChartPanel
        title={t('Sold Capacity (kW)')}
        note={`${market} ${formatDate(date)}`}
        simulated={data?.simulated}
        height={340}
        model={model}
        reading={useReading(read)}
        failed={t('The sold capacity could not be loaded.')}
        empty={
          <>
            <b>{t('Nothing sold on this day')}</b>
            <span>{t('What is won stands here as soon as the results of the auction are published.')}</span>
          </>
        }
        footRight={data && !isSold && !isEmpty && t('Nothing sold on this day')}
        foot={<LastReported at={data?.lastReported ? Date.parse(data.lastReported) : null} staleAfterMs={staleMs} />}
        onDownload={(format) =>
          void downloadCall(soldCapacity, { query: { ...query, format } }, `Sold capacity ${market} ${date}.${format}`)
        }
      />
    </div>
  )
}
