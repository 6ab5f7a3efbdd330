import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { refreshedWindow, testWindow } from './window.ts'

const nowMs = Date.parse('2026-11-20T10:00:00Z')

test('a test begins with the quarter of an hour before it; each refresh ends one minute ahead', () => {
  const first = testWindow(nowMs)
  expect(first).toEqual({ fromMs: nowMs - 15 * minuteMs, toMs: nowMs })
  const later = refreshedWindow(first, nowMs + 30_000)
  expect(later).toEqual({ fromMs: first.fromMs, toMs: nowMs + 90_000 })
})

test('a long test shows its last hour', () => {
  const { fromMs, toMs } = refreshedWindow(testWindow(nowMs), nowMs + 3 * hourMs)
  expect([toMs - fromMs, toMs]).toEqual([hourMs, nowMs + 3 * hourMs + minuteMs])
})
