import { LoadError } from '#ui/Loaded.tsx'
import { Checkbox, Slider, Skeleton } from '@mantine/core'
import {
  type LoadKind,
  type LoadTariff,
  type PlannedLoad,
  findLoads,
} from '@gridmast/contract/planning/load-shifting.ts'
import type { Sentence } from '#i18n/da.ts'
import type { CallFormOf } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import type { Draft } from './draft.ts'
import classes from './load-shifting.module.css'
import type { ReactNode } from 'react'
import { useCall } from '#lib/query.ts'
import { Panel } from '#ui/Panel.tsx'
import { Grid, Note, Row } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

type LoadForm = Pick<CallFormOf<Draft>, 'values' | 'field' | 'number' | 'decimal' | 'checkbox'>

const kindNames = {
  shiftable: 'Any power up to its limit',
  'on-off': 'On or off',
  storage: 'Storage',
  session: 'Cars at chargers',
} as const satisfies Record<LoadKind, Sentence>

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
      data={groups.map(([kind, members]) => ({
        group: t(groupNames[kind]),
        items: members.map((load) => ({
          value: keyOf(load),
          label:
            load.target.kind === 'site'
              ? t('{{name}} ({{count}} chargers)', { name: load.target.name, count: load.chargers.length })
              : load.target.name,
        })),
      }))}
      value={value}
      data-path="instanceId"
      error={error}
      onChange={(key) => key && onChange(key)}
    />
  )
}

export const KindSelect = ({ form, load }: { form: LoadForm; load: PlannedLoad }) => {
  const kinds: LoadKind[] = load.suggested.kind === 'shiftable' ? ['shiftable', 'on-off'] : [load.suggested.kind]
  if (kinds.length === 1) return null
  return (
    <Select
      className={classes.wide ?? ''}
      label={t('How it runs')}
      allowDeselect={false}
      data={kinds.map((kind) => ({ value: kind, label: t(kindNames[kind]) }))}
      {...form.field('kind')}
      withAsterisk={false}
    />
  )
}

/** A backtest plans many days, so it has no current state and no target at the end. */
type Daily = { isDaily?: boolean }

export const NeedFields = ({ form, isDaily = false }: { form: LoadForm } & Daily) => {
  const { kind } = form.values
  if (kind !== 'storage')
    return (
      <DecimalField
        label={isDaily ? t('Energy need a day') : t('Energy need')}
        unit="kWh"
        decimals={1}
        {...form.number('needKwh')}
        withAsterisk
      />
    )
  return (
    <>
      <DecimalField label={t('Battery size')} unit="kWh" decimals={1} {...form.number('storage.capacityKwh')} />
      {!isDaily && <DecimalField label={t('State of charge')} unit="%" decimals={1} {...form.number('socPercent')} />}
      <DecimalField
        label={t('Lowest state of charge')}
        unit="%"
        decimals={1}
        {...form.number('storage.lowestPercent')}
      />
      <DecimalField
        label={t('Preferred highest state of charge')}
        unit="%"
        decimals={1}
        {...form.number('storage.highestPercent')}
      />
      {!isDaily && (
        <DecimalField
          label={t('State of charge at the end')}
          unit="%"
          decimals={1}
          {...form.number('storage.targetPercent')}
        />
      )}
    </>
  )
}

export const PowerFields = ({ form }: { form: LoadForm }) => {
  const { kind } = form.values
  if (kind === 'on-off')
    return (
      <>
        <DecimalField label={t('Power when on')} unit="kW" decimals={1} {...form.number('maxKw')} />
        <DecimalField
          label={t('Shortest run')}
          unit={t('quarters')}
          decimals={0}
          {...form.number('onOff.minRunQuarters')}
        />
      </>
    )
  return (
    <>
      {kind === 'shiftable' && (
        <DecimalField label={t('Minimum power')} unit="kW" decimals={1} {...form.number('minKw')} />
      )}
      <DecimalField
        label={kind === 'storage' ? t('Charging power') : t('Maximum power')}
        unit="kW"
        decimals={1}
        {...form.number('maxKw')}
      />
      {kind === 'storage' && (
        <DecimalField label={t('Discharging power')} unit="kW" decimals={1} {...form.number('storage.dischargeKw')} />
      )}
    </>
  )
}

const tariffGroups = (tariffs: readonly LoadTariff[]) =>
  [...Map.groupBy(tariffs, ({ owner }) => owner)].map(([group, members]) => ({
    group,
    items: members.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))

/** Fields of the site and the capacity tariff, which rarely change. */
export const MoreFields = ({
  form,
  tariffs,
  isDaily = false,
}: { form: LoadForm; tariffs: readonly LoadTariff[] } & Daily) => {
  const { kind } = form.values
  return (
    <details className={`${classes.wide} ${classes.more}`}>
      <summary>{isDaily ? t('Site and capacity tariff') : t('Site, capacity tariff and baseline')}</summary>
      <Grid columns={2} gap={12}>
        <DecimalField label={t('Connection')} unit="kW" decimals={1} {...form.number('limitKw')} />
        <DecimalField label={t('Other consumption')} unit="kW" decimals={1} {...form.number('otherKw')} />
        <DecimalField label={t('Target peak')} unit="kW" decimals={1} {...form.number('wishedPeakKw')} />
        {!isDaily && <DecimalField label={t('Peak this month')} unit="kW" decimals={1} {...form.number('reachedKw')} />}
        <DecimalField label={t('Capacity tariff')} unit="DKK/kW" decimals={2} {...form.decimal('capacityDkkPerKw')} />
        {kind === 'on-off' && (
          <>
            <DecimalField
              label={t('Shortest pause')}
              unit={t('quarters')}
              decimals={0}
              {...form.number('onOff.minPauseQuarters')}
            />
            <DecimalField label={t('Starts a day')} unit="" decimals={0} {...form.number('onOff.maxStartsADay')} />
          </>
        )}
        {kind === 'storage' && (
          <DecimalField label={t('Efficiency')} unit="%" decimals={1} {...form.number('storage.efficiencyPercent')} />
        )}
        <Select
          className={classes.wide ?? ''}
          label={t('Tariff')}
          placeholder={kind === 'session' ? t('Tariff of the charger') : t('None')}
          data={tariffGroups(tariffs)}
          searchable
          clearable
          limit={200}
          {...form.field('tariff')}
        />
        {!isDaily && (
          <Select
            className={classes.wide ?? ''}
            label={t('Compare with')}
            allowDeselect={false}
            data={[
              { value: 'immediate', label: t('Immediately, at full power') },
              { value: 'weekday-profile', label: t('The same weekday of four weeks') },
            ]}
            {...form.field('baseline')}
          />
        )}
        {kind !== 'storage' && !isDaily && (
          <Checkbox
            className={classes.wide ?? ''}
            label={t('The whole need must be met, else there is no plan')}
            {...form.checkbox('isFirm')}
          />
        )}
      </Grid>
    </details>
  )
}

export const WeightField = ({ form }: { form: LoadForm }) => {
  const { value: costWeight, onChange } = form.field('costWeight')
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
        onChange={onChange}
      />
      <Row justify="between" above={6} className="gm-num">
        <span>
          {t('Cost')} <b>{costWeight} %</b>
        </span>
        <span>
          CO₂ <b>{100 - costWeight} %</b>
        </span>
      </Row>
    </div>
  )
}

export type LoadFormProps = {
  load: PlannedLoad
  loads: readonly PlannedLoad[]
  tariffs: readonly LoadTariff[]
  onLoad: (key: string) => void
}

type PanelProps = {
  title: string
  label: string
  /** Id of the form's load; undefined while it loads, null without a choice. */
  loadId: string | null | undefined
  onLoad: (loadId: string) => void
  /** Default load without a choice; otherwise the first one. */
  isFirst?: (load: PlannedLoad) => boolean
  renderForm: (props: LoadFormProps) => ReactNode
}

/** Reads the loads that can be planned and renders the form of the chosen one. */
export const LoadPanel = ({ title, label, loadId, onLoad, isFirst, renderForm }: PanelProps) => {
  const query = useCall(findLoads, {})
  const { loads = [], tariffs = [] } = query.data ?? {}
  const load =
    loadId === undefined
      ? undefined
      : (loads.find(({ target }) => target._id === loadId) ?? (isFirst && loads.find(isFirst)) ?? loads[0])
  const choose = (key: string) => {
    const id = loads.find((one) => keyOf(one) === key)?.target._id
    if (id) onLoad(id)
  }
  return (
    <Panel title={title} label={label}>
      <LoadError query={query} title={t('The equipment could not be loaded.')} />
      {(query.isPending || (query.data && loadId === undefined)) && (
        <Skeleton className={classes.formWaiting ?? ''} animate={false} />
      )}
      {query.data && loads.length === 0 && <Note>{t('Your company has no equipment that can be planned.')}</Note>}
      {load && renderForm({ load, loads, tariffs, onLoad: choose })}
    </Panel>
  )
}
