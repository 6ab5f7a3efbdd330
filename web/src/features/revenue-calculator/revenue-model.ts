import type { Data } from '@gridmast/contract/call.ts'
import type { revenueCalculator } from '@gridmast/contract/revenue-calculator.ts'
import { monthBounds } from '@gridmast/contract/time.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
import type { Currency } from './choice.ts'

type Month = Data<typeof revenueCalculator>['downloadData'][number]

/** Months as columns in the chosen currency; the other one stands in the tooltip and the table. A month without any price has none. */
export const revenueModel = (months: readonly Month[], currency: Currency): ChartModel | null => {
  const [first, last] = [months[0], months.at(-1)]
  if (!first || !last) return emptyModel
  const column = {
    kind: 'column',
    colour: 1,
    x: months.map(({ month }) => monthBounds(month).fromMs),
    ends: months.map(({ month }) => monthBounds(month).toMs),
  } as const
  const y = (pick: (month: Month) => string) =>
    months.map((month) => (month.coverage === 0 ? null : Number(pick(month)))) // drawn, never computed with
  const dkk = { ...column, name: 'Revenue DKK', unit: 'DKK', y: y(({ revenueDkk }) => revenueDkk) }
  const euro = { ...column, name: 'Revenue Euro', unit: 'EUR', y: y(({ revenueEuro }) => revenueEuro) }
  const [main, other] = currency === 'DKK' ? [dkk, euro] : [euro, dkk]
  return {
    series: [
      main,
      { ...other, drawn: false },
      { ...column, name: 'Covered', unit: '%', drawn: false, y: months.map(({ coverage }) => coverage) },
    ],
    span: { fromMs: monthBounds(first.month).fromMs, toMs: monthBounds(last.month).toMs },
    unit: main.unit,
    decimals: 2,
    extremes: true,
    timeLabels: 'month',
  }
}

const emptyModel: ChartModel = { series: [], span: { fromMs: 0, toMs: 1 }, unit: '', decimals: 0 }
