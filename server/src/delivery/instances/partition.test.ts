import { expect, test } from 'vitest'
import { sqlRows } from '#platform/records/rows.ts'
import { openTestRecords } from '#testing/records.ts'
import { clientOf, isInPartition, otherPartitions, partitionOf } from './partition.ts'

const keys = Array.from({ length: 2000 }, (_, i) => `edge-${i}.of_${i * 7919}`)
const numbers = [1, 2, 3, 8, 64]

test('an edge belongs to one partition, the same in TypeScript and in SQL', async () => {
  const records = await openTestRecords()
  for (const of of numbers)
    for (let no = 1; no <= Math.min(of, 5); no++) {
      const rows = await records.system(
        (tx) =>
          sqlRows<{ key: string }>(tx)`
            select e.key from unnest(${keys}::text[]) as e(key) where ${isInPartition('e.key', { no, of })}`,
      )
      expect(rows.map(({ key }) => key)).toEqual(keys.filter((key) => partitionOf(key, of) === no))
    }
  await records.close()
})

test('partitions are of about equal size, and the partition of an edge never changes', () => {
  for (const of of numbers) {
    const counts = new Map<number, number>()
    for (const key of keys) counts.set(partitionOf(key, of), (counts.get(partitionOf(key, of)) ?? 0) + 1)
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: of }, (_, i) => i + 1))
    expect(Math.min(...counts.values())).toBeGreaterThan((keys.length / of) * 0.4)
  }
  expect(['edge-lab', 'edge-nord-01', 'edge-nord-02', 'edge-esb-01'].map((key) => partitionOf(key, 8)))
    .toMatchInlineSnapshot(`
    [
      5,
      4,
      4,
      4,
    ]
  `)
})

test('the client id of one partition is that of the setting, and clients of another number are recognised', () => {
  const config = { MQTT_URL: 'mqtt://broker', MQTT_CLIENT_ID: 'gridmast' }
  expect(clientOf(config, { no: 1, of: 1 })).toBe('gridmast')
  expect(clientOf(config, { no: 3, of: 8 })).toBe('gridmast-3-of-8')
  expect(clientOf({ ...config, MQTT_URL: undefined }, { no: 1, of: 1 })).toBe('embedded')
  const clients = ['embedded', 'gridmast', 'gridmast-1-of-4', 'gridmast-2-of-8', 'gridmast2', 'gridmast-b-1-of-4']
  expect(otherPartitions('gridmast', 8, clients)).toEqual([
    { client: 'gridmast', of: 1 },
    { client: 'gridmast-1-of-4', of: 4 },
  ])
  expect(otherPartitions('gridmast', 1, ['gridmast', 'other'])).toEqual([])
})
