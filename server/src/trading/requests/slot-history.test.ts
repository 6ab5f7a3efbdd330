import * as contract from '@gridmast/contract/trading/bid-basis.ts'
import { createBidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { addRows, storedRows } from '#testing/rows.ts'
import { coldOf } from './bid-requests.fixture.ts'

const market = 'FCR-D-INC'

const app = await openTestApp()
const token = await app.tokenOf('expert@north.example')
const auditor = await app.tokenOf('auditor@north.example')
const cold = await coldOf(app.records)
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-11-20T08:00:00Z')
  await app.byHand(async (tx) => {
    for (const table of ['bid_request', 'market_price', 'instance_contract'] as const)
      await tx.deleteFrom(table).execute()
  })
})

const hour = (day: string, slot: number) => new Date(dayBounds(day).fromMs + slot * hourMs).toISOString()
const price = (auction: string, day: string, slot: number, priceEur: string) =>
  putPrices(
    app.records,
    [{ market, area: 'DK2', auction, at: hour(day, slot), priceEur, priceDkk: '1' }],
    '2026-11-20T07:00:00Z',
  )
const basis = (part: object = {}) =>
  app.ask(contract.bidBasis, { token: auditor, query: { groupId: cold.instance_id, market, ...part } })

const hours = (at: number, value: number) => Array.from({ length: 24 }, (_, slot) => (slot === at ? value : 0))
const form = (part: object = {}) => ({
  licenseId: cold.licence_id,
  biddingMarket: market,
  groupId: cold.instance_id,
  customBidding: true,
  startDate: '2026-11-24',
  endDate: '2026-11-24',
  excludedDays: [],
  capacity: hours(10, 2),
  price: hours(10, 2),
  ...part,
})
const preview = (part: object = {}) => app.ask(contract.previewBids, { token, body: form(part) })

test('prices of the last 7 days are listed by slot and auction, null where unpublished', async () => {
  await price('D-1 early', '2026-11-19', 10, '3.5')
  await price('D-1 early', '2026-11-13', 10, '2.5')
  await price('D-1 early', '2026-11-12', 10, '99')
  await price('Total', '2026-11-19', 10, '77')
  const { status, body } = await basis()
  expect(status).toBe(200)
  const [first, second] = body.data.prices
  expect(first).toMatchObject({ product: market, auction: 'D-1 early' })
  expect(first?.days.map(({ day, eur }) => [day, eur[10]])).toEqual([
    ['2026-11-13', '2.5'],
    ...['2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18'].map((day) => [day, null]),
    ['2026-11-19', '3.5'],
  ])
  expect([first?.meanEur[10], first?.meanEur[9], second?.meanEur[10]]).toEqual(['3', null, null])
  expect(body.data).toMatchObject({ flexibleMw: 0.42, contract: null })
})

test('the available power is null without measurements', async () => {
  const { body } = await basis()
  expect(body.data.available).toHaveLength(7)
  expect(new Set(body.data.available.flatMap(({ kw }) => kw))).toEqual(new Set([null]))
  expect(body.data.forecastKw).toHaveLength(24)
})

test('a contract lists its bids', async () => {
  await addRows({ system: app.byHand }, 'instance_contract', {
    customer_id: cold.customer_id,
    instance_id: cold.instance_id,
    valid_from: '2026-01-01',
    customer_percent: '80',
    partner_percent: '10',
    sc_percent: '10',
    auctions: ['D-1 late'],
    default_price_eur: '4.50',
    penalty_to: 'sc',
  })
  expect((await basis()).body.data.contract).toEqual({
    auctions: ['D-1 late'],
    priceEur: '4.5',
    bidMw: Array.from({ length: 24 }, () => '0'),
  })
})

test('a preview lists the earnings of the last 30 days and warnings, and stores nothing', async () => {
  await price('D-1 early', '2026-11-19', 10, '3.5')
  await price('D-1 late', '2026-11-19', 10, '9')
  await price('D-1 late', '2026-10-20', 10, '9')
  const { status, body } = await preview()
  expect(status).toBe(200)
  expect(body.data.days).toHaveLength(30)
  expect(body.data.days.map(({ day }) => day).slice(-1)).toEqual(['2026-11-19'])
  expect(body.data.earned).toEqual([{ product: market, auction: 'D-1 early', eur: '7', won: 1, lost: 0, unpriced: 29 }])
  expect(body.data.warnings).toEqual([{ kind: 'above-flexible', slots: [10], offered: 2, limit: 0.42 }])
  const rows = await storedRows(app.records, 'bid_request', {}, ['request_id'])
  expect(rows).toEqual([])
})

test('a preview lists the request that it overlaps, and the form starts on the first day without one', async () => {
  expect((await basis()).body.data.freeDay).toBe('2026-11-21')
  const days = { startDate: '2026-11-21', endDate: '2026-11-22', excludedDays: [] }
  const body = { ...form(days), note: 'As agreed' }
  const { bidRequest } = await app.data(createBidRequest, { token, body })
  const requestId = bidRequest._id
  expect((await preview(days)).body.data.overlap).toEqual({
    requestId,
    startDate: '2026-11-21',
    endDate: '2026-11-22',
  })
  expect((await preview({ ...days, requestId })).body.data.overlap).toBe(null)
  expect((await preview({ startDate: '2026-11-23', endDate: '2026-11-23' })).body.data.overlap).toBe(null)
  expect((await basis()).body.data.freeDay).toBe('2026-11-23')
})

test('a price far from the mean of every auction is a warning with its slots and figures', async () => {
  await price('D-1 early', '2026-11-19', 9, '80')
  await price('D-1 late', '2026-11-19', 9, '84')
  await price('D-1 late', '2026-11-19', 10, '60')
  const warnings = async (eur: number) => {
    const capacity = hours(0, 0).map((_, slot) => (slot === 9 || slot === 10 ? 0.2 : 0))
    const { body } = await preview({ capacity, price: capacity.map(() => eur) })
    return body.data.warnings
  }
  expect(await warnings(1.5)).toEqual([{ kind: 'price-below-market', slots: [9, 10], offered: 1.5, limit: 80 }])
  expect(await warnings(20)).toEqual([])
  expect(await warnings(300)).toEqual([{ kind: 'price-above-market', slots: [10], offered: 300, limit: 60 }])
})

test('R3 a preview is refused by the rules of a request', async () => {
  expect((await preview({ capacity: [1] })).body).toMatchObject({ errors: { capacity: m.fewest(24) } })
  expect((await preview({ endDate: '2026-11-23' })).body).toMatchObject({ errors: { endDate: m.endBeforeStart } })
  expect((await basis({ market: 'FFR' })).body).toMatchObject({ errors: { groupId: m.notOfEventType } })
  expect((await basis({ market: 'DC-PLANNER' })).body).toMatchObject({ errors: { market: m.marketNotSupported } })
})
