import { beforeEach, expect, test } from 'vitest'
import { openTestBus } from '#testing/bus.ts'
import { openReadCache } from './read-cache.ts'
import type { Records, Tx } from './records.ts'

const slowStore = () => {
  const waiting: (() => void)[] = []
  const tenant: Records['tenant'] = async (_customerId, work) => {
    await new Promise<void>((answer) => waiting.push(answer))
    return work({} as Tx) // the functions below read nothing
  }
  const answer = () => waiting.splice(0).forEach((one) => one())
  return { tenant, answer }
}

let found: string[] = []
const readName = async (_tx: Tx, customerId: string) => {
  found.push(customerId)
  return `${customerId} ${found.length}`
}
const at = 1_800_000_000_000

const open = () => {
  const { bus, change } = openTestBus()
  const store = slowStore()
  const readCached = openReadCache({ tenant: store.tenant } as Records, bus) // the only member in use
  const read = async (customerId: string, nowMs = at) => {
    const rows = readCached.rows(customerId, nowMs, readName)
    store.answer()
    return rows
  }
  return { bus, change, store, readCached, read }
}

beforeEach(() => {
  found = []
})

test('concurrent and later calls share a reading', async () => {
  const { readCached, store, read } = open()
  const both = [readCached.rows('a', at, readName), readCached.rows('a', at + 5, readName)]
  store.answer()
  expect(await Promise.all(both)).toEqual(['a 1', 'a 1'])
  expect(await read('a', at + 899)).toBe('a 1')
  expect(await read('a', at + 900)).toBe('a 2')
  expect(await read('a', at - 60_000)).toBe('a 3')
})

test('T1 readings are separate per customer and function', async () => {
  const { readCached, store, read } = open()
  expect(await read('a')).toBe('a 1')
  expect(await read('b')).toBe('b 2')
  const other = readCached.rows('a', at, async () => 'other')
  store.answer()
  expect(await other).toBe('other')
})

test('readings are separate per argument, and the oldest ones are evicted', async () => {
  const { readCached, store } = open()
  const readDay = async (_tx: Tx, customerId: string, { day }: { day: number }) =>
    `${await readName(_tx, customerId)} ${day}`
  const read = async (day: number) => {
    const rows = readCached.rows('a', at, readDay, { day })
    store.answer()
    return rows
  }
  expect(await Promise.all([read(1), read(2), read(1)])).toEqual(['a 1 1', 'a 2 2', 'a 1 1'])
  for (let day = 3; day <= 21; day++) await read(day)
  expect(await read(21)).toBe('a 21 21')
  expect(await read(1)).toBe('a 22 1')
})

test('a change invalidates the readings at once, also from another process', async () => {
  const { bus, change, readCached, read } = open()
  const forget: [string, () => void][] = [
    ['this process', readCached.forget],
    ['a hand behind the server', bus.resync],
    ['a change of its rights', () => change('customer', 'a')],
    ['a change of its equipment', () => change('edges', 'a')],
  ]
  for (const [, forgetRows] of forget) {
    const before = await read('a')
    expect(await read('a')).toBe(before)
    forgetRows()
    expect(await read('a')).not.toBe(before)
  }
  const kept = await read('a')
  change('edges', 'b')
  expect(await read('a')).toBe(kept)
})

test('a reading that was pending during a change is not kept', async () => {
  const { readCached, store, read } = open()
  const old = readCached.rows('a', at, readName)
  readCached.forget()
  store.answer()
  expect(await old).toBe('a 1')
  expect(await read('a')).toBe('a 2')
})

test('a failed reading is reported to its callers and repeated by the next one', async () => {
  const { readCached, store, read } = open()
  let isDown = true
  const failing = async (tx: Tx, customerId: string) => {
    if (isDown) throw new Error('down')
    return readName(tx, customerId)
  }
  const both = [readCached.rows('a', at, failing), readCached.rows('a', at, failing)]
  store.answer()
  for (const { status } of await Promise.allSettled(both)) expect(status).toBe('rejected')
  isDown = false
  const again = readCached.rows('a', at, failing)
  store.answer()
  expect(await again).toBe('a 1')
  expect(await read('a')).toBe('a 2')
})
