import { limits } from '@gridmast/contract/limits.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test.each([
  ['[', ']'],
  ['{"a":', '}'],
  ['[1,"\\"]",', ']'],
])('L1 JSON that nests %s deeper than the limit is refused', (open, close) => {
  const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
  expect(parseJson(nested(limits.jsonDepth))).toEqual(JSON.parse(nested(limits.jsonDepth)))
  for (const depth of [limits.jsonDepth + 1, 100_000]) expect(() => parseJson(nested(depth))).toThrow(/nested deeper/)
})

test('L1 brackets within a text do not count as depth', () => {
  const texts = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ']', '}'), maxLength: 200 })
  fc.assert(
    fc.property(fc.array(texts), (list) => {
      expect(parseJson(JSON.stringify(list))).toEqual(list)
    }),
  )
})
