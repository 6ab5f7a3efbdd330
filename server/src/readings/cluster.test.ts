import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestReadings } from '#testing/readings.ts'
import { clusterStatements, openPlaces } from './cluster.ts'
import { schemaStatements } from './schema.ts'
import { rows, text } from './sql.ts'

const statements = async () => [...(await schemaStatements())].flatMap((one) => clusterStatements(one, 'gridmast'))

test('each statement of the schema has a form for a cluster that the engine parses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-cluster-'))
  const readings = await openTestReadings({ dataDir: folder })
  for (const statement of await statements()) {
    const [formatted] = await rows<[string]>(readings.client, `select formatQuery(${text(statement)})`)
    expect(formatted?.[0]).toContain('ON CLUSTER gridmast')
  }
  await readings.close()
  await rm(folder, { recursive: true })
})

test('tables are replicated on their shard, and all rows of a series are on one', async () => {
  const all = (await statements()).join('\n')
  expect(all).toContain(
    "engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/gridmast/samples', '{replica}', version)",
  )
  expect(all).toContain(
    'gridmast.samples on cluster gridmast as gridmast.samples_local engine = Distributed(gridmast, gridmast, samples_local, signal_no)',
  )
  expect(all).toContain("ReplicatedMergeTree('/clickhouse/tables/{shard}/gridmast/quarantine', '{replica}')")
  expect(all).toMatch(/gridmast\.runs_local on cluster gridmast \([^;]*engine = Null/)
  expect(all).toMatch(/runs_to_samples_local on cluster gridmast to gridmast\.samples_local as/)
  expect(all).toContain('from gridmast.runs_local')
  expect(all).not.toMatch(/\bengine = (Replacing|Aggregating)?MergeTree\b/)
})

test('a statement of another kind is refused instead of running on one node', () => {
  expect(() => clusterStatements('alter table gridmast.samples add column a Int8', 'gridmast')).toThrow(
    'No form of this statement for a cluster is known',
  )
})

test('partitions are dropped on all replicas; one server has no cluster in its statements', () => {
  expect(openPlaces('gridmast').alter('samples')).toBe('alter table gridmast.samples_local on cluster gridmast')
  expect(openPlaces(undefined)).toMatchObject({ parts: 'system.parts' })
  expect(openPlaces(undefined).alter('samples')).toBe('alter table gridmast.samples')
})
