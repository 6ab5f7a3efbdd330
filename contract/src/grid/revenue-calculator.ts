import { z } from 'zod'
import { call } from '#call.ts'
import { type CalculatorArea, calculatorAreas, type CalculatorMarket, calculatorMarkets } from '#choices.ts'
import { numberInUrl } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { decimalText, fileFormat, graph } from '#series.ts'
import { publishedSource } from '#source.ts'
import { localDate, month } from '#time.ts'

/** Names of two markets in specification 001, section 9. */
const otherNames = { FCR_D_INCREASED: 'FCR-D-INC', FCR_D_DECREASED: 'FCR-D-DEC' } as const
const signals = [...calculatorMarkets, 'FCR_D_INCREASED', 'FCR_D_DECREASED'] as const

export const calculatorMarketOf = (signal: (typeof signals)[number]): CalculatorMarket =>
  signal === 'FCR_D_INCREASED' || signal === 'FCR_D_DECREASED' ? otherNames[signal] : signal

const fcrD = ['FCR-D-INC', 'FCR-D-DEC', 'FCR-D (LER)'] as const
const afrr = ['AFRR-INC', 'AFRR-DEC'] as const

/** DK1: FCR and aFRR; DK2: FCR-D and aFRR; elsewhere FCR-D (specification text 1, section 4). */
export const marketsOfArea = (area: CalculatorArea): readonly CalculatorMarket[] => {
  if (area === 'DK1') return ['FCR', ...afrr]
  return area === 'DK2' ? [...fcrD, ...afrr] : fcrD
}

const monthsBetween = (first: string, last: string): number => {
  const [from, to] = [first, last].map((text) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)))
  return (to ?? 0) - (from ?? 0)
}

export const revenueCalculator = call({
  method: 'GET',
  path: '/client/revenue-calculator',
  summary: 'Calculate the earnings of a capacity at published prices, by month and day',
  may: 'calculator.use',
  query: z
    .strictObject({
      signal: z.enum(signals),
      area: z.enum(calculatorAreas),
      capacity: numberInUrl(z.number({ error: m.number }).gt(0, m.positive).max(10_000, m.atMost(10_000))).default(1),
      startDate: month,
      endDate: month,
      format: fileFormat.optional(),
      rows: z.enum(['months', 'days']).optional(),
    })
    .refine((query) => marketsOfArea(query.area).includes(calculatorMarketOf(query.signal)), {
      path: ['signal'],
      error: m.marketNotInArea,
    })
    .refine((query) => query.startDate <= query.endDate, { path: ['endDate'], error: m.endBeforeStart })
    .refine((query) => monthsBetween(query.startDate, query.endDate) < limits.calculatorMonths, {
      path: ['endDate'],
      error: m.tooManyMonths(limits.calculatorMonths),
    }),
  response: z.object({
    totalRevenueInDkk: decimalText,
    totalRevenueInEuro: decimalText,
    graphData: graph,
    detailedRevenue: z.array(
      z.object({
        date: localDate,
        revenueDkk: decimalText,
        revenueEuro: decimalText,
        coverage: z.number(),
      }),
    ),
    downloadData: z.array(z.object({ month, revenueDkk: decimalText, revenueEuro: decimalText, coverage: z.number() })),
    /** Percent of the hours of the range with a published price; nothing is extrapolated. */
    coverage: z.number(),
    basis: z.object({
      price: z.enum(['MW and hour', 'MW and block of 4 hours']),
      auction: z.string(),
      dkk: z.enum(['dataset', 'rate of the day', 'central rate', 'mixed']).nullable(),
      /** DKK per EUR, lowest and highest of the days that needed a rate; null when every price was published in DKK. */
      dkkPerEur: z.object({ lowest: decimalText, highest: decimalText }).nullable(),
      source: publishedSource,
    }),
  }),
})
