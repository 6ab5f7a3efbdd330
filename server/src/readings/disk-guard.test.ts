import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeWorkerEngine } from '#testing/readings.ts'
import { leastFree } from './disk-guard.ts'
import { openReadings } from './readings.ts'

beforeAll(closeWorkerEngine)

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gridmast-guard-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const open = async (minFreeBytes: number) => {
  const said: string[] = []
  const note = (_details: object, text: string) => void said.push(text)
  return {
    readings: await openReadings({ dataDir, minFreeBytes, rollupRoundMs: 0, log: { error: note, info: note } }),
    said,
  }
}
const run = { signalNo: 1, t0Ms: Date.UTC(2026, 9, 24), dtMs: 1000, values: [1, 2, 3] }

test('5 % of the disk is kept free, at least 1 GiB and at most 10', () => {
  const gibibyte = 2 ** 30
  expect([8, 100, 400, 10_000].map((gib) => leastFree(gib * gibibyte) / gibibyte)).toEqual([1, 5, 10, 10])
})

test('with too little room nothing is taken, the store is not ready and says why in one line', async () => {
  await (await open(0)).readings.close()
  const { readings, said } = await open(Number.MAX_SAFE_INTEGER)
  const words = /^The disk is nearly full \(\d+\.\d\d GiB free, \d+\.\d\d GiB needed\): telemetry is refused/
  await expect(readings.insert([run])).rejects.toThrow(words)
  const found = { receivedAtMs: 0, edge: 'edge-1', topic: 'x', reason: 'not JSON', payload: '{' }
  await expect(readings.quarantine([found])).rejects.toThrow(words)
  await expect(readings.ping()).rejects.toThrow(words)
  expect(readings.troubles()).toEqual([expect.stringMatching(words)])
  expect(await readings.buckets({ signalNo: 1, edgesMs: [run.t0Ms, run.t0Ms + 60_000] })).toMatchObject([{ count: 0 }])
  await readings.close()
  expect(said).toEqual([expect.stringMatching(words)])
})

test('a part that cannot be read at start is named', async () => {
  const whole = await open(0)
  await whole.readings.insert([run])
  expect(whole.readings.troubles()).toEqual([])
  await whole.readings.close()
  const files = await readdir(join(dataDir, 'store'), { recursive: true })
  const part = files.find((file) => /202610_[\d_]+\/data\.bin$/.test(file))
  await truncate(join(dataDir, 'store', part ?? 'none'))
  const { readings, said } = await open(0)
  expect(readings.brokenParts()).toBe(1)
  expect(said).toEqual([
    expect.stringMatching(/^Parts of the readings could not be read at start: samples\/\S+ \(1 in all\)$/),
  ])
  expect(readings.troubles()).toEqual(said)
  await readings.close()
})
