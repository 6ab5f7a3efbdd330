import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openReadings, type Readings } from './readings.ts'

const minute = 60_000
const start = Date.UTC(2026, 9, 24, 12)

let folder: string
let readings: Readings
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-backup-'))
  readings = await openReadings({ dataDir: join(folder, 'readings'), rollupRoundMs: 20 })
})
afterEach(async () => {
  await readings.close()
  await rm(folder, { recursive: true, force: true })
})

/** A process of its own, because the engine of this one has the source folder open. */
const restored = async (backup: string, dataDir: string, toMs: number) => {
  const script = join(import.meta.dirname, 'backup.process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, backup, dataDir, String(start), String(toMs)])
  return JSON.parse(stdout) as { again: string; raw: number; count: number; changed: number } // printed by that process
}

test('a backup taken while samples arrive holds all that was acknowledged before, and its roll-ups agree with its samples', async () => {
  let acknowledged = 0
  let isEnough = false
  const writing = (async () => {
    while (!isEnough) {
      const values = Array.from({ length: 60 }, (_, i) => i)
      await readings.insert([{ signalNo: 1, t0Ms: start + acknowledged * minute, dtMs: 1000, values }])
      acknowledged++
    }
  })()
  await expect.poll(() => acknowledged).toBeGreaterThan(10)
  const before = acknowledged
  const backup = join(folder, "the operator's copies", 'first')
  await readings.backup(backup)
  isEnough = true
  await writing
  const found = await restored(backup, join(folder, 'restored'), start + acknowledged * minute)
  expect(found.raw).toBeGreaterThanOrEqual(before * 60)
  expect(found.raw).toBeLessThanOrEqual(acknowledged * 60)
  expect(found).toMatchObject({ count: found.raw, changed: -5 })
  expect(found.again).toMatch(/holds readings already$/)
  await readings.insert([{ signalNo: 1, t0Ms: start, dtMs: 1000, values: [1] }])
})

test('a backup overwrites nothing, and one that failed keeps no other from being taken', async () => {
  await expect(readings.backup(folder)).rejects.toThrow('exists')
  const full = join(folder, 'a file')
  await writeFile(full, 'stays')
  await expect(readings.backup(join(full, 'backup'))).rejects.toThrow()
  expect(await readFile(full, 'utf8')).toBe('stays')
  await readings.backup(join(folder, 'works afterwards'))
})
