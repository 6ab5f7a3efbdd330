import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentMs, serverAheadMs, setClock } from './clock.ts'

const serverMs = Date.parse('2026-11-20T12:00:00.400Z')
const header = (ms: number) => new Date(ms).toUTCString()

beforeEach(() => serverAheadMs.set(0))
afterEach(() => void vi.restoreAllMocks())

test.each([
  ['in step', 0],
  ['three minutes slow', -180_000],
  ['ten minutes slow', -600_000],
  ['ten minutes fast', 600_000],
  ['an hour fast', 3_600_000],
])('a device that is %s has the time of the server, within a second', (_, wrongMs) => {
  const now = vi.spyOn(Date, 'now')
  for (let at = serverMs; at < serverMs + 30_000; at += 1300) {
    now.mockReturnValue(at + 80 + wrongMs)
    setClock(header(at + 40), at + wrongMs)
    expect(Math.abs(currentMs() - (at + 80))).toBeLessThan(1000)
  }
  if (wrongMs === 0) expect(serverAheadMs.get()).toBe(0)
})

test('a slow answer does not move a clock that is right, and neither does a missing header', () => {
  vi.spyOn(Date, 'now').mockReturnValue(serverMs + 20_000)
  setClock(header(serverMs + 10_000), serverMs)
  setClock(null, serverMs)
  setClock('no date', serverMs)
  expect(serverAheadMs.get()).toBe(0)
})
