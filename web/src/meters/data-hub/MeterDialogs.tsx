import {
  type MeterGroup,
  addMeterGroup,
  isRegularCvr,
  removeMeterGroup,
  saveMeterGroup,
  findTariffs,
  type Meter,
  saveMeter,
} from '@gridmast/contract/meters/data-hub.ts'
import { useState } from 'react'
import { useUser } from '#lib/user.tsx'
import { TextInput, Button, Switch } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { useCallForm, type CallFormOf } from '#lib/call-form.ts'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { type Progress, useProgress } from '#ui/FileImport.tsx'
import { FormActions, Fields, Wide } from '#ui/FormParts.tsx'
import { Note, Stack, Text } from '#ui/Layout.tsx'
import { limits } from '@gridmast/contract/limits.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { cvrText, groupText } from './meter-words.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { useCall } from '#lib/query.ts'
import { type MeterOfGroup, useUpdateMeter } from './meter-actions.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Select } from '#ui/Select.tsx'

type AddKeyProps = { opened: boolean; onClose: () => void }

/** Adds the meters that a power of attorney of a CVR number covers. */
export const AddKeyDialog = ({ opened, onClose }: AddKeyProps) => (
  <Dialog opened={opened} onClose={onClose} size={440} title={t('Add Key')}>
    {opened && <KeyForm onClose={onClose} />}
  </Dialog>
)

const path = 'dataHub.key'

/** Steps of a long request, shown while it runs. */
const Waiting = ({ progress }: { progress: Progress | null }) => {
  const [sinceMs] = useState(Date.now)
  const seconds = Math.floor((useNow(1000) - sinceMs) / 1000)
  return (
    <Note size="small">
      <span role="status">
        {progress
          ? t('Eloverblik has no list ready; the meters are requested ten at a time.')
          : t('Eloverblik is listing the meters …')}
      </span>
      {progress && (
        <span className="gm-num">
          {' '}
          {t('{{done}} of {{count}} meters', { done: digits.count(progress.done), count: progress.total })}
        </span>
      )}
      {seconds >= 2 && <span className="gm-num"> {t('{{seconds}} s so far', { seconds })}</span>}
    </Note>
  )
}

const KeyForm = ({ onClose }: { onClose: () => void }) => {
  const { form, field, formProps, sending, waitS } = useCallForm(addMeterGroup, {
    initial: { dataHub: { key: '' } },
    toBody: (values) => ({ ...values, watch }),
    onDone: onClose,
  })
  const { watch, progress } = useProgress(sending)
  const { key } = form.values.dataHub
  const isOdd = /^\d{8}$/.test(key) && !isRegularCvr(key)
  return (
    <form aria-label={t('Add Key')} {...formProps}>
      <Stack gap={12}>
        <TextInput
          label={t('Key (CVR)')}
          description={isOdd ? <Text ink="warn">{translateText(m.cvrChecksum)}</Text> : t('Eight digits')}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          {...field(path)}
          // CVR numbers are often written as 12 34 56 78.
          onChange={({ currentTarget }) => form.setFieldValue(path, currentTarget.value.replaceAll(/\s/g, ''))}
        />
        {sending ? (
          <Waiting progress={progress} />
        ) : (
          <Note size="small">
            {t(
              'Adds the meters that your company has authorised in Eloverblik. They are read once you have configured them.',
            )}
          </Note>
        )}
      </Stack>
      <FormActions onCancel={onClose} sending={sending} waitS={waitS}>
        {t('Add Key')}
      </FormActions>
    </form>
  )
}

type KeyProps = {
  group: MeterGroup | null
  onClose: () => void
  /** Moves the focus when the group is deleted. */
  onRemoved?: () => void
}

/** Names a group of meters, or deletes it after a confirmation. */
export const KeyDialog = ({ group, onClose, onRemoved }: KeyProps) => {
  const [remove, removeDialog] = useConfirm({
    call: removeMeterGroup,
    sent: ({ _id }: MeterGroup) => ({ params: { groupId: _id } }),
    title: t('Delete this group?'),
    text: (removed) =>
      t('Deleting a group also deletes its devices: {{n}} of {{group}}, with their readings.', {
        group: groupText(removed),
        n: removed.meterIdData.length,
      }),
    confirm: t('Yes'),
    cancel: t('No'),
    danger: true,
    onDone: () => onRemoved?.(),
  })
  const removeGroup = () => {
    if (!group) return
    onClose()
    remove(group)
  }
  return (
    <>
      <CallFormDialog
        title={t('Edit group {{key}}', { key: group ? cvrText(group.key) : '' })}
        label={t('Edit group')}
        submit={t('Save changes')}
        size={440}
        call={saveMeterGroup}
        initial={group && { dataHub: { name: group.name ?? '' } }}
        request={{ params: { groupId: group?._id } }}
        aside={
          <Button variant="default" c="var(--gm-down)" onClick={removeGroup}>
            {t('Delete')}
          </Button>
        }
        onClose={onClose}
      >
        {({ field }) => (
          <TextInput
            label={t('Name')}
            description={t('Shown next to the CVR number, for example the company name')}
            autoComplete="off"
            maxLength={limits.meterNameMax}
            data-autofocus
            {...field('dataHub.name')}
          />
        )}
      </CallFormDialog>
      {removeDialog}
    </>
  )
}

type SettingsProps = { editing: MeterOfGroup | null; onClose: () => void }

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
    // A configured meter is opened.
    enabled: dataHub.enabled || !configured,
  },
})

type Tariff = Data<typeof findTariffs>['tariffs'][number]

/** By grid company, the meter's own first; a chosen tariff is listed even when it is no longer published. */
const tariffChoices = (tariffs: readonly Tariff[], { dataHub, gridCompany }: Meter) => {
  const isOwn = ({ _id }: Tariff) => gridCompany?.gln != null && _id.startsWith(`${gridCompany.gln}:`)
  const ordered = [...tariffs.filter(isOwn), ...tariffs.filter((tariff) => !isOwn(tariff))]
  const groups = [...Map.groupBy(ordered, ({ owner }) => owner)].map(([owner, own]) => ({
    group: owner,
    items: own.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))
  const chosen = dataHub.tariff
  if (chosen === null || tariffs.some(({ _id }) => _id === chosen)) return groups
  return [{ group: t('Current tariff'), items: [{ value: chosen, label: chosen }] }, ...groups]
}

export const MeterSettingsDialog = ({ editing, onClose }: SettingsProps) => {
  const keep = useUpdateMeter()
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
            : { description: t('Your company: {{tax}}', { tax: digits.tax(companyTax) }) })}
          {...number('dataHub.taxValue')}
        />
        <Wide>
          <Select
            label={t('Tariff')}
            description={t('Hourly tariff of the grid company. Leave empty if the tax value includes it.')}
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
            description={t('Read from Eloverblik twice a day and included in the overview')}
            {...checkbox('dataHub.enabled')}
          />
        </Wide>
      </Fields>
      <Note size="small">{t('Cost = kWh × (spot price + tariff + tax value), without VAT.')}</Note>
    </>
  )
}
