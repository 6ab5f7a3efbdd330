import type { ClickHouseClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import type { Span } from '@gridmast/contract/time.ts'
import type { Samples } from './samples.ts'
import { bucketsOfMinutes, openHeldMinutes } from './minutes.ts'

const minute = 60_000
const day = 24 * 60 * minute
const noon = Date.UTC(2026, 9, 24, 12)
const hour: Span = { fromMs: noon, toMs: noon + 60 * minute }

const openStore = () => {
  const store = { value: 1, asked: [] as Span[], wait: Promise.resolve() }
  const query = async ({ query: sql }: { query: string }) => {
    const [fromS = 0, toS = 0] = [...sql.matchAll(/toDateTime\((\d+)/g)].map(([, seconds]) => Number(seconds))
    store.asked.push({ fromMs: fromS * 1000, toMs: toS * 1000 })
    const at_s = Array.from({ length: (toS - fromS) / 60 }, (_, i) => fromS + i * 60)
    const every = (value: number) => at_s.map(() => value)
    const values = Object.fromEntries(['sum', 'min', 'max', 'first', 'last'].map((name) => [name, every(store.value)]))
    const times = Object.fromEntries(['minAt', 'maxAt', 'firstAt', 'lastAt'].map((name) => [name, every(30_000)]))
    await store.wait
    return { json: async () => ({ data: { at_s, count: every(1), ...values, ...times } }) }
  }
  const client = { query } as unknown as ClickHouseClient // no other member is used
  const read = <T>(work: (from: ClickHouseClient) => Promise<T>) => work(client)
  return { store, read }
}
const open = ({ maxBytes = 10_000_000, samples = (): Samples | undefined => undefined } = {}) => {
  const { store, read } = openStore()
  const minutes = openHeldMinutes({ maxBytes, samples })
  const values = async (span = hour, signalNo = 1) => {
    const found: number[] = []
    const answer = await minutes.read(read, signalNo, span)
    answer.each((_, block, i) => found.push(block.min[i] ?? 0))
    return found
  }
  return { store, minutes, values }
}

test('minutes are asked for once, and only those that have been recomputed are asked for again', async () => {
  const { store, minutes, values } = open()
  expect(minutes.held(1, hour)).toBeUndefined()
  expect(await values()).toEqual(Array.from({ length: 60 }, () => 1))
  store.value = 2
  minutes.recomputed([{ signalNos: [7, 1], fromMinute: noon / minute + 3, toMinute: noon / minute + 5 }])
  minutes.recomputed([{ signalNos: [2], fromMinute: noon / minute, toMinute: noon / minute + 9 }])
  expect((await values()).flatMap((value, i) => (value === 2 ? i : []))).toEqual([3, 4])
  expect(await values({ fromMs: noon + 4 * minute, toMs: noon + 6 * minute })).toEqual([2, 1])
  expect(minutes.held(1, hour)).toBeDefined()
  expect(store.asked).toEqual([hour, { fromMs: noon + 3 * minute, toMs: noon + 5 * minute }])
})

test('a recomputation over midnight reaches both days', async () => {
  const { store, minutes, values } = open()
  const span = { fromMs: noon, toMs: noon + 2 * day }
  await values(span)
  store.value = 2
  const midnight = (noon + day / 2) / minute
  minutes.recomputed([{ signalNos: [1], fromMinute: midnight - 1, toMinute: midnight + 1441 }])
  const [before, after] = [await values(span), 720 - 1]
  expect(before.map((value, i) => (value === 2) === (i >= after && i < after + 1442))).not.toContain(false)
})

test('what the store answered while minutes were recomputed is not kept', async () => {
  const { store, minutes, values } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  store.wait = promise
  const reading = values()
  store.value = 2
  minutes.recomputed([{ signalNos: [1], fromMinute: noon / minute, toMinute: noon / minute + 1 }])
  resolve()
  expect((await reading)[0]).toBe(2)
  expect(minutes.held(1, hour)).toBeUndefined()
  expect(await values()).toEqual(Array.from({ length: 60 }, () => 2))
})

test('memory is bounded: the day that was needed the longest ago goes, and without memory the store answers everything', async () => {
  const bounded = open({ maxBytes: 160_000 }) // two days
  for (const signalNo of [1, 2, 1, 3]) await bounded.values(hour, signalNo)
  expect([1, 2, 3].map((signalNo) => bounded.minutes.held(signalNo, hour) !== undefined)).toEqual([true, false, true])
  const none = open({ maxBytes: 0 })
  for (const _ of [1, 2]) expect(await none.values()).toHaveLength(60)
  expect(none.store.asked).toHaveLength(2)
  expect(none.minutes.held(1, hour)).toBeUndefined()
})

test('minutes of the last hour are put together from its samples, as the store would', async () => {
  const x = [0, 1000, 2000, 3000, 200_000].map((ms) => noon + ms)
  const { store, minutes } = open({ samples: () => ({ x, y: [2, 1, 3, 1, 9] }) })
  const found = minutes.held(1, hour)
  const sums: (number | undefined)[] = []
  found?.each((_, block, i) => sums.push(block.sum[i]))
  expect(sums).toEqual([7, 9])
  const extremes = { count: 4, min: 1, minAtMs: noon + 1000, max: 3, maxAtMs: noon + 2000 }
  const ends = { first: 2, firstAtMs: noon, last: 1, lastAtMs: noon + 3000 }
  expect(found && [...bucketsOfMinutes(found, 2 * minute, new Set()).values()][0]).toEqual({ ...extremes, ...ends })
  expect(store.asked).toEqual([])
})
