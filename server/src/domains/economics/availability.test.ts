import { dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { availabilityOf, pieceMs } from './availability.ts'

const date = '2026-09-15'
/** Samples each second but in the spans that are named, minutes of the local day. */
const measured = (day: string, silent: readonly [from: number, to: number][], kw: number | null = 500) => {
  const span = dayBounds(day)
  const pieces = (span.toMs - span.fromMs) / pieceMs
  const isSilent = (minute: number) => silent.some(([from, to]) => minute >= from && minute < to)
  const counts = Array.from({ length: pieces }, (_, piece) => {
    const minutes = Array.from({ length: 5 }, (__, i) => piece * 5 + i)
    return 60 * minutes.filter((minute) => !isSilent(minute)).length
  })
  return { span, counts, availableKw: Array.from({ length: pieces / 12 }, () => kw) }
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

test('the worked example: 61 minutes of silence touch two hours; 75 leave the day unjudged', () => {
  expect(missed(date, measured(date, [[10 * 60 + 30, 11 * 60 + 31]]))).toEqual([
    [10, 'silent'],
    [11, 'silent'],
  ])
  const much = availabilityOf(measured(date, [[600, 675]]), sold(date))
  expect(much).toEqual({ notAvailable: new Map(), missingShare: 75 / 1440, isJudged: false })
})

test('gaps shorter than a quarter of an hour count for nothing, however many', () => {
  const gaps = Array.from({ length: 24 }, (_, hour): [number, number] => [hour * 60 + 20, hour * 60 + 30])
  expect(missed(date, measured(date, gaps))).toEqual([])
})

test('a past that was sent coarsely, one sample each quarter of an hour, is whole', () => {
  const { span, counts, availableKw } = measured(date, [])
  expect(missed(date, { span, counts: counts.map((_, i) => (i % 3 === 0 ? 1 : 0)), availableKw })).toEqual([])
})

test('less than was sold is missed from 5 % on; what was not measured is not judged', () => {
  expect(missed(date, measured(date, [], 380), 400)).toEqual([])
  expect(missed(date, measured(date, [], 379), 400)).toHaveLength(24)
  expect(missed(date, measured(date, [], null), 400)).toEqual([])
})

test('nothing was sold, nothing is missed', () => {
  const silent = measured(date, [[600, 660]])
  expect(availabilityOf(silent, new Map([[dayBounds(date).fromMs, 400]])).notAvailable.size).toBe(0)
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s has %i hours, and a silence at its end is its last hour', (day, hours) => {
  const end = hours * 60
  expect(missed(day, measured(day, [[end - 20, end]]))).toEqual([[hours - 1, 'silent']])
  expect(availabilityOf(measured(day, [[0, 15]]), sold(day)).missingShare).toBeCloseTo(
    (15 * minuteMs) / (hours * hourMs),
  )
})
