import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeWorkerEngine } from '#testing/readings.ts'
import type { Records } from '#platform/records/records.ts'
import { openTestRecords } from '#testing/records.ts'
import { type Engine, openEngine } from './engine.ts'
import { applySchema } from './schema.ts'
import { rows } from './sql.ts'

beforeAll(closeWorkerEngine)

let folder: string
let engine: Engine
let records: Records
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-schema-'))
  engine = await openEngine({ dataDir: folder })
  records = await openTestRecords()
})
afterAll(async () => {
  await engine.close()
  await records.close()
  await rm(folder, { recursive: true })
})

const alone = <T>(work: () => Promise<T>) => records.alone(1, work)

test('processes that start at once on one store apply each file once', async () => {
  const answers = await Promise.all([engine.write, engine.background].map((client) => applySchema(client, alone)))
  const known = await rows<[string]>(engine.write, 'select name from gridmast.schema_migration order by name')
  expect(known.map(([name]) => name)).toEqual(answers.flat())
  expect(new Set(answers.flat()).size).toBe(answers.flat().length)
})

test('power cut: an insert is answered after the fsync of its part and folder', async () => {
  await applySchema(engine.write, alone)
  const [[created] = ['']] = await rows<[string]>(
    engine.write,
    `select create_table_query from system.tables where database = 'gridmast' and name = 'samples'`,
  )
  expect(created).toContain('fsync_after_insert = 1')
  expect(created).toContain('fsync_part_directory = 1')
})

test('a store that a newer version has written is refused', async () => {
  await engine.write.command({
    query: `insert into gridmast.schema_migration (name, sha256) values ('9999_newer.sql', 'x')`,
  })
  await expect(applySchema(engine.write, alone)).rejects.toThrow('written by a newer Gridmast (it has 9999_newer.sql)')
})
