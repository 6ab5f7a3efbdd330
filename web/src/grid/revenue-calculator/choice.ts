import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { isDecimal } from '@gridmast/contract/numbers.ts'
import {
  type CalculatorArea,
  type CalculatorMarket,
  calculatorAreas,
  calculatorMarkets,
} from '@gridmast/contract/choices.ts'
import { marketsOfArea } from '@gridmast/contract/grid/revenue-calculator.ts'
import { type LocalMonth, addMonths } from '@gridmast/contract/time.ts'

export const currencies = ['DKK', 'Euro'] as const
export type Currency = (typeof currencies)[number]

/** `capacity` is decimal text in MW, or the typed text when it is not a number. */
export type Choice = {
  area: CalculatorArea
  market: CalculatorMarket
  capacity: string
  currency: Currency
  startDate: LocalMonth
  endDate: LocalMonth
}

/** Specification text 1, section 9: the last six months, 1 MW, DKK; the first area of the company, if the calculator has it. */
export const initialChoice = (thisMonth: LocalMonth, areas: readonly string[]): Choice => {
  const area = calculatorAreas.find((one) => one === areas[0]) ?? 'DK1'
  const market = marketsOfArea(area)[0] ?? 'FCR'
  const endDate = addMonths(thisMonth, -1)
  return { area, market, capacity: '1', currency: 'DKK', startDate: addMonths(endDate, -5), endDate }
}

export const withArea = (choice: Choice, area: CalculatorArea): Choice => ({
  ...choice,
  area,
  market: marketsOfArea(area)[0] ?? choice.market,
})

/** The specification's labels. */
export const marketLabels: Record<CalculatorMarket, string> = {
  FCR: 'FCR',
  'FCR-D-INC': 'FCR-D-INC',
  'FCR-D-DEC': 'FCR-D-DEC',
  'FCR-D (LER)': 'FCR-D (LER)',
  'AFRR-INC': 'AFRR-INC',
  'AFRR-DEC': 'AFRR-DEC',
}

export const isMarketOf = (area: CalculatorArea, market: string): market is CalculatorMarket =>
  calculatorMarkets.some((one) => one === market) && marketsOfArea(area).some((one) => one === market)

const months = (first: LocalMonth, last: LocalMonth) =>
  (Number(last.slice(0, 4)) - Number(first.slice(0, 4))) * 12 + Number(last.slice(5)) - Number(first.slice(5)) + 1

export type ChoiceErrors = { capacity?: string; endDate?: string }

/** The call's own rules, so that no refused request is sent. */
export const errorsOf = ({ capacity, startDate, endDate }: Choice): ChoiceErrors => {
  const mw = Number(capacity)
  const capacityError =
    capacity.trim() === ''
      ? m.required
      : !isDecimal(capacity)
        ? m.number
        : mw <= 0
          ? m.positive
          : mw > 10_000
            ? m.atMost(10_000)
            : undefined
  const rangeError =
    endDate < startDate
      ? m.endBeforeStart
      : months(startDate, endDate) > limits.calculatorMonths
        ? m.tooManyMonths(limits.calculatorMonths)
        : undefined
  return {
    ...(capacityError ? { capacity: capacityError } : {}),
    ...(rangeError ? { endDate: rangeError } : {}),
  }
}
