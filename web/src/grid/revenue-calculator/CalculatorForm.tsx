import { Button, Select } from '@mantine/core'
import { calculatorAreas } from '@gridmast/contract/choices.ts'
import { marketsOfArea } from '@gridmast/contract/grid/revenue-calculator.ts'
import { localMonthOf } from '@gridmast/contract/time.ts'
import { useRef, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { MonthField } from '#ui/date/MonthField.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { type Choice, currencies, errorsOf, marketLabels, withArea } from './choice.ts'
import { useDraft } from '#lib/url-state.ts'

type Props = { shown: Choice; onSubmit: (choice: Choice) => void }

export const CalculatorForm = ({ shown, onSubmit }: Props) => {
  const thisMonth = localMonthOf(useNow(60_000))
  const { draft: choice, change } = useDraft(shown)
  const [sent, setSent] = useState(false)
  const capacity = useRef<HTMLInputElement>(null)
  const errors = errorsOf(choice)
  const submit = () => {
    setSent(true)
    if (errors.capacity) capacity.current?.focus()
    if (Object.keys(errors).length === 0) onSubmit(choice)
  }
  return (
    <FilterRow label={t('Revenue Potential Calculator')} onSubmit={submit}>
      <Select
        label={t('Select Area')}
        w={116}
        data={calculatorAreas}
        value={choice.area}
        allowDeselect={false}
        onChange={(area) => area && change(withArea(choice, area))}
      />
      <Select
        label={t('Select Market')}
        w={160}
        data={marketsOfArea(choice.area).map((market) => ({ value: market, label: marketLabels[market] }))}
        value={choice.market}
        allowDeselect={false}
        onChange={(market) => market && change({ market })}
      />
      <DecimalField
        ref={capacity}
        label={t('Capacity (MW)')}
        w={120}
        decimals={3}
        withAsterisk
        initial={choice.capacity}
        error={sent && errors.capacity ? translateText(errors.capacity) : null}
        onChange={(decimal) => change({ capacity: decimal ?? '' })}
      />
      <Select
        label={t('Select Currency')}
        w={120}
        data={currencies.map((currency) => ({ value: currency, label: t(currency) }))}
        value={choice.currency}
        allowDeselect={false}
        onChange={(currency) => currency && change({ currency })}
      />
      <MonthField
        label={t('Start Month')}
        value={choice.startDate}
        max={thisMonth}
        onChange={(startDate) => change({ startDate })}
      />
      <MonthField
        label={t('End Month')}
        value={choice.endDate}
        max={thisMonth}
        error={errors.endDate ? translateText(errors.endDate) : null}
        onChange={(endDate) => change({ endDate })}
      />
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
