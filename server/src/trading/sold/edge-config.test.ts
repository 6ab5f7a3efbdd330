import { edgeConfig } from '@gridmast/contract/delivery/edge.ts'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { changeRows } from '#testing/rows.ts'
import { addBid, addPlaced, coldOf } from '#trading/requests/bid-requests.fixture.ts'
import { prepareConfigs, publishConfigs } from './edge-config.ts'

const sent: { topic: string; retain: boolean; version: number; groups: { groupId: string; sold: unknown[] }[] }[] = []
const removed: string[] = []
let stop: () => void

const app = await openTestApp()
app.setNow('2026-11-20T12:00:00Z')
const cold = await coldOf(app.records)
const request_id = await addPlaced(app.records, cold, { market: 'FCR-D-INC', start: '2026-11-20', end: '2026-11-22' })
stop = publishConfigs({ ...app, log: pino({ level: 'silent' }) }, async (topic, payload, { retain = false } = {}) => {
  if (payload === null) return void removed.push(topic)
  const { version, groups } = edgeConfig.parse(payload)
  sent.push({ topic, retain, version, groups })
})
afterAll(async () => {
  stop()
  await app.close()
})
beforeEach(() => void sent.splice(0))

const won = (auction: string, hour: string, mw: string, part: object = {}) =>
  app.records.system((tx) =>
    addBid(tx, { ...cold, request_id }, Date.parse(`${hour}:00:00Z`), {
      auction,
      capacity_mw: mw,
      won: true,
      won_mw: mw,
      ...part,
    }),
  )
const slot = (hour: string, kW: number) => ({
  market: 'FCR-D-INC',
  product: 'FCR-D-INC',
  kW,
  from: `${hour}:00:00Z`,
  to: new Date(Date.parse(`${hour}:00:00Z`) + 3_600_000).toISOString().replace('.000', ''),
})
const ofNorth = () => sent.filter(({ topic }) => topic === 'gm/v1/north-edge/config')

test('an edge gets its groups as a retained message, once while nothing changes', async () => {
  await prepareConfigs(app)
  await expect.poll(ofNorth).toMatchObject([{ retain: true, version: 1, groups: [{ groupId: 'cold', sold: [] }, {}] }])
  expect(await prepareConfigs(app)).toEqual([])
})

test('won capacity is published by slot from the start of today, as the sum of both auctions', async () => {
  await won('D-1 early', '2026-11-21T06', '0.2')
  await won('D-1 late', '2026-11-21T06', '0.15')
  await won('D-1 early', '2026-11-21T07', '0.3', { won: false, won_mw: null })
  await won('D-1 early', '2026-11-20T00', '0.1')
  await won('D-1 early', '2026-11-19T12', '0.1')
  await prepareConfigs(app)
  await expect.poll(ofNorth).toHaveLength(1)
  const [{ version, groups } = { version: 0, groups: [] }] = ofNorth()
  expect(version).toBe(2)
  expect(groups[0]?.sold).toEqual([slot('2026-11-20T00', 100), slot('2026-11-21T06', 350)])
  expect(
    sent.every(({ topic, groups: all }) => topic.includes('north') || all.every((one) => one.sold.length === 0)),
  ).toBe(true)
})

test('the droop is that of the market, and a starting server publishes all configurations', async () => {
  const again: string[] = []
  const end = publishConfigs({ ...app, log: pino({ level: 'silent' }) }, async (topic) => void again.push(topic))
  await expect.poll(() => again.toSorted()).toEqual(['gm/v1/north-edge/config', 'gm/v1/west-edge/config'])
  end()
  app.bus.resync()
  await expect
    .poll(() => ofNorth()[0]?.groups[0])
    .toMatchObject({
      flexibleKw: 420,
      droop: [{ market: 'FCR-D-INC', deadband: 0.1, zero: 0.1, full: 0.5 }],
    })
})

test('an edge whose last instance is disabled gets an empty configuration', async () => {
  await prepareConfigs(app)
  await changeRows({ system: app.byHand }, 'instance', { customer_id: cold.customer_id }, { enabled: false })
  await prepareConfigs(app)
  await expect.poll(() => ofNorth().at(-1)).toMatchObject({ retain: true, groups: [] })
  expect(await prepareConfigs(app)).toEqual([])
})

test('the retained messages of a disabled edge are removed, and published when it is enabled again', async () => {
  const enable = (enabled: boolean) =>
    changeRows({ system: app.byHand }, 'edge', { customer_id: cold.customer_id }, { enabled })
  await enable(false)
  await expect.poll(() => [...new Set(removed)]).toEqual(['gm/v1/north-edge/config', 'gm/v1/north-edge/status'])
  await prepareConfigs(app)
  sent.splice(0)
  await enable(true)
  await expect.poll(ofNorth).not.toEqual([])
})
