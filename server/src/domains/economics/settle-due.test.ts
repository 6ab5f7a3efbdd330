import { dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { settleDue } from './settle-due.ts'

const day = '2026-09-15'
const { fromMs } = dayBounds(day)
const hour = (n: number) => fromMs + n * hourMs
/** Which no other test measures. */
const dayBefore = '2026-09-14'

let app: TestApp
let of: { customer_id: string; instance_id: string; licence_id: string }
let power: number
const requestId = newId()

beforeAll(async () => {
  app = await openTestApp()
  of = await app.records.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
      .select(['i.customer_id', 'i.instance_id', 'i.licence_id'])
      .where('c.key', '=', 'north')
      .where('i.key', '=', 'cold')
      .executeTakeFirstOrThrow(),
  )
  power = await app.records.system(async (tx) => {
    const series = tx.selectFrom('signal').select('no').where('instance_id', '=', of.instance_id)
    return (await series.where('kind', '=', 'power').executeTakeFirstOrThrow()).no
  })
  await app.records.system((tx) =>
    tx
      .insertInto('bid_request')
      .values({
        ...{ ...of, request_id: requestId, market: 'FCR-D-DEC', status: 'placed', note: '', excluded_days: '[]' },
        ...{ start_date: day, end_date: day, custom_bidding: true, capacity_mw: [], price_eur: [] },
        ...{ created_at: new Date(fromMs), updated_at: new Date(fromMs) },
      })
      .execute(),
  )
})
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-09-16T06:00:00Z')
  await app.byHand(async (tx) => {
    for (const table of ['settlement_revision', 'settlement', 'bid', 'instance_contract', 'settlement_due'] as const)
      await tx.deleteFrom(table).execute()
  })
  await contract({ partner_percent: '20', customer_percent: '70' })
})

const contract = (part: object) =>
  app.records.system((tx) =>
    tx
      .insertInto('instance_contract')
      .values({
        ...{ customer_id: of.customer_id, instance_id: of.instance_id, valid_from: '2026-01-01', sc_percent: '10' },
        ...{
          customer_percent: '70',
          partner_percent: '20',
          auctions: [],
          default_price_eur: '1',
          penalty_to: 'shares',
        },
        ...part,
      })
      .onConflict((conflict) => conflict.columns(['customer_id', 'instance_id', 'valid_from']).doUpdateSet(part))
      .execute(),
  )
const bid = (n: number, part: object = {}) =>
  app.records.system((tx) =>
    tx
      .insertInto('bid')
      .values({
        ...{ customer_id: of.customer_id, instance_id: of.instance_id, market: 'FCR-D-DEC', product: 'FCR-D-DEC' },
        ...{ auction: 'D-1 early', starts_at: new Date(hour(n)), ends_at: new Date(hour(n + 1)), day, slot: n },
        ...{ request_id: requestId, capacity_mw: '0.4', price_eur: '2', sent_at: new Date(fromMs) },
        ...part,
      })
      .execute(),
  )
const decide = (eur: string, won = true) =>
  app.records.system((tx) =>
    tx
      .updateTable('bid')
      .set({ won, won_mw: won ? '0.4' : null, marginal_price_eur: eur, decided_by: 'price' })
      .execute(),
  )
/** A sample a minute of the day, from one minute of it to another. */
const measure = (date = day, [first, end] = [0, 1440]) =>
  app.readings.insert([
    {
      ...{ signalNo: power, t0Ms: dayBounds(date).fromMs + first * minuteMs, dtMs: minuteMs },
      values: Array.from({ length: end - first }, () => 900),
    },
  ])
const settleNow = () => settleDue(app, 0)
const rows = () =>
  app.records.system((tx) =>
    tx
      .selectFrom('settlement')
      .select(['product', 'version', 'is_closed', 'is_result_fetched', 'gross_eur', 'penalty_eur', 'customer_eur'])
      .execute(),
  )
const earlier = () =>
  app.records.system((tx) =>
    tx.selectFrom('settlement_revision').select(['version', 'gross_eur']).orderBy('version').execute(),
  )
const due = () => app.records.system((tx) => tx.selectFrom('settlement_due').select('day').execute())

test('provisional until its results are published, settled when the day is over; a price fetched again moves it by just that, and the version before stays', async () => {
  await measure()
  app.setNow(new Date(hour(8)).toISOString())
  await bid(10)
  await bid(11)
  await settleNow()
  const open = { product: 'FCR-D-DEC', version: 1, is_closed: false }
  expect(await rows()).toMatchObject([{ ...open, is_result_fetched: false, gross_eur: null }])
  await decide('3.5')
  await settleNow()
  expect(await rows()).toMatchObject([{ ...open, is_result_fetched: true, gross_eur: '2.80' }])
  app.setNow('2026-09-16T06:00:00Z')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, is_closed: true, gross_eur: '2.80', customer_eur: '1.96' }])
  expect(await earlier()).toEqual([])
  await decide('4')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, gross_eur: '3.20', customer_eur: '2.24' }])
  expect(await earlier()).toEqual([{ version: 1, gross_eur: '2.80' }])
  expect(await due()).toEqual([])
})

test('an hour and a minute without a sample costs both hours it touches; when the edge sends it later the penalty goes', async () => {
  await settleNow() // From here on, what comes is late.
  await measure(dayBefore, [0, 10 * 60 + 30])
  await measure(dayBefore, [11 * 60 + 31, 1440])
  const at = (n: number) => new Date(hour(n - 24))
  for (const n of [9, 10, 11, 12]) await bid(n, { day: dayBefore, starts_at: at(n), ends_at: at(n + 1) })
  await decide('5')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, gross_eur: '4.00', penalty_eur: '-4.00' }])
  await measure(dayBefore, [10 * 60 + 30, 11 * 60 + 31])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, gross_eur: '8.00', penalty_eur: '0.00' }])
})

test('a contract that changes settles its days again; one that is written as it was does not', async () => {
  await measure()
  await bid(10)
  await decide('10')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, customer_eur: '2.80' }])
  await contract({ customer_percent: '70' })
  expect(await due()).toEqual([])
  await contract({ customer_percent: '60', partner_percent: '30' })
  expect(await due()).toEqual([{ day }])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, customer_eur: '2.40' }])
})

test('a day that is marked while it is being settled is settled once more, and what changes nothing is no version', async () => {
  await measure()
  await bid(10)
  await decide('10')
  await settleNow()
  await decide('10')
  expect(await due()).toEqual([{ day }])
  await settleNow()
  expect([await rows(), await earlier(), await due()]).toMatchObject([[{ version: 1 }], [], []])
})

test('marks that still move rest for a minute', async () => {
  await bid(10)
  await settleDue(app)
  expect(await rows()).toEqual([])
  await app.records.system((tx) => sql`update settlement_due set marked_at = marked_at - interval '61 s'`.execute(tx))
  await settleDue(app)
  expect(await rows()).toHaveLength(1)
})
