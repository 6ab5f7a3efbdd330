import { addDays, dayBounds, hourMs, today } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Records } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { storedRows } from '#testing/rows.ts'
import { reportMissedGates } from '#trading/placing/placing.ts'
import { decideAndNotify } from '#trading/results/results.ts'
import { coldOf } from './bid-requests.fixture.ts'
import { importPastBids } from './past-bids.ts'

// A Friday, 13:00 in Copenhagen: the early auction of Saturday is closed, the late one is open.
const now = '2026-11-20T12:00:00Z'

const app = await openTestApp()
app.setNow(now)
const cold = await coldOf(app.records)
await app.byHand((tx) =>
  tx
    .updateTable('instance')
    .set({ key: 'west-cold' })
    .where('key', '=', 'cold')
    .where('customer_id', '<>', cold.customer_id)
    .execute(),
)
// 4 EUR each hour; on Mondays 1.5 in the early auction and 3 in the late one.
const days = Array.from({ length: 50 }, (_, i) => addDays(today(Date.parse(now)), i - 48))
const rows = days.flatMap((day) => {
  const isMonday = new Date(`${day}T12:00:00Z`).getUTCDay() === 1
  const at = (hour: number) => new Date(dayBounds(day).fromMs + hour * hourMs).toISOString()
  return [7, 8].flatMap((hour) => [
    { market: 'FCR-D-INC', area: 'DK2', at: at(hour), auction: 'D-1 early', priceEur: isMonday ? '1.5' : '4' },
    { market: 'FCR-D-INC', area: 'DK2', at: at(hour), auction: 'D-1 late', priceEur: isMonday ? '3' : '4' },
  ])
})
await putPrices(app.records, rows, now)
afterAll(() => app.close())

const tables = ['bid', 'bid_file', 'bid_request', 'settlement_due'] as const
beforeEach(() =>
  app.byHand(async (tx) => {
    for (const table of tables) await tx.deleteFrom(table).execute()
  }),
)

const perHour = (of: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => of(hour))
const week = {
  instance: 'cold',
  market: 'FCR-D-INC',
  startDate: '2026-11-09',
  endDate: '2026-11-15',
  excludedDays: [{ date: '2026-11-14', reason: 'closed' }],
  note: 'x',
  capacity: perHour((hour) => (hour === 7 || hour === 8 ? 0.2 : 0)),
  price: perHour(() => 1.82),
  requestedAt: '2026-11-05T08:10:00Z',
}
const thisWeek = { ...week, startDate: '2026-11-16', endDate: '2026-11-20', excludedDays: [] }

const importLines = async (
  lines: readonly unknown[],
  {
    records = app.records,
    customer = 'north',
    dryRun = false,
  }: { records?: Records; customer?: string; dryRun?: boolean } = {},
) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const file = { customer, file: 'history.ndjson', text, dryRun }
  const output = []
  for await (const line of importPastBids({ records, clock: app.clock }, file)) output.push(line)
  return output
}

const bidColumns = ['auction', 'slot', 'won', 'price_eur', 'sent_at'] as const
const bidsOf = (day: string) => storedRows(app.records, 'bid', { day }, bidColumns, ['auction', 'slot'])
const bids = () => storedRows(app.records, 'bid', {}, ['day'], ['day'])
const daysWithBids = async () => [...new Set((await bids()).map(({ day }) => day))]
const auditEntries = () => app.trail('bid-request.import')

test('past requests get bids that are decided by published prices, without a notification', async () => {
  expect(await importLines([week, thisWeek])).toEqual([
    '2026-11-16 to 2026-11-20: 1 request, 12 bids',
    '2026-11-09 to 2026-11-15: 1 request, 14 bids',
    '2 requests of 2 imported with 26 bids',
  ])
  const [early, late] = [{ auction: 'D-1 early' }, { auction: 'D-1 late' }]
  expect(await bidsOf('2026-11-16')).toMatchObject([
    { ...early, price_eur: '1.82', slot: 7, won: false, sent_at: new Date('2026-11-14T21:31:00Z') },
    { ...early, slot: 8, won: false },
    { ...late, slot: 7, won: true },
    { ...late, slot: 8, won: true },
  ])
  expect(await bidsOf('2026-11-17')).toMatchObject([
    { ...early, slot: 7, won: true },
    { ...early, slot: 8, won: true },
  ])
  expect(await bidsOf('2026-11-14')).toEqual([])
  const requests = await storedRows(app.records, 'bid_request', {}, undefined, ['start_date'])
  expect(requests).toMatchObject([
    { start_date: '2026-11-09', status: 'placed', created_at: new Date('2026-11-05T08:10:00Z') },
    { start_date: '2026-11-16', status: 'placed' },
  ])
  const marks = await storedRows(app.records, 'settlement_due', {}, ['day'], ['day'])
  expect(marks.map(({ day }) => day)).toEqual(await daysWithBids())
  expect(await reportMissedGates(app)).toBe(0)
  await decideAndNotify(app)
  expect(await storedRows(app.records, 'mail_outbox')).toEqual([])
})

test('C4 files and the audit trail mark the days as imported', async () => {
  await importLines([thisWeek])
  const files = await storedRows(app.records, 'bid_file', { day: '2026-11-17' }, ['name', 'content'], ['auction'])
  expect(files).toMatchObject([{ name: 'imported-bids-FCR-D-INC-D-1-early-2026-11-17.csv' }, { name: '', content: '' }])
  expect(files[0]?.content).toMatch(/FCR-D-INC.*1[.,]82/)
  expect((await auditEntries()).at(-1)).toMatchObject({
    who: 'operator',
    subject: 'history.ndjson, 16.11.2026–20.11.2026',
    after: { requests: 1, bids: 12 },
  })
})

test('bids of one auction are imported with their whole capacity, whatever the other auction has won', async () => {
  await importLines([{ ...thisWeek, auctions: ['D-1 late'] }])
  expect(await bidsOf('2026-11-17')).toMatchObject([
    { auction: 'D-1 late', slot: 7, won: true },
    { auction: 'D-1 late', slot: 8, won: true },
  ])
})

test('a second run imports missing days only', async () => {
  await importLines([thisWeek])
  expect(await importLines([thisWeek])).toEqual(['0 requests of 1 imported with 0 bids'])
  expect(await importLines([week, thisWeek], { dryRun: true })).toEqual([
    '1 request of 2 would be imported, nothing written (dry run)',
  ])
  expect((await importLines([week, thisWeek])).at(-1)).toBe('1 request of 2 imported with 14 bids')
  expect(await bids()).toHaveLength(26)
})

test('bids without a published price stay open, are counted, and are decided by a later run', async () => {
  const old = { ...week, startDate: '2026-09-07', endDate: '2026-09-07', excludedDays: [] }
  expect((await importLines([old])).at(-1)).toMatch(/^2 bids have no published price/)
  const at = (hour: number) => new Date(dayBounds('2026-09-07').fromMs + hour * hourMs).toISOString()
  const price = { market: 'FCR-D-INC', area: 'DK2', auction: 'D-1 early', priceEur: '4' }
  await putPrices(
    app.records,
    [7, 8].map((hour) => ({ ...price, at: at(hour) })),
    now,
  )
  await importLines([old])
  expect(await bidsOf('2026-09-07')).toMatchObject([{ won: true }, { won: true }])
})

test('a file with an error imports nothing and lists every line', async () => {
  const bad = [
    thisWeek,
    '{"instance": "cold"',
    { ...week, price: [1], capacity: [] },
    { ...week, requestedBy: 'x' },
    'no object',
  ]
  await expect(importLines(bad)).rejects.toThrow(
    [
      'line 2: no JSON object',
      'line 3: capacity: Must have at least 24 entries',
      'line 3: price: Must have at least 24 entries',
      'line 4: requestedBy: Unknown field: requestedBy',
      'line 5: no JSON object',
    ].join('\n'),
  )
  expect(await daysWithBids()).toEqual([])
  await expect(importLines([''])).rejects.toThrow('no lines')
})

test.each([
  ['T2 an instance of another customer', { instance: 'west-cold' }, 'instance: There is no such instance'],
  ['a market of another instance', { market: 'FCR-D-DEC' }, 'market: This instance is not in such a market'],
  ['an auction of another market', { auctions: ['D-2'] }, "auctions: FCR-D-INC has no auction 'D-2'"],
  [
    'a day with an open auction',
    { startDate: '2026-11-20', endDate: '2026-11-21', excludedDays: [] },
    'endDate: 2026-11-21 and later days are open: request them in the portal',
  ],
  [
    'a future day',
    { startDate: '2026-12-01', endDate: '2026-12-01', excludedDays: [] },
    'endDate: 2026-11-21 and later',
  ],
  ['a request of the future', { requestedAt: '2026-11-20T12:00:01Z' }, 'requestedAt: is in the future'],
])('%s is refused', async (_, changed, message) => {
  await expect(importLines([thisWeek, { ...week, ...changed }])).rejects.toThrow(`line 2: ${message}`)
  expect(await daysWithBids()).toEqual([])
})

test('slots that are requested twice are refused within the file, with the portal and with an earlier import', async () => {
  const overlapping = { ...week, startDate: '2026-11-11', endDate: '2026-11-11', excludedDays: [] }
  await expect(importLines([week, overlapping])).rejects.toThrow(
    'line 2: The request in row 1 bids in one of these slots',
  )
  await importLines([week])
  await expect(importLines([overlapping])).rejects.toThrow('line 1: Another request of this instance')
  for (const changed of [{ price: perHour(() => 2) }, { excludedDays: [] }])
    await expect(importLines([{ ...week, ...changed }])).rejects.toThrow(
      'line 1: these days were imported before with other values',
    )
})

test('D2 overlapping lines are one transaction of at most 1,000 days', async () => {
  const year = { ...week, startDate: '2025-10-20', endDate: '2026-11-15', excludedDays: [] }
  const earlier = { ...year, startDate: '2024-11-15', endDate: '2025-10-20' }
  const first = { ...year, startDate: '2023-11-15', endDate: '2024-11-15' }
  await expect(importLines([year, earlier, first])).rejects.toThrow(
    'line 3: 1099 days in lines that overlap, of 1000 at most: split them by month or day',
  )
  expect(await daysWithBids()).toEqual([])
})

test('T2 an unknown customer and an instance of another one are refused', async () => {
  await expect(importLines([week], { customer: 'nobody' })).rejects.toThrow('There is no customer nobody')
  await expect(importLines([week], { customer: 'west' })).rejects.toThrow('There is no such instance')
})

test('D2 a crash keeps whole days, and the next run imports the others', async () => {
  const entriesBefore = (await auditEntries()).length
  const dying: Records = {
    ...app.records,
    tenant: (customerId, work) =>
      app.records.tenant(customerId, async (tx) => {
        const done = await work(tx)
        const { length } = await tx.selectFrom('bid').select('slot').execute()
        if (length > 12) throw new Error('died')
        return done
      }),
  }
  await expect(importLines([week, thisWeek], { records: dying })).rejects.toThrow('died')
  expect(await daysWithBids()).toEqual(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'])
  expect(await auditEntries()).toHaveLength(entriesBefore + 1)
  await importLines([week, thisWeek])
  expect(await daysWithBids()).toHaveLength(11)
  expect(await bids()).toHaveLength(26)
})
