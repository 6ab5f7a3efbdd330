import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startCatchUp } from './catch-up.ts'
import { openState } from './state.ts'
import { readWorld } from './world-file.ts'

const [edge] = readWorld(join(import.meta.dirname, '../../demo/world.yaml'), ['edge-lab'])
if (!edge) throw new Error('the demo world has no edge')

afterEach(() => void vi.useRealTimers())

test('the backlog is sent at its rate, including messages without samples', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-02T12:00:00Z') })
  const nowS = Date.now() / 1000
  const stopping = new AbortController()
  let sent = 0
  startCatchUp({
    edge,
    state: openState(undefined, nowS - 86_400),
    replayPerS: 20,
    thinBeforeS: nowS,
    settledS: 30,
    send: async () => {
      sent++
      return true
    },
    isConnected: () => true,
    stopping: stopping.signal,
  })
  const perSecond: number[] = []
  for (let second = 0; second < 30; second++) {
    const before = sent
    await vi.advanceTimersByTimeAsync(1000)
    perSecond.push(sent - before)
  }
  stopping.abort()
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(20 + 5)
  expect(sent).toBeGreaterThan(20 * 25)
})
