import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openWriter } from './writer.ts'

let groups: number[]
let sent: string
beforeEach(() => {
  groups = []
  sent = ''
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks() // before the timers: restoring a spy on one would bring the fake one back
  vi.useRealTimers()
})

const store = {
  insert: async ({ values }: { values: Readable }) => {
    sent = await text(values)
    groups.push(sent.split('\n').length - 1)
  },
} as unknown as ClickHouseClient // the writer calls nothing else
const run = (samples: number) => ({
  signalNo: 1,
  t0Ms: 0,
  dtMs: 1000,
  values: Array.from({ length: samples }, () => 1),
})

test('who has patience waits for company; one who has none, or enough to write, ends the wait', async () => {
  const { insert, close } = openWriter(store, 0, { queued: () => {}, stored: () => {}, failed: () => {} })
  void insert([run(5)], 200)
  await vi.advanceTimersByTimeAsync(150)
  void insert([run(5)], 200)
  await vi.advanceTimersByTimeAsync(49)
  expect(groups).toEqual([])
  await vi.advanceTimersByTimeAsync(2)
  expect(groups).toEqual([2])

  void insert([run(5)], 200)
  await vi.advanceTimersByTimeAsync(50)
  void insert([run(5)])
  await vi.advanceTimersByTimeAsync(21)
  expect(groups).toEqual([2, 2])

  void insert([run(600)], 200)
  await vi.advanceTimersByTimeAsync(5)
  void insert([run(600)], 200)
  await vi.advanceTimersByTimeAsync(16)
  expect(groups).toEqual([2, 2, 2])

  void insert([run(20_000)], 200)
  await vi.advanceTimersByTimeAsync(0)
  expect(groups).toEqual([2, 2, 2, 1])
  await close()
})

test('company that comes late ends the wait at once, and no timer is set for a moment that has passed', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const { insert, close } = openWriter(store, 0, { queued: () => {}, stored: () => {}, failed: () => {} })
  void insert([run(5)], 200)
  await vi.advanceTimersByTimeAsync(150)
  void insert([run(2000)], 200)
  expect(setTimer.mock.calls.map(([, ms]) => ms)).toEqual([200, 0])
  await vi.advanceTimersByTimeAsync(0)
  expect(groups).toEqual([2])
  await close()
})

test('a group goes out in the order in which the store keeps samples, each run under the version of its call', async () => {
  const { insert, close } = openWriter(store, 0, { queued: () => {}, stored: () => {}, failed: () => {} })
  const at = (signalNo: number, t0Ms: number, ...values: (number | null)[]) => ({ signalNo, t0Ms, dtMs: 10, values })
  void insert([at(2, 500, 1.5, null, -3), at(10, 0, 1e-7)])
  void insert([at(2, 40, 7), at(2, 500, 9)])
  await vi.advanceTimersByTimeAsync(21)
  const lines = sent
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const first = Math.min(...lines.map(([, , , version]) => Number(version)))
  expect(lines.map(([no, t0, dt, version, list]) => [no, t0, dt, Number(version) - first, list])).toEqual([
    ['2', '40', '10', 2, '[7]'],
    ['2', '500', '10', 0, '[1.5,NULL,-3]'],
    ['2', '500', '10', 3, '[9]'],
    ['10', '0', '10', 1, '[1e-7]'],
  ])
  await close()
})
