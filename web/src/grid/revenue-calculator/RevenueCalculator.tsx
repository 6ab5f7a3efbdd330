import { localMonthOf } from '@gridmast/contract/time.ts'
import { CalculatorForm } from './CalculatorForm.tsx'
import { type Choice, errorsOf, isMarketOf, usualChoice, withArea } from './choice.ts'
import { MarketFit } from './MarketFit.tsx'
import { RevenueResult } from './RevenueResult.tsx'
import { useNow } from '#lib/clock.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { Page } from '#ui/Page.tsx'
import { calculatorSearch } from './search.ts'

const RevenueCalculator = () => {
  const { areas } = useUser().customerId
  const [search, change] = useUrlState(calculatorSearch)
  const usual = usualChoice(localMonthOf(useNow(60_000)), areas)
  const area = search.area ?? usual.area
  const base = area === usual.area ? usual : withArea(usual, area)
  const choice: Choice = {
    area,
    market: search.market && isMarketOf(area, search.market) ? search.market : base.market,
    capacity: search.capacity === undefined ? usual.capacity : String(search.capacity),
    currency: search.currency ?? usual.currency,
    startDate: search.startDate ?? usual.startDate,
    endDate: search.endDate ?? usual.endDate,
  }
  const isUsable = Object.keys(errorsOf(choice)).length === 0
  const submit = (next: Choice) => {
    const capacity = Number(next.capacity)
    change({
      area: next.area === usual.area ? undefined : next.area,
      market: next.market === withArea(usual, next.area).market ? undefined : next.market,
      capacity: capacity === 1 ? undefined : capacity,
      currency: next.currency === 'Euro' ? 'Euro' : undefined,
      startDate: next.startDate === usual.startDate ? undefined : next.startDate,
      endDate: next.endDate === usual.endDate ? undefined : next.endDate,
    })
  }
  const fit = <MarketFit key={area} area={area} />
  return (
    <Page>
      <CalculatorForm key={JSON.stringify(choice)} shown={choice} onSubmit={submit} />
      {isUsable ? <RevenueResult choice={choice} below={fit} /> : fit}
    </Page>
  )
}

export default RevenueCalculator
