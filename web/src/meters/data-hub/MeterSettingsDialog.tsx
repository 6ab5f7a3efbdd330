import { Select, Switch, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { findTariffs, type Meter, saveMeter } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { CallFormOf } from '#lib/call-form.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useUser } from '#lib/user.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Fields, Wide } from '#ui/FormParts.tsx'
import { Note } from '#ui/Layout.tsx'
import { useKeepMeter } from './meters-query.ts'

/** A meter and its group. */
export type MeterOfGroup = { groupId: string; meter: Meter }
type Props = { editing: MeterOfGroup | null; onClose: () => void }

/** The form's values while it is filled in: the tax may be missing. */
type Draft = Omit<Meter['dataHub'], 'priceSignal' | 'taxValue'> & {
  priceSignal: string
  taxValue: number | undefined
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

/** Name, price signal, tax and tariff of a meter. */
export const MeterSettingsDialog = ({ editing, onClose }: Props) => {
  const keep = useKeepMeter()
  return (
    <CallFormDialog
      title={t('Meter settings')}
      submit={t('Save changes')}
      gap={12}
      call={saveMeter}
      initial={editing && draftOf(editing.meter)}
      request={{ params: { groupId: editing?.groupId, meterId: editing?.meter.id } }}
      onDone={({ meter }) => keep(meter)}
      onClose={onClose}
    >
      {(form) => editing && <SettingsFields form={form} meter={editing.meter} />}
    </CallFormDialog>
  )
}

type FieldsProps = { form: CallFormOf<{ dataHub: Draft }>; meter: Meter }

const SettingsFields = ({ form: { form, field, number, checkbox, values }, meter }: FieldsProps) => {
  const { powerCost, taxes } = useUser().customerId
  const tariffs = useCall(findTariffs, {})
  const companyTax = taxes[values.dataHub.priceSignal]
  return (
    <>
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
          {...(companyTax === undefined
            ? {}
            : { description: t('Your company: {{tax}}', { tax: taxText(companyTax) }) })}
          {...number('dataHub.taxValue')}
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
            {...(tariffs.error ? { error: translateText(tariffs.error.message) } : {})}
          />
        </Wide>
        <Wide>
          <TextInput
            label={t('Address')}
            autoComplete="off"
            maxLength={limits.meterAddressMax}
            {...field('dataHub.address')}
          />
        </Wide>
        <Wide>
          <Switch
            withThumbIndicator={false}
            label={t('Enabled')}
            description={t('Read from Eloverblik twice a day, and counted in the overview')}
            {...checkbox('dataHub.enabled')}
          />
        </Wide>
      </Fields>
      <Note size="small">{t('Cost = kWh × (spot price + tariff + tax value), without VAT.')}</Note>
    </>
  )
}
