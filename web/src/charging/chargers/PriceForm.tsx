import { MultiSelect, Select } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import {
  chargingAreas,
  type findChargingPrices,
  saveChargingPrice,
} from '@gridmast/contract/charging/charging-costs.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { typedNumber } from '#lib/typed-number.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Fields, Wide } from '#ui/Fields.tsx'
import { Note } from '#ui/Layout.tsx'

type Answer = Data<typeof findChargingPrices>
type Props = { chargers: Answer['chargers'] | null; tariffs: Answer['tariffs']; onClose: () => void }

/** What some or all chargers pay from a day on. */
export const PriceDialog = ({ chargers, tariffs, onClose }: Props) => {
  const newestDay = today(useNow(60_000))
  const current = chargers?.find(({ now }) => now !== null)?.now
  const groups = [...Map.groupBy(tariffs, ({ owner }) => owner)].map(([group, ofOwner]) => ({
    group,
    items: ofOwner.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))
  return (
    <CallFormDialog
      title={t('Set price')}
      submit={t('Set price')}
      gap={12}
      call={saveChargingPrice}
      initial={
        chargers && {
          chargers: chargers.map(({ _id }) => _id),
          validFrom: newestDay,
          area: current?.area ?? '',
          taxValue: typedNumber(current?.taxValue),
          tariff: current?.tariff ?? null,
          driverPrice: current?.driverPrice ?? null,
        }
      }
      onClose={onClose}
    >
      {({ field, number, decimal }) => (
        <>
          <Fields>
            <Wide>
              <MultiSelect
                label={t('Chargers')}
                data={(chargers ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
                searchable
                hidePickedOptions
                {...field('chargers')}
              />
            </Wide>
            <DateField label={t('From')} required {...field('validFrom')} />
            <Select
              label={t('Area')}
              allowDeselect={false}
              data={chargingAreas.map((area) => ({ value: area, label: area }))}
              {...field('area')}
            />
            <DecimalField label={t('Tax value')} unit="DKK/MWh" decimals={limits.taxDecimals} {...number('taxValue')} />
            <DecimalField
              label={t('Driver pays')}
              unit="DKK/kWh"
              decimals={4}
              placeholder={t('Nothing')}
              {...decimal('driverPrice', null)}
            />
            <Wide>
              <Select
                label={t('Tariff')}
                description={t('Hourly tariff of the grid company. Leave empty if the tax value includes it.')}
                placeholder={t('None')}
                data={groups}
                searchable
                clearable
                limit={200}
                {...field('tariff')}
              />
            </Wide>
          </Fields>
          <Note size="body" wholeLine>
            {t('Sessions that began on that day or later are counted again within a minute.')}
          </Note>
        </>
      )}
    </CallFormDialog>
  )
}
