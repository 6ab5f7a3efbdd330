import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valueList } from './value-list.ts'

const read = (text: string) => JSON.parse(`[${text.replaceAll('NULL', 'null')}]`) as unknown

test('numbers are read back as they were written, whatever they are', () => {
  const thousandths = fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }).map((whole) => whole / 1000)
  const small = fc.integer({ min: -11_000, max: 11_000 }).map((whole) => whole / 1000)
  const any = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const values = fc.array(fc.oneof(thousandths, small, any, fc.constant(null)), { maxLength: 200 })
  fc.assert(
    fc.property(values, (all) => {
      expect(read(valueList(all))).toEqual(all.map((value) => (value === null ? null : value + 0)))
    }),
    { numRuns: 300 },
  )
})

test('a list is as short as it can be, and 0 has no sign', () => {
  expect(valueList([0, -0, -0.5, 49.98, 400.1, 1000, -2_147_483.648, 1e21, null])).toBe(
    '0,0,-0.5,49.98,400.1,1000,-2147483.648,1e+21,NULL',
  )
  expect(valueList(Array.from({ length: 3 }, () => Number.MIN_VALUE))).toBe('5e-324,5e-324,5e-324')
  expect(valueList([])).toBe('')
})
