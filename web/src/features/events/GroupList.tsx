import { Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from '#lib/i18n.ts'
import classes from './events.module.css'

/** An instance as far as its events are concerned. */
export type EventGroup = { _id: string; name: string; market: string[]; area?: string | null }

type Props = {
  instances: readonly EventGroup[]
  chosen: string | undefined
  onChoose: (instanceId: string | undefined) => void
}

const allOf = 'all'

/** Whose events are listed: all instances together, or one of them; a field where there is no room for a list. */
export const GroupList = ({ instances, chosen, onChoose }: Props) => {
  const { t } = useTranslation()
  const small = useMediaQuery('(max-width: 1279px)', undefined, { getInitialValueInEffect: false }) ?? false
  const choices = [
    ...(instances.length > 1 ? [{ value: allOf, label: t('All instances'), note: '' }] : []),
    ...instances.map(({ _id, name, area }) => ({ value: _id, label: name, note: area ?? '' })),
  ]
  const value = chosen ?? choices[0]?.value ?? allOf
  const choose = (next: string) => onChoose(next === choices[0]?.value ? undefined : next)
  if (small)
    return (
      <Select
        aria-label={t('Group')}
        data={choices}
        value={value}
        allowDeselect={false}
        onChange={(next) => next && choose(next)}
      />
    )
  return (
    <nav className={classes.groups} aria-label={t('Group')}>
      <h2>
        {t('Group')} <span className="gm-num">{instances.length}</span>
      </h2>
      <ul>
        {choices.map((one) => (
          <li key={one.value}>
            <button type="button" aria-current={one.value === value || undefined} onClick={() => choose(one.value)}>
              {one.label}
              <small>{one.note}</small>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
