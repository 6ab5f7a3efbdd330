import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openWriter, valueList } from './writer.ts'
import fc from 'fast-check'

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

const read = (text: string) => JSON.parse(`[${text.replaceAll('NULL', 'null')}]`) as unknown

test('numbers are read back as they were written, whatever they are', () => {
  const thousandths = fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }).map((whole) => whole / 1000)
  const small = fc.integer({ min: -11_000, max: 11_000 }).map((whole) => whole / 1000)
  const any = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const values = fc.array(fc.oneof(thousandths, small, any, fc.constant(null)), { maxLength: 200 })
  fc.assert(
    fc.property(values, (all) => {
      expect(read(valueList(all))).toEqual(all.map((value) => (value === null ? null : value + 0)))
    }),
    { numRuns: 300 },
  )
})

test('a list is as short as it can be, and 0 has no sign', () => {
  expect(valueList([0, -0, -0.5, 49.98, 400.1, 1000, -2_147_483.648, 1e21, null])).toBe(
    '0,0,-0.5,49.98,400.1,1000,-2147483.648,1e+21,NULL',
  )
  expect(valueList(Array.from({ length: 3 }, () => Number.MIN_VALUE))).toBe('5e-324,5e-324,5e-324')
  expect(valueList([])).toBe('')
})
