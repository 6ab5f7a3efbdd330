import { describe, expect, test } from 'vitest'
import { bidMwOf, daysBefore, forecastOf, measuredAvailable } from './available.ts'

const store = (kw: Record<number, number>, silent: number[] = []) => {
  const asked: number[][] = []
  return {
    asked,
    buckets: async ({ signalNo, edgesMs }: { signalNo: number; edgesMs: number[] }) => {
      asked.push(edgesMs)
      return edgesMs
        .slice(0, -1)
        .map((ms) => (silent.includes(ms) ? { count: 0, sum: 0 } : { count: 60, sum: 60 * (kw[signalNo] ?? 0) }))
    },
  }
}
const signals = { up: 1, down: 2 }

describe('measured', () => {
  test.each([
    ['FCR-D-INC', 400],
    ['FCR-D-DEC', 80],
    ['FCR-N', 80],
    ['aFRR', 80],
    ['FFR', 400],
  ])('%s counts %i kW: up, down, or the lesser of both', async (market, kw) => {
    const found = await measuredAvailable(store({ 1: 400, 2: 80 }), signals, market, ['2026-11-20'])
    expect(found.get('2026-11-20')).toEqual(Array.from({ length: 24 }, () => kw))
  })

  test('a silent slot and the skipped hour of March have no value', async () => {
    const readings = store({ 1: 400 }, [Date.parse('2026-03-29T03:00:00Z')])
    const found = await measuredAvailable(readings, signals, 'FFR', ['2026-03-28', '2026-03-29', '2026-03-30'])
    expect(
      found
        .get('2026-03-29')
        ?.map((kw, slot) => (kw === null ? slot : null))
        .filter((slot) => slot !== null),
    ).toEqual([2, 5])
    for (const edges of readings.asked) expect(edges).toEqual([...new Set(edges)].toSorted((a, b) => a - b))
    const october = await measuredAvailable(store({ 1: 400 }), signals, 'FCR-D-INC', ['2026-10-25'])
    expect(october.get('2026-10-25')).toHaveLength(24)
  })
})

describe('forecast', () => {
  test('the worked example of the page', () => {
    const days = [410, 405, 398, 402, null, 399, 407].map((kw) =>
      Array.from({ length: 24 }, (_, i) => (i === 7 ? kw : null)),
    )
    expect(forecastOf(days, 24)[7]).toBe(398)
    expect(bidMwOf(398)).toBe('0.3')
    expect(forecastOf(days, 24)[8]).toBeNull()
  })

  test('a forecast needs three days', () => {
    expect(forecastOf([[1], [2], [null]], 1)).toEqual([null])
    expect(forecastOf([[1], [2], [3]], 1)).toEqual([1])
  })

  test.each([
    [null, '0'],
    [-5, '0'],
    [99.9, '0'],
    [100, '0.1'],
    [299.999, '0.2'],
    [300, '0.3'],
    [12_345, '12.3'],
  ])('%j kW are bid as %s MW', (kw, mw) => {
    expect(bidMwOf(kw)).toBe(mw)
  })

  test('the last seven days are those of Berlin', () => {
    expect(daysBefore(Date.parse('2026-11-20T23:30:00Z'))).toEqual(
      [14, 15, 16, 17, 18, 19, 20].map((day) => `2026-11-${day}`),
    )
  })
})
