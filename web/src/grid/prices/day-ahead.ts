import type { Data } from '@gridmast/contract/call.ts'
import { compareDecimals, divideDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import type { powerCost } from '@gridmast/contract/grid/prices.ts'
import { type LocalDate, type Span, dayBounds, hourMs, localTime, quarterMs } from '@gridmast/contract/time.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import type { ChartModel, Gap } from '#ui/Chart/model.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { missingWords } from './price-figures.ts'

export type PowerCost = Data<typeof powerCost>
export type PriceSlot = Span & { price: string }

export const slotsOf = (prices: readonly { start_time: string; end_time: string; price: string }[]): PriceSlot[] =>
  prices.map(({ start_time, end_time, price }) => ({
    fromMs: Date.parse(start_time),
    toMs: Date.parse(end_time),
    price,
  }))

const windowQuarters = (4 * hourMs) / quarterMs

type Quarter = { ms: number; price: string }

/** A price of an hour counts for each of its quarters, so that days before and after the change to quarters add up. */
const quartersOf = (slots: readonly PriceSlot[]): Quarter[] =>
  slots.flatMap(({ fromMs, toMs, price }) =>
    Array.from({ length: Math.round((toMs - fromMs) / quarterMs) }, (_, i) => ({ ms: fromMs + i * quarterMs, price })),
  )

const sum = (quarters: readonly Quarter[]) => sumDecimals(quarters.map(({ price }) => price))
const mean = (quarters: readonly Quarter[]) => divideDecimal(sum(quarters), quarters.length, 2)

/** The four hours in a row that cost least; the earliest of equal ones. Null when no four hours are published in a row. */
const cheapestWindow = (quarters: readonly Quarter[]): (Span & { average: string }) | null => {
  let best: { ms: number; total: string } | null = null
  for (let i = 0; i + windowQuarters <= quarters.length; i++) {
    const window = quarters.slice(i, i + windowQuarters)
    const [first, last] = [window[0], window.at(-1)]
    if (!first || !last || last.ms - first.ms !== 4 * hourMs - quarterMs) continue
    const total = sum(window)
    if (!best || compareDecimals(total, best.total) < 0) best = { ms: first.ms, total }
  }
  return best && { fromMs: best.ms, toMs: best.ms + 4 * hourMs, average: divideDecimal(best.total, windowQuarters, 2) }
}

const pick = (slots: readonly PriceSlot[], sign: 1 | -1): PriceSlot | null =>
  slots.reduce<PriceSlot | null>(
    (best, one) => (best && compareDecimals(one.price, best.price) * sign <= 0 ? best : one),
    null,
  )

/** Quarters that are not over; all of them on a day that is over. */
const fromNow = (quarters: readonly Quarter[], nowMs: number): readonly Quarter[] => {
  const ahead = quarters.filter(({ ms }) => ms + quarterMs > nowMs)
  return ahead.length > 0 ? ahead : quarters
}

/** Figures above a chart, in exact decimals. Null without published prices. */
export const slotFigures = (slots: readonly PriceSlot[]) => {
  const [lowest, highest] = [pick(slots, -1), pick(slots, 1)]
  return lowest && highest && { average: mean(quartersOf(slots)), lowest, highest }
}

/** The cheapest hours are in the future, or anywhere in a past day. */
export const dayAheadFigures = (slots: readonly PriceSlot[], nowMs = -Infinity) => {
  const figures = slotFigures(slots)
  return (
    figures && {
      ...figures,
      cheapest: cheapestWindow(fromNow(quartersOf(slots), nowMs)),
      spread: subtractDecimals(figures.highest.price, figures.lowest.price),
      belowZero: slots.filter(({ price }) => compareDecimals(price, '0') < 0).length,
    }
  )
}
export type DayAheadFigures = NonNullable<ReturnType<typeof dayAheadFigures>>

export const bands = [
  { title: 'Night', from: 0, to: 6 },
  { title: 'Morning', from: 6, to: 12 },
  { title: 'Afternoon', from: 12, to: 18 },
  { title: 'Evening', from: 18, to: 24 },
] as const

/** Average, lowest and highest price between the local hours `from` and `to`, over all days. */
export const bandFigures = (slots: readonly PriceSlot[], { from, to }: { from: number; to: number }) => {
  const ofBand = slots.filter(({ fromMs }) => {
    const hour = Number(localTime(fromMs).slice(0, 2))
    return hour >= from && hour < to
  })
  const [lowest, highest] = [pick(ofBand, -1), pick(ofBand, 1)]
  return lowest && highest ? { average: mean(quartersOf(ofBand)), lowest: lowest.price, highest: highest.price } : null
}

/** Parts of a window without a price; the whole window when no price is published. */
export const missingSpans = (span: Span, slots: readonly PriceSlot[]): Span[] => {
  const missing: Span[] = []
  let pricedToMs = span.fromMs
  for (const { fromMs, toMs } of slots) {
    if (fromMs > pricedToMs) missing.push({ fromMs: pricedToMs, toMs: fromMs })
    pricedToMs = Math.max(pricedToMs, toMs)
  }
  if (pricedToMs < span.toMs) missing.push({ fromMs: pricedToMs, toMs: span.toMs })
  return missing
}

export type PriceDay = { date: LocalDate; answer: PowerCost | undefined; pending: boolean }

const gapsOf = (days: readonly PriceDay[], nowMs: number): Gap[] =>
  days.flatMap(({ date, answer, pending }) => {
    if (pending || !answer) return []
    const isWhole = answer.prices.length === 0
    return missingSpans(dayBounds(date), slotsOf(answer.prices)).map((span) => ({
      ...span,
      words: isWhole ? missingWords(date, nowMs) : `${t('No price')} ${slotLabel(span.fromMs, span.toMs)}`,
    }))
  })

const belowZeroWords = ({ belowZero, lowest }: DayAheadFigures, isHour: boolean) =>
  t(isHour ? '{{count}} hours below zero, lowest {{lowest}}' : '{{count}} quarters below zero, lowest {{lowest}}', {
    count: belowZero,
    lowest: digits.price(lowest.price),
  })

type Input = {
  days: readonly PriceDay[]
  slots: readonly PriceSlot[]
  figures: DayAheadFigures | null
  isHour: boolean
  nowMs: number
  stale: boolean
}

/** One to three days of prices as one chart; the tooltip and the table have the tax as well. */
export const dayAheadModel = ({ days, slots, figures, isHour, nowMs, stale }: Input): ChartModel | null => {
  const [first, last] = [days[0], days.at(-1)]
  const answer = days.find((day) => day.answer)?.answer
  if (!first || !last || !answer) return null
  const span = { fromMs: dayBounds(first.date).fromMs, toMs: dayBounds(last.date).toMs }
  const x = slots.map(({ fromMs }) => fromMs)
  const ends = slots.map(({ toMs }) => toMs)
  // For drawing only, not for calculations.
  const tax = Number(answer.tax)
  const taxIncluded = days.flatMap((day) => (day.answer?.prices ?? []).map((row) => Number(row.priceTaxIncluded)))
  const column = { unit: answer.unit, kind: 'column', colour: 1, x, ends } as const
  return {
    series: [
      { ...column, name: 'Spot', y: slots.map(({ price }) => Number(price)) },
      { ...column, name: 'Tax', drawn: false, y: slots.map(() => tax) },
      { ...column, name: 'Tax included', drawn: false, y: taxIncluded },
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
