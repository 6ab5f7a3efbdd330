import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import type { App } from '#context.ts'
import { outlookOf } from './outlook.ts'

const noon = Date.parse('2026-09-16T10:00:00Z')

const storeOf = (at: { kw: number; fails?: boolean }) => {
  const counts = { fortnights: 0, lastHours: 0 }
  const buckets = ({ edgesMs }: { edgesMs: readonly number[] }) => {
    if (edgesMs.length > 2) counts.fortnights++
    else counts.lastHours++
    if (at.fails) return Promise.reject(new Error('the store is gone'))
    return Promise.resolve(edgesMs.slice(1).map(() => ({ count: 60, sum: 60 * at.kw, min: at.kw, max: at.kw })))
  }
  const latest = (nos: readonly number[]) =>
    Promise.resolve(new Map(nos.map((no) => [no, { tMs: noon, value: at.kw }])))
  return { counts, app: { readings: { buckets, latest } as unknown as App['readings'] } }
}

const one = { up: 1, down: 2 }
const kwOf = async (app: { readings: App['readings'] }, nowMs: number) =>
  (await outlookOf(app, one, nowMs)).expected.up(nowMs + 6 * hourMs)?.kw

test('the profile of a series is read once an hour, its last hour each time', async () => {
  const { app, counts } = storeOf({ kw: 500 })
  expect(await kwOf(app, noon)).toBe(500)
  expect(counts).toEqual({ fortnights: 2, lastHours: 2 })
  await kwOf(app, noon + hourMs - 1)
  expect(counts).toEqual({ fortnights: 2, lastHours: 4 })
  await kwOf(app, noon + hourMs)
  expect(counts).toEqual({ fortnights: 4, lastHours: 6 })
})

test('another day, a clock set back and another store are read separately', async () => {
  const { app, counts } = storeOf({ kw: 500 })
  const beforeMidnight = Date.parse('2026-09-16T21:59:00Z')
  await kwOf(app, beforeMidnight)
  await kwOf(app, beforeMidnight + 2 * minuteMs)
  expect(counts.fortnights).toBe(4)
  await kwOf(app, beforeMidnight)
  await kwOf(app, beforeMidnight - minuteMs)
  expect(counts.fortnights).toBe(8)
  const other = storeOf({ kw: 200 })
  expect(await kwOf(other.app, beforeMidnight - minuteMs)).toBe(200)
})

test('simultaneous requests share one read, and a failed one is not cached', async () => {
  const at = { kw: 500, fails: true }
  const { app, counts } = storeOf(at)
  await expect(kwOf(app, noon)).rejects.toThrow('the store is gone')
  at.fails = false
  const all = await Promise.all(Array.from({ length: 5 }, () => kwOf(app, noon + 1)))
  expect(new Set(all)).toEqual(new Set([500]))
  expect(counts.fortnights).toBe(4)
})
