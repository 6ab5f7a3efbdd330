import { describe, expect, test } from 'vitest'
import { asked, activationFrom, answered } from './activation.ts'
import { capacityKw, loadOf, meterKwh, noiseKw, plannedKw, socPercent, type LoadKind } from './loads.ts'
import { seedOf, smoothNoise, uniform } from './noise.ts'
import { disturbanceIn, frequencyHz, gridOf } from './world.ts'

const startS = Date.parse('2026-11-02T00:00:00Z') / 1000
const dayS = 86_400

const series = (from: number, count: number, value: (second: number) => number) =>
  Float64Array.from({ length: count }, (_, i) => value(from + i))

const statistics = (values: Float64Array) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const correlation = (lag: number) => {
    let sum = 0
    for (let i = lag; i < values.length; i++) sum += ((values[i] ?? 0) - mean) * ((values[i - lag] ?? 0) - mean)
    return sum / (values.length - lag) / variance
  }
  return { mean, sd: Math.sqrt(variance), correlation }
}

describe('noise', () => {
  test('uniform numbers fill their range evenly, also at large indexes', () => {
    for (const from of [0, 1.8e9, 2 ** 40]) {
      const found = statistics(series(from, 20_000, (n) => uniform(7, n)))
      expect(found.mean).toBeCloseTo(0.5, 1)
      expect(found.sd).toBeCloseTo(Math.sqrt(1 / 12), 1)
      expect(Math.abs(found.correlation(1))).toBeLessThan(0.03)
    }
  })

  test('smooth noise has standard deviation 1 and no jumps', () => {
    const values = series(0, 200_000, (x) => smoothNoise(seedOf('a'), x, 20))
    expect(statistics(values).sd).toBeCloseTo(1, 1)
    expect(values.every((value, i) => i === 0 || Math.abs(value - (values[i - 1] ?? 0)) < 0.6)).toBe(true)
  })
})

describe('frequency', () => {
  test.each([
    ['nordic', 0.04, 120],
    ['continental', 0.02, 90],
  ] as const)('%s varies around 50 Hz by %f Hz with a correlation time of %i s', (grid, sdHz, memoryS) => {
    const found = statistics(series(startS, 5 * dayS, (second) => frequencyHz(grid, second)))
    expect(Math.abs(found.mean - 50)).toBeLessThan(0.003)
    expect(found.sd / sdHz).toBeGreaterThan(0.85)
    expect(found.sd / sdHz).toBeLessThan(1.15)
    // e^-1 for a process with that memory
    expect(found.correlation(memoryS)).toBeGreaterThan(0.25)
    expect(found.correlation(memoryS)).toBeLessThan(0.5)
    expect(found.correlation(10 * memoryS)).toBeLessThan(0.15)
  })

  test('the Nordic grid has a disturbance each hour and a large drop each day, reached in 6 s', () => {
    const days = 300
    const firstCell = 24 * Math.floor(startS / dayS)
    const all = Array.from({ length: days * 24 }, (_, i) => disturbanceIn(firstCell + i))
    const sizes = all.map(({ hz }) => Math.abs(hz))
    expect(sizes.every((size) => (size >= 0.12 && size <= 0.25) || (size >= 0.32 && size <= 0.45))).toBe(true)
    for (let day = 0; day < days; day++)
      expect(all.slice(day * 24, day * 24 + 24).filter(({ hz }) => hz <= -0.32)).toHaveLength(1)
    const share = all.filter(({ hz }) => hz < 0).length / all.length
    expect(share).toBeCloseTo(0.52, 1)
    expect(all.every(({ startS: at }, i) => Math.floor(at / 3600) === firstCell + i)).toBe(true)
    const moves = all.slice(0, 200).map((one) => {
      const move = frequencyHz('nordic', one.startS + 6) - frequencyHz('nordic', one.startS)
      return move / one.hz
    })
    expect(moves.reduce((sum, move) => sum + move, 0) / moves.length).toBeCloseTo(1, 1)
  })

  test('the continental grid deviates by 20 to 40 mHz at the full hour', () => {
    const bumps = Array.from({ length: 500 }, (_, hour) => {
      const atHour = startS + hour * 3600
      return (
        frequencyHz('continental', atHour) -
        (frequencyHz('continental', atHour - 150) + frequencyHz('continental', atHour + 150)) / 2
      )
    })
    const size = Math.sqrt(bumps.reduce((sum, bump) => sum + bump * bump, 0) / bumps.length)
    const between = Array.from({ length: 500 }, (_, hour) => {
      const half = startS + hour * 3600 + 1800
      return (
        frequencyHz('continental', half) -
        (frequencyHz('continental', half - 150) + frequencyHz('continental', half + 150)) / 2
      )
    })
    const usual = Math.sqrt(between.reduce((sum, bump) => sum + bump * bump, 0) / between.length)
    const added = Math.sqrt(size * size - usual * usual)
    expect(added).toBeGreaterThan(0.02)
    expect(added).toBeLessThan(0.04)
  })

  test('a second has the same frequency in any order of reading, to the millihertz', () => {
    const seconds = [startS, startS + 5 * dayS, startS - 400 * dayS, startS + 4096, startS]
    const once = seconds.map((second) => frequencyHz('nordic', second))
    const again = seconds.toReversed().map((second) => frequencyHz('nordic', second))
    expect(again.toReversed()).toEqual(once)
    for (const hz of once) expect(Math.round(hz * 1000) / 1000).toBe(hz)
    expect(gridOf('DK1')).toBe('continental')
    expect(gridOf('DK2')).toBe('nordic')
  })
})

describe('loads', () => {
  const kinds: LoadKind[] = ['cold-store', 'logistics', 'battery', 'ev']

  test.each(kinds)('the meter of a %s never decreases and agrees with the power', (kind) => {
    const load = loadOf('test', kind, 400)
    let before = meterKwh(load, startS)
    for (let second = startS; second < startS + dayS; second += 300) {
      const reading = meterKwh(load, second)
      expect(reading).toBeGreaterThanOrEqual(before)
      before = reading
    }
    const meanKw = statistics(series(startS, dayS, (second) => Math.max(0, plannedKw(load, second)))).mean
    const kWh = meterKwh(load, startS + dayS) - meterKwh(load, startS)
    expect(kWh / (meanKw * 24)).toBeGreaterThan(0.98)
    expect(kWh / (meanKw * 24)).toBeLessThan(1.02)
  })

  test.each(['cold-store', 'logistics'] as const)(
    'a %s consumes more in each hour of a week than it can sell up and down, and less at night',
    (kind) => {
      const load = loadOf('test', kind, 400)
      for (let hour = 0; hour < 7 * 24; hour++) {
        const seconds = Array.from({ length: 60 }, (_, minute) => startS + hour * 3600 + minute * 60)
        const meanOf = (way: 'up' | 'down') =>
          seconds.reduce((sum, second) => sum + capacityKw(load, second)[way], 0) / seconds.length
        // Sold capacity may be 5 % short (settlement.md).
        expect(meanOf('up')).toBeGreaterThan(0.95 * 400)
        expect(meanOf('down')).toBeGreaterThan(0.95 * 400)
      }
      expect(plannedKw(load, startS + 10 * 3600)).toBeGreaterThan(plannedKw(load, startS + 2 * 3600))
    },
  )

  test('a battery charges at night, discharges in the evening and respects its limits', () => {
    const load = loadOf('test', 'battery', 1000)
    for (let second = startS; second < startS + 30 * dayS; second += 600) {
      const soc = socPercent(load, second) ?? NaN
      expect(soc).toBeGreaterThan(10)
      expect(soc).toBeLessThan(95)
    }
    expect(plannedKw(load, startS + 2 * 3600)).toBeGreaterThan(100) // 03:00 local
    expect(plannedKw(load, startS + 17.5 * 3600)).toBeLessThan(-100) // 18:30 local
    expect(capacityKw(load, startS)).toEqual({ up: 1000, down: 1000 })
  })

  test('the noise of a meter is 1 % of the power', () => {
    const load = loadOf('test', 'cold-store', 420)
    expect(statistics(series(startS, 20_000, (second) => noiseKw(load, second, 400))).sd).toBeCloseTo(4, 0)
  })
})

describe('activation', () => {
  test('droop follows the frequency: each market at the frequencies of three hours', () => {
    let activated = 0
    for (let second = startS; second < startS + 3 * 3600; second++) {
      const hz = frequencyHz('nordic', second)
      const up = asked('FCR-D-INC', 'nordic', second)
      const down = asked('FCR-D-DEC', 'nordic', second)
      expect(up > 0).toBe(hz < 49.9)
      if (up > 0 || down < 0) activated++
      expect(down < 0).toBe(hz > 50.1)
      if (hz < 49.9) expect(up).toBeCloseTo((49.9 - hz) / 0.4, 9)
      const fcr = asked('FCR', 'continental', second)
      const deviation = 50 - frequencyHz('continental', second)
      expect(fcr).toBeCloseTo(Math.abs(deviation) <= 0.02 ? 0 : deviation / 0.2, 9)
    }
    expect(activated).toBeGreaterThan(10)
  })

  test('FFR is fully active at 49.7 Hz and holds for 30 s', () => {
    let lowAt = 0
    for (let second = startS; second < startS + 60 * dayS; second++)
      if (frequencyHz('nordic', second) <= 49.7) {
        lowAt = second
        break
      }
    expect(lowAt).toBeGreaterThan(0)
    expect(asked('FFR', 'nordic', lowAt - 1)).toBe(0)
    expect(asked('FFR', 'nordic', lowAt)).toBe(1)
    expect(asked('FFR', 'nordic', lowAt + 29)).toBe(1)
  })

  test('the aFRR signal changes at most every 4 s, in both directions, with pauses', () => {
    const values = series(startS - (startS % 4), dayS, (second) => asked('aFRR', 'continental', second))
    expect(values.every((value, i) => i % 4 === 0 || value === values[i - 1])).toBe(true)
    const active = values.filter((value) => Math.abs(value) >= activationFrom('aFRR')).length / values.length
    expect(active).toBeGreaterThan(0.15)
    expect(active).toBeLessThan(0.4)
    expect(values.some((value) => value > 0.1) && values.some((value) => value < -0.1)).toBe(true)
  })

  test.each([
    ['battery', 1],
    ['cold-store', 3],
    ['ev', 4],
    ['logistics', 5],
  ] as const)('%s follows a step with a time constant of about %i s', (kind, tau) => {
    const step = (second: number) => (second >= 1000 ? 1 : 0)
    expect(answered(kind, step, 999)).toBe(0)
    expect(answered(kind, step, 1000 + tau)).toBeGreaterThan(0.6)
    expect(answered(kind, step, 1000 + 5 * tau)).toBeCloseTo(1, 6)
    for (let second = 1000; second < 1030; second++)
      expect(answered(kind, step, second + 1)).toBeGreaterThanOrEqual(answered(kind, step, second))
  })
})
