import { expect, test } from 'vitest'
import { killFleet, places } from './fleet-kill.fixture.ts'

test('D2 kill -9 with a hundred chargers that repeat unanswered messages: each session is stored once with its own energy', async () => {
  const { found, wanted, refusals, changed } = await killFleet({
    chargers: 100,
    charging: 60,
    sessions: 2,
    kills: places(4, 20),
  })
  expect(found).toEqual(wanted)
  expect({ refusals, changed }).toEqual({ refusals: 0, changed: 0 })
}, 600_000)
