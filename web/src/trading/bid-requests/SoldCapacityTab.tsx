import { Select } from '@mantine/core'
import { addDays, dayBounds, today } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { SharedZoom } from '#ui/Chart/SharedZoom.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Stack } from '#ui/Layout.tsx'
import type { marketSearch } from '#trading/market/search.ts'
import { SoldPanel, useSoldRisks } from './SoldPanel.tsx'
import { SoldRisksPanel } from './SoldRisks.tsx'

type Props = UrlProps<typeof marketSearch> & { market: string; customer: Customer }

const none: never[] = []

export const SoldCapacityTab = ({ market, customer, search, onSearch }: Props) => {
  const now = useNow(60_000)
  const date = search.date ?? today(now)
  const instances = customer.instances.filter((one) => one.market.includes(market))
  const instanceId = instances.find(({ _id }) => _id === search.instance)?._id
  const risks = useSoldRisks({ market, instanceId })
  const toDate = (next: string) => onSearch({ date: next === today(now) ? undefined : next })
  const last = addDays(today(now), 7)
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
      </FilterRow>
      <SharedZoom span={dayBounds(date)} place={{ date }}>
        <SoldPanel
          market={market}
          instanceId={instanceId}
          date={date}
          nowMs={now}
          title={t('Sold Capacity (kW)')}
          height={340}
          risks={risks.data?.risks ?? none}
        />
      </SharedZoom>
      <LoadError query={risks} title={t('The capacity forecast could not be loaded.')} />
      {risks.data && <SoldRisksPanel market={market} data={risks.data} />}
    </Stack>
  )
}
