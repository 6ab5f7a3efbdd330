import { dayBounds, hourMs, localTime } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { alignDays, shiftDays } from './compare.ts'

const hoursOf = (date: string) => {
  const { fromMs, toMs } = dayBounds(date)
  const x = Array.from({ length: (toMs - fromMs) / hourMs }, (_, i) => fromMs + i * hourMs)
  return { x, y: x.map((_, i) => i) }
}
const clocks = (x: readonly number[]) => x.map(localTime)

test('an ordinary day is 24 hours later', () => {
  const { x, y } = hoursOf('2026-11-19')
  expect(alignDays({ x, y }, 1)).toEqual({ x: hoursOf('2026-11-20').x, y })
  expect(alignDays({ x, y }, 7).x).toEqual(hoursOf('2026-11-26').x)
})

test('over the change of the clock the local times are the same, not the elapsed hours', () => {
  const saturday = hoursOf('2026-10-24')
  const onLongDay = alignDays(saturday, 1)
  const values = onLongDay.x.filter((_, i) => onLongDay.y[i] !== null)
  expect(clocks(values)).toEqual(clocks(saturday.x))
  // 02:00 exists twice: the values are at the first one, and the line breaks before 03:00.
  expect(onLongDay.y.slice(0, 5)).toEqual([0, 1, 2, null, 3])

  const fromLongDay = alignDays(hoursOf('2026-10-25'), 1)
  expect(fromLongDay.x).toEqual(hoursOf('2026-10-26').x)
  expect(fromLongDay.y.slice(0, 5)).toEqual([0, 1, 2, 4, 5])
})

test('the hour that a day in March skips has no value, and its day is compared with the next', () => {
  const onShortDay = alignDays(hoursOf('2026-03-28'), 1)
  expect(onShortDay.x).toEqual(hoursOf('2026-03-29').x)
  expect(onShortDay.y.slice(0, 4)).toEqual([0, 1, 3, 4])
  const fromShortDay = alignDays(hoursOf('2026-03-29'), 1)
  expect(clocks(fromShortDay.x.filter((_, i) => fromShortDay.y[i] !== null)).slice(0, 4)).toEqual([
    '00:00',
    '01:00',
    '03:00',
    '04:00',
  ])
  expect(shiftDays(Date.parse('2026-03-28T01:30:00Z'), 1)).toBeNull()
})
