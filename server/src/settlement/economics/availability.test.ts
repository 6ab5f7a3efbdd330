import { addDays, dayBounds, hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aroundMs, availabilityOf, type Piece, pieceMs } from './availability.ts'

const date = '2026-09-15'
type Silent = readonly [fromMinute: number, toMinute: number]

/** A sample each `stepMs` except in the silent spans, in minutes of the local day. */
const measured = (
  day: string,
  silent: readonly Silent[],
  { kw = 500, stepMs = 1000 }: { kw?: number | null; stepMs?: number } = {},
) => {
  const span = dayBounds(day)
  const isSilent = (atMs: number) =>
    silent.some(([from, to]) => atMs >= span.fromMs + from * minuteMs && atMs < span.fromMs + to * minuteMs)
  const pieces: Piece[] = []
  for (let fromMs = span.fromMs - aroundMs; fromMs < span.toMs + aroundMs; fromMs += pieceMs) {
    let piece: Piece | undefined
    for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs < fromMs + pieceMs; atMs += stepMs)
      if (!isSilent(atMs)) piece = { count: (piece?.count ?? 0) + 1, firstMs: piece?.firstMs ?? atMs, lastMs: atMs }
    if (piece) pieces.push(piece)
  }
  return { span, pieces, availableKw: Array.from({ length: (span.toMs - span.fromMs) / hourMs }, () => kw) }
}
const sold = (day: string, kw = 400) => {
  const { fromMs, toMs } = dayBounds(day)
  return new Map(Array.from({ length: (toMs - fromMs) / hourMs }, (_, hour) => [fromMs + hour * hourMs, kw] as const))
}
const missed = (day: string, of: ReturnType<typeof measured>, kw?: number) =>
  [...availabilityOf(of, sold(day, kw)).notAvailable].map(([atMs, reason]) => [
    (atMs - dayBounds(day).fromMs) / hourMs,
    reason,
  ])
const silentHours = (...hours: number[]) => hours.map((hour) => [hour, 'silent'])

test('the worked example: 61 minutes of silence affect two hours, 75 minutes leave the day unjudged', () => {
  expect(missed(date, measured(date, [[630, 691]]))).toEqual(silentHours(10, 11))
  expect(missed(date, measured(date, [[659, 720]]))).toEqual(silentHours(10, 11))
  expect(missed(date, measured(date, [[659, 721]]))).toEqual(silentHours(10, 11, 12))
  const much = availabilityOf(measured(date, [[600, 675]]), sold(date))
  expect(much).toEqual({ notAvailable: new Map(), missingShare: 75 / 1440, isJudged: false })
})

test('a silence of a quarter of an hour or more costs each hour that it touches', () => {
  const stepMs = fc.constantFrom(1000, 10_000, minuteMs)
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 1200 }), fc.integer({ min: 14, max: 62 }), stepMs, (from, minutes, step) => {
      const [first, last] = [Math.floor(from / 60), Math.floor((from + minutes - 1) / 60)]
      const touched = Array.from({ length: last - first + 1 }, (_, i) => first + i)
      const expected = minutes < 15 ? [] : silentHours(...touched)
      expect(missed(date, measured(date, [[from, from + minutes]], { stepMs: step }))).toEqual(expected)
    }),
  )
})

test('a silence is counted by the second', () => {
  const of = (from: number, to: number) => missed(date, measured(date, [[from, to]]))
  expect(of(619.5, 634.5)).toEqual(silentHours(10))
  expect(of(619.5, 634.5 - 1 / 60)).toEqual([])
  expect(of(659.5, 720)).toEqual(silentHours(10, 11))
  expect(of(660, 720.5)).toEqual(silentHours(11, 12))
})

test('a silence over midnight costs an hour of each day', () => {
  const before = addDays(date, -1)
  expect(missed(date, measured(date, [[-10, 10]]))).toEqual(silentHours(0))
  expect(missed(before, measured(before, [[1430, 1450]]))).toEqual(silentHours(23))
  expect(missed(date, measured(date, [[-20, 0]]))).toEqual([])
})

test('gaps shorter than a quarter of an hour do not count', () => {
  const gaps = Array.from({ length: 24 }, (_, hour): Silent => [hour * 60 + 20, hour * 60 + 30])
  expect(missed(date, measured(date, gaps))).toEqual([])
})

test('samples of each quarter of an hour are no silence, and a missing one is', () => {
  const coarse = (silent: readonly Silent[]) => missed(date, measured(date, silent, { stepMs: 15 * minuteMs }))
  expect(coarse([])).toEqual([])
  expect(coarse([[660, 661]])).toEqual(silentHours(11))
})

test('an hour is missed below 95 % of the sold capacity, and not judged without a measurement', () => {
  expect(missed(date, measured(date, [], { kw: 380 }), 400)).toEqual([])
  expect(missed(date, measured(date, [], { kw: 379 }), 400)).toHaveLength(24)
  expect(missed(date, measured(date, [], { kw: null }), 400)).toEqual([])
})

test('an hour without sold capacity is not missed', () => {
  const silent = measured(date, [[600, 660]])
  expect(availabilityOf(silent, new Map([[dayBounds(date).fromMs, 400]])).notAvailable.size).toBe(0)
})

test('a day without samples is not judged', () => {
  const { span, availableKw }: { span: Span; availableKw: (number | null)[] } = measured(date, [])
  const nothing = availabilityOf({ span, pieces: [], availableKw }, sold(date))
  expect(nothing).toEqual({ notAvailable: new Map(), missingShare: 1, isJudged: false })
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s has %i hours, and a silence at its end is its last hour', (day, hours) => {
  const end = hours * 60
  expect(missed(day, measured(day, [[end - 20, end]]))).toEqual(silentHours(hours - 1))
  expect(availabilityOf(measured(day, [[0, 15]]), sold(day)).missingShare).toBeCloseTo(15 / end)
})
