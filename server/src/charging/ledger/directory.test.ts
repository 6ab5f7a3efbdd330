import { afterAll, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import type { Records } from '#platform/records/records.ts'
import { openTestWorld } from '#testing/records.ts'
import { changeRows } from '#testing/rows.ts'
import { addChargers } from './charger.fixture.ts'
import { openDirectory } from './directory.ts'

let reads = 0
const world = await openTestWorld()
const records: Records = { ...world, system: (work) => (reads++, world.system(work)) }
await addChargers(records, [
  { identity: 'CP-1' },
  { identity: 'CP-1', customer: 'west' },
  { identity: 'CP-2' },
  { identity: 'CP-3' },
])
afterAll(() => records.close())

test('chargers requested together are one read, repeated when stale or changed', async () => {
  let nowMs = 0
  const directory = openDirectory(records, () => nowMs)
  reads = 0
  const asked = ['CP-1', 'CP-2', 'nobody', 'CP-2']
  const found = await Promise.all(asked.map((identity) => directory.find(identity, null)))
  expect(found.map((all) => all.length)).toEqual([2, 1, 0, 1])
  expect((await directory.find('CP-1', 'west')).map(({ customerKey }) => customerKey)).toEqual(['west'])
  expect(await directory.find('CP-2', 'west')).toEqual([])
  expect(reads).toBe(1)
  nowMs = 1001
  await directory.find('nobody', null)
  expect(reads).toBe(2)
  const ids = [idOf('charger', 'north', 'CP-1'), idOf('charger', 'north', 'CP-3'), newId()]
  const byId = await Promise.all(ids.map((id) => directory.get(id)))
  expect(byId.map((one) => one?.identity ?? null)).toEqual(['CP-1', 'CP-3', null])
  expect(reads).toBe(3)
  directory.forget()
  await directory.find('CP-2', null)
  nowMs += 20_000
  await Promise.all(asked.map((identity) => directory.find(identity, null)))
  expect(reads).toBe(5)
})

test('a read that began before a change is repeated', async () => {
  const directory = openDirectory(records, () => 0)
  const finding = directory.find('CP-3', null)
  await changeRows(records, 'charger', { identity: 'CP-3' }, { enabled: false })
  directory.forget()
  expect(await finding).toEqual([])
})
