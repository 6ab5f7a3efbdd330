import { isDecimal } from '@gridmast/contract/numbers.ts'
import type { PublishedSource } from '@gridmast/contract/source.ts'
import { hourMs, localDateOf, localTime, quarterMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'

/**
 * Cost of energy: kWh × (spot + tariff + tax), exact. Energy is whole Wh, a price whole millionths of a DKK/MWh, an amount whole 10⁻¹⁴ DKK, so
 * nothing is rounded before it is shown. Rules and a worked example: cost-of-energy.md.
 */

export type Energy = Span & { wh: number | null }

/** A price in millionths of a DKK/MWh and its source; undefined outside its validity. */
export type Rate = { at: (quarterMs: number) => bigint | undefined; source: PublishedSource }

/** `tariff` is null where none was chosen: the tax then covers everything besides the spot price. */
export type Rates = { spot: Rate; tariff: Rate | null; tax: bigint }

/** Amounts in 10⁻¹⁴ DKK. */
export type Cost = Record<'spot' | 'tariff' | 'tax', bigint>

export type Unknown = 'reading' | 'spot' | 'tariff'

const amountDecimals = 14
const priceDecimals = 6

/** Exact decimal text as a whole number of its last place; further digits are a RangeError, not a rounding. */
const whole = (text: string, decimals: number): bigint => {
  if (!isDecimal(text)) throw new RangeError(`not a decimal: ${text}`)
  const [units = '', fraction = ''] = text.split('.')
  const rest = fraction.replace(/0+$/, '')
  if (rest.length > decimals) throw new RangeError(`more than ${decimals} decimals: ${text}`)
  return BigInt(units + rest.padEnd(decimals, '0'))
}

export const priceOf = (dkkPerMwh: string): bigint => whole(dkkPerMwh, priceDecimals)

/** Exact text of a whole number of 10^-decimals, rounded half away from zero to `shownPlaces` if set. */
const textOf = (value: bigint, decimals: number, shownPlaces?: number): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const cut = (text: string, places: number) => (places > 0 ? `${text.slice(0, -places)}.${text.slice(-places)}` : text)
  const sign = (text: string) => (value < 0n && /[1-9]/.test(text) ? `-${text}` : text)
  if (shownPlaces === undefined) return sign(cut(digits, decimals).replace(/\.?0+$/, ''))
  const step = 10n ** BigInt(decimals - shownPlaces)
  const rounded = (BigInt(digits) + step / 2n) / step
  return sign(cut(rounded.toString().padStart(shownPlaces + 1, '0'), shownPlaces))
}

export const dkkOf = (amount: bigint, decimals?: number): string => textOf(amount, amountDecimals, decimals)

export const dkkPerMwhOf = (price: bigint): string => textOf(price, priceDecimals + 2)

export const spotRate = (
  prices: Iterable<{ fromMs: number; toMs: number; dkkPerMwh: string }>,
  source: PublishedSource,
): Rate => {
  const byQuarter = new Map<number, bigint>()
  for (const { fromMs, toMs, dkkPerMwh } of prices) {
    const price = priceOf(dkkPerMwh)
    for (let at = fromMs; at < toMs; at += quarterMs) byQuarter.set(at, price)
  }
  return { at: (ms) => byQuarter.get(ms), source }
}

/** One validity of a tariff: DKK/kWh of the 24 local hours, on local days [validFrom, validTo). */
type TariffValidity = { validFrom: LocalDate; validTo: LocalDate | null; dkkPerKwh: readonly string[] }

/** Where two validities overlap the later one applies (DatahubPricelist); October's repeated hour costs the same both times. */
export const tariffRate = (validities: readonly TariffValidity[], source: PublishedSource): Rate => {
  const latestFirst = validities
    .toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
    .map((one) => ({ ...one, prices: one.dkkPerKwh.map((price) => whole(price, priceDecimals) * 1000n) }))
  // A tariff is constant within a local hour: the last lookup is reused for its other quarters (2.1 µs -> 0.05 µs each).
  let last: { hour: number; price: bigint | undefined } = { hour: NaN, price: undefined }
  return {
    source,
    at: (ms) => {
      const hour = Math.floor(ms / hourMs)
      if (last.hour === hour) return last.price
      const date = localDateOf(ms)
      const valid = latestFirst.find(
        ({ validFrom, validTo }) => validFrom <= date && (validTo === null || date < validTo),
      )
      last = { hour, price: valid?.prices[Number(localTime(ms).slice(0, 2))] }
      return last.price
    },
  }
}

const sumOver = (rate: Rate, { fromMs, toMs }: Span): bigint | undefined => {
  let sum = 0n
  for (let at = fromMs; at < toMs; at += quarterMs) {
    const price = rate.at(at)
    if (price === undefined) return undefined
    sum += price
  }
  return sum
}

/** Factor that turns the sum over one quarter, or over four of which the mean counts, into 8 decimals of a DKK/MWh. */
const toMean = ({ fromMs, toMs }: Span): bigint => {
  const lengthMs = toMs - fromMs
  if (lengthMs !== quarterMs && lengthMs !== hourMs)
    throw new RangeError(`neither a quarter nor an hour: ${lengthMs} ms`)
  return lengthMs === quarterMs ? 100n : 25n
}

export const pricesOf = (span: Span, rates: Rates): Cost | Exclude<Unknown, 'reading'> => {
  const mean = toMean(span)
  const spot = sumOver(rates.spot, span)
  if (spot === undefined) return 'spot'
  const tariff = rates.tariff ? sumOver(rates.tariff, span) : 0n
  if (tariff === undefined) return 'tariff'
  return { spot: spot * mean, tariff: tariff * mean, tax: rates.tax * 100n }
}

export const costOf = (energy: Energy, rates: Rates): Cost | Unknown => {
  if (energy.wh === null) return 'reading'
  const prices = pricesOf(energy, rates)
  if (typeof prices === 'string') return prices
  const wh = BigInt(energy.wh)
  return { spot: prices.spot * wh, tariff: prices.tariff * wh, tax: prices.tax * wh }
}

export const noCost: Cost = { spot: 0n, tariff: 0n, tax: 0n }

export const addCost = (a: Cost, b: Cost): Cost => ({
  spot: a.spot + b.spot,
  tariff: a.tariff + b.tariff,
  tax: a.tax + b.tax,
})

export const totalOf = (cost: Cost): bigint => cost.spot + cost.tariff + cost.tax
