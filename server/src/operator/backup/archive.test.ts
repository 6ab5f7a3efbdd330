import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { globSync, mkdirSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { fileSource, keepArchive, packFolder, readArchive } from './archive.ts'

const app = await openTestApp()
const folder = await mkdtemp(join(tmpdir(), 'gridmast-archive-'))
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const filesIn = (name: string) => globSync('**/*', { cwd: join(folder, name) }).toSorted()

test('an archive is restored unchanged, and a truncated or changed file is refused', async () => {
  await app.readings.insert([{ signalNo: 1, t0Ms: Date.parse('2026-11-20T12:00:00Z'), dtMs: 1000, values: [1, 2, 3] }])
  mkdirSync(join(folder, 'from'))
  await writeFile(join(folder, 'from/words'), 'as it was')
  await app.readings.backup(join(folder, 'from/readings'))
  const file = join(folder, 'backup.tar.gz')
  const { bytes } = await keepArchive(packFolder(join(folder, 'from'), { samples: 3 }), file)
  expect(await readArchive(fileSource(file), join(folder, 'to'))).toEqual({ samples: 3 })
  expect(filesIn('to')).toEqual(filesIn('from'))
  expect(filesIn('to').some((name) => name.includes('samples'))).toBe(true)
  const whole = await readFile(file)
  const changed = gunzipSync(whole)
  changed.write('as it is!', changed.indexOf('as it was'))
  await writeFile(file, gzipSync(changed))
  await expect(readArchive(fileSource(file), join(folder, 'changed'))).rejects.toThrow('is no whole backup of Gridmast')
  await writeFile(file, whole)
  await truncate(file, bytes - 100)
  await expect(readArchive(fileSource(file), join(folder, 'cut'))).rejects.toThrow('is no whole backup of Gridmast')
})
