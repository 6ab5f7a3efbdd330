import { addDays, dayBounds, hourMs, today } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { coldOf } from './bid-requests.fixture.ts'
import { habits, mondayOf } from './demo-habits.ts'
import { makePast } from './demo-past.ts'
import { reportMissedGates } from '#trading/placing/placing.ts'

// A Friday; 35 days of prices, so that three weeks have prices of the week before them.
const now = '2026-11-20T12:00:00Z'
const habit = {
  instance: 'cold',
  market: 'FCR-D-INC',
  share: 0.5,
  note: 'x',
  mw: Array.from({ length: 24 }, (_, hour) => (hour === 7 || hour === 8 ? 0.2 : 0)),
  excluded: (monday: string) => [{ date: addDays(monday, 5), reason: 'closed' }],
}

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ DEMO_PRICE_DAYS: '35' })
  app.setNow(now)
  const { instance_id, customer_id } = await coldOf(app.records)
  await app.byHand(async (tx) => {
    await tx.updateTable('customer').set({ demo: true }).where('customer_id', '=', customer_id).execute()
    await tx.updateTable('edge').set({ simulated: true }).execute()
    await tx
      .updateTable('instance')
      .set({ area: 'DK2', markets: ['FCR-D-INC'] })
      .where('instance_id', '=', instance_id)
      .execute()
    const months = ['2026-10', '2026-11'].map((month) => ({ month, finished_at: new Date(now) }))
    await tx
      .insertInto('backfill_month')
      .values(months.map((one) => ({ ...one, source: 'energi-data-service', dataset: 'FcrNdDK2' })))
      .execute()
  })
  // 4 EUR each hour, so that the bid price is 2 EUR; on Mondays 1.5 in the early auction and 3 in the late one.
  const days = Array.from({ length: 50 }, (_, i) => addDays(today(Date.parse(now)), i - 48))
  const rows = days.flatMap((day) => {
    const isMonday = mondayOf(day) === day
    const at = (hour: number) => new Date(dayBounds(day).fromMs + hour * hourMs).toISOString()
    return [7, 8].flatMap((hour) => [
      { market: 'FCR-D-INC', area: 'DK2', at: at(hour), auction: 'D-1 early', priceEur: isMonday ? '1.5' : '4' },
      { market: 'FCR-D-INC', area: 'DK2', at: at(hour), auction: 'D-1 late', priceEur: isMonday ? '3' : '4' },
    ])
  })
  await putPrices(app.records, rows, now)
})
afterAll(() => app.close())

const bidsOf = (day: string) =>
  app.records.system((tx) =>
    tx
      .selectFrom('bid')
      .select(['auction', 'slot', 'won', 'price_eur', 'sent_at'])
      .where('day', '=', day)
      .orderBy('auction')
      .orderBy('slot')
      .execute(),
  )

test('weeks of the past are asked for, sent and decided by the published prices, and nobody is told', async () => {
  expect(await makePast(app, [habit])).toBe(4)
  const [early, late] = [{ auction: 'D-1 early' }, { auction: 'D-1 late' }]
  // The bid price is half of last week's mean: 1.5 once and 4 six times.
  const price = { price_eur: '1.82' }
  expect(await bidsOf('2026-11-16')).toMatchObject([
    { ...early, ...price, slot: 7, won: false, sent_at: new Date('2026-11-14T21:31:00Z') },
    { ...early, ...price, slot: 8, won: false },
    { ...late, ...price, slot: 7, won: true },
    { ...late, ...price, slot: 8, won: true },
  ])
  expect(await bidsOf('2026-11-17')).toMatchObject([
    { ...early, slot: 7, won: true },
    { ...early, slot: 8, won: true },
  ])
  expect(await bidsOf('2026-11-14')).toEqual([])
  const requests = await app.records.system((tx) =>
    tx.selectFrom('bid_request').select(['start_date', 'status', 'created_at']).orderBy('start_date').execute(),
  )
  expect(requests).toMatchObject([
    { start_date: '2026-11-02', status: 'placed' },
    { start_date: '2026-11-09', status: 'placed' },
    { start_date: '2026-11-16', status: 'placed', created_at: new Date('2026-11-12T08:10:00Z') },
    { start_date: '2026-11-23', status: 'pending' },
  ])
  expect(await app.records.system((tx) => tx.selectFrom('mail_outbox').selectAll().execute())).toEqual([])
  expect(await reportMissedGates(app)).toBe(0)
})

test('what is made is made once, and of the running week only what had closed by then', async () => {
  expect(await makePast(app, [habit])).toBe(0)
  expect(await bidsOf('2026-11-21')).toEqual([])
  expect((await bidsOf('2026-11-20')).map(({ slot }) => slot)).toEqual([7, 8])
  expect(await bidsOf('2026-11-22')).toEqual([])
})

test('what the demo bids fits its markets', () => {
  for (const { market, mw } of habits) expect(mw).toHaveLength(market === 'FCR' ? 6 : 24)
  const battery = habits.filter(({ instance }) => instance === 'batteri')
  expect(battery.map(({ market }) => market)).toEqual(['FFR', 'FCR-D-INC'])
  for (let hour = 0; hour < 24; hour++) expect(battery.filter(({ mw }) => (mw[hour] ?? 0) > 0)).toHaveLength(1)
})
