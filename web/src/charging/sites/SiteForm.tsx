import { TextInput } from '@mantine/core'
import { findChargerServices } from '@gridmast/contract/charging/chargers.ts'
import {
  addChargingSite,
  chargerPhases,
  type ChargingSite,
  saveChargingSite,
} from '@gridmast/contract/charging/charging-sites.ts'
import { useState } from 'react'
import type { CallFormOf } from '#lib/call-form.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Fields, Wide } from '#ui/FormParts.tsx'
import { Lines } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { MultiSelect, Select } from '#ui/Select.tsx'
import { amperesOf, kwOf } from './site-day.ts'

type Props = { editing: ChargingSite | 'new' | null; sites: readonly ChargingSite[]; onClose: () => void }

type Values = {
  name: string
  limitA: number | undefined
  reserveA: number | undefined
  fallbackA: number | undefined
  chargers: { chargerId: string; phases: (typeof chargerPhases)[number] }[]
}

export const SiteDialog = ({ editing, sites, onClose }: Props) => {
  const site = editing === 'new' ? null : editing
  const initial: Values = {
    name: site?.name ?? '',
    limitA: site?.limitA ?? 63,
    reserveA: site?.reserveA ?? 0,
    fallbackA: site?.fallbackA ?? 0,
    chargers: site?.chargers.map(({ chargerId, phases }) => ({ chargerId, phases })) ?? [],
  }
  return (
    <CallFormDialog
      title={editing === 'new' ? t('Create site') : t('Edit site')}
      submit={site ? t('Save changes') : t('Create site')}
      gap={12}
      call={site ? saveChargingSite : addChargingSite}
      initial={editing && initial}
      request={{ params: { id: site?._id } }}
      onClose={onClose}
    >
      {(form) => <SiteFields form={form} otherSites={sites.filter(({ _id }) => _id !== site?._id)} />}
    </CallFormDialog>
  )
}

const units = ['A', 'kW'] as const

type FieldsProps = { form: CallFormOf<Values>; otherSites: readonly ChargingSite[] }

const SiteFields = ({ form: { form, values, field, number }, otherSites }: FieldsProps) => {
  const [unit, setUnit] = useState<(typeof units)[number]>('A')
  const services = useCall(findChargerServices, {})
  const { limitA, reserveA = 0, chargers } = values
  const otherSiteOf = new Map(
    otherSites.flatMap((other) => other.chargers.map(({ chargerId }) => [chargerId, other.name] as const)),
  )
  const chargerNames = new Map(services.data?.chargers.map(({ _id, name }) => [_id, name]) ?? [])
  const choose = (ids: string[]) =>
    form.setFieldValue(
      'chargers',
      ids.map((chargerId) => chargers.find((one) => one.chargerId === chargerId) ?? { chargerId, phases: 'L1L2L3' }),
    )
  return (
    <>
      <Fields>
        <Wide>
          <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} withAsterisk />
        </Wide>
        <DecimalField
          key={unit}
          label={t('Limit')}
          unit={unit}
          decimals={1}
          description={
            limitA === undefined
              ? t('Limit of the shared fuse.')
              : unit === 'A'
                ? t('Per phase: {{kw}} kW on three phases.', { kw: digits.kw(kwOf(limitA)) })
                : t('On three phases: {{n}} A per phase.', { n: limitA })
          }
          {...field('limitA')}
          withAsterisk
          initial={limitA === undefined ? null : unit === 'A' ? limitA : kwOf(limitA)}
          onChange={(decimal) => {
            const typed = Number(decimal)
            const amperes = decimal === undefined ? undefined : unit === 'A' ? typed : amperesOf(typed)
            form.setFieldValue('limitA', amperes)
          }}
        />
        <div style={{ alignSelf: 'center' }}>
          <Segments
            label={t('Unit of the limit')}
            value={unit}
            onChange={setUnit}
            data={units.map((one) => ({ value: one, label: one }))}
          />
        </div>
        <DecimalField
          label={t('Kept free')}
          description={t('Per phase, for other consumption at the site.')}
          unit="A"
          decimals={0}
          {...number('reserveA')}
        />
        <DecimalField
          label={t('Without contact')}
          description={t('Fallback limit per connector; together they must stay below the site limit.')}
          unit="A"
          decimals={0}
          {...number('fallbackA')}
          withAsterisk
        />
        <Wide>
          <MultiSelect
            label={t('Chargers')}
            description={t('A charger belongs to one site; choosing it here moves it.')}
            searchable
            hidePickedOptions
            data={[...chargerNames].map(([value, name]) => {
              const other = otherSiteOf.get(value)
              return { value, label: other ? t('{{name}} (now in {{site}})', { name, site: other }) : name }
            })}
            {...field('chargers')}
            value={chargers.map(({ chargerId }) => chargerId)}
            onChange={choose}
          />
        </Wide>
      </Fields>
      {chargers.length > 0 && (
        <Lines fields aria-label={t('Phases')}>
          {chargers.map(({ chargerId, phases }, i) => (
            <li key={chargerId}>
              <span>{chargerNames.get(chargerId) ?? chargerId}</span>
              <Select
                aria-label={t('Phases of {{name}}', { name: chargerNames.get(chargerId) ?? '' })}
                size="xs"
                w={150}
                allowDeselect={false}
                data={chargerPhases.map((one) => ({
                  value: one,
                  label: one === 'L1L2L3' ? t('Three phases') : t('Only {{phase}}', { phase: one }),
                }))}
                value={phases}
                onChange={(next) => next && form.setFieldValue(`chargers.${i}.phases`, next)}
              />
            </li>
          ))}
        </Lines>
      )}
      <p className="gm-meta">{sharedWords(limitA, reserveA)}</p>
    </>
  )
}

const sharedWords = (limitA: number | undefined, reserveA: number) =>
  limitA === undefined || limitA - reserveA <= 0
    ? t('Less than the limit must be kept free')
    : t('Sessions share {{n}} A per phase: each gets 6 A while possible, the rest by priority.', {
        n: limitA - reserveA,
      })
