import { Checkbox } from '@mantine/core'
import type { PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { typedNumber } from '#lib/call-form.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Note } from '#ui/Layout.tsx'
import { type Draft, sumOfNeeds } from './draft.ts'
import classes from './load-shifting.module.css'

type Props = {
  load: PlannedLoad
  draft: Draft
  onChange: (needs: Draft['needs']) => void
  error: string | null
}

/** What each charger of a site needs, where they do not share it evenly; one that is left empty is not planned. */
export const ChargerNeeds = ({ load, draft, onChange, error }: Props) => {
  const { needs } = draft
  if (load.chargers.length < 2) return null
  return (
    <div className={classes.wide}>
      <Checkbox
        label={t('Each charger has its own need')}
        checked={needs !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? {} : null)}
      />
      {needs !== null && (
        <div className={classes.needs} data-path="needs" role="group" aria-label={t('Energy need')}>
          {load.chargers.map(({ _id, name, online }) => (
            <DecimalField
              key={_id}
              label={online ? name : t('{{name}} (offline)', { name })}
              unit="kWh"
              decimals={1}
              initial={needs[_id] ?? null}
              onChange={(decimal) => onChange({ ...needs, [_id]: typedNumber(decimal) })}
            />
          ))}
          <Note size="label" className="gm-num" data-path="needKwh" data-error={error ? true : undefined}>
            {error ?? t('Together {{kwh}} kWh', { kwh: formatNumber(sumOfNeeds(draft), { decimals: 1 }) })}
          </Note>
        </div>
      )}
    </div>
  )
}
