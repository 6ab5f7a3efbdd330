import { Big } from 'big.js'

/** Numbers in Danish notation (`1.234,500`), and exact decimals as text. On screen the minus is U+2212 and an unknown number is an en dash, never 0. */
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
 * `1234.5678` -> `1.234,568`. Accepts a number or exact decimal text (which is rounded without a float). `decimals` is 0 to 20, default 3; a
 * smaller `minDecimals` drops trailing zeros; `unit` follows after a space. Null, undefined, NaN and infinities give `–`, without a unit.
 */
export const formatNumber = (value: number | string | null | undefined, { unit, ...digits }: Format = {}): string => {
  if (value === null || value === undefined) return unknownText
  if (typeof value === 'number' ? !Number.isFinite(value) : !isDecimal(value)) return unknownText
  // Intl formats decimal text exactly, but its type requires a literal.
  const text = danish(digits).format(value as number)
  const isZero = !/[1-9]/.test(text)
  const signed = isZero ? text.replace('-', '') : text.replace('-', '\u2212')
  return unit ? `${signed} ${unit}` : signed
}

/** Exact decimals of a text in Danish (`1.234,5`) and in English (`1,234.5`); a group of thousands never begins with 0. */
const readingsOf = (written: string): Record<NumberStyle, string | null> => {
  const text = written
    .trim()
    .replaceAll('\u2212', '-')
    .replace(/^-?[1-9]\d{0,2}([ \u00a0\u202f]\d{3})+(?!\d)/, (groups) => groups.replaceAll(/\s/g, ''))
  const plain = (style: RegExp, separator: string) =>
    style.test(text) ? normalDecimal(text.replaceAll(separator, '').replace(',', '.')) : null
  return {
    danish: plain(/^-?(\d+|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?$/, '.'),
    english: plain(/^-?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/, ','),
  }
}
type NumberStyle = 'danish' | 'english'

/**
 * Typed text as exact decimal text: `5.000`, `1.234,5`, `1234,5`, `−3` and `0.5` -> `5000`, `1234.5`, `1234.5`, `-3`, `0.5`. Danish is tried
 * first, English where only that fits (`1,234.5`, `1,234,567`). `5,000` is 5, but ambiguous with 5000 for numbers with fewer than three
 * `decimals`. Null for ambiguous text and text that is no number.
 */
export const parseNumber = (typed: string, { decimals = 3 }: { decimals?: number } = {}): string | null => {
  const { danish, english } = readingsOf(typed)
  const isUnclear = decimals < 3 && /,\d{3}\s*$/.test(typed) && danish !== null && english !== null
  return isUnclear ? null : (danish ?? english)
}

/**
 * Reads the numbers of a column of a file. A cell that fits both styles (`1.250`) is read in the style of the column's other cells, else of
 * `others`. The `delimiter` of a csv cannot be its decimal mark: `1.250` is 1.25 between commas, `1,250` is 1.25 between semicolons.
 * A sheet (null) has exact numbers as English text, so only Danish text decides the style. Without any hint the result is `unclear`.
 */
export const numberReader = (column: readonly string[], others: readonly string[], delimiter: string | null) => {
  const only = (text: string): NumberStyle | null => {
    const { danish, english } = readingsOf(text)
    if (danish === null) return english === null || delimiter === null ? null : 'english'
    if (english === null) return 'danish'
    if (danish === english || delimiter === null) return null
    if (delimiter === ',') return text.includes('.') ? 'english' : null
    return text.includes(',') ? 'danish' : null
  }
  const styleOf = (texts: readonly string[]) => {
    const styles = new Set(texts.map(only).filter((style) => style !== null))
    const [style] = styles
    return styles.size === 1 ? style : undefined
  }
  const style = styleOf(column) ?? styleOf(others)
  return (text: string): string | null => {
    const { danish, english } = readingsOf(text)
    if (danish === null || english === null || danish === english) return danish ?? english
    return style === undefined ? unclearNumber : style === 'danish' ? danish : english
  }
}
/** Replaces a number that two styles read differently. */
export const unclearNumber = 'unclear'

/** Exact decimal text: digits, at most one dot between digits, optional minus. */
export const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

/** A decimal as typed by a user: without leading zeros, so that `01` is not misread. */
export const isPlainDecimal = (text: string): boolean => isDecimal(text) && !/^-?0\d/.test(text)

/** Throws a RangeError when the text is not a decimal: the library would also accept `1e3` and `.5`. */
const big = (text: string): Big => {
  if (!isDecimal(text)) throw new RangeError(`not a decimal: ${text}`)
  return new Exact(text)
}

/** Halves away from zero, the rounding of money in a settlement; sums and products are exact. */
const Exact = Big()
Exact.RM = Big.roundHalfUp

const toText = (value: Big, decimals?: number): string => (value.eq(0) ? value.abs() : value).toFixed(decimals)

/** Without leading zeros, trailing zeros of the fraction, or a minus before zero. */
export const normalDecimal = (text: string): string => toText(big(text))

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`; `1.50` equals `1.5`. */
export const compareDecimals = (a: string, b: string): number => big(a).cmp(big(b))

export const addDecimals = (...terms: string[]): string => sumDecimals(terms)

export const sumDecimals = (terms: Iterable<string>): string => {
  let sum = new Exact(0)
  for (const term of terms) sum = sum.plus(big(term))
  return toText(sum)
}

export const subtractDecimals = (a: string, b: string): string => toText(big(a).minus(big(b)))

export const negateDecimal = (text: string): string => toText(big(text).neg())

export const absoluteDecimal = (text: string): string => toText(big(text).abs())

export const multiplyDecimals = (a: string, b: string): string => toText(big(a).times(big(b)))

/** To `decimals` places, padded with zeros. */
export const roundDecimal = (text: string, decimals: number): string => toText(big(text).round(decimals), decimals)

/** `a / by` to `decimals` places; `by` is an integer from 1. */
export const divideDecimal = (text: string, by: number, decimals: number): string => {
  if (!Number.isSafeInteger(by) || by < 1) throw new RangeError(`cannot divide by ${by}`)
  Exact.DP = decimals
  return toText(big(text).div(by), decimals)
}

/** `a / by` to `decimals` places; null when `by` is 0. */
export const ratioOfDecimals = (a: string, by: string, decimals: number): string | null => {
  const divisor = big(by)
  if (divisor.eq(0)) return null
  Exact.DP = decimals
  return toText(big(a).div(divisor), decimals)
}
