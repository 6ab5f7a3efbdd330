import type { Data } from '@gridmast/contract/call.ts'
import type { revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { type LocalMonth, addMonths, monthBounds } from '@gridmast/contract/time.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
import type { Currency } from './choice.ts'

type Month = Data<typeof revenueCalculator>['downloadData'][number]

/** Every month of the range; `revenue` is undefined for a month without prices. */
const allMonths = (months: readonly Month[], startDate: LocalMonth, endDate: LocalMonth) => {
  const priced = new Map(months.flatMap((one) => (one.coverage === 0 ? [] : [[one.month, one]])))
  const all: { month: LocalMonth; revenue: Month | undefined }[] = []
  for (let month = startDate; month <= endDate; month = addMonths(month, 1))
    all.push({ month, revenue: priced.get(month) })
  return all
}

type Input = { currency: Currency; startDate: LocalMonth; endDate: LocalMonth; missing: string }

/** Months as columns in the chosen currency; the tooltip and the table have the other one as well. Months without any price are gaps. */
export const revenueModel = (
  months: readonly Month[],
  { currency, startDate, endDate, missing }: Input,
): ChartModel => {
  const all = allMonths(months, startDate, endDate)
  const column = {
    kind: 'column',
    colour: 1,
    x: all.map(({ month }) => monthBounds(month).fromMs),
    ends: all.map(({ month }) => monthBounds(month).toMs),
  } as const
  const y = (pick: (month: Month) => string | number) =>
    all.map(({ revenue }) => (revenue ? Number(pick(revenue)) : null)) // drawn, never calculated with
  const dkk = { ...column, name: 'Revenue DKK', unit: 'DKK', y: y(({ revenueDkk }) => revenueDkk) }
  const euro = { ...column, name: 'Revenue Euro', unit: 'EUR', y: y(({ revenueEuro }) => revenueEuro) }
  const [main, other] = currency === 'DKK' ? [dkk, euro] : [euro, dkk]
  const isEmpty = all.every(({ revenue }) => !revenue)
  return {
    series: [
      main,
      { ...other, drawn: false },
      { ...column, name: 'Covered', unit: '%', drawn: false, y: y(({ coverage }) => coverage) },
    ],
    span: { fromMs: monthBounds(startDate).fromMs, toMs: monthBounds(endDate).toMs },
    unit: main.unit,
    decimals: 2,
    extremes: true,
    timeLabels: 'month',
    gaps: isEmpty
      ? []
      : all.flatMap(({ month, revenue }) => (revenue ? [] : [{ ...monthBounds(month), words: missing }])),
  }
}
