import * as contract from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, storedRow, storedRows } from '#testing/rows.ts'
import { reportMissedGates, dueDays, placeDue } from './placing.ts'

type Ids = { customer_id: string; instance_id: string; licence_id: string }
const idsOf = (name: string): Ids => {
  const found = instances.get(name)
  if (!found) throw new Error(`no instance ${name}`)
  return found
}

const app = await openTestApp({ OPERATOR_EMAIL: 'bids@operator.example' })
const rows = await app.records.system((tx) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
    .select(['c.key as company', 'i.key', 'i.customer_id', 'i.instance_id', 'i.licence_id'])
    .execute(),
)
const instances: Map<string, Ids> = new Map(rows.map(({ company, key, ...row }) => [`${company} ${key}`, row]))
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-11-20T08:00:00Z')
  await app.byHand(async (tx) => {
    for (const table of ['bid', 'bid_file', 'bid_request', 'instance_contract', 'mail_outbox'] as const)
      await tx.deleteFrom(table).execute()
    await tx
      .updateTable('instance')
      .set({ enabled: true, bid_active: true, markets: ['FCR-D-INC', 'FFR'] })
      .execute()
  })
})

const hours = (value: string) => Array.from({ length: 24 }, () => value)
const only = (slot: number, value: string) => hours('0').map((zero, i) => (i === slot ? value : zero))

const add = async (instance: string, part: object = {}) => {
  const request_id = newId()
  const at = new Date('2026-11-19T08:00:00Z')
  await addRows({ system: app.byHand }, 'bid_request', {
    ...idsOf(instance),
    request_id,
    market: 'FCR-D-INC',
    status: 'pending',
    note: 'x',
    start_date: '2026-11-21',
    end_date: '2026-11-23',
    custom_bidding: true,
    excluded_days: '[]',
    capacity_mw: only(7, '0.2'),
    price_eur: only(7, '2.5'),
    created_at: at,
    updated_at: at,
    ...part,
  })
  return request_id
}
const at = async (iso: string) => {
  app.setNow(iso)
  return placeDue(app)
}
const bids = () =>
  storedRows(
    app.records,
    'bid',
    {},
    ['day', 'slot', 'auction', 'capacity_mw', 'price_eur', 'instance_id'],
    ['day', 'auction', 'slot'],
  )
const mails = () => storedRows(app.records, 'mail_outbox', {}, undefined, ['mail_id'])
const statusOf = async (id: string) =>
  (await storedRow(app.records, 'bid_request', { request_id: id }, ['status'])).status

test('a day is due between the cut-off and the gate', () => {
  const late = { market: 'FFR', auction: '', daysAhead: 1, closesAt: '18:00' }
  const daysAt = (iso: string) => dueDays(late, Date.parse(iso))
  expect(daysAt('2026-11-20T14:59:59Z')).toEqual([])
  expect(daysAt('2026-11-20T15:00:00Z')).toEqual(['2026-11-21'])
  expect(daysAt('2026-11-20T16:59:59Z')).toEqual(['2026-11-21'])
  expect(daysAt('2026-11-20T17:00:00Z')).toEqual([])
  expect(dueDays({ ...late, daysAhead: 7 }, Date.parse('2026-11-20T16:00:00Z'))).toEqual(['2026-11-27'])
})

test('C4 at the cut-off bids, file, mail and trail are created together and the request is placed', async () => {
  const id = await add('north cold')
  expect(await at('2026-11-20T14:59:00Z')).toBe(0)
  expect(await statusOf(id)).toBe('pending')
  expect(await at('2026-11-20T15:00:00Z')).toBe(1)
  expect(await statusOf(id)).toBe('placed')
  expect(await bids()).toMatchObject([
    { day: '2026-11-21', slot: 7, auction: 'D-1 late', capacity_mw: '0.200', price_eur: '2.50' },
  ])
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    recipient: 'bids@operator.example',
    subject: 'Bids of North: FCR-D-INC D-1 late, 21.11.2026',
    body: 'The file has 1 bid of up to 0,200 MW. The gate closes on 20.11.2026 18:00:00.\n\nTimes are Danish.',
  })
  const [file] = await storedRows(app.records, 'bid_file')
  const line =
    'FCR-D-INC,FCR-D-INC,D-1 late,2026-11-21,7,2026-11-21 07:00:00,2026-11-21T06:00:00.000Z,2026-11-21 08:00:00,2026-11-21T07:00:00.000Z,North Cold,0.2,2.5,,'
  expect(file?.content).toContain(`\r\n${line}${id}\r\n`)
  const [entry] = await storedRows(app.records, 'audit_entry', { action: 'bid-request.place' })
  expect(entry).toMatchObject({ who: 'Gridmast', subject: 'FCR-D-INC 2026-11-21', after: { bids: 1, mostMw: '0.2' } })
})

test('a file is created once for any number of attempts', async () => {
  await add('north cold')
  app.setNow('2026-11-20T15:00:00Z')
  const sent = await Promise.all([placeDue(app), placeDue(app), placeDue(app)])
  expect(sent.reduce((sum, n) => sum + n, 0)).toBe(1)
  expect(await placeDue(app)).toBe(0)
  expect(await bids()).toHaveLength(1)
  expect(await mails()).toHaveLength(1)
})

test('later days are placed one by one from the frozen request, except excluded ones', async () => {
  await add('north cold', { excluded_days: JSON.stringify([{ date: '2026-11-22', reason: 'Service' }]) })
  await at('2026-11-20T15:00:00Z')
  await at('2026-11-20T21:30:00Z')
  await at('2026-11-21T15:00:00Z')
  await at('2026-11-21T21:30:00Z')
  expect((await bids()).map(({ day, auction }) => `${day} ${auction}`)).toEqual([
    '2026-11-21 D-1 late',
    '2026-11-23 D-1 early',
  ])
})

test('the late auction gets the capacity that the early one did not win, and none while its result is unknown', async () => {
  await add('north cold', { capacity_mw: hours('0.4'), price_eur: hours('1'), start_date: '2026-11-22' })
  await at('2026-11-20T21:30:00Z')
  await app.byHand(async (tx) => {
    await tx.updateTable('bid').set({ won: true, won_mw: '0.1' }).where('slot', '=', 0).execute()
    await tx.updateTable('bid').set({ won: false }).where('slot', '=', 1).execute()
    await tx.updateTable('bid').set({ won: true, won_mw: '0.4' }).where('slot', '=', 2).execute()
  })
  await at('2026-11-21T15:00:00Z')
  expect((await bids()).filter(({ day, auction }) => day === '2026-11-22' && auction === 'D-1 late')).toMatchObject([
    { slot: 0, capacity_mw: '0.300' },
    { slot: 1, capacity_mw: '0.400' },
  ])
})

test('a closed gate gets no bid', async () => {
  const id = await add('north cold', { end_date: '2026-11-21' })
  expect(await at('2026-11-20T17:00:00Z')).toBe(0)
  expect(await statusOf(id)).toBe('pending')
})

test.each([
  ['an instance that is switched off', { enabled: false }],
  ['an instance that is not sold now', { bid_active: false }],
])('%s is not bid', async (_, state) => {
  await add('north cold')
  await app.byHand((tx) => tx.updateTable('instance').set(state).execute())
  expect(await at('2026-11-20T15:00:00Z')).toBe(0)
})

test('T1 each customer has its own file and mail', async () => {
  await add('north cold')
  await add('west cold', { capacity_mw: only(8, '0.3') })
  expect(await at('2026-11-20T15:00:00Z')).toBe(2)
  const files = await storedRows(app.records, 'bid_file')
  const north = files.find(({ customer_id }) => customer_id === idsOf('north cold').customer_id)
  expect(files).toHaveLength(2)
  expect(north?.content).not.toMatch(/west/i)
  expect(new Set((await mails()).map(({ subject }) => subject))).toEqual(
    new Set(['North', 'West'].map((name) => `Bids of ${name}: FCR-D-INC D-1 late, 21.11.2026`)),
  )
})

test('a customer whose bids fail does not delay the others and is tried again', async () => {
  await add('north cold')
  await add('west cold')
  const { tenant } = app.records
  app.records.tenant = (id, work) =>
    id === idsOf('north cold').customer_id ? Promise.reject(new Error('away')) : tenant(id, work)
  expect(await at('2026-11-20T15:00:00Z')).toBe(1)
  app.records.tenant = tenant
  expect(await at('2026-11-20T15:01:00Z')).toBe(1)
})

test('a request without custom bids takes the price of the contract and the forecast capacity', async () => {
  const { customer_id, instance_id } = idsOf('north cold')
  await addRows({ system: app.byHand }, 'instance_contract', {
    customer_id,
    instance_id,
    valid_from: '2026-01-01',
    customer_percent: '100',
    partner_percent: '0',
    sc_percent: '0',
    auctions: ['D-1 late'],
    default_price_eur: '1.75',
    penalty_to: 'shares',
  })
  const { no } = await storedRow(app.records, 'signal', { instance_id, kind: 'capacityUp' }, ['no'])
  const days = ['2026-11-17', '2026-11-18', '2026-11-19'].map((day) => dayBounds(day).fromMs)
  await app.readings.insert(
    days.map((fromMs, i) => ({ signalNo: no, t0Ms: fromMs + 7 * 3_600_000, dtMs: 1000, values: [380 + 10 * i] })),
  )
  await add('north cold', { custom_bidding: false, capacity_mw: [], price_eur: [] })
  expect(await at('2026-11-20T15:00:00Z')).toBe(1)
  expect(await bids()).toMatchObject([{ slot: 7, capacity_mw: '0.300', price_eur: '1.75' }])
})

test('a placed request can be neither changed nor deleted', async () => {
  const id = await add('north cold', {
    start_date: '2026-11-22',
    created_at: new Date(),
    updated_at: '2026-11-20T10:00:00Z',
  })
  await at('2026-11-20T21:30:00Z')
  const token = await app.tokenOf('expert@north.example')
  const refused = await app.ask(contract.removeBidRequest, { token, params: { id } })
  expect(refused).toMatchObject({ status: 409, body: { message: m.bidRequestPlaced } })
  const { body } = await app.ask(contract.findBidRequests, { token })
  expect(body.data.bidRequests).toMatchObject([{ status: 'placed', bids: { sent: 1, won: 0, lost: 0 } }])
})

test('a gate that closed while no server ran is mailed to the operator once, except for a late request', async () => {
  await add('north cold', { created_at: new Date('2026-11-20T08:00:00Z') })
  await add('west cold', { created_at: new Date('2026-11-20T15:30:00Z') })
  // The late gate of 21.11. closed at 18:00 CET on 20.11., its cut-off was two hours before.
  app.setNow('2026-11-20T18:00:00Z')
  expect([await reportMissedGates(app), await reportMissedGates(app)]).toEqual([1, 0])
  const mails = await storedRows(app.records, 'mail_outbox')
  expect(mails).toHaveLength(1)
  expect(JSON.stringify(mails)).toContain('Bids not sent for North: FCR-D-INC D-1 late, 21.11.2026')
  expect(await placeDue(app)).toBe(0)
})
