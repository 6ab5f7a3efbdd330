import { roundDecimal } from '@gridmast/contract/numbers.ts'
import { calculatorMarketOf, revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { monthBounds } from '@gridmast/contract/time.ts'
import { getSourceOfPrices } from '#grid/published/sources.ts'
import { route } from '#context.ts'
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

/** To the cent, halves away from zero, as a settlement is. */
const shown = ({ dkk, eur }: Pick<Revenue, 'dkk' | 'eur'>) => ({
  revenueDkk: roundDecimal(dkk, 2),
  revenueEuro: roundDecimal(eur, 2),
})

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
    ...shown(one),
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
    ...shown(one),
    coverage: coverageOf(one.hours, monthHours(one.month)),
  }))
  if (query.format) {
    const fileName = `Revenue potential ${signal} ${area} ${capacity} MW ${startDate} to ${endDate}`
    const rows =
      query.rows === 'days'
        ? detailedRevenue.map(({ date, ...rest }) => ({ of: date, ...rest }))
        : downloadData.map(({ month, ...rest }) => ({ of: month, ...rest }))
    return {
      file: {
        fileName,
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
        columns: [
          query.rows === 'days' ? { header: 'Date', holds: 'days' } : { header: 'Month', holds: 'months' },
          { header: 'Revenue (DKK)', numberFormat: '#,##0.00' },
          { header: 'Revenue (EUR)', numberFormat: '#,##0.00' },
          { header: 'Coverage (%)', numberFormat: '0.00' },
        ],
        // A spreadsheet holds binary numbers; nothing is computed from these.
        rows: rows.map((row) => [row.of, Number(row.revenueDkk), Number(row.revenueEuro), row.coverage]),
      },
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
      const found = byMonth.get(month)
      return found ? Number(found[key]) : null // drawn, never computed with
    }),
  })
  const { revenueDkk, revenueEuro } = shown(total)
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
