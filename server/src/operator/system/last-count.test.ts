import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Records } from '#platform/records/records.ts'
import { lastCount } from './sources.ts'

const minute = 60_000

test('a slow count does not delay a caller: the last one is returned with its age until the new one is ready', async () => {
  const app = { records: {} as Records } // only the key of the cache
  const counts: PromiseWithResolvers<number>[] = []
  const count = () => {
    const one = Promise.withResolvers<number>()
    counts.push(one)
    return one.promise
  }
  const ask = (nowMs: number) => lastCount(app, nowMs, 'storage', count)
  expect(await ask(0)).toBe(null)
  counts[0]?.resolve(7)
  expect(await ask(1)).toEqual({ value: 7, countedAtMs: 0 })
  expect(await ask(minute)).toEqual({ value: 7, countedAtMs: 0 })
  counts[1]?.reject(new Error('away'))
  await nextTurn()
  const again = ask(2 * minute)
  counts.at(-1)?.resolve(8)
  expect((await again)?.value).toBe(8)
  expect(counts.length).toBeLessThanOrEqual(3)
})
