import { MultiSelect, Select } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import {
  chargingAreas,
  type findChargingPrices,
  saveChargingPrice,
} from '@gridmast/contract/charging/charging-costs.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { today } from '@gridmast/contract/time.ts'
import { useEffect } from 'react'
import { useNow } from '#lib/clock.ts'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { Fields, Wide } from '#ui/Fields.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Note, Stack } from '#ui/Layout.tsx'

type Answer = Data<typeof findChargingPrices>
type Props = { chargers: Answer['chargers'] | null; tariffs: Answer['tariffs']; onClose: () => void }

/** What some or all chargers pay from a day on. */
export const PriceDialog = ({ chargers, tariffs, onClose }: Props) => (
  <FormDialog editing={chargers} title={t('Set price')} onClose={onClose}>
    {(own, tools) => <PriceForm chargers={own} tariffs={tariffs} {...tools} />}
  </FormDialog>
)

type FormProps = {
  chargers: Answer['chargers']
  tariffs: Answer['tariffs']
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
}

const PriceForm = ({ chargers, tariffs, onUnsaved, onCancel, onDone }: FormProps) => {
  const newestDay = today(useNow(60_000))
  const usual = chargers.find(({ now }) => now !== null)?.now
  const { form, field, submit, sending, waitS } = useCallForm(saveChargingPrice, {
    initial: {
      chargers: chargers.map(({ _id }) => _id),
      validFrom: newestDay,
      area: usual?.area ?? '',
      taxValue: typedNumber(usual?.taxValue),
      tariff: usual?.tariff ?? null,
      driverPrice: usual?.driverPrice ?? null,
    },
    fields: ['chargers', 'validFrom', 'area', 'taxValue', 'tariff', 'driverPrice'],
    onDone,
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const { validFrom } = form.values
  const groups = [...Map.groupBy(tariffs, ({ owner }) => owner)].map(([owner, own]) => ({
    group: owner,
    items: own.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))
  return (
    <form noValidate aria-label={t('Set price')} onSubmit={submit}>
      <Stack gap={12}>
        <Fields>
          <Wide>
            <MultiSelect
              label={t('Chargers')}
              data={chargers.map(({ _id, name }) => ({ value: _id, label: name }))}
              searchable
              hidePickedOptions
              {...field('chargers')}
            />
          </Wide>
          <DateField
            label={t('From')}
            value={validFrom}
            required
            onChange={(day) => form.setFieldValue('validFrom', day)}
            error={form.errors['validFrom']}
          />
          <Select
            label={t('Area')}
            allowDeselect={false}
            data={chargingAreas.map((area) => ({ value: area, label: area }))}
            {...field('area')}
          />
          <DecimalField
            label={t('Tax value')}
            unit="DKK/MWh"
            decimals={limits.taxDecimals}
            initial={usual?.taxValue ?? null}
            {...field('taxValue')}
            onChange={(decimal) => form.setFieldValue('taxValue', typedNumber(decimal))}
          />
          <DecimalField
            label={t('Driver pays')}
            unit="DKK/kWh"
            decimals={4}
            initial={usual?.driverPrice ?? null}
            placeholder={t('Nothing')}
            {...field('driverPrice')}
            withAsterisk={false}
            onChange={(decimal) => form.setFieldValue('driverPrice', decimal ?? null)}
          />
          <Wide>
            <Select
              label={t('Tariff')}
              description={t('Of the grid company, hour by hour. Leave it empty where the tax value holds it all.')}
              placeholder={t('None')}
              data={groups}
              searchable
              clearable
              limit={200}
              {...field('tariff')}
              withAsterisk={false}
            />
          </Wide>
        </Fields>
        <Note size="body" wholeLine>
          {t('Sessions that began on that day or later are counted again within a minute.')}
        </Note>
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Set price')}
      </FormActions>
    </form>
  )
}
