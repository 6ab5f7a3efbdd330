import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  divideDecimal,
  formatNumber,
  isDecimal,
  isPlainDecimal,
  multiplyDecimals,
  negateDecimal,
  normalDecimal,
  numberReader,
  parseNumber,
  roundDecimal,
  subtractDecimals,
} from './numbers.ts'

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
    const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits
    return units < 0n ? `-${text}` : text
  })

describe('numbers on screen', () => {
  test.each([
    [1234567.8916, {}, '1.234.567,892'],
    ['1234567.8915', {}, '1.234.567,892'],
    [-0.5, { decimals: 1 }, '−0,5'],
    [-0.0001, {}, '0,000'],
    [12, { decimals: 2, minDecimals: 0 }, '12'],
    ['99999999999999999.005', { decimals: 2 }, '99.999.999.999.999.999,01'],
    [0, {}, '0,000'],
    [0.5, { decimals: 1, unit: 'kW' }, '0,5 kW'],
    [null, { decimals: 1, unit: 'kW' }, '–'],
    [null, {}, '–'],
    [undefined, {}, '–'],
    [NaN, {}, '–'],
    [Infinity, {}, '–'],
    ['abc', {}, '–'],
  ])('%s with %j is %s', (value, digits, text) => {
    expect(formatNumber(value, digits)).toBe(text)
  })

  test.each([
    ['1.234,5', '1234.5'],
    ['1234,50', '1234.5'],
    ['0.5', '0.5'],
    ['5.000', '5000'],
    ['5,000', '5'],
    ['5000', '5000'],
    ['1.250,5', '1250.5'],
    ['0,5', '0.5'],
    ['0.500', '0.5'],
    ['-1', '-1'],
    [' 7 ', '7'],
    ['01', '1'],
    ['１', null],
    ['1.234', '1234'],
    ['1234.567', '1234.567'],
    ['1.234.567', '1234567'],
    ['1,234,567', '1234567'],
    [' −3 ', '-3'],
    ['-0', '0'],
    ['1 234,5', '1234.5'],
    ['', null],
    ['1,2,3', null],
    ['1e3', null],
    ['12a', null],
    ['1.23.456', null],
    ['1,234.5', '1234.5'],
    ['1 2', null],
    ['1.234.56', null],
  ])('the typed text %j is parsed as %j', (typed, exact) => {
    expect(parseNumber(typed)).toBe(exact)
  })

  test('a displayed number can be typed again in every format', () => {
    const digits = fc.integer({ min: 0, max: 8 })
    fc.assert(
      fc.property(decimal, digits, digits, (text, decimals, minDecimals) => {
        const shown = formatNumber(text, { decimals, minDecimals })
        expect(parseNumber(shown, { decimals })).toBe(normalDecimal(roundDecimal(text, decimals)))
      }),
    )
  })

  test('three digits after a comma are ambiguous for a number without exactly three decimals', () => {
    for (const decimals of [0, 1, 2]) {
      expect(parseNumber('5,000', { decimals })).toBeNull()
      expect(parseNumber('12,345 ', { decimals })).toBeNull()
    }
    expect(parseNumber('12,345', { decimals: 3 })).toBe('12.345')
    expect(parseNumber('1,234,567', { decimals: 0 })).toBe('1234567')
    expect(parseNumber('0,500', { decimals: 2 })).toBe('0.5')
    expect(parseNumber('1.250,500', { decimals: 2 })).toBe('1250.5')
  })
})

describe('numbers in a column of a file', () => {
  test.each([
    [['1.250', '0,5'], ';', ['1250', '0.5']],
    [['1.250', '0.5'], ';', ['1.25', '0.5']],
    [['1.250', '3'], ';', ['unclear', '3']],
    [['1,250', '1.250'], ';', ['1.25', '1250']],
    [['1,250', '1.250'], ',', ['1250', '1.25']],
    [['1,250', '0,5'], ',', ['1.25', '0.5']],
    [['1,250'], ',', ['unclear']],
    [['1.250', '0,5', '0.5'], ';', ['unclear', '0.5', '0.5']],
    [['1.250', '0.5'], null, ['unclear', '0.5']],
    [['1.250', '0,5'], null, ['1250', '0.5']],
    [['1e3', '１', '', 'MW'], ';', [null, null, null, null]],
  ])('%j between %j is %j', (cells, delimiter, numbers) => {
    expect(cells.map(numberReader(cells, [], delimiter))).toEqual(numbers)
  })

  test('the format of a column does not depend on the cell that is parsed', () => {
    expect(numberReader(['1.250'], ['0,5'], ';')('1.250')).toBe('1250')
    expect(numberReader(['1.250', '0.5'], ['0,5'], ';')('1.250')).toBe('1.25')
  })
})

describe('exact decimals', () => {
  test('decimals keep digits that floats lose', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3')
    expect(addDecimals()).toBe('0')
    expect(multiplyDecimals('104.44', '7.46038')).toBe('779.1620872')
    expect(roundDecimal('1.005', 2)).toBe('1.01')
    expect(roundDecimal('-1.005', 2)).toBe('-1.01')
    expect(roundDecimal('3', 2)).toBe('3.00')
    expect(roundDecimal('-0.004', 2)).toBe('0.00')
    expect(divideDecimal('10', 4, 3)).toBe('2.500')
    expect(divideDecimal('-2', 3, 2)).toBe('-0.67')
    expect(divideDecimal('0.05', 2, 2)).toBe('0.03')
    expect(normalDecimal('007.500')).toBe('7.5')
    expect(normalDecimal('-0.00')).toBe('0')
    expect(compareDecimals('1.50', '1.5')).toBe(0)
    expect(compareDecimals('-2', '1.5')).toBe(-1)
    expect(compareDecimals('10', '9.99')).toBe(1)
  })

  test.each(['', '1.', '.5', '1e5', 'NaN', '+1', '1,5'])('%j is refused', (text) => {
    expect(isDecimal(text)).toBe(false)
    expect(() => normalDecimal(text)).toThrow(RangeError)
  })

  test('a divisor below one is refused', () => {
    for (const by of [0, -1, 1.5]) expect(() => divideDecimal('1', by, 2)).toThrow(RangeError)
  })

  test('sums and products follow the laws of arithmetic, and comparison matches the sign of the difference', () => {
    fc.assert(
      fc.property(decimal, decimal, decimal, (a, b, c) => {
        expect(compareDecimals(addDecimals(a, b), addDecimals(b, a))).toBe(0)
        const left = multiplyDecimals(a, addDecimals(b, c))
        expect(compareDecimals(left, addDecimals(multiplyDecimals(a, b), multiplyDecimals(a, c)))).toBe(0)
        const difference = addDecimals(a, multiplyDecimals(b, '-1'))
        expect(compareDecimals(a, b)).toBe(compareDecimals(difference, '0'))
      }),
    )
  })

  test('rounding and division change a value by at most half a unit', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 1000 }), (a, decimals, by) => {
        const half = decimals === 0 ? '0.5' : `0.${'0'.repeat(decimals)}5`
        const error = (exact: string, rounded: string) =>
          addDecimals(exact, multiplyDecimals(rounded, '-1')).replace('-', '')
        expect(compareDecimals(error(a, roundDecimal(a, decimals)), half)).toBeLessThanOrEqual(0)
        const quotient = divideDecimal(a, by, decimals)
        const bound = multiplyDecimals(half, String(by))
        expect(compareDecimals(error(a, multiplyDecimals(quotient, String(by))), bound)).toBeLessThanOrEqual(0)
      }),
    )
  })
})

test.each(['01', '-01', '00', '00.5', '1e3', ' 7', '٣'])('%s is no amount that anybody typed', (text) =>
  expect(isPlainDecimal(text)).toBe(false),
)
test.each(['0', '0.5', '10', '-1.25'])('%s is one', (text) => expect(isPlainDecimal(text)).toBe(true))

test('differences, negations and absolute values are exact, and zero has no minus sign', () => {
  expect([subtractDecimals('0.3', '0.1'), subtractDecimals('1.50', '1.5')]).toEqual(['0.2', '0'])
  expect([negateDecimal('1.20'), negateDecimal('-1.2'), negateDecimal('0')]).toEqual(['-1.2', '1.2', '0'])
  expect([absoluteDecimal('-0.10'), absoluteDecimal('7')]).toEqual(['0.1', '7'])
})
