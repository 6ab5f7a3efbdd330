import { Button } from '@mantine/core'
import { priceTypes, signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { CapacityCard } from '#grid/capacity/CapacityCard.tsx'
import { allInstances } from '#grid/card-requests.ts'
import { BulkDownloadDialog, typeWords } from '#grid/prices/BulkDownloadDialog.tsx'
import { PricingCard } from '#grid/prices/PricingCard.tsx'
import type { UrlProps } from '#lib/url-state.ts'
import { useNow } from '#lib/clock.ts'
import { noRange, useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Grid, Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './Market.module.css'
import type { marketSearch } from './search.ts'

type Props = UrlProps<typeof marketSearch> & { market: string; customer: Customer }

export const MarketTab = ({ market, customer, search, onSearch }: Props) => {
  const [bulk, setBulk] = useState(false)
  const now = today(useNow(60_000))
  const date = search.date ?? now
  const range = useDayOrRange(date, limits.priceDays)
  const signals = signalsOf(market, customer.areas)
  const signal = signals.find(({ _id }) => _id === search.signal) ?? signals[0]
  const types = signal?.priceTypes ?? []
  const priceType = search.priceType && types.includes(search.priceType) ? search.priceType : priceTypes[0]
  const isReady = customer.instances.some((one) => one.market.includes(market))
  const toDate = (next: string) => onSearch({ date: next === now ? undefined : next, ...noRange })
  return (
    <Stack gap="cards" className={classes.fill}>
      {signal && (
        <FilterRow
          label={t('Prices of the market')}
          onSubmit={() => {}}
          actions={
            <>
              {range.picker}
              <Button variant="default" leftSection={<IconDownload stroke={1.8} />} onClick={() => setBulk(true)}>
                {t('Bulk Download Excel file')}
              </Button>
            </>
          }
        >
          <Select
            label={t('Signal')}
            w={180}
            data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={signal._id}
            allowDeselect={false}
            onChange={(next) =>
              next && onSearch({ signal: next === signals[0]?._id ? undefined : next, priceType: undefined })
            }
          />
          {types.length > 1 && (
            <Select
              label={t('Type')}
              w={120}
              data={types.map((type) => ({ value: type, label: t(typeWords[type]) }))}
              value={priceType}
              allowDeselect={false}
              onChange={(next) => onSearch({ priceType: next === 'Total' ? undefined : (next ?? undefined) })}
            />
          )}
          <DaySteps value={date} max={addDays(now, 2)} onChange={toDate}>
            <DateField label={t('Date')} value={date} max={addDays(now, 2)} onChange={toDate} />
          </DaySteps>
        </FilterRow>
      )}
      <Grid columns={isReady ? '2:1' : 1} gap="cards">
        {signal ? (
          <SharedRangeContext value={range.shared}>
            <PricingCard market={market} signal={signal} priceType={priceType} range={range} />
          </SharedRangeContext>
        ) : (
          <Panel title={t('{{market}} Pricing', { market })} note="(DKK/MW)" label={t('Prices of the market')}>
            <Empty title={t('No price signal')}>
              {t('No prices are published for this market in your price areas.')}
            </Empty>
          </Panel>
        )}
        {isReady && (
          <CapacityCard
            market={market}
            instances={customer.instances}
            chosen={search.instance ?? allInstances}
            note={t('Large figure: available now. Sold now: required by won bids.')}
            onChoose={(chosen) => onSearch({ instance: chosen === allInstances ? undefined : chosen })}
          />
        )}
      </Grid>
      {signal && (
        <BulkDownloadDialog
          signals={signals}
          signal={signal._id}
          priceType={priceType}
          opened={bulk}
          onClose={() => setBulk(false)}
        />
      )}
    </Stack>
  )
}
