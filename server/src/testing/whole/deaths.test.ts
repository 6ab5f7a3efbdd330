import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { refreshToken, serveEloverblik } from '#testing/eloverblik.ts'
import { dyingRecords } from '#testing/scripts.ts'
import * as settlements from '#testing/settlements.ts'
import { placeDue } from '#trading/placing/placing.ts'
import { runMeters } from '#meters/data-hub/sync.ts'
import { sendDue } from '#settlement/statements/send.ts'
import { settlementStatement } from '#settlement/statements/settlement-statement.ts'

/**
 * State after the death of an engine, simulated in this process: its records end at a given place and answer nothing afterwards. With kill -9:
 * `*-kill.slow.test.ts`.
 */

const app = await openTestApp()
const eloverblik = await serveEloverblik(() => {})
afterAll(async () => {
  await eloverblik.close()
  await app.close()
})

type Count = Record<string, number>
type Engine = {
  now: string
  prepare: () => Promise<unknown>
  run: (records: Records) => Promise<unknown>
  row: 'bid' | 'statement_sent' | 'meter_day' | 'settlement'
  count: (tx: Tx) => Promise<Count>
  left: Count
  all: Count
}

const countOf = async (
  tx: Tx,
  table: 'bid' | 'bid_file' | 'mail_outbox' | 'statement_sent' | 'meter_day' | 'settlement',
) => (await tx.selectFrom(table).selectAll().execute()).length
const trailOf = async (tx: Tx, action: string) =>
  (await tx.selectFrom('audit_entry').select('entry_no').where('action', '=', action).execute()).length
const cold = (tx: Tx) =>
  tx
    .selectFrom('instance')
    .select(['customer_id', 'instance_id', 'licence_id'])
    .where('key', '=', 'cold')
    .orderBy('customer_id')
    .executeTakeFirstOrThrow()

const engines: Record<string, Engine> = {
  'bids of a gate': {
    now: '2026-11-20T21:30:00Z', // two hours before the early gate closes for 22.11.
    prepare: () =>
      app.records.system(async (tx) => {
        const day = '2026-11-22'
        const at = new Date('2026-11-19T08:00:00Z')
        const each = (value: string) => Array.from({ length: 24 }, () => value)
        const request = { market: 'FCR-D-INC', status: 'pending', note: 'x', excluded_days: '[]', custom_bidding: true }
        const slots = { start_date: day, end_date: day, capacity_mw: each('0.2'), price_eur: each('2.5') }
        await tx
          .insertInto('bid_request')
          .values({
            ...(await cold(tx)),
            request_id: randomUUID(),
            ...request,
            ...slots,
            created_at: at,
            updated_at: at,
          })
          .execute()
      }),
    run: (records) => placeDue({ ...app, records: { ...records, tenant: (_, work) => records.system(work) } }),
    row: 'bid',
    count: async (tx) => ({
      bids: await countOf(tx, 'bid'),
      files: await countOf(tx, 'bid_file'),
      trail: await trailOf(tx, 'bid-request.place'),
    }),
    left: { bids: 24, files: 1, trail: 1 },
    all: { bids: 24, files: 1, trail: 1 },
  },
  'days that are settled': {
    now: '2026-09-16T06:00:00Z',
    prepare: async () => {
      const of = await settlements.placeRequest(app.records, '2026-09-15')
      await settlements.clear(app)
      await settlements.setContract(app.records, of, {})
      await settlements.addBid(app.records, of, '2026-09-15', 10)
      await settlements.decide(app.records, '3.5')
    },
    run: (records) => settlements.settleDue({ ...app, records }, 0),
    row: 'settlement',
    count: async (tx) => ({
      settlements: await countOf(tx, 'settlement'),
      due: (await tx.selectFrom('settlement_due').select('day').execute()).length,
    }),
    left: { settlements: 1, due: 0 },
    all: { settlements: 1, due: 0 },
  },
  'statements of a month': {
    now: '2026-11-05T07:00:00Z',
    prepare: () =>
      app.records.system(async (tx) => {
        const { customer_id, instance_id } = await cold(tx)
        const at = new Date('2026-10-02T08:00:00Z')
        const settled = { day: '2026-10-01', product: 'FFR', market: 'FFR', version: 1, made_at: at, is_closed: true }
        const amounts = { won_mw: '1', gross_eur: '2', customer_eur: '1', inputs: '{}', inputs_sha256: '' }
        await tx
          .insertInto('settlement')
          .values({ customer_id, instance_id, is_result_fetched: true, ...settled, ...amounts })
          .execute()
        const users = await tx
          .selectFrom('app_user')
          .select('email')
          .where('customer_id', '=', customer_id)
          .orderBy('email')
          .limit(2)
          .execute()
        const reader = { customer_id, kind: 'settlement', created_at: at, created_by: 'x' }
        const readers = users.map(({ email }) => ({ ...reader, reader_id: randomUUID(), email }))
        await tx.insertInto('statement_reader').values(readers).execute()
      }),
    run: (records) => sendDue({ ...app, records }, [settlementStatement]),
    row: 'statement_sent',
    count: async (tx) => ({
      sent: await countOf(tx, 'statement_sent'),
      trail: await trailOf(tx, 'statement.send'),
    }),
    left: { sent: 1, trail: 1 },
    all: { sent: 2, trail: 2 },
  },
  'readings of meters': {
    now: '2026-11-20T12:00:00Z',
    prepare: () =>
      app.records.system(async (tx) => {
        const price = tx.selectFrom('price_signal').select(['customer_id', 'price_signal_id'])
        const { customer_id, price_signal_id } = await price.executeTakeFirstOrThrow()
        const [group_id, at] = [randomUUID(), new Date('2026-11-19T12:00:00Z')]
        await tx.insertInto('meter_group').values({ customer_id, group_id, cvr: '99000007', created_at: at }).execute()
        const meter = { customer_id, group_id, price_signal_id, tax_dkk_per_mwh: '119', enabled: true, name: 'Meter' }
        const id = { meter_id: randomUUID(), metering_point_id: '571313000000000001' }
        await tx
          .insertInto('meter')
          .values({ ...meter, ...id, details_at: at, added_at: at })
          .execute()
      }),
    run: (records) => {
      const settings = {
        ELOVERBLIK_URL: eloverblik.url,
        ELOVERBLIK_TOKEN: refreshToken,
        ELOVERBLIK_MIN_INTERVAL_MS: '0',
      }
      const config = readConfig({ DATA_DIR: app.config.dataDir, DEMO: 'off', ...settings })
      return runMeters({ ...app, config, records }, performance.now() + 60_000)
    },
    row: 'meter_day',
    count: async (tx) => ({ isRead: Number((await countOf(tx, 'meter_day')) > 0) }),
    left: { isRead: 1 },
    all: { isRead: 1 },
  },
}

test.each(Object.entries(engines))(
  '%s: a crash keeps a whole transaction or nothing, and the next run does each once',
  async (_name, engine) => {
    app.setNow(engine.now)
    await engine.prepare()
    const count = () => app.records.system(engine.count)
    const before = await count()
    const rowsBefore = await app.records.system((tx) => countOf(tx, engine.row))
    const hasRow = async (tx: Tx) => (await countOf(tx, engine.row)) > rowsBefore
    const dieAt = async (where: string) => {
      const died = new Error('died')
      let isDead = false
      const { records, begin } = dyingRecords(app.records, where, hasRow, () => {
        isDead = true
        throw died
      })
      begin()
      await engine.run(records).catch(() => {}) // the process is dead: its records are checked
      expect(isDead).toBe(true)
      app.setNow(new Date(app.clock.now() + 10 * 60_000).toISOString())
      return count()
    }
    expect(await dieAt('before the row')).toEqual(before)
    expect(await dieAt('before the commit of the row')).toEqual(before)
    expect(await dieAt('after the row')).toEqual(engine.left)
    for (let again = 0; again < 2; again++) {
      await engine.run(app.records)
      expect(await count()).toEqual(engine.all)
    }
  },
)
