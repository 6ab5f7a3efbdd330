import { MultiSelect, Select, TextInput } from '@mantine/core'
import { findChargerServices } from '@gridmast/contract/charging/chargers.ts'
import {
  addChargingSite,
  chargerPhases,
  type ChargingSite,
  saveChargingSite,
} from '@gridmast/contract/charging/charging-sites.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { useEffect, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { Fields, Wide } from '#ui/Fields.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Lines, Stack } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import classes from './charging-sites.module.css'
import { amperesOf, kwOf } from './site-day.ts'

type Tools = { onUnsaved: (unsaved: boolean) => void; onCancel: () => void; onDone: () => void }
type Props = { editing: ChargingSite | 'new' | null; sites: readonly ChargingSite[]; onClose: () => void }

export const SiteDialog = ({ editing, sites, onClose }: Props) => (
  <FormDialog editing={editing} title={editing === 'new' ? t('Create site') : t('Edit site')} onClose={onClose}>
    {(one, tools) => <SiteForm site={one === 'new' ? null : one} sites={sites} {...tools} />}
  </FormDialog>
)

type Values = {
  name: string
  limitA: number | undefined
  reserveA: number | string | undefined
  fallbackA: number | string | undefined
  chargers: { chargerId: string; phases: (typeof chargerPhases)[number] }[]
}
const units = ['A', 'kW'] as const

type FormProps = Tools & { site: ChargingSite | null; sites: readonly ChargingSite[] }

const SiteForm = ({ site, sites, onUnsaved, onCancel, onDone }: FormProps) => {
  const [unit, setUnit] = useState<(typeof units)[number]>('A')
  const services = useCall(findChargerServices, {})
  const initial: Values = {
    name: site?.name ?? '',
    limitA: site?.limitA ?? 63,
    reserveA: site?.reserveA ?? 0,
    fallbackA: site?.fallbackA ?? 0,
    chargers: site?.chargers.map(({ chargerId, phases }) => ({ chargerId, phases })) ?? [],
  }
  const common = {
    initial,
    fields: ['name', 'limitA', 'reserveA', 'fallbackA', 'chargers'],
    onDone,
  }
  const creating = useCallForm(addChargingSite, common)
  const updating = useCallForm(saveChargingSite, { ...common, beside: () => ({ params: { id: site?._id } }) })
  const { form, field, submit, sending, waitS } = site ? updating : creating
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const { limitA, reserveA = 0, chargers } = form.values
  const elsewhere = new Map(
    sites
      .filter(({ _id }) => _id !== site?._id)
      .flatMap(({ name, chargers: theirs }) => theirs.map(({ chargerId }) => [chargerId, name] as const)),
  )
  const known = new Map(services.data?.chargers.map(({ _id, name }) => [_id, name]) ?? [])
  const number = (path: 'reserveA' | 'fallbackA') => ({
    ...field(path),
    unit: 'A',
    decimals: 0,
    initial: form.values[path],
    onChange: (decimal: string | undefined) => form.setFieldValue(path, typedNumber(decimal)),
  })
  const choose = (ids: string[]) =>
    form.setFieldValue(
      'chargers',
      ids.map((chargerId) => chargers.find((one) => one.chargerId === chargerId) ?? { chargerId, phases: 'L1L2L3' }),
    )
  return (
    <form noValidate aria-label={site ? t('Edit site') : t('Create site')} onSubmit={submit}>
      <Stack gap={12}>
        <Fields>
          <Wide>
            <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
          </Wide>
          <DecimalField
            key={unit}
            label={t('Limit')}
            unit={unit}
            decimals={1}
            initial={limitA === undefined ? null : unit === 'A' ? limitA : kwOf(limitA)}
            description={
              limitA === undefined
                ? t('Of the fuse that the chargers share.')
                : unit === 'A'
                  ? t('Of each phase: {{kw}} kW on three phases.', { kw: formatNumber(kwOf(limitA), { decimals: 1 }) })
                  : t('On three phases: {{n}} A of each.', { n: limitA })
            }
            {...field('limitA')}
            onChange={(decimal) => {
              const typed = Number(decimal)
              const amperes = decimal === undefined ? undefined : unit === 'A' ? typed : amperesOf(typed)
              form.setFieldValue('limitA', amperes)
            }}
          />
          <div className={classes.unit}>
            <Segments
              label={t('Unit of the limit')}
              value={unit}
              onChange={setUnit}
              data={units.map((one) => ({ value: one, label: one }))}
            />
          </div>
          <DecimalField
            label={t('Kept free')}
            description={t('For the rest of the house, of each phase.')}
            {...number('reserveA')}
            withAsterisk={false}
          />
          <DecimalField
            label={t('When a charger is silent')}
            description={t('What a connector then takes by itself. All of them together must fit below the limit.')}
            {...number('fallbackA')}
          />
          <Wide>
            <MultiSelect
              label={t('Chargers')}
              description={t('A charger is in one site: one that is chosen here leaves the other.')}
              searchable
              hidePickedOptions
              data={[...known].map(([value, name]) => {
                const other = elsewhere.get(value)
                return { value, label: other ? t('{{name}} (now in {{site}})', { name, site: other }) : name }
              })}
              value={chargers.map(({ chargerId }) => chargerId)}
              onChange={choose}
              error={form.errors['chargers']}
            />
          </Wide>
        </Fields>
        {chargers.length > 0 && (
          <Lines fields aria-label={t('Phases')}>
            {chargers.map(({ chargerId, phases }, i) => (
              <li key={chargerId}>
                <span>{known.get(chargerId) ?? chargerId}</span>
                <Select
                  aria-label={t('Phases of {{name}}', { name: known.get(chargerId) ?? '' })}
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
        <p className="gm-meta">{sharedWords(limitA, Number(reserveA))}</p>
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {site ? t('Save changes') : t('Create site')}
      </FormActions>
    </form>
  )
}

const sharedWords = (limitA: number | undefined, reserveA: number) =>
  limitA === undefined || limitA - reserveA <= 0
    ? t('Less than the limit must be kept free')
    : t('Sessions share {{n}} A of each phase: each gets 6 A as long as there is room, the rest goes by priority.', {
        n: limitA - reserveA,
      })
