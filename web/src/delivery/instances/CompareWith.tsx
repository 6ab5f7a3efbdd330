import { type LocalDate, addDays } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { day } from '#lib/search-params.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { Select } from '#ui/Select.tsx'

type Props = {
  chosen: string | undefined
  onChoose: (chosen: string | undefined) => void
  /** First day of the chart. */
  first: LocalDate
  newest: LocalDate
  hasPlans: boolean
  others: readonly { _id: string; name: string }[]
}

const anotherDay = 'another-day'

/** What the charts of an instance are compared with; a load plan is offered where one applies. */
export const CompareWith = ({ chosen, onChoose, first, newest, hasPlans, others }: Props) => {
  const date = day(chosen)
  const choose = (next: string | null) => onChoose(next === anotherDay ? addDays(first, -1) : (next ?? undefined))
  return (
    <>
      <Select
        label={t('Compare with')}
        w={180}
        clearable
        placeholder={t('Nothing')}
        data={[
          { value: 'day', label: t('Previous day') },
          { value: 'week', label: t('Previous week') },
          { value: anotherDay, label: t('Another day') },
          ...(hasPlans ? [{ value: 'plan', label: t('Load plan') }] : []),
          ...others.map(({ _id, name: label }) => ({ value: _id, label })),
        ]}
        value={date ? anotherDay : (chosen ?? null)}
        onChange={choose}
      />
      {date && <DateField label={t('Compared day')} value={date} max={newest} onChange={onChoose} />}
    </>
  )
}
