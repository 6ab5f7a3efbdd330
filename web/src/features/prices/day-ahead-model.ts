import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type LocalDate, addDays, dayBounds, formatDate } from '@gridmast/contract/time.ts'
import type { TFunction } from 'i18next'
import type { ChartModel, Gap } from '#ui/Chart/model.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { type DayAheadFigures, type PowerCost, type PriceSlot, missingSpans, slotsOf } from './day-ahead.ts'

export type PriceDay = { date: LocalDate; answer: PowerCost | undefined; pending: boolean }

/** Prices of a day are published about 12:55 on the day before (SDAC publication, CET/CEST). */
const missingWords = ({ date, answer }: PriceDay, today: LocalDate, t: TFunction): string => {
  if ((answer?.prices.length ?? 0) > 0) return t('No price')
  return date > today
    ? t('Not published yet, expected {{date}} about 12:55', { date: formatDate(addDays(date, -1)) })
    : t('No prices for this day')
}

const gapsOf = (days: readonly PriceDay[], today: LocalDate, t: TFunction): Gap[] =>
  days.flatMap((day) => {
    if (day.pending || !day.answer) return []
    const words = missingWords(day, today, t)
    const isWhole = day.answer.prices.length === 0
    return missingSpans(day.date, slotsOf(day.answer)).map((span) => ({
      ...span,
      words: isWhole ? words : `${words} ${slotLabel(span.fromMs, span.toMs)}`,
    }))
  })

const belowZeroWords = ({ belowZero, lowest }: DayAheadFigures, isHour: boolean, t: TFunction) =>
  t(isHour ? '{{n}} hours below zero, lowest {{lowest}}' : '{{n}} quarters below zero, lowest {{lowest}}', {
    n: belowZero,
    lowest: formatNumber(lowest.price, { decimals: 2 }),
  })

type Shown = {
  days: readonly PriceDay[]
  slots: readonly PriceSlot[]
  figures: DayAheadFigures | null
  isHour: boolean
  nowMs: number
  today: LocalDate
}

/** One to three days of prices as one chart; tax stands in its tooltip and table. */
export const dayAheadModel = (shown: Shown, t: TFunction): ChartModel | null => {
  const { days, slots, figures, isHour, nowMs, today } = shown
  const [first, last] = [days[0], days.at(-1)]
  const answer = days.find((day) => day.answer)?.answer
  if (!first || !last || !answer) return null
  const span = { fromMs: dayBounds(first.date).fromMs, toMs: dayBounds(last.date).toMs }
  const x = slots.map(({ fromMs }) => fromMs)
  const ends = slots.map(({ toMs }) => toMs)
  const tax = Number(answer.tax) // drawn, never computed with
  const column = { unit: answer.unit, kind: 'column', colour: 1, x, ends } as const
  return {
    series: [
      { ...column, name: 'Spot', y: slots.map(({ price }) => Number(price)) },
      { ...column, name: 'Tax', drawn: false, y: slots.map(() => tax) },
      { ...column, name: 'Tax included', drawn: false, y: slots.map(({ taxIncluded }) => Number(taxIncluded)) },
    ],
    span,
    unit: answer.unit,
    decimals: 2,
    extremes: true,
    gaps: slots.length === 0 ? [] : gapsOf(days, today, t),
    ...(figures && figures.belowZero > 1 ? { lowestWords: belowZeroWords(figures, isHour, t) } : {}),
    ...(figures
      ? { thresholds: [{ name: t('Average'), value: Number(figures.average), plate: 'above', side: 'right' }] }
      : {}),
    ...(figures?.cheapest ? { windows: [{ ...figures.cheapest, words: t('Cheapest 4 hours') }] } : {}),
    ...(nowMs >= span.fromMs && nowMs < span.toMs ? { nowMs } : {}),
  }
}
