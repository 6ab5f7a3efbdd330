import { expect, test } from 'vitest'
import { batch, gone, ingestForTests, iso, noon, send } from './broker.fixture.ts'
import { liveReadingsOf } from './ingest.ts'

const { at, connect, stored } = ingestForTests()

test('D1: acknowledged samples are stored by kind, without nulls, and a single value at the start of its batch', async () => {
  const edge = await connect('edge-1')
  const payload = batch({
    f: [49.9, null, 50.1],
    p: [1, 2, 3],
    sp: [0, 0, 40],
    capUp: 400,
    capDn: [1, 2, 3],
    soc: null,
  })
  await send(edge, 'gm/v1/edge-1/telemetry/lab', payload)
  expect(await stored(10)).toEqual([
    [noon, 49.9],
    [noon + 2000, 50.1],
  ])
  expect(await stored(12)).toEqual([
    [noon, 0],
    [noon + 1000, 0],
    [noon + 2000, 40],
  ])
  expect(await stored(13)).toEqual([[noon, 400]])
  expect(await stored(14)).toHaveLength(3)
  expect(await stored(15)).toEqual([])
  expect(at.committed).toHaveLength(1)
  const live = at.committed[0] && liveReadingsOf(at.committed[0])
  expect(live).toMatchObject({
    instanceId: 'instance-1',
    signals: { power: { x: [noon, noon + 1000, noon + 2000], y: [1, 2, 3] } },
  })
  expect(at.quarantined).toEqual([])
})

test('D1: nothing is acknowledged before the commit, and a failed commit ends the connection', async () => {
  at.failing = new Error('disk full')
  const edge = await connect('edge-2')
  const closed = gone(edge)
  let acknowledged = false
  edge.publish('gm/v1/edge-2/telemetry/lab', JSON.stringify(batch()), { qos: 1 }, (error) => (acknowledged = !error))
  await closed
  expect(acknowledged).toBe(false)
  expect(at.refused).toEqual(['not stored'])
  at.failing = null
  const again = await connect('edge-2')
  await send(again, 'gm/v1/edge-2/telemetry/lab', batch())
  expect(await stored(21)).toHaveLength(3)
})

test('D3: duplicates, disorder and overlaps keep the newest value of each instant', async () => {
  const edge = await connect('edge-3')
  const late = batch({ t0: iso(noon - 100_000), p: [7, 8] })
  for (const payload of [batch(), batch(), late, batch({ seq: 2, t0: iso(noon + 2000), p: [30, 40] }), late])
    await send(edge, 'gm/v1/edge-3/telemetry/instance-3', payload)
  expect(await stored(31)).toEqual([
    [noon - 100_000, 7],
    [noon - 99_000, 8],
    [noon, 1],
    [noon + 1000, 2],
    [noon + 2000, 30],
    [noon + 3000, 40],
  ])
})

test('meter readings are stored in the energy series', async () => {
  const edge = await connect('edge-4')
  await send(edge, 'gm/v1/edge-4/meter/lab', { v: 1, ts: iso(noon), kWh: 18233.412, quality: 'measured' })
  expect(await stored(46)).toEqual([[noon, 18233.412]])
})
