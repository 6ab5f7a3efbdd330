import type { Data } from '@gridmast/contract/call.ts'
import type { revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { type LocalMonth, addMonths, monthBounds } from '@gridmast/contract/time.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
import type { Currency } from './choice.ts'

type Month = Data<typeof revenueCalculator>['downloadData'][number]

/** Every month from the first to the last asked for; one without any price is null. */
const allMonths = (months: readonly Month[], startDate: LocalMonth, endDate: LocalMonth) => {
  const known = new Map(months.flatMap((one) => (one.coverage === 0 ? [] : [[one.month, one]])))
  const all: { month: LocalMonth; known: Month | undefined }[] = []
  for (let month = startDate; month <= endDate; month = addMonths(month, 1))
    all.push({ month, known: known.get(month) })
  return all
}

type Asked = { currency: Currency; startDate: LocalMonth; endDate: LocalMonth; missing: string }

/** Months as columns in the chosen currency; the other one stands in the tooltip and the table. Months without any price are gaps. */
export const revenueModel = (
  months: readonly Month[],
  { currency, startDate, endDate, missing }: Asked,
): ChartModel => {
  const all = allMonths(months, startDate, endDate)
  const column = {
    kind: 'column',
    colour: 1,
    x: all.map(({ month }) => monthBounds(month).fromMs),
    ends: all.map(({ month }) => monthBounds(month).toMs),
  } as const
  const y = (pick: (month: Month) => string | number) => all.map(({ known }) => (known ? Number(pick(known)) : null)) // drawn, never computed with
  const dkk = { ...column, name: 'Revenue DKK', unit: 'DKK', y: y(({ revenueDkk }) => revenueDkk) }
  const euro = { ...column, name: 'Revenue Euro', unit: 'EUR', y: y(({ revenueEuro }) => revenueEuro) }
  const [main, other] = currency === 'DKK' ? [dkk, euro] : [euro, dkk]
  const isEmpty = all.every(({ known }) => !known)
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
    gaps: isEmpty ? [] : all.flatMap(({ month, known }) => (known ? [] : [{ ...monthBounds(month), words: missing }])),
  }
}
