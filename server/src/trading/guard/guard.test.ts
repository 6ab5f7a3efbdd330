import { findTriggered, getTriggered, notifications } from '@gridmast/contract/notifications/triggered.ts'
import { soldCapacity } from '@gridmast/contract/trading/bid-basis.ts'
import { findSoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { addDays, dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addPushDevices } from '#people/push/devices.fixture.ts'
import { openTestApp } from '#testing/app.ts'
import { addBid, addPlaced, coldOf } from '#trading/requests/bid-requests.fixture.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'
import { guardSold } from './guard.ts'

const market = 'FCR-D-INC'
// A Tuesday at noon; typical are 400 kW, and 300 at night.
const now = '2026-11-24T11:00:00Z'
const day = '2026-11-24'

const app = await openTestApp({ OPERATOR_EMAIL: 'operator@grid.example' })
app.setNow(now)
const cold = await coldOf(app.records)
const requestId = await addPlaced(app.records, cold, { market, start: day, end: addDays(day, 2) })
const signals = await storedRows(app.records, 'signal', { instance_id: cold.instance_id }, ['kind', 'no'])
const noOf = (kind: string) => signals.find((one) => one.kind === kind)?.no ?? 0
const up = noOf('capacityUp')
const days = Array.from({ length: 14 }, (_, i) => addDays(day, -1 - i))
for (const { fromMs, toMs } of days.map(dayBounds))
  for (const signalNo of [up, noOf('capacityDown')]) {
    const times = Array.from({ length: (toMs - fromMs) / (10 * minuteMs) }, (_, i) => fromMs + i * 10 * minuteMs)
    const values = times.map((ms) => (new Date(ms).getUTCHours() < 6 ? 300 : 400))
    await app.readings.insert([{ signalNo, t0Ms: fromMs, dtMs: 10 * minuteMs, values }])
  }
await addRows(app.records, 'email_subscription', {
  customer_id: cold.customer_id,
  subscription_id: requestId,
  instance_id: cold.instance_id,
  email: 'vagt@north.example',
  event_type: 'fcr_based',
  activation: false,
  bid_result: true,
  created_at: new Date(now),
})
const support = { name: 'Vagt', phone: '+45 70 10 20 30' }
await changeRows({ system: app.byHand }, 'customer', {}, { support })
const pushes = await addPushDevices(app)
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow(now)
  await app.byHand(async (tx) => {
    for (const table of ['sold_risk', 'alert_trigger', 'bid', 'outbox', 'push_topic'] as const)
      await tx.deleteFrom(table).execute()
  })
})

const at = (hour: number, of = day) => dayBounds(of).fromMs + hour * hourMs
const sell = (hour: number, mw: string, eur: string | null = '10', of = day) =>
  app.byHand((tx) =>
    addBid(tx, { ...cold, request_id: requestId }, at(hour, of), {
      market,
      product: market,
      capacity_mw: mw,
      won: true,
      won_mw: mw,
      marginal_price_eur: eur,
    }),
  )
const report = async (ms: number, kw: number) => {
  const values = Array.from({ length: 60 }, () => kw)
  await app.readings.insert([{ signalNo: up, t0Ms: ms - hourMs, dtMs: minuteMs, values }])
}
const later = (hours: number) => {
  const ms = Date.parse(now) + hours * hourMs
  app.setNow(new Date(ms).toISOString())
  return ms
}
const items = async () =>
  (await storedRows(app.records, 'outbox', { kind: 'mail' }, ['payload'])).map(({ payload }) => JSON.stringify(payload))
const reader = () => app.tokenOf('auditor@north.example')
const risks = async () => await app.data(findSoldRisks, { token: await reader(), query: { market } })
const bell = async () => (await app.data(notifications, { token: await reader(), query: { date: day } })).latestData

test('C4 a shortfall is notified once in advance, by bell and mail, with its loss and the support contact', async () => {
  await report(Date.parse(now), 400)
  await sell(20, '0.5')
  await sell(21, '0.3')
  expect(await guardSold(app)).toBe(1)
  expect(await guardSold(app)).toBe(0)
  const found = await risks()
  expect(found).toMatchObject({
    soldCount: 2,
    unknownCount: 0,
    support: { name: 'Vagt', phone: '+45 70 10 20 30', email: 'operator@grid.example' },
  })
  expect(found.risks).toMatchObject([
    {
      groupName: 'North Cold',
      market,
      start: new Date(at(20)).toISOString(),
      state: 'short',
      soldKw: 500,
      expectedKw: 400,
      shortKw: 100,
      lossEur: '1.00',
      atStakeEur: '5.00',
      spare: [],
    },
  ])
  expect(await bell()).toMatchObject([{ name: 'Sold capacity at risk' }])
  const [mail, ...more] = await items()
  expect(more).toEqual([])
  expect(mail).toContain('vagt@north.example')
  expect(mail).toContain('+45 70 10 20 30')
  expect(mail).toContain('24.11.2026 20:00–21:00')
})

test('T5 R1 a slot at risk is pushed once to its readers in their languages, not to muted users, other roles or other companies', async () => {
  await report(Date.parse(now), 400)
  await sell(20, '0.5')
  await guardSold(app)
  const path = `/demandResponse/${market}?tab=soldCapacity&instance=${cold.instance_id}`
  const sent = await pushes()
  expect(sent).toEqual([
    {
      to: 'sudoer@north.example',
      title: 'North Cold: 1 sold slot at risk (FCR-D-INC)',
      body: expect.stringMatching(/^Fix by 24\.11\.2026 20:00: /),
      path,
    },
    {
      to: 'auditor@north.example',
      title: 'North Cold: 1 solgt periode i fare (FCR-D-INC)',
      body: expect.stringMatching(/^Ret op inden 24\.11\.2026 20:00: /),
      path,
    },
  ])
  await guardSold(app)
  expect(await pushes()).toEqual(sent)
})

test('a shortfall is notified again when a tenth more is missing, and closed when it ends', async () => {
  await report(Date.parse(now), 400)
  await sell(14, '0.42', null)
  await guardSold(app)
  expect((await risks()).risks).toEqual([])
  await report(later(0.5), 300)
  expect(await guardSold(app)).toBe(1)
  expect((await risks()).risks).toMatchObject([{ state: 'short', lossEur: null, atStakeEur: null }])
  await report(later(1), 290)
  expect(await guardSold(app)).toBe(0)
  await report(later(1.5), 100)
  expect(await guardSold(app)).toBe(1)
  expect(await bell()).toHaveLength(2)
  await report(later(1.75), 430)
  expect(await guardSold(app)).toBe(0)
  expect((await risks()).risks).toEqual([])
  const token = await reader()
  const licence = { params: { id: cold.licence_id }, query: { date: day } }
  const { triggered } = await app.data(findTriggered, { token, ...licence })
  expect(triggered.map(({ type, closedAt }) => [type, closedAt !== null])).toEqual([
    ['sold-capacity', true],
    ['sold-capacity', true],
  ])
  const one = await app.ask(getTriggered, { token, params: { id: triggered[0]?._id ?? '' } })
  expect(one.body.data.triggered.about?.slots).toMatchObject([{ soldKw: 420, state: 'short' }])
  expect(await items()).toHaveLength(2)
})

test('a silent instance is notified as unknown and closed when it reports again', async () => {
  const silentMs = later(3)
  await sell(20, '0.1')
  // No notification shortly after a restart of Gridmast.
  expect(await guardSold(app, 60_000)).toBe(0)
  expect(await guardSold(app)).toBe(1)
  expect((await risks()).risks).toMatchObject([{ state: 'unknown', expectedKw: null, lossEur: null }])
  expect((await bell())[0]?.name).toBe('Sold capacity at risk')
  expect((await items())[0]).toContain('has not reported')
  expect(await guardSold(app)).toBe(0)
  await report(silentMs, 400)
  expect(await guardSold(app)).toBe(0)
  expect((await risks()).risks).toEqual([])
})

test('an hour without a forecast counts as unknown and is not notified', async () => {
  const heat = { customer_id: cold.customer_id, key: 'heat' }
  const other = await storedRow(app.records, 'instance', heat, ['instance_id'])
  await sell(20, '0.1')
  await app.byHand((tx) => tx.updateTable('bid').set(other).execute())
  await changeRows({ system: app.byHand }, 'instance', { instance_id: other.instance_id }, { markets: [market] })
  expect(await guardSold(app)).toBe(0)
  expect(await risks()).toMatchObject({ risks: [], soldCount: 1, unknownCount: 1 })
})

test('the expected capacity is next to the sold one in open slots, except for a silent instance', async () => {
  await report(Date.parse(now), 400)
  const expected = async () => {
    const { slots } = await app.data(soldCapacity, { token: await reader(), query: { market, date: day } })
    return slots.map(({ expectedKw }) => expectedKw)
  }
  const kw = await expected()
  expect(kw.slice(0, 12)).toEqual(Array(12).fill(null))
  expect(kw.slice(12)).toEqual(Array(12).fill(400))
  later(5)
  expect(new Set(await expected())).toEqual(new Set([null]))
})

test('a period that is no longer sold is closed, and one that has begun is kept', async () => {
  await report(Date.parse(now), 400)
  await sell(13, '0.5')
  await sell(20, '0.5')
  expect(await guardSold(app)).toBe(1)
  await app.byHand((tx) => tx.updateTable('bid').set({ won: false, won_mw: null }).execute())
  await report(later(1.5), 400)
  expect(await guardSold(app)).toBe(0)
  const rows = await storedRows(app.records, 'sold_risk', {}, ['starts_at', 'closed_at'], ['starts_at'])
  expect(rows.map(({ closed_at }) => closed_at !== null)).toEqual([false, true])
})

test('T1 another company reads no risk', async () => {
  await sell(20, '0.1')
  await guardSold(app)
  const west = await app.tokenOf('auditor@west.example')
  expect(await app.data(findSoldRisks, { token: west, query: {} })).toMatchObject({
    risks: [],
    soldCount: 0,
  })
  const foreign = { instanceId: cold.instance_id }
  expect((await app.ask(findSoldRisks, { token: west, query: foreign })).status).toBe(404)
})
