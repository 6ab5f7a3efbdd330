import type { pricePoint } from '@gridmast/contract/grid/prices.ts'
import { addDecimals, compareDecimals, divideDecimal } from '@gridmast/contract/numbers.ts'
import { slotHoursOf } from '@gridmast/contract/grid/price-signals.ts'
import { slotsIn } from '@gridmast/contract/slots.ts'
import {
  type LocalDate,
  type Span,
  addDays,
  atLocalTime,
  formatDate,
  hourMs,
  localDateOf,
  minuteMs,
} from '@gridmast/contract/time.ts'
import type { z } from 'zod'
import { t } from '#lib/i18n.ts'

export type PricePoint = z.infer<typeof pricePoint>
type PriceFigures = { now: PricePoint | null; lowest: PricePoint; highest: PricePoint; average: string }

/** Exact decimals; null without published prices. */
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

/** A market with 4-hour blocks publishes the block's price in each hour: one column, counted once. */
export const inBlocks = <P extends Hour>({ market, prices }: { market: string; prices: P[] }, span: Span): P[] => {
  if (slotHoursOf(market) === 1) return prices
  const starts = prices.map(({ start_time }) => Date.parse(start_time))
  return slotsIn('block', span).flatMap(({ fromMs, toMs }) => {
    const hours = prices.filter((_, i) => (starts[i] ?? 0) >= fromMs && (starts[i] ?? 0) < toMs)
    const [first, last] = [hours[0], hours.at(-1)]
    const isOnePrice = (one: P) => one.price === first?.price && one.priceEur === first.priceEur
    return first && last && hours.every(isOnePrice) ? [{ ...first, end_time: last.end_time }] : hours
  })
}

/** Prices of a day are published about 12:55 on the day before (SDAC publication, CET/CEST). */
export const publishedAt = '12:55'
const graceMs = 30 * minuteMs

/** Prices of a day are at most a day and a half old when it ends; older ones mean that the source is silent. */
export const silentMs = 36 * hourMs

export const isLate = (date: LocalDate, nowMs: number): boolean =>
  nowMs > atLocalTime(addDays(date, -1), publishedAt) + graceMs

/** Reason for a day without prices: not published yet, late, or past. */
export const missingWords = (date: LocalDate, nowMs: number): string => {
  if (date < localDateOf(nowMs)) return t('No prices for this day')
  const values = { date: formatDate(addDays(date, -1)), time: publishedAt }
  return isLate(date, nowMs)
    ? t('Late, expected {{date}} around {{time}}', values)
    : t('Not published yet, expected {{date}} around {{time}}', values)
}

/** Only days that are not over can be stale: the prices of a past day are final. */
export const canBeStale = (date: LocalDate, nowMs: number): boolean => date >= localDateOf(nowMs)
