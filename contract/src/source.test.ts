import { expect, test } from 'vitest'
import { simulatedOf } from './source.ts'

test.each([
  [[], false],
  [[false, false], false],
  [[true, true], true],
  [[false, true, false], 'part'],
] as const)('the total of sources %j is simulated: %s', (each, sum) => {
  expect(simulatedOf(each)).toBe(sum)
})
