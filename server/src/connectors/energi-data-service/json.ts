/** A JSON number as it was written: 37.139999 stays 37.139999, and 12.50 stays 12.50. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown

/** JSON.parse without binary floats. Throws a SyntaxError when the text is not JSON. */
export const parseExactJson = (text: string): unknown => {
  const keepSource = (_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? new JsonNumber(context.source) : value
  // The type library does not know the third argument yet; Node 24 passes it.
  return JSON.parse(text, keepSource as Reviver)
}

/** Plain decimal text of a JSON number: `1.5e-7` becomes `0.00000015`, anything without an exponent stays as it is. */
export const plainDecimal = ({ text }: JsonNumber): string => {
  const parts = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  if (Math.abs(Number(exponent)) > 30) throw new RangeError(`not a price: ${text}`)
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const [before, after] = [padded.slice(0, at).replace(/^0+(?=\d)/, ''), padded.slice(at)]
  return `${sign}${before}${after ? `.${after}` : ''}`
}
