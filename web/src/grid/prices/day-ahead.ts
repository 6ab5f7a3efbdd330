import type { Data } from '@gridmast/contract/call.ts'
import { compareDecimals, divideDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import type { powerCost } from '@gridmast/contract/grid/prices.ts'
import { type LocalDate, type Span, dayBounds, hourMs, localTime, quarterMs } from '@gridmast/contract/time.ts'

export type PowerCost = Data<typeof powerCost>
/** One published price, as it is drawn. */
export type PriceSlot = Span & { price: string; taxIncluded: string }

export const slotsOf = (answer: PowerCost | undefined): PriceSlot[] =>
  (answer?.prices ?? []).map(({ start_time, end_time, price, priceTaxIncluded }) => ({
    fromMs: Date.parse(start_time),
    toMs: Date.parse(end_time),
    price,
    taxIncluded: priceTaxIncluded,
  }))

const windowQuarters = (4 * hourMs) / quarterMs

type Quarter = { ms: number; price: string }

/** Prices of an hour stand for each of its quarters, so that days before and after the change to quarters add up. */
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

/** Quarters that are not over; all of them where none is left. */
const fromNow = (quarters: readonly Quarter[], nowMs: number): readonly Quarter[] => {
  const ahead = quarters.filter(({ ms }) => ms + quarterMs > nowMs)
  return ahead.length > 0 ? ahead : quarters
}

/** The figures over the chart; exact decimals. The cheapest hours are those from now on, of a day that is over those of all of it. Null when nothing is published. */
export const dayAheadFigures = (slots: readonly PriceSlot[], nowMs = -Infinity) => {
  const [lowest, highest] = [pick(slots, -1), pick(slots, 1)]
  if (!lowest || !highest) return null
  const quarters = quartersOf(slots)
  return {
    average: mean(quarters),
    lowest,
    highest,
    cheapest: cheapestWindow(fromNow(quarters, nowMs)),
    spread: subtractDecimals(highest.price, lowest.price),
    belowZero: slots.filter(({ price }) => compareDecimals(price, '0') < 0).length,
  }
}
export type DayAheadFigures = NonNullable<ReturnType<typeof dayAheadFigures>>

export const bands = [
  { title: 'Night', from: 0, to: 6 },
  { title: 'Morning', from: 6, to: 12 },
  { title: 'Afternoon', from: 12, to: 18 },
  { title: 'Evening', from: 18, to: 24 },
] as const

/** Average, lowest and highest of the hours on the wall from `from` to `to`, over all days. */
export const bandFigures = (slots: readonly PriceSlot[], { from, to }: { from: number; to: number }) => {
  const own = slots.filter(({ fromMs }) => {
    const hour = Number(localTime(fromMs).slice(0, 2))
    return hour >= from && hour < to
  })
  const [lowest, highest] = [pick(own, -1), pick(own, 1)]
  return lowest && highest ? { average: mean(quartersOf(own)), lowest: lowest.price, highest: highest.price } : null
}

/** Parts of a day without a price; the whole day when nothing is published. */
export const missingSpans = (date: LocalDate, slots: readonly PriceSlot[]): Span[] => {
  const day = dayBounds(date)
  const found: Span[] = []
  let knownTo = day.fromMs
  for (const { fromMs, toMs } of slots) {
    if (fromMs > knownTo) found.push({ fromMs: knownTo, toMs: fromMs })
    knownTo = Math.max(knownTo, toMs)
  }
  if (knownTo < day.toMs) found.push({ fromMs: knownTo, toMs: day.toMs })
  return found
}
