/**
 * Numbers as Danish readers expect them (`1.234,500`), and exact decimals carried as text.
 * On screen the minus is U+2212 and an unknown number is an en dash, never 0.
 */
export const unknownText = '–'

type Digits = { decimals?: number; minDecimals?: number }

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
 * `decimals` is 0 to 20, default 3; `minDecimals` less than that drops trailing zeros. Null, undefined, NaN and infinities give `–`.
 */
export const formatNumber = (value: number | string | null | undefined, digits: Digits = {}): string => {
  if (value === null || value === undefined) return unknownText
  if (typeof value === 'number' ? !Number.isFinite(value) : !isDecimal(value)) return unknownText
  // Intl takes decimal text as the exact number it spells; the type wants to see a literal.
  const text = danish(digits).format(value as number)
  const isZero = !/[1-9]/.test(text)
  return isZero ? text.replace('-', '') : text.replace('-', '\u2212')
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

const notDecimal = (text: string) => new RangeError(`not a decimal: ${text}`)

type Scaled = { units: bigint; scale: number }

/** Throws a RangeError when the text is not a decimal. */
const scaled = (text: string): Scaled => {
  if (!isDecimal(text)) throw notDecimal(text)
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

const toText = ({ units, scale }: Scaled): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits
  return units < 0n ? `-${text}` : text
}

const raise = ({ units, scale }: Scaled, to: number): bigint => units * 10n ** BigInt(to - scale)

/** Without leading zeros, trailing zeros of the fraction, or a minus before zero. */
export const normalDecimal = (text: string): string => {
  const parts = /^(-?)0*(\d+?)(?:\.(?=\d)(\d*?)0*)?$/.exec(text)
  if (!parts) throw notDecimal(text)
  const [, sign = '', whole = '', fraction] = parts
  const plain = fraction ? `${whole}.${fraction}` : whole
  return plain === '0' ? plain : sign + plain
}

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`; `1.50` equals `1.5`. */
export const compareDecimals = (a: string, b: string): number => {
  const [x, y] = [scaled(a), scaled(b)]
  const scale = Math.max(x.scale, y.scale)
  const difference = raise(x, scale) - raise(y, scale)
  return difference < 0n ? -1 : Number(difference > 0n)
}

export const addDecimals = (...terms: string[]): string => {
  const all = terms.map(scaled)
  const scale = Math.max(0, ...all.map((one) => one.scale))
  return toText({ units: all.reduce((sum, one) => sum + raise(one, scale), 0n), scale })
}

export const multiplyDecimals = (a: string, b: string): string => {
  const [x, y] = [scaled(a), scaled(b)]
  return toText({ units: x.units * y.units, scale: x.scale + y.scale })
}

/** To `decimals` places, halves away from zero: the rounding of money in a settlement. Pads with zeros. */
export const roundDecimal = (text: string, decimals: number): string => {
  const value = scaled(text)
  if (value.scale <= decimals) return toText({ units: raise(value, decimals), scale: decimals })
  const unit = 10n ** BigInt(value.scale - decimals)
  const half = value.units < 0n ? -unit / 2n : unit / 2n
  return toText({ units: (value.units + half) / unit, scale: decimals })
}

/** `a / by` to `decimals` places, halves away from zero: means of quarters. `by` is a whole number from 1. */
export const divideDecimal = (text: string, by: number, decimals: number): string => {
  if (!Number.isSafeInteger(by) || by < 1) throw new RangeError(`cannot divide by ${by}`)
  const value = scaled(text)
  const scale = Math.max(value.scale, decimals + 1)
  const units = raise(value, scale)
  const divisor = BigInt(by) * 10n ** BigInt(scale - decimals)
  const half = units < 0n ? -divisor : divisor
  return toText({ units: (2n * units + half) / (2n * divisor), scale: decimals })
}
