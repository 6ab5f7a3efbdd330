import { Checkbox, Select, Slider } from '@mantine/core'
import type { LoadKind, LoadTariff, PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import type { ComponentProps } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { type Draft, type Typed } from './draft.ts'
import classes from './load-shifting.module.css'

/** Fields of a load. */

type FieldProps = Omit<ComponentProps<typeof DecimalField>, 'initial' | 'decimals' | 'unit' | 'onChange'>
export type FormOf = {
  values: Draft
  field: (path: string) => FieldProps
  onChange: (path: string, value: Typed | boolean | null) => void
}

const kindNames = {
  shiftable: 'Any power up to its limit',
  'on-off': 'On or off',
  storage: 'Storage',
  session: 'Cars at chargers',
} as const satisfies Record<LoadKind, Sentence>

export const loadFields = [
  'instanceId',
  'kind',
  'needKwh',
  'deadline',
  'start',
  'minKw',
  'maxKw',
  'socPercent',
  'storage',
  'storage.capacityKwh',
  'storage.dischargeKw',
  'storage.efficiencyPercent',
  'storage.lowestPercent',
  'storage.highestPercent',
  'storage.targetPercent',
  'onOff.minRunQuarters',
  'onOff.minPauseQuarters',
  'onOff.maxStartsADay',
  'limitKw',
  'wishedPeakKw',
  'otherKw',
  'capacityDkkPerKw',
  'reachedKw',
  'costWeight',
  'tariff',
  'needs',
]

const valueAt = (values: Draft, path: string): string | number | null => {
  const found = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values) // a path of the draft
  return typeof found === 'string' || typeof found === 'number' ? found : null
}

type NumberProps = { form: FormOf; path: string; label: string; unit: string; decimals?: number; isNeeded?: boolean }

const NumberField = ({ form, path, label, unit, decimals = 1, isNeeded = false }: NumberProps) => (
  <DecimalField
    label={label}
    unit={unit}
    decimals={decimals}
    initial={valueAt(form.values, path)}
    {...form.field(path)}
    withAsterisk={isNeeded}
    onChange={(decimal) => form.onChange(path, path === 'capacityDkkPerKw' ? decimal : typedNumber(decimal))}
  />
)

const groupNames = { instance: 'Instances', site: 'Charging sites', charger: 'Chargers' } as const

type LoadProps = {
  loads: readonly PlannedLoad[]
  value: string
  onChange: (key: string) => void
  error?: string | null
}

export const keyOf = ({ target }: PlannedLoad): string => `${target.kind} ${target._id}`

export const LoadSelect = ({ loads, value, onChange, error }: LoadProps) => {
  const groups = [...Map.groupBy(loads, ({ target }) => target.kind)]
  return (
    <Select
      className={classes.wide ?? ''}
      label={t('What is planned')}
      withAsterisk
      searchable
      allowDeselect={false}
      data={groups.map(([kind, own]) => ({
        group: t(groupNames[kind]),
        items: own.map((load) => ({
          value: keyOf(load),
          label:
            load.target.kind === 'site'
              ? t('{{name}} ({{count}} chargers)', { name: load.target.name, count: load.chargers.length })
              : load.target.name,
        })),
      }))}
      value={value}
      error={error}
      onChange={(key) => key && onChange(key)}
    />
  )
}

export const KindSelect = ({ form, load }: { form: FormOf; load: PlannedLoad }) => {
  const kinds: LoadKind[] = load.suggested.kind === 'shiftable' ? ['shiftable', 'on-off'] : [load.suggested.kind]
  if (kinds.length === 1) return null
  return (
    <Select
      className={classes.wide ?? ''}
      label={t('How it runs')}
      allowDeselect={false}
      data={kinds.map((kind) => ({ value: kind, label: t(kindNames[kind]) }))}
      value={form.values.kind}
      onChange={(kind) => kind && form.onChange('kind', kind)}
    />
  )
}

/** Of one day of many there is neither a state now nor a wish at the end. */
type Daily = { isDaily?: boolean }

/** What the load needs and can. */
export const NeedFields = ({ form, isDaily = false }: { form: FormOf } & Daily) => {
  const { kind } = form.values
  if (kind !== 'storage')
    return (
      <NumberField
        form={form}
        path="needKwh"
        label={isDaily ? t('Energy need a day') : t('Energy need')}
        unit="kWh"
        isNeeded
      />
    )
  return (
    <>
      <NumberField form={form} path="storage.capacityKwh" label={t('Size')} unit="kWh" isNeeded />
      {!isDaily && <NumberField form={form} path="socPercent" label={t('State of charge')} unit="%" />}
      <NumberField form={form} path="storage.lowestPercent" label={t('Lowest')} unit="%" />
      <NumberField form={form} path="storage.highestPercent" label={t('Wished highest')} unit="%" />
      {!isDaily && <NumberField form={form} path="storage.targetPercent" label={t('Wished at the end')} unit="%" />}
    </>
  )
}

export const PowerFields = ({ form }: { form: FormOf }) => {
  const { kind } = form.values
  if (kind === 'on-off')
    return (
      <>
        <NumberField form={form} path="maxKw" label={t('Power when on')} unit="kW" isNeeded />
        <NumberField
          form={form}
          path="onOff.minRunQuarters"
          label={t('Shortest run')}
          unit={t('quarters')}
          decimals={0}
        />
      </>
    )
  return (
    <>
      {kind === 'shiftable' && <NumberField form={form} path="minKw" label={t('Minimum')} unit="kW" />}
      <NumberField
        form={form}
        path="maxKw"
        label={kind === 'storage' ? t('Charging') : t('Maximum')}
        unit="kW"
        isNeeded
      />
      {kind === 'storage' && (
        <NumberField form={form} path="storage.dischargeKw" label={t('Discharging')} unit="kW" isNeeded />
      )}
    </>
  )
}

const tariffGroups = (tariffs: readonly LoadTariff[]) =>
  [...Map.groupBy(tariffs, ({ owner }) => owner)].map(([group, own]) => ({
    group,
    items: own.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))

/** What the site carries and what its peaks cost, and what is rarely changed. */
export const MoreFields = ({
  form,
  tariffs,
  isDaily = false,
}: { form: FormOf; tariffs: readonly LoadTariff[] } & Daily) => {
  const { kind, isFirm, baseline, tariff } = form.values
  return (
    <details className={classes.more}>
      <summary>{isDaily ? t('Site and capacity tariff') : t('Site, capacity tariff and baseline')}</summary>
      <div>
        <NumberField form={form} path="limitKw" label={t('Connection')} unit="kW" />
        <NumberField form={form} path="otherKw" label={t('Other consumption')} unit="kW" />
        <NumberField form={form} path="wishedPeakKw" label={t('Wished peak')} unit="kW" />
        {!isDaily && <NumberField form={form} path="reachedKw" label={t('Peak this month')} unit="kW" />}
        <NumberField form={form} path="capacityDkkPerKw" label={t('Capacity tariff')} unit="DKK/kW" decimals={2} />
        {kind === 'on-off' && (
          <>
            <NumberField
              form={form}
              path="onOff.minPauseQuarters"
              label={t('Shortest pause')}
              unit={t('quarters')}
              decimals={0}
            />
            <NumberField form={form} path="onOff.maxStartsADay" label={t('Starts a day')} unit="" decimals={0} />
          </>
        )}
        {kind === 'storage' && (
          <NumberField form={form} path="storage.efficiencyPercent" label={t('Efficiency')} unit="%" />
        )}
        <Select
          className={classes.wide ?? ''}
          label={t('Tariff')}
          placeholder={kind === 'session' ? t('That of the charger') : t('None')}
          data={tariffGroups(tariffs)}
          searchable
          clearable
          limit={200}
          value={tariff}
          onChange={(chosen) => form.onChange('tariff', chosen)}
        />
        {!isDaily && (
          <Select
            className={classes.wide ?? ''}
            label={t('Compare with')}
            allowDeselect={false}
            data={[
              { value: 'immediate', label: t('At once, at full power') },
              { value: 'weekday-profile', label: t('The same weekday of four weeks') },
            ]}
            value={baseline}
            onChange={(value) => value && form.onChange('baseline', value)}
          />
        )}
        {kind !== 'storage' && !isDaily && (
          <Checkbox
            className={classes.wide ?? ''}
            label={t('The whole need must be met, else there is no plan')}
            checked={isFirm}
            onChange={({ currentTarget }) => form.onChange('isFirm', currentTarget.checked)}
          />
        )}
      </div>
    </details>
  )
}

/** Cost against CO₂. */
export const WeightField = ({ form }: { form: FormOf }) => {
  const { costWeight } = form.values
  return (
    <div className={classes.wide}>
      <label id="weights">{t('Weights')}</label>
      <Slider
        mt={8}
        min={0}
        max={100}
        step={5}
        label={null}
        thumbProps={{ 'aria-labelledby': 'weights' }}
        value={costWeight}
        onChange={(value) => form.onChange('costWeight', value)}
      />
      <div className={classes.weights}>
        <span>
          {t('Cost')} <b>{costWeight} %</b>
        </span>
        <span>
          CO₂ <b>{100 - costWeight} %</b>
        </span>
      </div>
    </div>
  )
}
