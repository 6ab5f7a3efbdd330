import { afterAll, expect, test } from 'vitest'
import type { Records } from '#platform/records/records.ts'
import { openTestWorld } from '#testing/records.ts'
import { storedRows } from '#testing/rows.ts'
import { openEdgeDirectory } from './directory.ts'

let reads = 0
const world = await openTestWorld()
const records: Records = { ...world, system: (work) => (reads++, world.system(work)) }
afterAll(() => records.close())

const edgeKeys = () => storedRows(records, 'edge', { enabled: true }, ['key', 'edge_id'], ['key'])

test('edges requested together are one read by key, repeated when stale or changed, and each second for an unknown one', async () => {
  const edges = await edgeKeys()
  let nowMs = 0
  const directory = openEdgeDirectory(records, () => nowMs)
  reads = 0
  const all = await Promise.all([...edges.map(({ key }) => key), 'nobody'].map((key) => directory.find(key)))
  expect(all.map((entry) => entry?.edgeId ?? null)).toEqual([...edges.map(({ edge_id }) => edge_id), null])
  expect(all[0]?.instances.size).toBeGreaterThan(0)
  expect(reads).toBe(1)
  nowMs = 1000
  const [first] = edges
  await directory.find(first?.key ?? '')
  await directory.find('nobody')
  expect(reads).toBe(1)
  nowMs = 1001
  await directory.find('nobody')
  expect(reads).toBe(2)
  directory.forget()
  await directory.find(first?.key ?? '')
  expect(reads).toBe(3)
  nowMs = 20_000
  await Promise.all(edges.map(({ key }) => directory.find(key)))
  expect(reads).toBe(4)
})

test('a failed read is reported to its caller and not cached', async () => {
  let isAway = true
  const system: Records['system'] = (work) => (isAway ? Promise.reject(new Error('away')) : records.system(work))
  const directory = openEdgeDirectory({ ...records, system }, () => 0)
  const [edge] = await edgeKeys()
  await expect(directory.find(edge?.key ?? '')).rejects.toThrow('away')
  isAway = false
  expect((await directory.find(edge?.key ?? ''))?.edgeId).toBe(edge?.edge_id)
})
