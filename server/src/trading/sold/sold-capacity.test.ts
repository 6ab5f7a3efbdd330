import { soldCapacity, soldCapacityLastReported } from '@gridmast/contract/trading/bid-basis.ts'
import { findSoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { addBid, addPlaced, coldOf } from '#trading/requests/bid-requests.fixture.ts'

const [market, day] = ['FCR-D-INC', '2026-10-25']
const at = (hours: number) => new Date(dayBounds(day).fromMs + hours * hourMs)

const app = await openTestApp()
app.setNow('2026-10-25T20:00:00Z')
let token = await app.tokenOf('auditor@north.example')
const cold = await coldOf(app.records)
const request_id = await addPlaced(app.records, cold, { market, start: day })
const bid = (auction: string, hours: number, mw: string, won: boolean | null) =>
  app.byHand((tx) =>
    addBid(tx, { ...cold, request_id }, at(hours).getTime(), {
      market,
      product: market,
      auction,
      capacity_mw: mw,
      won,
      won_mw: won ? mw : null,
    }),
  )
await bid('D-1 early', 1, '0.2', true)
await bid('D-1 late', 1, '0.12', true)
await bid('D-1 early', 3, '0.3', true)
await bid('D-1 early', 4, '0.3', false)
await bid('D-1 early', 5, '0.3', null)
afterAll(() => app.close())

const ask = (query: object = {}) => app.ask(soldCapacity, { token, query: { market, date: day, ...query } })

test('the sold capacity of each slot is the sum of both auctions, next to the available one, also as a file', async () => {
  const { status, body } = await ask()
  expect(status).toBe(200)
  const { slots } = body.data
  expect(slots).toHaveLength(25)
  expect(slots.flatMap(({ start, sold }) => sold.map(({ kw }) => [start, kw]))).toEqual([
    ['2026-10-24T23:00:00.000Z', 320],
    ['2026-10-25T01:00:00.000Z', 300],
  ])
  expect(new Set(slots.map(({ availableKw }) => availableKw))).toEqual(new Set([null]))
  expect((await ask({ instanceId: cold.instance_id })).body.data.slots[1]?.sold).toEqual([{ product: market, kw: 320 }])
  const ofLicence = await ask({ licenseId: cold.licence_id })
  expect(ofLicence.body.data.slots[1]?.sold).toEqual([{ product: market, kw: 320 }])
  const query = { market, licenseId: cold.licence_id }
  const reported = await app.ask(soldCapacityLastReported, { token, query })
  expect(reported.body.data).toEqual({ lastReported: ofLicence.body.data.lastReported })
  const { text } = await ask({ format: 'csv' })
  expect(text.split('\r\n')[2]).toBe(
    '2026-10-25 01:00:00,2026-10-24T23:00:00.000Z,2026-10-25 02:00:00,2026-10-25T00:00:00.000Z,320,,',
  )
})

test('a range has the slots of each of its days, and 31 days at most', async () => {
  const [start, end] = ['2026-10-24T22:00:00Z', '2026-10-26T11:30:00Z']
  const { slots } = (await app.ask(soldCapacity, { token, query: { market, start, end } })).body.data
  expect(slots).toHaveLength(25 + 13)
  expect(slots.flatMap(({ sold }) => sold.map(({ kw }) => kw))).toEqual([320, 300])
  const query = { market, start, end: '2026-12-01T00:00:00Z' }
  const tooLong = await app.ask(soldCapacity, { token, query })
  expect(tooLong).toMatchObject({ status: 400, body: { errors: { end: m.tooManyDays(limits.soldDays) } } })
})

test('the capacity sold now is independent of the chosen day and ends with its slot', async () => {
  const soldNow = async (now: string) => {
    app.setNow(now)
    token = await app.tokenOf('auditor@north.example')
    return (await ask({ date: '2026-10-01' })).body.data.soldNow
  }
  expect(await soldNow('2026-10-24T23:59:59Z')).toEqual([{ _id: cold.instance_id, product: market, kw: 320 }])
  expect(await soldNow('2026-10-25T00:00:00Z')).toEqual([])
  expect(await soldNow('2026-10-25T02:30:00Z')).toEqual([])
})

test('a market without requests has no slots and no risks', async () => {
  expect((await ask({ market: 'DC-PLANNER' })).body.data).toMatchObject({ slots: [], soldNow: [] })
  const { body } = await app.ask(findSoldRisks, { token, query: { market: 'DC-PLANNER' } })
  expect(body.data).toMatchObject({ risks: [], soldCount: 0 })
})
