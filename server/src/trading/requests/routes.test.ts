import * as contract from '@gridmast/contract/trading/bid-requests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'

const idsOf = async (customer: string) => {
  const rows = await app.records.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
      .select(['i.key', 'i.instance_id', 'i.licence_id'])
      .where('c.key', '=', customer)
      .execute(),
  )
  return Object.fromEntries(rows.map(({ key, ...row }) => [key, row]))
}

const app = await openTestApp()
app.setNow('2026-11-20T08:00:00Z')
let expert = await app.tokenOf('expert@north.example')
const west = await app.tokenOf('sudoer@west.example')
const ids = await idsOf('north')
afterAll(() => app.close())
beforeEach(async () => {
  await later('2026-11-20T08:00:00Z')
  await app.byHand(async (tx) => {
    await tx.deleteFrom('bid').execute()
    await tx.deleteFrom('bid_request').execute()
    await tx
      .updateTable('instance')
      .set({ markets: ['FCR-D-INC', 'FFR', 'FCR'] })
      .where('key', '=', 'cold')
      .execute()
    await tx
      .updateTable('customer')
      .set({ bidding_markets: ['FCR-D-INC', 'FCR-D-DEC', 'FFR', 'FCR', 'aFRR', 'DC-PLANNER'] })
      .execute()
  })
})

const later = async (iso: string) => {
  app.setNow(iso)
  expert = await app.tokenOf('expert@north.example')
}

const hours = (value: number) => Array.from({ length: 24 }, () => value)

const form = () => ({
  licenseId: ids['cold']?.licence_id ?? '',
  biddingMarket: 'FCR-D-INC',
  groupId: ids['cold']?.instance_id ?? '',
  startDate: '2026-11-24',
  endDate: '2026-11-26',
  capacity: hours(0.2),
  price: hours(2.5),
  excludedDays: [{ date: '2026-11-25', reason: 'Service' }],
  note: 'As agreed',
  customBidding: true,
})
const create = (part: object = {}, token = expert) =>
  app.ask(contract.createBidRequest, { token, body: { ...form(), ...part } })
const made = async (part: object = {}) => (await create(part)).body.data.bidRequest
const change = (request: contract.BidRequest, part: object = {}, token = expert) => {
  const { licenseId: _, biddingMarket: __, ...rest } = form()
  const body = { ...rest, updatedAt: request.updatedAt, ...part }
  return app.ask(contract.updateBidRequest, { token, params: { id: request._id }, body })
}
const remove = (request: contract.BidRequest, token = expert) =>
  app.ask(contract.removeBidRequest, { token, params: { id: request._id } })
const find = async (query: Record<string, string> = {}, token = expert) =>
  await app.data(contract.findBidRequests, { token, query })
const trail = () => app.trail('bid-request.%')

describe('a request', () => {
  test('C4 is created with exact decimals, is listed and is on the trail', async () => {
    const answer = await create({ capacity: [...hours(0.1).slice(1), 0.123], price: [...hours(0).slice(1), 1234.56] })
    expect(answer).toMatchObject({ status: 200, body: { message: 'Bid request created successfully!' } })
    const { bidRequest } = answer.body.data
    expect(bidRequest).toEqual({
      ...form(),
      _id: expect.any(String),
      groupName: 'North Cold',
      regulationPrice: null,
      capacity: [...hours(0.1).slice(1), 0.123],
      price: [...hours(0).slice(1), 1234.56],
      status: 'pending',
      bids: { sent: 0, won: 0, lost: 0 },
      createdAt: '2026-11-20T08:00:00.000Z',
      updatedAt: '2026-11-20T08:00:00.000Z',
    })
    expect(await find()).toEqual({ bidRequests: [bidRequest], totalCount: 1 })
    expect((await trail()).at(-1)).toMatchObject({
      action: 'bid-request.create',
      after: { capacity: bidRequest.capacity },
    })
  })

  test('C4 several are withdrawn in one act, and each refused one has its reason', async () => {
    const [one, two] = [await made(), await made({ startDate: '2026-11-28', endDate: '2026-11-28', excludedDays: [] })]
    await remove(one)
    const ask = (ids: string[], token = expert) => app.ask(contract.withdrawBidRequests, { token, body: { ids } })
    const unknown = '018f0000-0000-7000-8000-000000000000'
    const { done, failed } = (await ask([one._id, two._id, unknown])).body.data
    expect(done).toEqual([two._id])
    expect(failed.toSorted((a, b) => a.message.localeCompare(b.message))).toEqual([
      { _id: unknown, message: m.notFound },
      { _id: one._id, message: m.bidRequestWithdrawn },
    ])
    expect((await find()).totalCount).toBe(0)
    expect((await trail()).filter(({ action }) => action === 'bid-request.delete')).toHaveLength(2)
    expect((await ask([one._id], west)).status).toBe(404)
    expect((await ask([])).status).toBe(400)
    expect((await ask(Array.from({ length: 101 }, () => unknown))).status).toBe(400)
  })

  test('C4 is changed while it is pending, and withdrawn', async () => {
    const request = await made()
    app.setNow('2026-11-20T08:05:00Z')
    const answer = await change(request, { endDate: '2026-11-28', note: 'Longer' })
    expect(answer.body).toMatchObject({
      message: 'Bid request updated successfully!',
      data: { bidRequest: { endDate: '2026-11-28', note: 'Longer', updatedAt: '2026-11-20T08:05:00.000Z' } },
    })
    expect((await remove(request)).body.message).toBe('Bid request deleted successfully!')
    expect(await find()).toEqual({ bidRequests: [], totalCount: 0 })
    expect((await find({ filterType: 'past' })).bidRequests).toMatchObject([{ _id: request._id, status: 'withdrawn' }])
    expect((await trail()).slice(-2)).toMatchObject([
      { action: 'bid-request.update' },
      { action: 'bid-request.delete' },
    ])
    expect((await change(request)).body).toMatchObject({ success: false, message: m.bidRequestWithdrawn })
  })

  test('without custom bids has no lists', async () => {
    const standing = { customBidding: false, capacity: [], price: [] }
    expect(await made(standing)).toMatchObject(standing)
    expect(await create({ customBidding: false })).toMatchObject({
      status: 400,
      body: { errors: { capacity: m.most(0), price: m.most(0) } },
    })
  })

  test('is not overwritten by a user who read it before the last change', async () => {
    const request = await made()
    app.setNow('2026-11-20T08:05:00Z')
    expect((await change(request, { note: 'first' })).status).toBe(200)
    expect(await change(request, { note: 'second' })).toMatchObject({
      status: 409,
      body: { message: m.bidRequestChanged },
    })
    expect((await find()).bidRequests).toMatchObject([{ note: 'first' }])
  })

  test('of two simultaneous changes one is refused', async () => {
    const request = await made()
    const sudoer = await app.tokenOf('sudoer@north.example')
    const answers = await Promise.all([change(request, { note: 'a' }), change(request, { note: 'b' }, sudoer)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [kept] = (await find()).bidRequests
    expect(kept?.note).toBe(answers[0]?.status === 200 ? 'a' : 'b')
  })

  test('warns of the skipped hour of March', async () => {
    const answer = await create({ startDate: '2027-03-27', endDate: '2027-11-01', excludedDays: [] })
    expect(answer.body).toMatchObject({ success: true })
    expect(answer.body.data.warnings).toContainEqual({ kind: 'skipped-hour', slots: [2], offered: null, limit: null })
    const without = { ...answer.body.data.bidRequest, note: 'without March' }
    const changed = await change(without, {
      startDate: without.startDate,
      endDate: without.endDate,
      excludedDays: [{ date: '2027-03-28', reason: 'Clock change' }],
    })
    expect(changed.body.data.warnings.map(({ kind }) => kind)).not.toContain('skipped-hour')
  })
})

test.each([
  ['no instance', { groupId: '' }, { groupId: m.required }],
  ['no note', { note: ' ' }, { note: m.required }],
  ['no start', { startDate: '' }, { startDate: m.required }],
  ['no end', { endDate: undefined }, { endDate: m.required }],
  ['custom bidding as a word', { customBidding: 'yes' }, { customBidding: m.yesOrNo }],
  ['an end before the start', { endDate: '2026-11-23', excludedDays: [] }, { endDate: m.endBeforeStart }],
  ['401 days', { endDate: '2027-12-29', excludedDays: [] }, { endDate: m.tooManyDays(400) }],
  [
    'an excluded day outside',
    { excludedDays: [{ date: '2026-11-27', reason: 'x' }] },
    { 'excludedDays.0.date': m.excludedOutside },
  ],
  [
    'a day excluded twice',
    { excludedDays: ['a', 'b'].map((reason) => ({ date: '2026-11-25', reason })) },
    { 'excludedDays.1.date': m.excludedTwice },
  ],
  [
    'an excluded day without a reason',
    { excludedDays: [{ date: '2026-11-25', reason: '' }] },
    { 'excludedDays.0.reason': m.required },
  ],
  [
    'no day left',
    { endDate: '2026-11-24', excludedDays: [{ date: '2026-11-24', reason: 'x' }] },
    { excludedDays: m.everyDayExcluded },
  ],
  ['23 capacities', { capacity: hours(1).slice(1) }, { capacity: m.fewest(24) }],
  ['25 prices', { price: [...hours(1), 1] }, { price: m.most(24) }],
  ['24 capacities for FCR', { biddingMarket: 'FCR' }, { capacity: m.most(6), price: m.most(6) }],
  ['a negative price', { price: [-1, ...hours(1).slice(1)] }, { 'price.0': m.atLeast(0) }],
  ['12 digits', { capacity: [123_456_789_012, ...hours(1).slice(1)] }, { 'capacity.0': m.atMost(10_000) }],
  ['a decimal with a comma', { price: ['2,5', ...hours(1).slice(1)] }, { 'price.0': m.number }],
  ['a tenth of a kW', { capacity: [0.0001, ...hours(1).slice(1)] }, { 'capacity.0': m.decimals(3) }],
  ['1e-9 MW', { capacity: [1e-9, ...hours(1).slice(1)] }, { 'capacity.0': m.decimals(3) }],
  ['a price of energy where none is paid', { regulationPrice: hours(1) }, { regulationPrice: m.most(0) }],
  ['no price of energy in aFRR', { biddingMarket: 'aFRR' }, { regulationPrice: m.fewest(24) }],
  ['a market without requests', { biddingMarket: 'DC-PLANNER' }, { biddingMarket: m.marketNotSupported }],
  ['a market that is not the customer’s', { biddingMarket: 'FCR-N' }, { biddingMarket: m.marketNotSupported }],
  ['an instance of another market', { biddingMarket: 'FCR-D-DEC' }, { groupId: m.notOfEventType }],
])('R3 %s is refused with its message', async (_, part, errors) => {
  expect(await create(part)).toMatchObject({ status: 400, body: { errors } })
  expect((await find()).totalCount).toBe(0)
})

describe('gates', () => {
  test('the first open day and its cut-off are listed', async () => {
    await later('2026-11-20T14:00:00Z')
    const { body } = await app.ask(contract.findBidGates, { token: expert, query: { market: 'FCR-D-INC' } })
    expect(body.data).toEqual({
      slots: 24,
      gates: [
        {
          auction: 'D-1 early',
          day: '2026-11-22',
          cutOffAt: '2026-11-20T21:30:00.000Z',
          gateAt: '2026-11-20T23:30:00.000Z',
        },
        {
          auction: 'D-1 late',
          day: '2026-11-21',
          cutOffAt: '2026-11-20T15:00:00.000Z',
          gateAt: '2026-11-20T17:00:00.000Z',
        },
      ],
      firstOpenDay: '2026-11-21',
    })
  })

  test('a closed start is refused to the second', async () => {
    const [start, end] = [{ startDate: '2026-11-21', excludedDays: [] }, '2026-11-21']
    await later('2026-11-20T15:00:00Z')
    expect(await create({ ...start, endDate: end })).toMatchObject({
      status: 409,
      body: { message: m.bidsClosed, errors: { startDate: m.bidsClosed } },
    })
    app.setNow('2026-11-20T14:59:59Z')
    expect((await create({ ...start, endDate: end })).status).toBe(200)
  })

  test('the cut-off that passes while the form is open freezes the request', async () => {
    const request = await made({ startDate: '2026-11-21' })
    await later('2026-11-20T15:00:01Z')
    for (const refused of [await change(request, { startDate: '2026-11-24' }), await remove(request)])
      expect(refused).toMatchObject({ status: 409, body: { message: m.bidRequestPlaced } })
  })
})

describe('next to other requests of the instance', () => {
  const only = (slot: number) => hours(0).map((_, i) => (i === slot ? 0.2 : 0))

  test('the same slot of the same day is bid once', async () => {
    await made({ capacity: only(7) })
    expect(await create({ capacity: only(7) })).toMatchObject({ status: 409, body: { message: m.bidsOverlap } })
    expect((await create({ customBidding: false, capacity: [], price: [] })).status).toBe(409)
    expect((await create({ capacity: only(8) })).status).toBe(200)
    expect(
      (await create({ capacity: only(7), startDate: '2026-11-25', endDate: '2026-11-25', excludedDays: [] })).status,
    ).toBe(200)
  })

  test('a request does not overlap with itself or with a withdrawn one', async () => {
    const request = await made()
    expect((await change(request, { note: 'again' })).status).toBe(200)
    await remove(request)
    expect((await create()).status).toBe(200)
  })

  test('of two simultaneous requests for a slot one is created', async () => {
    const both = await Promise.all([create(), create()])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('L1 requests for the same days have a limit', async () => {
    const request = await made({ capacity: only(0) })
    await app.byHand((tx) =>
      sql`insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding,
          capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
        select customer_id, gen_random_uuid(), licence_id, instance_id, 'FFR', start_date, end_date, true,
          capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at
        from bid_request, generate_series(2, ${limits.bidRequestsBeside})
        where request_id = ${request._id}`.execute(tx),
    )
    expect(await create({ capacity: only(1) })).toMatchObject({ status: 409, body: { message: m.tooManyBeside(200) } })
    const later = { startDate: '2026-12-01', endDate: '2026-12-01', excludedDays: [] }
    expect((await create({ ...later, capacity: only(1) })).status).toBe(200)
  })

  test('more than the flexible power over all markets is a warning', async () => {
    const { body } = await create({ capacity: hours(0.4) })
    expect(body.data.warnings).toEqual([])
    const ffr = await create({ biddingMarket: 'FFR', capacity: hours(0.3) })
    expect(ffr.body.data.warnings).toEqual([
      {
        kind: 'above-flexible-with-others',
        slots: Array.from({ length: 24 }, (_, slot) => slot),
        offered: 0.7,
        limit: 0.42,
      },
    ])
    const blocks = await create({ biddingMarket: 'FCR', capacity: [0, 1, 0, 0, 0, 0], price: [1, 1, 1, 1, 1, 1] })
    expect(blocks.body.data.warnings).toEqual([{ kind: 'above-flexible', slots: [1], offered: 1, limit: 0.42 }])
  })

  test('less than the minimum, no whole step, no capacity and the skipped hour are warnings', async () => {
    const warnings = async (part: object) => (await create(part)).body.data.warnings
    expect(await warnings({ capacity: only(3).map((mw) => mw / 4) })).toEqual([
      { kind: 'below-minimum', slots: [3], offered: 0.05, limit: 0.1 },
      { kind: 'not-a-step', slots: [3], offered: 0.05, limit: 0.1 },
    ])
    expect(await warnings({ capacity: hours(0) })).toEqual([
      { kind: 'nothing-offered', slots: [], offered: null, limit: null },
    ])
    const march = { startDate: '2027-03-28', endDate: '2027-03-28', excludedDays: [] }
    expect(await warnings({ ...march, capacity: only(2) })).toEqual([
      { kind: 'skipped-hour', slots: [2], offered: null, limit: null },
    ])
  })
})

test('current requests have days ahead, and licence, market and page narrow the list', async () => {
  await made({ endDate: '2026-11-26' })
  app.setNow('2026-11-20T08:00:01Z')
  await made({ biddingMarket: 'FFR', startDate: '2026-12-01', endDate: '2026-12-02', excludedDays: [] })
  const marketsOf = async (query = {}) => (await find(query)).bidRequests.map(({ biddingMarket }) => biddingMarket)
  expect(await marketsOf()).toEqual(['FFR', 'FCR-D-INC'])
  expect(await marketsOf({ limit: '1', skip: '1' })).toEqual(['FCR-D-INC'])
  expect(await marketsOf({ market: 'FFR' })).toEqual(['FFR'])
  expect(await marketsOf({ licenseId: ids['heat']?.licence_id ?? '' })).toEqual([])
  await later('2026-11-27T08:00:00Z')
  expect(await marketsOf()).toEqual(['FFR'])
  expect(await marketsOf({ filterType: 'past' })).toEqual(['FCR-D-INC'])
})

test('T1 another customer neither reads, changes nor withdraws a request', async () => {
  const request = await made()
  expect(await find({}, west)).toEqual({ bidRequests: [], totalCount: 0 })
  const get = (token: string) => app.ask(contract.getBidRequest, { token, params: { id: request._id } })
  for (const refused of [
    await get(west),
    await change(request, {}, west),
    await remove(request, west),
    await create({}, west),
  ])
    expect(refused.status).toBe(404)
  expect((await find()).bidRequests).toMatchObject([{ status: 'pending' }])
  expect((await get(expert)).body).toMatchObject({ data: (await find()).bidRequests[0] })
})

test.each([
  ['auditor', 200, 403],
  ['custom', 403, 403],
])('R1 the %s: reading is answered %i, writing %i', async (role, reading, writing) => {
  const token = await app.tokenOf(`${role}@north.example`)
  const request = await made()
  expect((await app.ask(contract.findBidRequests, { token })).status).toBe(reading)
  for (const answer of [await create({}, token), await change(request, {}, token), await remove(request, token)])
    expect(answer.status).toBe(writing)
})
