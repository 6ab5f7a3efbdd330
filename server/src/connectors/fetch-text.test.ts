import { describe, expect, test } from 'vitest'
import { afterAnswer, afterRequest, freshState, nextAllowed, type LimiterState } from './fetch-text.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const success = { ok: true } as const
const failure = (kind: 'http' | 'rate-limited', retryAfterMs: number | null = null) =>
  ({ ok: false, kind, retryAfterMs }) as const

const waits = (answers: Parameters<typeof afterAnswer>[1][]) => {
  let state: LimiterState = freshState
  return answers.map((answer) => {
    state = afterAnswer(afterRequest(state, now), answer, now)
    return (nextAllowed(state, now) - now) / 1000
  })
}

describe('one request per dataset and minute', () => {
  test('the first goes at once, the next after 61 s', () => {
    expect(nextAllowed(freshState, now)).toBe(now)
    expect(nextAllowed(afterRequest(freshState, now), now)).toBe(now + 61_000)
    expect(nextAllowed(afterRequest(freshState, now), now + 100_000)).toBe(now + 100_000)
    expect(nextAllowed(afterRequest(freshState, now), now, 1000)).toBe(now + 1000)
  })

  test('a clock set back does not stop requests for hours', () => {
    expect(nextAllowed(afterRequest(freshState, now + 7_200_000), now)).toBe(now + 61_000)
  })

  test('failures double the wait up to 15 minutes, success ends it', () => {
    const fails = Array.from({ length: 6 }, () => failure('http'))
    expect(waits([...fails, success])).toEqual([61, 122, 244, 488, 900, 900, 61])
  })

  test('a 429 waits 120 s, doubled each time', () => {
    expect(waits([failure('rate-limited'), failure('rate-limited'), failure('rate-limited')])).toEqual([120, 240, 480])
  })

  test('what the server asks for is kept, but never less than the interval', () => {
    expect(waits([failure('rate-limited', 3_600_000), failure('http', 5000)])).toEqual([3600, 61])
  })
})
