import { compareMonths } from '@gridmast/contract/settlement/month-comparison.ts'
import { findSettlements, settlementRecord } from '@gridmast/contract/settlement/economics.ts'
import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { compareDecimals, multiplyDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { addDays, type LocalDate } from '@gridmast/contract/time.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { compareChains, verifyRecord } from '#delivery/flight-record/verify.ts'
import { openTestApp } from '#testing/app.ts'
import * as fixture from './economics.fixture.ts'
import { settleDue } from './settle-due.ts'

const decided = (eur: string, won = true) => ({
  won,
  won_mw: won ? '0.4' : null,
  marginal_price_eur: eur,
  decided_by: 'price',
  decided_at: new Date(0),
})
const from = (day: LocalDate, days: number) => Array.from({ length: days }, (_, n) => addDays(day, n))

/** August: twenty days of two hours at 5 EUR, 70 %. September: ten days; 4 EUR, one hour of two won on half of them, one hour missed, 60 %. */
const app = await openTestApp()
app.setNow('2026-10-10T06:00:00Z')
const token = await app.tokenOf('auditor@north.example')
const of = await fixture.placeRequest(app.records, '2026-08-01')
await fixture.setContract(app.records, of, { valid_to: '2026-09-01' })
await fixture.setContract(app.records, of, {
  valid_from: '2026-09-01',
  customer_percent: '60',
  partner_percent: '30',
})
for (const day of from('2026-08-03', 20))
  for (const slot of [10, 11]) await fixture.addBid(app.records, of, day, slot, decided('5'))
for (const [n, day] of from('2026-09-01', 10).entries())
  for (const slot of [10, 11])
    await fixture.addBid(app.records, of, day, slot, decided('4', slot === 10 || n % 2 === 0))
await fixture.measure(app, of, '2026-09-01', [0, 10 * 60])
await fixture.measure(app, of, '2026-09-01', [10 * 60 + 30, 1440])
await settleDue(app, 0)
afterAll(() => app.close())

const compare = async (query: Record<string, string> = {}, by = token) => app.ask(compareMonths, { token: by, query })
const eurOf = (eur: string | null) => eur ?? 'unknown'

test('the parts and the slots add up to the difference of two months', async () => {
  const { data } = (await compare()).body
  const revenueOf = async (month: string) =>
    (await app.data(monthRevenue, { token, query: { startDate: `${month}-01`, endDate: `${month}-30` } })).totalRevenue
  expect([data.before.month, data.after.month]).toEqual(['2026-08', '2026-09'])
  expect([data.before.revenueEur, data.after.revenueEur]).toEqual([
    await revenueOf('2026-08'),
    await revenueOf('2026-09'),
  ])
  expect(compareDecimals(sumDecimals(Object.values(data.parts ?? {})), eurOf(data.differenceEur))).toBe(0)
  const shown = sumDecimals([
    ...data.slots.map((slot) => slot.differenceEur),
    data.otherSlots.differenceEur,
    data.parts?.rounding ?? '0',
  ])
  expect(compareDecimals(shown, eurOf(data.differenceEur))).toBe(0)
  // August 80 × 0.7; September 15 hours of 1.60, one of them missed, × 0.6. Rate, price and share are the August values until they change.
  expect(data).toMatchObject({
    differenceEur: '-42.56',
    before: { revenueEur: '56.00', settlements: 20, offeredMwHours: '16', wonMwHours: '16', sharePercent: '70.00' },
    after: {
      revenueEur: '13.44',
      offeredMwHours: '8',
      wonMwHours: '6',
      capacityEur: '24.00',
      missedHours: 1,
      hours: 15,
      penaltyEur: '-0.96',
    },
    parts: {
      volume: '-28.00',
      winRate: '-7.00',
      price: '-4.20',
      availability: '-0.96',
      shares: '-2.40',
      rounding: '0.00',
    },
  })
  expect(data.slots.map(({ slot, differenceEur }) => [slot, differenceEur])).toEqual([
    [11, '-23.20'],
    [10, '-19.36'],
  ])
  expect(data.missed).toEqual([
    expect.objectContaining({ date: '2026-09-01', slot: 10, hours: 1, penaltyEur: '-0.96' }),
  ])
})

test('months and instance can be chosen, and a month can be empty', async () => {
  const same = (await compare({ month: '2026-08', against: '2026-08', instanceId: of.instance_id })).body.data
  expect([same.differenceEur, same.slots, same.otherSlots.count]).toEqual(['0.00', [], 2])
  const first = (await compare({ month: '2026-08' })).body.data
  expect(first.parts).toMatchObject({ volume: '56.00', winRate: '0.00', price: '0.00', shares: '0.00' })
  expect((await compare({ month: '2026-10', against: '2026-09' })).body.data).toMatchObject({
    days: 9,
    after: { revenueEur: '0.00', settlements: 0 },
  })
  expect((await compare({ month: '2026-13' })).status).toBe(400)
})

test('a running month is compared with as many days of the other', async () => {
  app.setNow('2026-09-06T06:00:00Z')
  const { data } = (await compare({ month: '2026-09', against: '2026-08' })).body
  app.setNow('2026-10-10T06:00:00Z')
  // 3 to 5 August: three days of 80 / 20 × 0.7; 1 to 5 September: eight hours of 1.60 won, one of them missed, × 0.6.
  expect(data).toMatchObject({
    days: 5,
    before: { revenueEur: '8.40', settlements: 3, offeredMwHours: '2.4' },
    after: { revenueEur: '6.72', settlements: 5, offeredMwHours: '4', wonMwHours: '3.2' },
    differenceEur: '-1.68',
  })
  expect(compareDecimals(data.parts?.volume ?? '0', '0')).toBe(1)
  const { body } = await app.ask(findSettlements, {
    token,
    query: { startDate: '2026-09-01', endDate: '2026-09-05' },
  })
  expect(data.after.revenueEur).toBe(body.data.totalRevenue)
  const both = (await compare({ month: '2026-08', against: '2026-08' })).body.data
  expect([both.days, both.before.settlements]).toEqual([null, 20])
})

test('MW of a block of four hours count four times in MW·h', async () => {
  const setMarket = (market: string) =>
    app.byHand((tx) => tx.updateTable('settlement').set({ market }).where('day', '=', '2026-08-03').execute())
  await setMarket('FCR')
  const { data } = (await compare({ month: '2026-09', against: '2026-08' })).body
  await setMarket('FCR-D-DEC')
  // 19 days of 0.8 MW·h, one of 4 × 0.8.
  expect(data.before).toMatchObject({ offeredMwHours: '18.4', wonMwHours: '18.4', revenueEur: '56.00' })
})

test('a month without a known share has no revenue and no comparison', async () => {
  await fixture.addBid(app.records, of, '2025-05-05', 10, decided('4'))
  await settleDue(app, 0)
  const { data } = (await compare({ month: '2026-08', against: '2025-05' })).body
  expect(data).toMatchObject({ differenceEur: null, parts: null, slots: [], otherSlots: { count: 0 } })
  expect([data.before.revenueEur, data.before.unknown, data.after.revenueEur]).toEqual([null, 1, '56.00'])
  const query = { startDate: '2025-05-01', endDate: '2025-05-31' }
  expect((await app.data(monthRevenue, { token, query })).totalRevenue).toBeNull()
  const none = { totalRevenue: null, totalRevenuePartner: null, totalRevenueEnabler: null, totalRevenueSc: null }
  expect(await app.data(findSettlements, { token, query })).toMatchObject(none)
})

test('T1 T4 another customer compares nothing', async () => {
  const west = await app.tokenOf('sudoer@west.example')
  expect((await compare({}, west)).body.data).toMatchObject({ differenceEur: '0.00', slots: [], missed: [] })
  expect((await compare({ instanceId: of.instance_id }, west)).status).toBe(404)
})

describe('the flight record of a settled day', () => {
  const record = (date: string, by = token) =>
    app.ask(settlementRecord, { token: by, params: { instanceId: of.instance_id, date, type: 'FCR-D-DEC' } })

  test('has versions, telemetry, prices and the contract, and a correction is a new link of the same chain', async () => {
    const first = await record('2026-09-01')
    expect(first.headers['content-type']).toContain('application/x-ndjson')
    expect(verifyRecord(first.text)).toMatchObject({ wrong: [], own: { no: 1 } })
    expect((await record('2026-09-01')).text).toBe(first.text)
    const parts = first.text.split('\n').flatMap((line) => /^\{"part":"([^"]+)"/.exec(line)?.[1] ?? [])
    expect(parts.slice(0, 8)).toEqual([
      'about',
      'settlement version 1',
      'required',
      'activations',
      'bids',
      'prices',
      'contract',
      'settlement versions',
    ])
    expect(parts.slice(8)).toHaveLength(24)
    await fixture.setBids(app.records, { day: '2026-09-01' }, { marginal_price_eur: '6' })
    await settleDue(app, 0)
    const second = await record('2026-09-01')
    expect(second.text).toContain('"part":"settlement version 2"')
    expect(verifyRecord(second.text)).toMatchObject({ wrong: [], own: { no: 2 } })
    expect(compareChains([verifyRecord(first.text), verifyRecord(second.text)])).toEqual([])
  })

  test('T4 is refused for a day without a settlement and for another customer', async () => {
    expect((await record('2026-10-20')).status).toBe(404)
    expect((await record('2026-09-01', await app.tokenOf('sudoer@west.example'))).status).toBe(404)
    app.setNow('2026-10-10T06:00:00Z')
    await fixture.addBid(app.records, of, '2026-10-10', 12)
    await settleDue(app, 0)
    expect((await record('2026-10-10')).status).toBe(409)
  })

  test('has exact amounts', async () => {
    const { text } = await record('2026-09-02')
    const version = JSON.parse(text.split('\n')[1] ?? '') as {
      inputs: { bids: { wonMw: string; marginalPriceEur: string }[] }
    }
    const [bid] = version.inputs.bids
    expect(multiplyDecimals(bid?.wonMw ?? '0', bid?.marginalPriceEur ?? '0')).toBe('1.6')
  })
})
