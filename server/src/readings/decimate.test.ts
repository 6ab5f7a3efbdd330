import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketWidthMs, type Extremes, joinBuckets, joinSamples, mergeExtremes } from './decimate.ts'

const of = (samples: [number, number][]): Extremes => {
  const one = ([at, value]: [number, number]): Extremes => ({
    count: 1,
    min: value,
    minAtMs: at,
    max: value,
    maxAtMs: at,
    first: value,
    firstAtMs: at,
    last: value,
    lastAtMs: at,
  })
  const [head, ...tail] = samples.map(one)
  if (!head) throw new Error('no samples')
  return tail.reduce(mergeExtremes, head)
}

const grouped = (samples: [number, number][], width: number) =>
  [...Map.groupBy(samples, ([at]) => Math.floor(at / width)).values()].map(of)

describe('decimation', () => {
  test('the worked example of decimation.md', () => {
    // 1 Hz from 12:00:00 for 20 s, silence for 40 s, then 10 s more; a dip at 12:00:07 and a spike at 12:00:13.
    const noon = Date.UTC(2026, 10, 20, 12)
    const seconds = [...Array.from({ length: 20 }, (_, i) => i), ...Array.from({ length: 10 }, (_, i) => 60 + i)]
    const samples = seconds.map((s): [number, number] => [noon + s * 1000, s === 7 ? 49.7 : s === 13 ? 50.4 : 50])
    const width = bucketWidthMs(noon, noon + 70_000, 16)
    expect(width).toBe(10_000)
    const points = joinBuckets(grouped(samples, width), width, 16)
    expect(points.x.map((x) => (x - noon) / 1000)).toEqual([0, 7, 10, 13, 39.5, 60, 69])
    expect(points.y).toEqual([50, 49.7, 50, 50.4, null, 50, 50])
  })

  test('never more points than asked for, extremes and ends kept, times ascending', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.integer({ min: -50, max: 50 })), {
      minLength: 1,
      maxLength: 400,
    })
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 2, max: 200 }),
        fc.integer({ min: 0, max: 1e12 }),
        (raw, maxPoints, start) => {
          let at = start
          const samples = raw.map(([step, value]): [number, number] => [(at += step), value])
          const width = bucketWidthMs(start, at + 1, maxPoints)
          const buckets = grouped(samples, width)
          const { x, y } = joinBuckets(buckets, width, maxPoints)
          expect(x.length).toBeLessThanOrEqual(maxPoints)
          expect(x).toEqual(x.toSorted((a, b) => a - b))
          const shown = new Map(x.map((time, i) => [time, y[i]]))
          for (const b of buckets) {
            expect(shown.get(b.minAtMs)).toBe(b.min)
            expect(shown.get(b.maxAtMs)).toBe(b.max)
          }
          if (maxPoints >= 4) {
            expect(shown.get(samples[0]?.[0] ?? 0)).toBe(samples[0]?.[1])
            expect(shown.get(at)).toBe(samples.at(-1)?.[1])
          }
        },
      ),
    )
  })

  test('a gap is silence of more than three usual steps', () => {
    const times = [0, 1000, 2000, 5000, 6000, 9001, 10_001]
    expect(joinSamples(times, times).y).toEqual([0, 1000, 2000, 5000, 6000, null, 9001, 10_001])
  })

  test('halves of a bucket join in any order', () => {
    const samples = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 5 })), {
      selector: ([at]) => at,
      minLength: 2,
    })
    fc.assert(
      fc.property(samples, fc.nat(), (all, seed) => {
        const cut = 1 + (seed % (all.length - 1))
        const ordered = of(all.toSorted(([a], [b]) => a - b))
        expect(mergeExtremes(of(all.slice(cut)), of(all.slice(0, cut)))).toEqual(ordered)
      }),
    )
  })
})
