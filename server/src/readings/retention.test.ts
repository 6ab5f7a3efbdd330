import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeWorkerEngine } from '#testing/readings.ts'
import { openReadings, type Readings } from './readings.ts'

beforeAll(closeWorkerEngine)

const now = Date.UTC(2026, 10, 20, 12)
const [july, august, november] = [Date.UTC(2026, 6, 31, 23), Date.UTC(2026, 7, 31, 23), Date.UTC(2026, 10, 20, 11)]
const hour = 3_600_000

let dataDir: string
let readings: Readings
const open = async (retentionDays?: number) => {
  readings = await openReadings({ dataDir, now: () => now, rollupRoundMs: 0, retentionDays })
  for (const t0Ms of [july, august, november])
    await readings.insert([{ signalNo: 1, t0Ms, dtMs: 1000, values: Array.from({ length: 3600 }, (_, i) => i) }])
}
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gridmast-retention-'))
})
afterEach(async () => {
  await readings.close()
  await rm(dataDir, { recursive: true, force: true })
})
const raw = async (fromMs: number) => {
  let count = 0
  for await (const row of readings.exportRows({ signalNos: [1], fromMs, toMs: fromMs + hour }))
    count += row.values.length
  return count
}
const hourOf = async (fromMs: number) => (await readings.buckets({ signalNo: 1, edgesMs: [fromMs, fromMs + hour] }))[0]

test('months past the retention go, their roll-ups stay, and a chart of them is drawn from minutes', async () => {
  await open(90) // since 22 August
  await readings.rollUp()
  const before = await Promise.all([july, august, november].map(hourOf))
  expect(await readings.dropOld()).toEqual(['202607'])
  expect(await Promise.all([july, august, november].map(raw))).toEqual([0, 3600, 3600])
  expect(await Promise.all([july, august, november].map(hourOf))).toEqual(before)
  const { x, y } = await readings.window({ signalNo: 1, fromMs: july, toMs: july + hour, maxPoints: 5000 })
  expect([x[0], x.at(-1)]).toEqual([july, july + 3_599_000])
  expect([Math.min(...y.map(Number)), Math.max(...y.map(Number))]).toEqual([0, 3599])
  expect(await readings.dropOld()).toEqual([])
})

test('nothing goes that is not in the roll-ups yet', async () => {
  await open(90)
  expect(await readings.dropOld()).toEqual([])
  expect(await raw(july)).toBe(3600)
})

test('without a retention everything is kept', async () => {
  await open()
  await readings.rollUp()
  expect(await readings.dropOld()).toEqual([])
  expect(await raw(july)).toBe(3600)
})
