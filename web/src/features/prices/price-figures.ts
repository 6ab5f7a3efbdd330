import type { pricePoint } from '@gridmast/contract/prices.ts'
import { addDecimals, compareDecimals, divideDecimal } from '@gridmast/contract/numbers.ts'
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
