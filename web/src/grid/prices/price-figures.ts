import type { pricePoint } from '@gridmast/contract/grid/prices.ts'
import { addDecimals, compareDecimals, divideDecimal } from '@gridmast/contract/numbers.ts'
import { slotHoursOf } from '@gridmast/contract/grid/price-signals.ts'
import { slots } from '@gridmast/contract/slots.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import type { z } from 'zod'

export type PricePoint = z.infer<typeof pricePoint>
export type PriceFigures = { now: PricePoint | null; lowest: PricePoint; highest: PricePoint; average: string }

/** The figures over the price chart; exact decimals, never binary floats. Null when nothing is published. */
export const priceFigures = (prices: readonly PricePoint[], nowMs: number): PriceFigures | null => {
  const [first, ...rest] = prices
  if (!first) return null
  const pick = (sign: 1 | -1) =>
    rest.reduce((best, one) => (compareDecimals(one.price, best.price) * sign > 0 ? one : best), first)
  return {
    now: prices.find((one) => Date.parse(one.start_time) <= nowMs && nowMs < Date.parse(one.end_time)) ?? null,
    lowest: pick(-1),
    highest: pick(1),
    average: divideDecimal(addDecimals(...prices.map((one) => one.price)), prices.length, 2),
  }
}

type Hour = { start_time: string; end_time: string; price: string; priceEur: string | null; volumeMw: string | null }

/** A market sold in blocks of 4 hours has one price a block, published once for each hour of it: one column, counted once. */
export const inBlocks = <P extends Hour>({ market, prices }: { market: string; prices: P[] }, date: LocalDate): P[] => {
  if (slotHoursOf(market) === 1) return prices
  return slots('block', date).flatMap(({ fromMs, toMs }) => {
    const hours = prices.filter(({ start_time }) => Date.parse(start_time) >= fromMs && Date.parse(start_time) < toMs)
    const [first, last] = [hours[0], hours.at(-1)]
    const isOnePrice = (one: P) => one.price === first?.price && one.priceEur === first.priceEur
    return first && last && hours.every(isOnePrice) ? [{ ...first, end_time: last.end_time }] : hours
  })
}
