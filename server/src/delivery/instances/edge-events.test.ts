import type { EdgeEvent } from '@gridmast/contract/delivery/edge.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestWorld } from '#testing/records.ts'
import { storedRows } from '#testing/rows.ts'
import { saveEdgeEvent } from './queries.ts'

const records = await openTestWorld()
afterAll(() => records.close())

const began: EdgeEvent = {
  v: 1,
  id: '019a0000-0000-7000-8000-000000000001',
  market: 'FCR-D-INC',
  direction: 'increased',
  start: '2026-11-20T12:00:00.000Z',
  end: null,
}
const ended = (end: string): EdgeEvent => ({ ...began, end })

test('T1: the event of an edge is ended by its own instance only, and once', async () => {
  const found = await storedRows(records, 'instance', {}, ['customer_id', 'instance_id'])
  const [own] = found
  const neighbour = found.find(
    ({ customer_id, instance_id }) => customer_id === own?.customer_id && instance_id !== own.instance_id,
  )
  const stranger = found.find(({ customer_id }) => customer_id !== own?.customer_id)
  if (!own || !neighbour || !stranger) throw new Error('three instances of two customers')
  const save = ({ customer_id, instance_id }: typeof own, event: EdgeEvent) =>
    records.system((tx) => saveEdgeEvent(tx, customer_id, instance_id, event, Date.parse(event.start)))
  const ends = () =>
    records.system(async (tx) => {
      const rows = await tx.selectFrom('edge_event').select(['instance_id', 'ended_at']).execute()
      return rows.map(({ instance_id, ended_at }) => [instance_id, ended_at?.toISOString() ?? null])
    })
  await save(own, began)
  await save(neighbour, ended('2026-11-20T12:01:00.000Z'))
  expect(await ends()).toEqual([[own.instance_id, null]])
  await save(stranger, ended('2026-11-20T12:02:00.000Z'))
  await save(own, ended('2026-11-20T12:03:00.000Z'))
  await save(own, ended('2026-11-20T12:04:00.000Z'))
  expect(new Map((await ends()) as [string, string][])).toEqual(
    new Map([
      [own.instance_id, '2026-11-20T12:03:00.000Z'],
      [stranger.instance_id, '2026-11-20T12:02:00.000Z'],
    ]),
  )
})
