import { roundDecimal } from '@gridmast/contract/numbers.ts'
import { calculatorMarketOf, revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { monthBounds } from '@gridmast/contract/time.ts'
import { getSourceOfPrices } from '#grid/published/sources.ts'
import { route } from '#context.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'
import { findRevenueOfDays } from './queries.ts'
import {
  coverageOf,
  dayHours,
  dkkBasisOf,
  hoursOf,
  monthHours,
  monthsBetween,
  monthsOf,
  ratesOf,
  sumOf,
  type Revenue,
  soldAs,
} from './revenue.ts'

const roundedOf = ({ dkk, eur }: Pick<Revenue, 'dkk' | 'eur'>) => ({
  revenueDkk: roundDecimal(dkk, 2),
  revenueEuro: roundDecimal(eur, 2),
})

const revenueColumns: Column<ReturnType<typeof roundedOf> & { coverage: number }>[] = [
  column.number('Revenue (DKK)', 2, (row) => row.revenueDkk),
  column.number('Revenue (EUR)', 2, (row) => row.revenueEuro),
  column.decimal('Coverage (%)', (row) => row.coverage, '0.00'),
]

const calculator = route(revenueCalculator, async ({ own, query }) => {
  const { area, capacity, startDate, endDate } = query
  const signal = calculatorMarketOf(query.signal)
  const span = { fromMs: monthBounds(startDate).fromMs, toMs: monthBounds(endDate).toMs }
  const sold = soldAs(signal)
  const { days, source } = await own(async (tx) => ({
    days: await findRevenueOfDays(tx, sold, area, span, String(capacity)),
    source: await getSourceOfPrices(tx, sold.markets[0], area, span),
  }))
  const total = sumOf(days)
  const months = monthsOf(days)
  const detailedRevenue = days.map((one) => ({
    date: one.day,
    ...roundedOf(one),
    coverage: coverageOf(one.hours, dayHours(one.day)),
  }))
  const basis = {
    price: sold.perBlock ? ('MW and block of 4 hours' as const) : ('MW and hour' as const),
    auction: sold.auction || 'one auction',
    dkk: dkkBasisOf(days),
    dkkPerEur: ratesOf(days),
    source,
  }
  const downloadData = months.map((one) => ({
    month: one.month,
    ...roundedOf(one),
    coverage: coverageOf(one.hours, monthHours(one.month)),
  }))
  if (query.format) {
    const name = {
      fileName: `Revenue potential ${signal} ${area} ${capacity} MW ${fileDays(startDate, endDate)}`,
      sheet: 'Revenue',
      about: {
        Market: signal,
        Area: area,
        'Capacity (MW)': String(capacity),
        'Price per': basis.price,
        Auction: basis.auction,
        'DKK per EUR': [...new Set(Object.values(basis.dkkPerEur ?? {}))].join(' to '),
        Source: sourceLine(source),
      },
    }
    return {
      file:
        query.rows === 'days'
          ? tableFile(
              name,
              [column.day<{ date: string }>('Date', ({ date }) => date), ...revenueColumns],
              detailedRevenue,
            )
          : tableFile(
              name,
              [column.month<{ month: string }>('Month', ({ month }) => month), ...revenueColumns],
              downloadData,
            ),
    }
  }
  const axis = monthsBetween(startDate, endDate)
  const byMonth = new Map(downloadData.map((one) => [one.month, one]))
  const series = (unit: 'DKK' | 'EUR', key: 'revenueDkk' | 'revenueEuro') => ({
    name: `Revenue (${unit})`,
    unit,
    kind: 'column' as const,
    x: axis.map((month) => monthBounds(month).fromMs),
    y: axis.map((month) => {
      const revenue = byMonth.get(month)
      return revenue ? Number(revenue[key]) : null // only drawn, never used in calculations
    }),
  })
  const { revenueDkk, revenueEuro } = roundedOf(total)
  return {
    totalRevenueInDkk: revenueDkk,
    totalRevenueInEuro: revenueEuro,
    graphData: [series('DKK', 'revenueDkk'), series('EUR', 'revenueEuro')],
    detailedRevenue,
    downloadData,
    coverage: coverageOf(total.hours, hoursOf(span)),
    basis,
  }
})

export const revenueCalculators = [calculator]
