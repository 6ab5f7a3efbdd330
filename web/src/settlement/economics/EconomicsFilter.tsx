import { Button } from '@mantine/core'
import type { LocalDate } from '@gridmast/contract/time.ts'
import type { ReactNode } from 'react'
import { useDraft } from '#lib/url-state.ts'
import { t } from '#lib/i18n.ts'
import { RangeField } from '#ui/date/RangeField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { daysOf } from './money.ts'
import { OwnerSelects } from './OwnerSelects.tsx'
import type { EconomicsSearch } from './search.ts'

type Props = {
  search: EconomicsSearch
  now: LocalDate
  onSubmit: (part: Partial<EconomicsSearch>) => void
  actions: ReactNode
}

/** What is looked at: nothing is asked before Submit. */
export const EconomicsFilter = ({ search, now, onSubmit, actions }: Props) => {
  const { draft, change } = useDraft(search)
  const { licenseId, instanceId } = draft
  const days = daysOf(draft, now)
  const submit = () => {
    const usual = daysOf({}, now)
    const isUsual = days.start === usual.start && days.end === usual.end
    onSubmit({
      licenseId,
      instanceId,
      page: undefined,
      ...(isUsual ? { startDate: undefined, endDate: undefined } : { startDate: days.start, endDate: days.end }),
    })
  }
  const chosen = [search.licenseId, search.instanceId, search.startDate ?? search.endDate].filter(Boolean).length
  return (
    <FilterRow label={t('Filter of the settlements')} actions={actions} onSubmit={submit} chosen={chosen}>
      <OwnerSelects licenseId={licenseId} instanceId={instanceId} onChange={change} />
      <div data-day>
        <RangeField
          label={t('Start and end date')}
          value={days}
          onChange={({ start, end }) => change({ startDate: start, endDate: end })}
        />
      </div>
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
