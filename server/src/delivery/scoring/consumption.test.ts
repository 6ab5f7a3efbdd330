import { expect, test } from 'vitest'
import { consumptionIn } from './consumption.ts'
import { everySecond, t0Ms } from './delivery.fixture.ts'

const at = (second: number) => t0Ms + second * 1000
const power = everySecond(Array.from({ length: 1000 }, (_, s) => (s < 500 ? 360 : 720)))
const register = (...readings: [second: number, kWh: number | null][]) => ({
  x: readings.map(([second]) => at(second)),
  y: readings.map(([, kWh]) => kWh),
})

test('estimated consumption is the mean power times the duration', () => {
  expect(consumptionIn(power, null, at(0), at(100))).toEqual({ kWh: 10, isEstimated: true })
  expect(consumptionIn(power, null, at(450), at(550))).toEqual({ kWh: 15, isEstimated: true })
  const holes = { x: power.x, y: Array.from(power.y, (kw, i) => (i < 90 ? (i % 2 === 0 ? null : NaN) : kw)) }
  expect(consumptionIn(holes, null, at(0), at(100))).toEqual({ kWh: 10, isEstimated: true })
})

test('measured consumption is the difference of two readings', () => {
  expect(consumptionIn(power, register([0, 5000], [300, 5031], [600, 5100]), at(0), at(300))).toEqual({
    kWh: 31,
    isEstimated: false,
  })
  expect(consumptionIn(power, register([0, 5000], [300, 5031], [600, 5100]), at(0), at(600))).toEqual({
    kWh: 100,
    isEstimated: false,
  })
})

test('readings shortly outside are scaled, others are not used', () => {
  const near = consumptionIn(power, register([98, 40], [203, 50.5]), at(100), at(200))
  expect(near).toEqual({ kWh: 10, isEstimated: false })
  expect(consumptionIn(power, register([97, 40], [203, 50.5]), at(100), at(200))?.isEstimated).toBe(true)
})

test('with one reading or an exchanged meter the consumption is estimated', () => {
  for (const broken of [
    register([0, 5000]),
    register([300, 5000]),
    register([0, null], [300, 7]),
    register([0, 5000], [300, 12]),
  ]) {
    expect(consumptionIn(power, broken, at(0), at(300))).toEqual({ kWh: 30, isEstimated: true })
  }
})

test('without samples the consumption is null, and an empty span is an error', () => {
  expect(consumptionIn(power, null, at(2000), at(2100))).toBeNull()
  expect(() => consumptionIn(power, null, at(10), at(10))).toThrow(RangeError)
})
