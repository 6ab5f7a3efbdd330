import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { putPrices } from '#testing/prices.ts'
import { openTestWorld } from '#testing/records.ts'
import { readConfig } from '#config.ts'
import { addBid, addPlaced, coldOf } from '#trading/requests/bid-requests.fixture.ts'
import { addRows, storedRows } from '#testing/rows.ts'
import { decideAndNotify, decideByPrices } from './results.ts'

const records = await openTestWorld()
const { licence_id, ...cold } = await coldOf(records)
const placed = { market: 'FCR-D-DEC', start: '2026-09-15' }
const ids: { customer_id: string; instance_id: string; request_id: string } = {
  ...cold,
  request_id: await addPlaced(records, { ...cold, licence_id }, placed),
}
afterAll(() => records.close())

const hour = '2026-09-15T10:00:00Z'
const nowMs = Date.parse('2026-09-15T12:00:00Z')

type Part = { market?: string; area?: string; at?: string; volumeMw?: string }
const price = (auction: string, priceEur: string | null, part: Part = {}) =>
  putPrices(
    records,
    [{ market: 'FCR-D-DEC', area: 'DK2', at: hour, auction, priceEur, priceDkk: '1', ...part }],
    new Date(nowMs).toISOString(),
  )
const bid = (auction: string, eur: string, part: object = {}) =>
  records.system((tx) =>
    addBid(tx, ids, Date.parse(hour), { market: 'FCR-D-DEC', product: 'FCR-D-DEC', auction, price_eur: eur, ...part }),
  )
const decide = () => records.system((tx) => decideByPrices(tx, nowMs, new Date('2026-09-01T00:00:00Z')))
const bids = () =>
  storedRows(records, 'bid', {}, ['auction', 'won', 'won_mw', 'marginal_price_eur', 'decided_by'], ['auction'])

beforeEach(() =>
  records.system(async (tx) => {
    for (const table of ['bid', 'bid_file', 'email_subscription', 'outbox'] as const)
      await tx.deleteFrom(table).execute()
    for (const table of ['market_price', 'market_price_revision'] as const) await tx.deleteFrom(table).execute()
  }),
)

test('the worked check of the domain notes: won early, lost late, never by the total', async () => {
  await bid('D-1 early', '2')
  await bid('D-1 late', '2')
  await price('Total', '2.872822')
  expect(await decide()).toBe(0)
  await price('D-1 early', '3.5')
  await price('D-1 late', '1.0')
  expect(await decide()).toBe(2)
  expect(await bids()).toEqual([
    { auction: 'D-1 early', won: true, won_mw: '2.000', marginal_price_eur: '3.500000', decided_by: 'price' },
    { auction: 'D-1 late', won: false, won_mw: null, marginal_price_eur: '1.000000', decided_by: 'price' },
  ])
  expect(await decide()).toBe(0)
})

test('a bid at the marginal price is won, one a cent above is lost', async () => {
  await price('D-1 early', '3.5')
  await price('D-1 late', '3.49')
  await bid('D-1 early', '3.5')
  await bid('D-1 late', '3.5')
  await decide()
  expect((await bids()).map(({ won }) => won)).toEqual([true, false])
})

test('an auction of 0 MW at 0 EUR has no winner, one without a published volume has', async () => {
  await bid('D-1 early', '0')
  await price('D-1 early', '0', { volumeMw: '0' })
  await bid('D-1 late', '0')
  await price('D-1 late', '0')
  await decide()
  expect(await bids()).toMatchObject([
    { auction: 'D-1 early', won: false, won_mw: null, marginal_price_eur: '0.000000' },
    { auction: 'D-1 late', won: true, won_mw: '2.000' },
  ])
})

test('a revised price decides again, except for a result of the operator', async () => {
  await price('D-1 early', '3.5')
  await bid('D-1 early', '2')
  await bid('D-1 late', '2', { won: true, won_mw: '1', decided_by: 'result-file' })
  await price('D-1 late', '1')
  await decide()
  await price('D-1 early', '1.9')
  expect(await decide()).toBe(1)
  expect(await bids()).toMatchObject([
    { won: false, won_mw: null, marginal_price_eur: '1.900000' },
    { won: true, won_mw: '1.000', decided_by: 'result-file' },
  ])
})

test('a price of another hour, area or product, or in DKK only, decides nothing', async () => {
  await bid('D-1 early', '2')
  await price('D-1 early', '9', { area: 'SE3' })
  await price('D-1 early', '9', { market: 'FCR-D-INC' })
  await price('D-1 early', '9', { at: '2026-09-15T11:00:00Z' })
  await price('D-1 early', null)
  expect(await decide()).toBe(0)
})

describe('notifications', () => {
  const app = (now = nowMs) => ({
    records,
    config: readConfig({ DATA_DIR: '/tmp/none', DEMO: 'off', PUBLIC_URL: 'https://portal.example' }),
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
  })
  const file = (auction: string) =>
    addRows(records, 'bid_file', {
      customer_id: ids.customer_id,
      file_id: newId(),
      market: 'FCR-D-DEC',
      auction,
      day: '2026-09-15',
      name: 'bids.csv',
      content: 'x',
      sent_at: hour,
    })
  const subscribe = (email: string, part: object = {}) =>
    addRows(records, 'email_subscription', {
      customer_id: ids.customer_id,
      instance_id: ids.instance_id,
      subscription_id: newId(),
      email,
      event_type: 'fcr_based',
      activation: false,
      bid_result: true,
      created_at: hour,
      ...part,
    })
  const mails = () => storedRows(records, 'mail_outbox', {}, ['recipient', 'subject', 'body'])

  test('a subscriber of bid results is notified once when all bids of the file are decided', async () => {
    await file('D-1 early')
    await bid('D-1 early', '2')
    await bid('D-1 early', '9', { starts_at: '2026-09-15T11:00:00Z', ends_at: '2026-09-15T12:00:00Z', slot: 13 })
    await subscribe('a@north.example')
    await subscribe('b@north.example', { bid_result: false, activation: true })
    await subscribe('c@north.example', { event_type: 'frr_based' })
    await price('D-1 early', '3.5')
    await decideAndNotify(app())
    expect(await mails()).toEqual([])
    await price('D-1 early', '3.5', { at: '2026-09-15T11:00:00Z' })
    await Promise.all([decideAndNotify(app()), decideAndNotify(app())])
    expect(await mails()).toEqual([
      {
        recipient: 'a@north.example',
        subject: 'North Cold: 1 of 2 bids won',
        body: 'North Cold won 1 of 2 bids in FCR-D-DEC D-1 early, 15.09.2026, up to 2,000 MW.\n\nhttps://portal.example/demandResponse/FCR-D-DEC?tab=requestBid\n\nGridmast',
      },
    ])
  })

  test('a revised price that changes a notified result is notified once as a correction', async () => {
    await file('D-1 early')
    await bid('D-1 early', '2')
    await subscribe('a@north.example')
    await addRows(records, 'webhook', {
      customer_id: ids.customer_id,
      webhook_id: newId(),
      name: 'plant',
      url: 'https://plant.example',
      events: ['bid-result'],
      secret_sealed: Buffer.from('sealed'),
      enabled: true,
      created_at: hour,
    })
    await price('D-1 early', '3.5')
    await decideAndNotify(app())
    await price('D-1 early', '3.6')
    await decideAndNotify(app())
    expect(await mails()).toHaveLength(1)
    await price('D-1 early', '1.9')
    const later = app(nowMs + 60_000)
    await Promise.all([decideAndNotify(later), decideAndNotify(later)])
    await decideAndNotify(later)
    expect(new Set((await mails()).map(({ subject }) => subject))).toEqual(
      new Set(['Corrected: North Cold: 0 of 1 bids won', 'North Cold: 1 of 1 bids won']),
    )
    expect(await mails()).toHaveLength(2)
    const posted = await storedRows(records, 'outbox', { kind: 'webhook' }, ['payload'], ['outbox_id'])
    expect(posted.map(({ payload }) => payload)).toMatchObject([
      { data: { won: 1, corrected: false } },
      { data: { won: 0, corrected: true } },
    ])
    await records.system((tx) => tx.deleteFrom('webhook').execute())
  })

  test('a price that is revised before the notification is no correction', async () => {
    await file('D-1 early')
    await bid('D-1 early', '2')
    await subscribe('a@north.example')
    await price('D-1 early', '3.5')
    await decide()
    await price('D-1 early', '1.9')
    await decideAndNotify(app())
    expect((await mails()).map(({ subject }) => subject)).toEqual(['North Cold: 0 of 1 bids won'])
  })

  test('results older than a week are not notified', async () => {
    await file('D-1 early')
    await bid('D-1 early', '2')
    await subscribe('a@north.example')
    await price('D-1 early', '3.5')
    await decideAndNotify(app(Date.parse('2026-09-24T12:00:00Z')))
    expect(await bids()).toMatchObject([{ won: true }])
    expect(await mails()).toEqual([])
  })
})

test('D-2 is the early auction before June 2023, and a single auction can be named Total', async () => {
  await bid('D-1 early', '2')
  await price('D-2', '3')
  await bid('', '2', { product: 'FFR', market: 'FFR' })
  await price('Total', '1', { market: 'FFR' })
  await decide()
  expect((await bids()).map(({ auction, won }) => [auction, won])).toEqual([
    ['', false],
    ['D-1 early', true],
  ])
})
