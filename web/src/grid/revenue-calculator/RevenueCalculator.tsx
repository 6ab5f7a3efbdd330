import { localMonthOf } from '@gridmast/contract/time.ts'
import { Button } from '@mantine/core'
import { calculatorAreas } from '@gridmast/contract/choices.ts'
import { marketsOfArea } from '@gridmast/contract/grid/revenue-calculator.ts'
import { useRef, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { useDraft, useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { Page } from '#ui/Page.tsx'
import { calculatorSearch } from '#grid/search.ts'
import { t, translateText } from '#lib/i18n.ts'
import { MonthField } from '#ui/date/MonthField.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { areasOf } from '#grid/areas.ts'
import { Select } from '#ui/Select.tsx'
import { type Choice, currencies, errorsOf, initialChoice, isMarketOf, marketLabels, withArea } from './choice.ts'
import { MarketFit } from './MarketFit.tsx'
import { RevenueResult } from './RevenueResult.tsx'

const RevenueCalculator = () => {
  const areas = areasOf(useUser().customerId)
  const [search, change] = useUrlState(calculatorSearch)
  const initial = initialChoice(localMonthOf(useNow(60_000)), areas)
  const area = search.area ?? initial.area
  const base = area === initial.area ? initial : withArea(initial, area)
  const choice: Choice = {
    area,
    market: search.market && isMarketOf(area, search.market) ? search.market : base.market,
    capacity: search.capacity === undefined ? initial.capacity : String(search.capacity),
    currency: search.currency ?? initial.currency,
    startDate: search.startDate ?? initial.startDate,
    endDate: search.endDate ?? initial.endDate,
  }
  const isUsable = Object.keys(errorsOf(choice)).length === 0
  const submit = (next: Choice) => {
    const capacity = Number(next.capacity)
    change({
      area: next.area === initial.area ? undefined : next.area,
      market: next.market === withArea(initial, next.area).market ? undefined : next.market,
      capacity: capacity === 1 ? undefined : capacity,
      currency: next.currency === 'Euro' ? 'Euro' : undefined,
      startDate: next.startDate === initial.startDate ? undefined : next.startDate,
      endDate: next.endDate === initial.endDate ? undefined : next.endDate,
    })
  }
  const fit = <MarketFit key={area} area={area} />
  return (
    <Page>
      <CalculatorForm key={JSON.stringify(choice)} submitted={choice} onSubmit={submit} />
      {isUsable ? <RevenueResult choice={choice} below={fit} /> : fit}
    </Page>
  )
}

type FormProps = { submitted: Choice; onSubmit: (choice: Choice) => void }

const CalculatorForm = ({ submitted, onSubmit }: FormProps) => {
  const thisMonth = localMonthOf(useNow(60_000))
  const { draft: choice, change } = useDraft(submitted)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const capacity = useRef<HTMLInputElement>(null)
  const errors = errorsOf(choice)
  const submit = () => {
    setIsSubmitted(true)
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
        error={isSubmitted && errors.capacity ? translateText(errors.capacity) : null}
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

export default RevenueCalculator
