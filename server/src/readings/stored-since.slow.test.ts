import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReadings, type Readings, type StoredGroup } from './readings.ts'
import type { StoredRange } from './stored-since.ts'
import type { Run } from './writer.ts'

const noon = Date.UTC(2026, 9, 24, 12)
const hour = 3_600_000

let folder: string
let readings: Readings
const errors: object[] = []
const open = () =>
  openReadings({
    dataDir: join(folder, 'readings'),
    now: () => noon,
    rollupRoundMs: 0,
    log: { error: (details) => void errors.push(details), info: () => {} },
  })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-stored-'))
  readings = await open()
})
afterAll(async () => {
  await readings.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (signalNo: number, t0Ms: number, count: number, dtMs = 1000): Run => ({
  signalNo,
  t0Ms,
  dtMs,
  values: Array.from({ length: count }, (_, i) => i),
})
const since = async (version: number) => {
  const ranges: StoredRange[] = []
  for await (const range of readings.storedSince(version)) ranges.push(range)
  return ranges
}

test('listeners hear every group after its commit, in order of versions; one that throws harms neither the insert nor the others', async () => {
  const heard: StoredGroup[] = []
  const newest: (number | undefined)[] = []
  readings.onStored(() => {
    throw new Error('a listener failed')
  })
  const stop = readings.onStored((group) => heard.push(group))
  await readings.latest([901])
  await expect.poll(() => readings.held().series).toBe(1)
  // Reported samples are in memory already.
  readings.onStored(() => void readings.latest([901]).then((found) => newest.push(found.get(901)?.value)))
  await Promise.all([1, 2, 3].map((i) => readings.insert([run(901, noon + i * 1000, 1), run(902, noon, i)])))
  await readings.insert([run(901, noon - hour, 2)])
  const runs = heard.flatMap((group) => group.runs)
  expect(runs.map(({ run: { signalNo, values } }) => [signalNo, values.length])).toEqual([
    ...[1, 2, 3].flatMap((i) => [
      [901, 1],
      [902, i],
    ]),
    [901, 2],
  ])
  const versions = runs.map(({ version }) => version)
  expect(versions).toEqual(versions.toSorted((x, y) => x - y))
  for (const { runs: inside, version } of heard) expect(version).toBe(inside.at(-1)?.version)
  expect(readings.storedVersion()).toBe(versions.at(-1))
  expect(newest.at(-1)).toBe(0)
  expect(errors.length).toBe(heard.length)
  stop()
  const count = heard.length
  await readings.insert([run(901, noon, 1)])
  expect(heard).toHaveLength(count)
})

test('a span of weeks comes in ranges of a day at most, spans apart in ranges of their own, with the newest version of each', async () => {
  const version = readings.storedVersion()
  expect(await since(version)).toEqual([])
  await readings.insert([run(11, noon - 14 * 24 * hour, 14 * 24 * 12, 300_000)])
  const afterFirst = readings.storedVersion()
  await readings.insert([run(12, noon - 400 * 24 * hour, 1), run(12, noon - 3000, 3)])
  const ranges = await since(version)
  const [long, other] = [
    ranges.filter(({ signalNo }) => signalNo === 11),
    ranges.filter(({ signalNo }) => signalNo === 12),
  ]
  expect(long[0]?.fromMs).toBe(noon - 14 * 24 * hour)
  expect(long.at(-1)?.toMs).toBe(noon - 300_000 + 1)
  expect(long.every(({ fromMs, toMs }) => toMs - fromMs <= 24 * hour)).toBe(true)
  expect(long.length).toBeLessThan(17)
  expect(other.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [noon - 400 * 24 * hour, noon - 400 * 24 * hour + 1],
    [noon - 3000, noon - 1000 + 1],
  ])
  expect(long.every((range) => range.version === afterFirst)).toBe(true)
  const rest = [12, 12]
  expect((await since(afterFirst)).map(({ signalNo }) => signalNo)).toEqual(rest)
  await readings.close()
  readings = await open()
  expect((await since(afterFirst)).map(({ signalNo }) => signalNo)).toEqual(rest)
})

test('D3: whatever was stored after a version lies in a range, with roll-ups behind, half done or ahead', async () => {
  const step = fc.record({
    signalNo: fc.integer({ min: 21, max: 24 }),
    at: fc.integer({ min: -20 * 24 * 60, max: 5 }),
    count: fc.integer({ min: 1, max: 40 }),
    dtMs: fc.constantFrom(1, 1000, 60_000, 3_600_000),
    rollUp: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.nat({ max: 5 }), async (steps, cut) => {
      let version = readings.storedVersion()
      const newer: { signalNo: number; tMs: number; version: number }[] = []
      for (const [i, { signalNo, at, count, dtMs, rollUp }] of steps.entries()) {
        if (i === cut) {
          version = readings.storedVersion()
          newer.length = 0
        }
        await readings.insert([run(signalNo, noon + at * 60_000, count, dtMs)])
        for (let k = 0; k < count; k++)
          newer.push({ signalNo, tMs: noon + at * 60_000 + k * dtMs, version: readings.storedVersion() })
        if (rollUp) await readings.rollUp()
      }
      const ranges = await since(version)
      for (const sample of newer) {
        const found = ranges.filter(
          ({ signalNo, fromMs, toMs }) => signalNo === sample.signalNo && fromMs <= sample.tMs && sample.tMs < toMs,
        )
        expect(found).toHaveLength(1)
        expect(found[0]?.version).toBeGreaterThanOrEqual(sample.version)
      }
      for (const range of ranges) {
        const inside = newer.filter(
          ({ signalNo, tMs }) => signalNo === range.signalNo && range.fromMs <= tMs && tMs < range.toMs,
        )
        expect(inside.length).toBeGreaterThan(0)
        expect(range.toMs - range.fromMs).toBeLessThanOrEqual(24 * hour)
      }
    }),
    { numRuns: 8, endOnFailure: true },
  )
})
