import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { defaultTimes, runningSpan, spanOf } from './window.ts'

const at = Date.parse

test('the default window is the last 15 minutes, in Berlin', () => {
  expect(defaultTimes(at('2026-11-20T17:12:40Z'))).toEqual({ date: '2026-11-20', startTime: '17:57', endTime: '18:12' })
})

test('shortly after midnight it begins at midnight', () => {
  expect(defaultTimes(at('2026-11-19T23:04:00Z'))).toEqual({ date: '2026-11-20', startTime: '00:00', endTime: '00:04' })
})

test('a window across the repeated hour contains both passes', () => {
  const { fromMs, toMs } = spanOf({ date: '2026-10-25', startTime: '02:00', endTime: '02:59' })
  expect(toMs - fromMs).toBe(hourMs + 59 * minuteMs)
})

test('while refreshing, the window ends a minute ahead and keeps its start on the same day', () => {
  const now = at('2026-11-20T17:12:00Z')
  const start = now - 15 * minuteMs
  expect(runningSpan({ fromMs: start, toMs: now }, now + 30_000)).toEqual({ fromMs: start, toMs: now + 90_000 })
  expect(runningSpan({ fromMs: at('2026-11-18T10:00:00Z'), toMs: now }, now)).toEqual({
    fromMs: start,
    toMs: now + minuteMs,
  })
})
