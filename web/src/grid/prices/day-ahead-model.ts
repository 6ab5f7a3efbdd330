import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type LocalDate, dayBounds } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import type { ChartModel, Gap } from '#ui/Chart/model.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { type DayAheadFigures, type PowerCost, type PriceSlot, missingSpans, slotsOf } from './day-ahead.ts'
import { missingWords } from './lateness.ts'

export type PriceDay = { date: LocalDate; answer: PowerCost | undefined; pending: boolean }

const gapsOf = (days: readonly PriceDay[], nowMs: number): Gap[] =>
  days.flatMap(({ date, answer, pending }) => {
    if (pending || !answer) return []
    const isWhole = answer.prices.length === 0
    return missingSpans(date, slotsOf(answer)).map((span) => ({
      ...span,
      words: isWhole ? missingWords(date, nowMs) : `${t('No price')} ${slotLabel(span.fromMs, span.toMs)}`,
    }))
  })

const belowZeroWords = ({ belowZero, lowest }: DayAheadFigures, isHour: boolean) =>
  t(isHour ? '{{count}} hours below zero, lowest {{lowest}}' : '{{count}} quarters below zero, lowest {{lowest}}', {
    count: belowZero,
    lowest: formatNumber(lowest.price, { decimals: 2 }),
  })

type Shown = {
  days: readonly PriceDay[]
  slots: readonly PriceSlot[]
  figures: DayAheadFigures | null
  isHour: boolean
  nowMs: number
  stale: boolean
}

/** One to three days of prices as one chart; tax stands in its tooltip and table. */
export const dayAheadModel = (shown: Shown): ChartModel | null => {
  const { days, slots, figures, isHour, nowMs, stale } = shown
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
    stale,
    gaps: slots.length === 0 ? [] : gapsOf(days, nowMs),
    ...(figures && figures.belowZero > 1 ? { lowestWords: belowZeroWords(figures, isHour) } : {}),
    ...(figures
      ? { thresholds: [{ name: t('Average'), value: Number(figures.average), plate: 'above', side: 'right' }] }
      : {}),
    ...(figures?.cheapest ? { windows: [{ ...figures.cheapest, words: t('Cheapest 4 hours') }] } : {}),
    ...(nowMs >= span.fromMs && nowMs < span.toMs ? { nowMs } : {}),
  }
}
