import { describe, expect, test } from 'vitest'
import { follow, newState, newTrack, type Rule, type Watched } from './alert-rules.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const noonMs = Date.parse('2026-11-20T11:00:00Z')

const rule = (more: Partial<Rule> = {}): Rule => ({
  customerId: 'c',
  alertId: 'a',
  type: 'power',
  criteria: 'gt',
  threshold: 40,
  startMinute: 0,
  endMinute: 1439,
  intervalMs: 0,
  validFromMs: 0,
  ...more,
})

type Sample = [tMs: number, value: number]
const every = (stepMs: number, fromMs: number, values: readonly number[]): Sample[] =>
  values.map((value, i) => [fromMs + i * stepMs, value])
const lasting = (value: number, fromMs: number, toMs: number, stepMs = minute): Sample[] =>
  every(
    stepMs,
    fromMs,
    Array.from({ length: (toMs - fromMs) / stepMs }, () => value),
  )

const triggers = (one: Rule, samples: readonly Sample[]) => {
  const watched: Watched = { rule: one, state: newState() }
  const track = newTrack()
  const found: { at: string; value: number }[] = []
  for (const [tMs, value] of samples)
    follow([watched], track, tMs, value, (_, trigger) =>
      found.push({ at: new Date(trigger.tMs).toISOString(), value: trigger.value }),
    )
  return found
}
const times = (one: Rule, samples: readonly Sample[]) => triggers(one, samples).map(({ at }) => at.slice(11, 19))

describe('crossings', () => {
  test('39, 41, null, 41 against gt 40 is one trigger at the first 41', () => {
    const samples: Sample[] = [
      [noonMs, 39],
      [noonMs + second, 41],
      [noonMs + 3 * second, 41],
    ]
    expect(triggers(rule(), samples)).toEqual([{ at: '2026-11-20T11:00:01.000Z', value: 41 }])
  })

  test.each<['gt' | 'lt', number, number[], string[]]>([
    ['gt', 40, [40, 40, 40], []],
    ['gt', 40, [40.001, 40, 40.001], ['11:00:00', '11:00:02']],
    ['lt', 40, [40, 39.999, 40, 39], ['11:00:01', '11:00:03']],
    ['gt', 0, [0, 0.001], ['11:00:01']],
    ['lt', 0, [0, -0.001], ['11:00:01']],
    ['gt', 10_000, [10_000, 10_001], ['11:00:01']],
  ])('%s %d of %j', (criteria, threshold, values, expected) => {
    expect(times(rule({ criteria, threshold }), every(second, noonMs, values))).toEqual(expected)
  })

  test('a gap is never below the threshold, and a value after more than 15 minutes of silence is a new crossing', () => {
    const below = rule({ criteria: 'lt' })
    expect(
      times(below, [
        [noonMs, 50],
        [noonMs + hour, 50],
      ]),
    ).toEqual([])
    expect(
      times(rule(), [
        [noonMs, 41],
        [noonMs + 15 * minute, 41],
      ]),
    ).toEqual(['11:00:00'])
    expect(
      times(rule(), [
        [noonMs, 41],
        [noonMs + 15 * minute + 1, 41],
      ]),
    ).toEqual(['11:00:00', '11:15:00'])
  })

  test('samples before the start of the rule do not count', () => {
    const later = rule({ validFromMs: noonMs + 2 * second })
    expect(times(later, every(second, noonMs, [41, 41, 41, 41]))).toEqual(['11:00:02'])
  })
})

describe('interval', () => {
  test('a crossing triggers, and again after each interval while it lasts', () => {
    const samples = [
      ...lasting(41, noonMs, noonMs + 11 * minute),
      [noonMs + 11 * minute, 39],
      [noonMs + 12 * minute, 41],
    ] as Sample[]
    expect(times(rule({ intervalMs: 5 * minute }), samples)).toEqual(['11:00:00', '11:05:00', '11:10:00', '11:12:00'])
    expect(times(rule(), samples)).toEqual(['11:00:00', '11:12:00'])
  })

  test('the first sample after the interval triggers, and the next interval begins with it', () => {
    const samples = [0, 4, 7, 9, 11].map((minutes): Sample => [noonMs + minutes * minute, 41])
    expect(times(rule({ intervalMs: 5 * minute }), samples)).toEqual(['11:00:00', '11:07:00', '11:11:00'])
  })
})

describe('schedule in the time zone of Berlin', () => {
  const day = (date: string) =>
    lasting(41, Date.parse(`${date}T00:00:00Z`) - 2 * hour, Date.parse(`${date}T00:00:00Z`) + 24 * hour)
  const within = (startMinute: number, endMinute: number) => rule({ startMinute, endMinute })

  test('the last minute is included', () => {
    const samples = every(second, Date.parse('2026-11-20T16:59:58Z'), [39, 39, 39]).concat([
      [Date.parse('2026-11-20T17:00:59.999Z'), 41],
    ])
    expect(times(within(8 * 60, 18 * 60), samples)).toEqual(['17:00:59'])
    expect(times(within(8 * 60, 17 * 60 + 59), samples)).toEqual([])
  })

  test('a schedule over midnight is one span, and a lasting value triggers once a night', () => {
    expect(times(within(22 * 60, 6 * 60), day('2026-11-20'))).toEqual(['22:00:00', '21:00:00'])
  })

  test.each([
    ['the day in March that skips 02:00 to 03:00', '2026-03-29', 2 * 60, 2 * 60 + 59, []],
    ['the end at the hour that is skipped', '2026-03-29', 60, 3 * 60, ['00:00:00', '23:00:00']],
    ['the day in October that has 02:00 to 03:00 twice, as one span', '2026-10-25', 2 * 60, 2 * 60 + 59, ['00:00:00']],
    ['a minute that October has twice', '2026-10-25', 2 * 60 + 30, 2 * 60 + 30, ['00:30:00', '01:30:00']],
  ])('%s', (_, date, startMinute, endMinute, expected) => {
    expect(times(within(startMinute, endMinute), day(date))).toEqual(expected)
  })
})

describe('consumption of the running hour', () => {
  const consumption = (criteria: 'gt' | 'lt', threshold: number, more: Partial<Rule> = {}) =>
    rule({ type: 'consumption', criteria, threshold, ...more })

  test('gt triggers when the sum passes the threshold, in each hour', () => {
    const samples = lasting(60, noonMs, noonMs + 2 * hour)
    expect(triggers(consumption('gt', 30), samples)).toEqual([
      { at: '2026-11-20T11:31:00.000Z', value: 31 },
      { at: '2026-11-20T12:31:00.000Z', value: 31 },
    ])
  })

  test('lt triggers at the end of the hour, and again by the interval', () => {
    const samples = lasting(10, noonMs, noonMs + 3 * hour + minute)
    expect(triggers(consumption('lt', 20), samples)).toEqual([{ at: '2026-11-20T12:00:00.000Z', value: 10 }])
    expect(times(consumption('lt', 20, { intervalMs: hour }), samples)).toEqual(['12:00:00', '13:00:00', '14:00:00'])
    expect(times(consumption('lt', 20), samples.slice(0, 60))).toEqual([])
  })

  test('an hour with a silence of more than 15 minutes is unknown, not below', () => {
    const gap = lasting(10, noonMs, noonMs + hour + minute).filter(
      ([tMs]) => tMs < noonMs + 20 * minute || tMs >= noonMs + 36 * minute,
    )
    expect(times(consumption('lt', 20), gap)).toEqual([])
    const lateEnd = [...lasting(10, noonMs, noonMs + 44 * minute), [noonMs + hour, 10]] as Sample[]
    expect(times(consumption('lt', 20), lateEnd)).toEqual([])
    const lateStart = lasting(10, noonMs + 16 * minute, noonMs + hour + minute)
    expect(times(consumption('lt', 20), lateStart)).toEqual([])
  })

  test('the last hour of a schedule is included', () => {
    const evening = consumption('lt', 20, { startMinute: 12 * 60, endMinute: 13 * 60 + 59, intervalMs: hour })
    expect(times(evening, lasting(10, noonMs - 2 * hour, noonMs + 4 * hour))).toEqual(['12:00:00', '13:00:00'])
  })
})
