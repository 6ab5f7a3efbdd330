import { limits } from '@gridmast/contract/limits.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useNow } from '#lib/clock.ts'
import { useAnnotations } from '#grid/annotations/useAnnotations.tsx'
import { t } from '#lib/i18n.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { noRange, useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Stack } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'
import type { marketSearch } from '#trading/market/search.ts'
import { SoldPanel, type SoldPanelProps, useSoldRisks } from './SoldPanel.tsx'
import { SoldRisksPanel } from './SoldRisks.tsx'

type Props = UrlProps<typeof marketSearch> & { market: string; customer: Customer }

const none: never[] = []

export const SoldCapacityTab = ({ market, customer, search, onSearch }: Props) => {
  const now = useNow(60_000)
  const date = search.date ?? today(now)
  const range = useDayOrRange(date, limits.soldDays)
  const instances = customer.instances.filter((one) => one.market.includes(market))
  const instance = instances.find(({ _id }) => _id === search.instance)
  const instanceId = instance?._id
  const risks = useSoldRisks({ market, instanceId })
  const toDate = (next: string) => onSearch({ date: next === today(now) ? undefined : next, ...noRange })
  const last = addDays(today(now), 7)
  const panel = {
    market,
    date,
    range,
    nowMs: now,
    title: t('Sold Capacity (kW)'),
    height: 340,
    risks: risks.data?.risks ?? none,
  }
  return (
    <Stack gap={16}>
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
        {range.picker}
      </FilterRow>
      <SharedRangeContext value={range.shared}>
        {instance ? (
          <MarkedPanel key={instance._id} instance={instance} {...panel} />
        ) : (
          <SoldPanel {...panel} instanceId={undefined} />
        )}
      </SharedRangeContext>
      <LoadError query={risks} title={t('The capacity forecast could not be loaded.')} />
      {risks.data && <SoldRisksPanel market={market} data={risks.data} />}
    </Stack>
  )
}

type MarkedProps = Omit<SoldPanelProps, 'instanceId' | 'range'> & {
  instance: { _id: string; name: string }
  range: ReturnType<typeof useDayOrRange>
}

/** With the activations, alerts, plans and notes of the instance. */
const MarkedPanel = ({ instance, ...panel }: MarkedProps) => {
  const annotations = useAnnotations(instance, panel.range.shared.span)
  return (
    <>
      <SoldPanel {...panel} instanceId={instance._id} annotations={annotations} />
      {annotations.dialog}
    </>
  )
}
