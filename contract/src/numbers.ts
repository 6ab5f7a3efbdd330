import { Big } from 'big.js'

/**
 * Numbers as Danish readers expect them (`1.234,500`), and exact decimals carried as text.
 * On screen the minus is U+2212 and an unknown number is an en dash, never 0.
 */
export const unknownText = '–'

type Digits = { decimals?: number; minDecimals?: number }
type Format = Digits & { unit?: string }

const formats = new Map<string, Intl.NumberFormat>()

const danish = ({ decimals = 3, minDecimals = decimals }: Digits): Intl.NumberFormat => {
  const key = `${minDecimals}/${decimals}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat('da-DK', {
    minimumFractionDigits: Math.min(minDecimals, decimals),
    maximumFractionDigits: decimals,
    roundingMode: 'halfExpand',
  })
  formats.set(key, format)
  return format
}

/**
 * `1234.5678` -> `1.234,568`. Takes a number or exact decimal text (which is rounded without passing through a float).
 * `decimals` is 0 to 20, default 3; `minDecimals` less than that drops trailing zeros; `unit` follows after a space.
 * Null, undefined, NaN and infinities give `–`, without a unit.
 */
export const formatNumber = (value: number | string | null | undefined, { unit, ...digits }: Format = {}): string => {
  if (value === null || value === undefined) return unknownText
  if (typeof value === 'number' ? !Number.isFinite(value) : !isDecimal(value)) return unknownText
  // Intl takes decimal text as the exact number it spells; the type wants to see a literal.
  const text = danish(digits).format(value as number)
  const isZero = !/[1-9]/.test(text)
  const signed = isZero ? text.replace('-', '') : text.replace('-', '\u2212')
  return unit ? `${signed} ${unit}` : signed
}

/**
 * What a person typed, as exact decimal text: `1.234,5`, `1234,5`, `-3`, `−3` and `0.5` -> `1234.5`, `1234.5`, `-3`, `-3`, `0.5`.
 * A dot is a thousands separator only where a comma follows or it makes groups of three twice (`1.234.567`); so `1.234` is 1,234.
 * Null when it is not a number.
 */
export const parseNumber = (typed: string): string | null => {
  const text = typed
    .trim()
    .replaceAll('\u2212', '-')
    .replaceAll(/[\s\u00a0]/g, '')
  const grouped = /^-?\d{1,3}(\.\d{3})+,\d+$|^-?\d{1,3}(\.\d{3}){2,}$/
  const plain = grouped.test(text) ? text.replaceAll('.', '') : text
  const candidate = plain.replace(',', '.')
  return isDecimal(candidate) ? normalDecimal(candidate) : null
}

/** Exact decimal text: digits, at most one dot between digits, maybe a minus. */
export const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

/** Throws a RangeError when the text is not a decimal: the library would take `1e3` and `.5` too. */
const big = (text: string): Big => {
  if (!isDecimal(text)) throw new RangeError(`not a decimal: ${text}`)
  return new Exact(text)
}

/** Halves away from zero, the rounding of money in a settlement; its sums and products are exact. */
const Exact = Big()
Exact.RM = Big.roundHalfUp

/** A zero has no minus. */
const toText = (value: Big, decimals?: number): string => (value.eq(0) ? value.abs() : value).toFixed(decimals)

/** Without leading zeros, trailing zeros of the fraction, or a minus before zero. */
export const normalDecimal = (text: string): string => toText(big(text))

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`; `1.50` equals `1.5`. */
export const compareDecimals = (a: string, b: string): number => big(a).cmp(big(b))

export const addDecimals = (...terms: string[]): string => sumDecimals(terms)

/** Of any number of terms; `0` of none. */
export const sumDecimals = (terms: Iterable<string>): string => {
  let sum = new Exact(0)
  for (const term of terms) sum = sum.plus(big(term))
  return toText(sum)
}

export const multiplyDecimals = (a: string, b: string): string => toText(big(a).times(big(b)))

/** To `decimals` places, padded with zeros. */
export const roundDecimal = (text: string, decimals: number): string => toText(big(text).round(decimals), decimals)

/** `a / by` to `decimals` places: means of quarters. `by` is a whole number from 1. */
export const divideDecimal = (text: string, by: number, decimals: number): string => {
  if (!Number.isSafeInteger(by) || by < 1) throw new RangeError(`cannot divide by ${by}`)
  Exact.DP = decimals
  return toText(big(text).div(by), decimals)
}

/** `a / by` to `decimals` places; null where `by` is 0. */
export const ratioOfDecimals = (a: string, by: string, decimals: number): string | null => {
  const divisor = big(by)
  if (divisor.eq(0)) return null
  Exact.DP = decimals
  return toText(big(a).div(divisor), decimals)
}
