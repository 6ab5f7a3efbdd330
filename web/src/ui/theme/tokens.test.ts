import { expect, test } from 'vitest'
import { carbonColour } from './tokens.ts'

test('the steps of the carbon scale have their own colours, and the ends go on', () => {
  expect([60, 150, 250, 350, 500].map(carbonColour)).toEqual(['#2f9e62', '#7fb05a', '#c9b04f', '#b9772f', '#7a4a2b'])
  expect([carbonColour(0), carbonColour(900)]).toEqual(['#2f9e62', '#7a4a2b'])
})

test('between two steps the colour is between theirs', () => {
  expect(carbonColour(151)).not.toBe(carbonColour(249))
  expect(carbonColour(149.999)).toBe('#7fb05a')
})
