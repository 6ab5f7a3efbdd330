import { Select, Switch, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { findTariffs, type Meter, saveMeter } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { useEffect } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useUser } from '#lib/user.tsx'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { Fields, Wide } from '#ui/Fields.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Note, Stack } from '#ui/Layout.tsx'
import { useKeepMeter } from './meters-query.ts'

/** A meter with the group it stands under. */
export type MeterOfGroup = { groupId: string; meter: Meter }
type Props = { editing: MeterOfGroup | null; onClose: () => void }

/** Name, price signal, tax and tariff of a meter. */
export const MeterSettingsDialog = ({ editing, onClose }: Props) => (
  <FormDialog editing={editing} title={t('Meter settings')} onClose={onClose}>
    {(one, tools) => <SettingsForm {...one} {...tools} />}
  </FormDialog>
)

const fields = ['name', 'priceSignal', 'taxValue', 'tariff', 'address', 'enabled'].map((name) => `dataHub.${name}`)

/** What the form holds while it is filled in: a tax may be missing, or a text that is no number. */
type Draft = Omit<Meter['dataHub'], 'priceSignal' | 'taxValue'> & {
  priceSignal: string
  taxValue: number | string | undefined
}

const draftOf = ({ dataHub, configured }: Meter): { dataHub: Draft } => ({
  dataHub: {
    ...dataHub,
    priceSignal: dataHub.priceSignal ?? '',
    taxValue: dataHub.taxValue ?? undefined,
    // Whoever configures a meter wants to see it.
    enabled: dataHub.enabled || !configured,
  },
})

const taxText = (tax: number) => formatNumber(tax, { decimals: limits.taxDecimals, minDecimals: 0 })

type Tariff = Data<typeof findTariffs>['tariffs'][number]

/** By grid company, the meter's own first; a tariff that is no longer published stays while it is chosen. */
const tariffChoices = (tariffs: readonly Tariff[], { dataHub, gridCompany }: Meter) => {
  const isOwn = ({ _id }: Tariff) => gridCompany?.gln != null && _id.startsWith(`${gridCompany.gln}:`)
  const ordered = [...tariffs.filter(isOwn), ...tariffs.filter((tariff) => !isOwn(tariff))]
  const groups = [...Map.groupBy(ordered, ({ owner }) => owner)].map(([owner, own]) => ({
    group: owner,
    items: own.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))
  const chosen = dataHub.tariff
  if (chosen === null || tariffs.some(({ _id }) => _id === chosen)) return groups
  return [{ group: t('Chosen now'), items: [{ value: chosen, label: chosen }] }, ...groups]
}

type FormProps = MeterOfGroup & { onUnsaved: (unsaved: boolean) => void; onCancel: () => void; onDone: () => void }

const SettingsForm = ({ groupId, meter, onUnsaved, onCancel, onDone }: FormProps) => {
  const { powerCost, taxes } = useUser().customerId
  const keep = useKeepMeter()
  const tariffs = useCall(findTariffs, {})
  const { form, field, submit, sending, waitS } = useCallForm(saveMeter, {
    initial: draftOf(meter),
    fields,
    beside: () => ({ params: { groupId, meterId: meter.id } }),
    onDone: (saved) => {
      keep(saved.meter)
      onDone()
    },
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const { priceSignal } = form.values.dataHub
  const companyTax = taxes[priceSignal]
  const optional = { withAsterisk: false }
  return (
    <form noValidate aria-label={t('Meter settings')} onSubmit={submit}>
      <Stack gap={12}>
        <Note size="small">{[meter.meteringPointId, meter.gridCompany?.name].filter(Boolean).join(' · ')}</Note>
        <Fields>
          <Wide>
            <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('dataHub.name')} />
          </Wide>
          <Select
            label={t('Price signal')}
            data={powerCost.map(({ _id, name }) => ({ value: _id, label: name }))}
            {...field('dataHub.priceSignal')}
            onChange={(chosen) => form.setFieldValue('dataHub.priceSignal', chosen ?? '')}
          />
          <DecimalField
            label={t('Tax value')}
            unit="Kr/mwh"
            decimals={limits.taxDecimals}
            initial={meter.dataHub.taxValue}
            {...(companyTax === undefined
              ? {}
              : { description: t('Your company: {{tax}}', { tax: taxText(companyTax) }) })}
            {...field('dataHub.taxValue')}
            onChange={(decimal) => form.setFieldValue('dataHub.taxValue', typedNumber(decimal))}
          />
          <Wide>
            <Select
              label={t('Tariff')}
              description={t('Of the grid company, hour by hour. Leave it empty where the tax value holds it all.')}
              placeholder={tariffs.data ? t('None') : tariffs.isPending ? t('Loading') : ''}
              data={tariffChoices(tariffs.data?.tariffs ?? [], meter)}
              searchable
              clearable
              limit={200}
              {...field('dataHub.tariff')}
              {...optional}
              {...(tariffs.error ? { error: translateText(tariffs.error.message) } : {})}
            />
          </Wide>
          <Wide>
            <TextInput
              label={t('Address')}
              autoComplete="off"
              maxLength={limits.meterAddressMax}
              {...field('dataHub.address')}
              {...optional}
            />
          </Wide>
          <Wide>
            <Switch
              withThumbIndicator={false}
              label={t('Enabled')}
              description={t('Read from Eloverblik twice a day, and counted in the overview')}
              {...form.getInputProps('dataHub.enabled', { type: 'checkbox' })}
            />
          </Wide>
        </Fields>
        <Note size="small">{t('Cost = kWh × (spot price + tariff + tax value), without VAT.')}</Note>
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Save changes')}
      </FormActions>
    </form>
  )
}
