import { join } from 'node:path'
import { dayBounds, datesBetween, hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRows } from '#platform/records/rows.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Records } from '#platform/records/records.ts'
import { openWholeServer } from '#testing/whole-server.ts'
import * as fixture from './economics.fixture.ts'

const days = datesBetween('2026-03-01', '2026-06-08')
const pairs = 2 * days.length

let server: Awaited<ReturnType<typeof openWholeServer>>
beforeEach(async () => {
  server = await openWholeServer(join(import.meta.dirname, 'kill-at.process.ts'))
})
afterEach(() => server.close())

const rest = (records: Records) =>
  records.system((tx) => sql`update settlement_due set marked_at = now() - interval '5 min'`.execute(tx))

const prepare = () =>
  server.rows(async (records) => {
    for (const customer of ['north', 'west']) {
      const of = await fixture.placeRequest(records, days[0] ?? '', customer)
      await fixture.setContract(records, of)
      const { customer_id, instance_id, request_id } = of
      const rows = days.map((day) => ({
        customer_id,
        instance_id,
        request_id,
        market: 'FCR-D-DEC',
        product: 'FCR-D-DEC',
        auction: 'D-1 early',
        starts_at: new Date(dayBounds(day).fromMs),
        ends_at: new Date(dayBounds(day).fromMs + hourMs),
        day,
        slot: 0,
        capacity_mw: '0.4',
        price_eur: '2',
        sent_at: new Date(0),
        won: true,
        won_mw: '0.4',
        marginal_price_eur: '5',
        decided_by: 'price',
        decided_at: new Date(0),
      }))
      await records.system(async (tx) => {
        await insertRows('bid', rows).execute(tx)
        addMarks(tx, 'settlement_due', rows)
      })
    }
    await rest(records)
  })

const correct = () =>
  server.rows(async (records) => {
    await records.system(async (tx) => {
      const bids = tx.updateTable('bid').set({ marginal_price_eur: '6' }).where('day', '>=', '2026-04-01')
      addMarks(tx, 'settlement_due', await bids.returning(['customer_id', 'instance_id', 'day']).execute())
    })
    await rest(records)
  })

const count = (records: Records) =>
  records.system(async (tx) => {
    const { rows } = await sql<Record<string, unknown>>`
      select (select count(*)::int from settlement) as settlements, (select count(*)::int from settlement_due) as due,
        (select count(*)::int from settlement_revision) as revisions,
        (select jsonb_object_agg(v, n) from (select version as v, count(*) as n from settlement group by 1) s) as versions,
        (select sum(gross_eur)::text from settlement) as gross,
        (select count(*)::int from settlement s join settlement_revision r using (customer_id, instance_id, day, product)
          where r.version <> s.version - 1) as torn`.execute(tx)
    return rows[0]
  })

/** Each server ends by kill -9, the first possibly before it reports ready; its remaining rows are counted. */
const live = async (...places: readonly string[]) => {
  let left: Awaited<ReturnType<typeof count>>
  for (const place of places) {
    await server.serve(place).then(
      ({ ended }) => ended,
      (error: Error) => expect(error.message).toBe('ended before it was ready'),
    )
    left = await server.rows(count)
  }
  return left
}

test('kill -9 during a settlement and a correction: each marked day is settled once with whole versions', async () => {
  await prepare()
  expect(await live('take 1', 'save 1', 'commit 1')).toMatchObject({ settlements: 0, due: pairs })
  expect(await live('after 1')).toMatchObject({ settlements: 100, due: pairs - 100, revisions: 0 })
  const settled = { settlements: pairs, due: 0, torn: 0 }
  expect(await live('after 1')).toEqual({
    ...settled,
    revisions: 0,
    versions: { 1: pairs },
    gross: `${2 * pairs}.00`,
  })

  await correct()
  const corrected = 2 * datesBetween('2026-04-01', '2026-06-08').length
  expect(await live('save 1', 'commit 1', 'after 1')).toMatchObject({ revisions: 100, due: corrected - 100, torn: 0 })
  expect(await live('after 1')).toEqual({
    ...settled,
    revisions: corrected,
    versions: { 1: pairs - corrected, 2: corrected },
    gross: (2 * (pairs - corrected) + 2.4 * corrected).toFixed(2),
  })
}, 600_000)
