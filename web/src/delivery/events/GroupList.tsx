import { useMediaQuery } from '@mantine/hooks'
import { soldCapacity } from '@gridmast/contract/trading/bid-basis.ts'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { SideList, Stack } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './events.module.css'

export type EventGroup = { _id: string; name: string; market: string[]; area?: string | null }

type Props = {
  instances: readonly EventGroup[]
  chosen: string | undefined
  onChoose: (instanceId: string | undefined) => void
  /** Undefined for a licence. */
  market: string | undefined
}

const allOf = 'all'

/** Capacity sold now per instance; null while unknown, or without the right. */
const useSold = (market: string | undefined, isListed: boolean) => {
  const maySeeBids = useCan('bid-request.read')
  const { data } = useCall(soldCapacity, {
    sent: { query: { market: market ?? '' } },
    enabled: isListed && maySeeBids && market !== undefined && requestSlots(market) !== null,
    refetchIntervalMs: 60_000,
  })
  if (!data) return null
  return (instanceId: string) =>
    data.soldNow
      .filter(({ _id }) => _id === instanceId)
      .map((one) =>
        one.product === market ? t('{{kw}} kW sold', { kw: digits.kw(one.kw) }) : `${one.product} ${format.kw(one.kw)}`,
      )
      .join(', ') || t('Not sold')
}

export const GroupList = ({ instances, chosen, onChoose, market }: Props) => {
  const small = useMediaQuery('(max-width: 1279px)', undefined, { getInitialValueInEffect: false }) ?? false
  const soldOf = useSold(market, !small)
  const choices = [
    ...(instances.length > 1 ? [{ value: allOf, label: t('All instances'), note: '' }] : []),
    ...instances.map(({ _id, name, area }) => ({
      value: _id,
      label: name,
      note: [area, soldOf?.(_id)].filter(Boolean).join(' · '),
    })),
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
    <div className={classes.groups}>
      <SideList title={t('Group')} count={instances.length}>
        <ul>
          {choices.map((one) => (
            <li key={one.value}>
              <button type="button" aria-current={one.value === value || undefined} onClick={() => choose(one.value)}>
                <Stack as="span" weight="medium">
                  {one.label}
                  <small>{one.note}</small>
                </Stack>
              </button>
            </li>
          ))}
        </ul>
      </SideList>
    </div>
  )
}
