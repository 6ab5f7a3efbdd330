import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Activation, findActivations, watch } from './activations.ts'
import { everySecond, lines, t0Ms, without } from './delivery.fixture.ts'
import { demandOf, type Product, products } from './products.ts'
import type { Samples } from './samples.ts'

const dip = products['FCR-D-INC']
const at = (second: number) => t0Ms + second * 1000
const activeAt = (seconds: number, isActive: (second: number) => boolean): Samples =>
  everySecond(Array.from({ length: seconds }, (_, s) => (isActive(s) ? 49.8 : 50)))
const spans = (found: Activation[]) =>
  found.map(({ startMs, endMs, endedBy }) => [(startMs - t0Ms) / 1000, endMs && (endMs - t0Ms) / 1000, endedBy])

const dipSpans = (samples: Samples) => spans(findActivations(dip, samples))

describe('an activation of FCR-D', () => {
  test('begins with the first second below 49.9 Hz and ends with the first at rest after 60 s of rest', () => {
    const series = activeAt(300, (s) => s >= 100 && s < 130)
    expect(findActivations(dip, series)).toEqual([
      {
        direction: 'increased',
        startMs: at(100),
        endMs: at(130),
        endedBy: 'quiet',
        startKnown: true,
        deltaLoadPct: 25,
        extremeHz: 49.8,
        maxSetPointPct: null,
      },
    ])
  })

  test('runs until the 60 s of rest are over', () => {
    const ended = (seconds: number) => dipSpans(activeAt(seconds, (s) => s >= 100 && s < 130))
    expect(ended(190)).toEqual([[100, null, null]])
    expect(ended(191)).toEqual([[100, 130, 'quiet']])
  })

  test('continues after a rest of 59 s and is followed by another after 60 s', () => {
    const twice = (rest: number) =>
      dipSpans(activeAt(400, (s) => s >= 100 && s < 130 + rest + 5 && (s < 130 || s >= 130 + rest)))
    expect(twice(59)).toEqual([[100, 194, 'quiet']])
    expect(twice(60)).toEqual([
      [100, 130, 'quiet'],
      [190, 195, 'quiet'],
    ])
  })

  test('needs a whole second', () => {
    expect(dipSpans(activeAt(300, (s) => s === 100))).toEqual([[100, 101, 'quiet']])
    const tenths = (last: number) => {
      const x = Array.from({ length: 2000 }, (_, i) => t0Ms + i * 100)
      return spans(findActivations(dip, { x, y: x.map((_, i) => (i >= 1000 && i < 1000 + last ? 49.8 : 50)) }))
    }
    expect(tenths(3)).toEqual([])
    expect(tenths(10)).toEqual([[100, 101, 'quiet']])
  })
})

describe('silence inside an activation', () => {
  const series = (from: number, to: number) =>
    without(
      activeAt(1200, (s) => s >= 100 && s < 700),
      (ms) => ms >= at(from) && ms < at(to),
    )

  test('up to 5 minutes neither ends it nor counts as rest', () => {
    expect(dipSpans(series(200, 499))).toEqual([[100, 700, 'quiet']])
    expect(dipSpans(series(690, 800))).toEqual([[100, 800, 'quiet']])
  })

  test('rest is the sum of its measured seconds', () => {
    const resting = without(
      activeAt(320, (s) => s >= 100 && s < 200),
      (ms) => ms > at(230) && ms < at(280),
    )
    expect(dipSpans(resting)).toEqual([[100, 200, 'quiet']])
    const cut = { x: resting.x, y: Array.from(resting.y).slice(0, 260) }
    expect(dipSpans(cut)).toEqual([[100, null, null]])
  })

  test('more than 5 minutes ends it after its last second, and the next seconds are another', () => {
    expect(dipSpans(series(200, 501))).toEqual([
      [100, 200, 'silence'],
      [501, 700, 'quiet'],
    ])
  })

  test('an end from outside ends it, and later samples from inside it are refused', () => {
    const watcher = watch(dip)
    const { x, y } = activeAt(200, (s) => s >= 100)
    for (let i = 0; i < x.length; i++) watcher.next(x[i] ?? 0, y[i] ?? null)
    expect(watcher.until(at(499))).toEqual([])
    expect(spans([...watcher.until(at(500))])).toEqual([[100, 200, 'silence']])
    expect(watcher.running()).toEqual([])
    expect(() => watcher.next(at(450), 49.8)).toThrow(RangeError)
    expect(spans(findActivations(dip, { x, y }, at(500)))).toEqual([[100, 200, 'silence']])
  })

  test('nulls and invalid values count as no sample', () => {
    const whole = activeAt(400, (s) => s >= 100 && s < 130)
    const torn = everySecond(Array.from(whole.y, (hz, s) => (s % 3 === 1 ? ([null, NaN, 0][(s % 4) % 3] ?? null) : hz)))
    const known = without(whole, (ms) => ((ms - t0Ms) / 1000) % 3 === 1)
    expect(findActivations(dip, torn)).toEqual(findActivations(dip, known))
    expect(dipSpans(torn)).toEqual([[101, 131, 'quiet']])
  })

  test('readings a quarter of an hour apart are no activation', () => {
    const x = Array.from({ length: 96 }, (_, i) => at(i * 900))
    expect(findActivations(products.aFRR, { x, y: x.map((_, i) => (i % 3) * 40) })).toEqual([])
  })
})

describe('the other products', () => {
  test('FCR and FCR-N: from 40 % on, each direction separately', () => {
    const swing = everySecond(lines([0, 50], [100, 50], [150, 49.9], [250, 50.1], [300, 50], [500, 50]))
    const found = findActivations(products['FCR-N'], swing)
    expect(spans(found)).toEqual([
      [120, 181, 'quiet'],
      [220, 281, 'quiet'],
    ])
    expect(found.map((one) => one.direction)).toEqual(['increased', 'decreased'])
    expect(found.map((one) => one.extremeHz)).toEqual([49.9, 50.1])
    expect(found.map((one) => one.deltaLoadPct)).toEqual([100, 100])
  })

  test('FFR runs as long as it is held', () => {
    const series = everySecond(Array.from({ length: 1200 }, (_, s) => (s === 950 ? 49.69 : 50)))
    expect(spans(findActivations(products.FFR, series))).toEqual([[950, 980, 'quiet']])
  })

  test('aFRR: while its set point is not 0, with the largest set point', () => {
    const sp = everySecond(lines([0, 0], [100, 0], [130, 60], [160, 0], [200, -20], [201, 0], [400, 0]))
    const found = findActivations(products.aFRR, sp)
    expect(found.map((one) => [one.direction, one.maxSetPointPct, one.extremeHz])).toEqual([
      ['increased', 60, null],
      ['decreased', 20, null],
    ])
    expect(findActivations(products['aFRR-DK2-INC'], sp)).toEqual(found.slice(0, 1))
    expect(findActivations(products['aFRR-DK2-DEC'], sp)).toEqual(found.slice(1))
  })
})

test('a window that begins inside an activation or less than its rest before one has an unknown start', () => {
  const from = (second: number, product: Product = dip) =>
    findActivations(
      product,
      everySecond(
        Array.from({ length: 1300 - second }, (_, s) => (s + second >= 1000 && s + second < 1100 ? 49.6 : 50)),
        at(second),
      ),
    ).map((one) => one.startKnown)
  expect([1050, 1000, 941, 940, 900].map((second) => from(second))).toEqual([[false], [false], [false], [true], [true]])
  expect([900, 101, 100].map((second) => from(second, products.FFR))).toEqual([[false], [false], [true]])
})

test('samples out of order are refused', () => {
  expect(() => findActivations(dip, { x: [2000, 1000], y: [50, 50] })).toThrow(RangeError)
  expect(() => findActivations(dip, { x: [1000, 1000], y: [50, 50] })).toThrow(RangeError)
})

type Piece = { hz: number | null; seconds: number; stepMs: number }
const piece: fc.Arbitrary<Piece> = fc.record({
  hz: fc.constantFrom(50, 50, 49.899, 49.7, 49.95, 50.05, 50.2, null),
  seconds: fc.oneof(
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 50, max: 70 }),
    fc.constantFrom(290, 299, 300, 301, 310),
  ),
  stepMs: fc.constantFrom(1000, 1000, 1000, 100, 500, 4000, 5000, 6000),
})
const pieces = fc.array(piece, { minLength: 1, maxLength: 25 })
const seriesOf = (all: Piece[], fromMs = t0Ms): { x: number[]; y: (number | null)[] } => {
  const x: number[] = []
  const y: (number | null)[] = []
  let ms = fromMs
  for (const { hz, seconds, stepMs } of all) {
    for (const endMs = ms + seconds * 1000; ms < endMs; ms += stepMs) {
      x.push(ms)
      y.push(hz)
    }
  }
  return { x, y }
}
const anyProduct = fc.constantFrom('FCR-D-INC', 'FCR-D-DEC', 'FCR-N', 'FCR', 'FFR')

const byTheRules = (product: Product, { x, y }: Samples, sign: 1 | -1) => {
  const demand = demandOf(product)
  const known = Array.from(x, (ms, i) => ({ ms, u: sign * demand(ms, y[i] ?? NaN) })).filter(
    ({ u }) => !Number.isNaN(u),
  )
  const ms = (i: number) => known[i]?.ms ?? NaN
  const isActive = (i: number) => (known[i]?.u ?? 0) > 0 && (known[i]?.u ?? 0) >= product.activeFrom

  const isHeld = (i: number) => {
    let last = i
    while (last + 1 < known.length && isActive(last) && ms(last + 1) - ms(last) <= 5000) last++
    return isActive(i) && ms(last) - ms(i) >= 900
  }
  const endAfter = (from: number) => {
    let seen = 0
    let unseen = 0
    for (let i = from + 1; i < known.length; i++) {
      const span = ms(i) - ms(i - 1)
      if (span > 5000) unseen += span
      else if (!isActive(i - 1)) seen += span
      const endedBy = seen >= 60_000 ? 'quiet' : unseen > 300_000 ? 'silence' : undefined
      if (endedBy) return { endedBy, endMs: i > from + 1 ? ms(from + 1) : ms(from) + 1000 }
      if (isActive(i)) return undefined
    }
    return undefined
  }

  const active = known.map((_, i) => i).filter((i) => i === 0 || isActive(i))
  const chains: number[][] = []
  for (const i of active) {
    const before = chains.at(-1)?.at(-1)
    if (before === undefined || endAfter(before)) chains.push([i])
    else chains.at(-1)?.push(i)
  }
  return chains.flatMap((chain, number) => {
    const start = chain.find(isHeld)
    if (start === undefined) return []
    const isReady = !('latch' in product) || ms(start) - ms(0) >= product.latch.readyAgainS * 1000
    const end = endAfter(chain.at(-1) ?? start) ?? { endMs: null, endedBy: null }
    const peak = Math.max(...chain.filter((i) => i >= start).map((i) => known[i]?.u ?? 0))
    return [{ startMs: ms(start), startKnown: number > 0 && isReady, peak: Math.round(peak * 10_000) / 100, ...end }]
  })
}

const inShort = (found: readonly Activation[]) =>
  found.map(({ startMs, endMs, endedBy, startKnown, deltaLoadPct }) => ({
    startMs,
    endMs,
    endedBy,
    startKnown,
    peak: deltaLoadPct,
  }))

test('for any frequency the activations follow the rules', () => {
  fc.assert(
    fc.property(anyProduct, pieces, (market, all) => {
      const series = seriesOf(all)
      const found = findActivations(products[market], series)
      const of = (direction: string) => inShort(found.filter((one) => one.direction === direction))
      expect(of('increased')).toEqual(market === 'FCR-D-DEC' ? [] : byTheRules(products[market], series, 1))
      const isBoth = market !== 'FCR-D-INC' && market !== 'FFR'
      expect(of('decreased')).toEqual(isBoth ? byTheRules(products[market], series, -1) : [])
    }),
    { numRuns: 300 },
  )
})

test('a watcher reports live the same activations as a later search', () => {
  fc.assert(
    fc.property(anyProduct, pieces, fc.nat(), (market, all, cut) => {
      const { x, y } = seriesOf(all)
      const watcher = watch(products[market])
      const begun: Activation[] = []
      const ended: Activation[] = []
      const count = cut % (x.length + 1)
      for (let i = 0; i < count; i++) {
        for (const one of watcher.next(x[i] ?? 0, y[i] ?? null)) (one.endMs === null ? begun : ended).push(one)
      }
      const sofar = findActivations(products[market], { x: x.slice(0, count), y: y.slice(0, count) })
      expect(ended.toSorted((a, b) => a.startMs - b.startMs)).toEqual(sofar.filter((one) => one.endMs !== null))
      expect(watcher.running().toSorted((a, b) => a.startMs - b.startMs)).toEqual(
        sofar.filter((one) => one.endMs === null),
      )
      expect(begun.map((one) => one.startMs).toSorted((a, b) => a - b)).toEqual(sofar.map((one) => one.startMs))
    }),
    { numRuns: 150 },
  )
})

test('a window between two rests gives the same activations as the whole series', () => {
  fc.assert(
    fc.property(anyProduct, pieces, pieces, pieces, (market, before, inside, after) => {
      // FFR rests 15 minutes before it is activated again, after the 30 s that a trigger holds it.
      const heldMs = market === 'FFR' ? 30_000 : 0
      const rest: Piece = { hz: 50, seconds: market === 'FFR' ? 961 : 61, stepMs: 1000 }
      const first = seriesOf(before)
      const fromMs = (first.x.at(-1) ?? t0Ms) + 1000
      const window = seriesOf([rest, ...inside, rest], fromMs)
      const toMs = (window.x.at(-1) ?? fromMs) + 1000
      const last = seriesOf(after, toMs)
      const whole = { x: [...first.x, ...window.x, ...last.x], y: [...first.y, ...window.y, ...last.y] }
      const there = findActivations(products[market], whole).filter(
        (one) => one.startMs >= fromMs + heldMs && one.startMs < toMs,
      )
      expect(findActivations(products[market], window)).toEqual(there)
    }),
    { numRuns: 150 },
  )
})

test('late, shuffled and repeated batches give the same activations once stored in order', () => {
  fc.assert(
    fc.property(
      pieces,
      fc.integer({ min: 1, max: 60 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (all, size, chance) => {
        const series = seriesOf(all)
        const batches: [number, number | null][][] = []
        series.x.forEach((ms, i) => {
          if (i % size === 0) batches.push([])
          batches.at(-1)?.push([ms, series.y[i] ?? null])
        })
        const sent = [...batches, ...batches.slice(0, 5)].map((batch) => ({ batch, at: chance.next().value ?? 0 }))
        const store = new Map(sent.toSorted((a, b) => a.at - b.at).flatMap(({ batch }) => batch))
        const kept = [...store].toSorted(([a], [b]) => a - b)
        const stored = { x: kept.map(([ms]) => ms), y: kept.map(([, hz]) => hz) }
        expect(findActivations(dip, stored)).toEqual(findActivations(dip, series))
      },
    ),
    { numRuns: 50 },
  )
})
