import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { newId } from '#platform/ids.ts'
import { migrate } from '#platform/migrate.ts'
import { openRecords } from '#platform/records.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { placeDue } from './placing.ts'

/**
 * The cut-off of a gate in a process that may kill itself on the way: `node placing.process.ts <folder> <where> <now>`; without a time it only makes
 * the store with its request. Prints how many bids, files, mails and placed requests there are, and entries of the trail.
 */
const [dataDir = '', where = '', now = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', OPERATOR_EMAIL: 'bids@operator.example' })
const store = await openRecords({ dataDir: join(dataDir, 'records') })
await migrate(store)

const isThere = await store.system((tx) => tx.selectFrom('bid_request').select('request_id').executeTakeFirst())
if (!isThere) {
  await provisionTwoCustomers(store)
  await store.system(async (tx) => {
    const instance = await tx
      .selectFrom('instance')
      .select(['customer_id', 'instance_id', 'licence_id'])
      .where('key', '=', 'cold')
      .limit(1)
      .executeTakeFirstOrThrow()
    const day = '2026-11-22'
    const at = new Date('2026-11-19T08:00:00Z')
    const each = (value: string) => Array.from({ length: 24 }, () => value)
    await tx
      .insertInto('bid_request')
      .values({
        ...{ ...instance, request_id: newId(), market: 'FCR-D-INC', status: 'pending', note: 'x', excluded_days: '[]' },
        ...{ start_date: day, end_date: day, custom_bidding: true, capacity_mw: each('0.2'), price_eur: each('2.5') },
        ...{ created_at: at, updated_at: at },
      })
      .execute()
  })
}

const hasBid = async (tx: Parameters<Parameters<typeof store.system>[0]>[0]) =>
  (await tx.selectFrom('bid').select('slot').limit(1).execute()).length > 0
const { records, begin } = dyingRecords(store, where, hasBid)
begin()
if (now !== '')
  // Bids are made in a transaction of their customer, which dies at the same places.
  await placeDue({
    records: { ...records, tenant: (_, work) => records.system(work) },
    readings: { buckets: async () => [] } as never, // the request says its own capacity: nothing is read
    ...{ config, log, clock: { now: () => Date.parse(now) } },
  })
const count = (table: 'bid' | 'bid_file' | 'mail_outbox') =>
  store.system(async (tx) => (await tx.selectFrom(table).selectAll().execute()).length)
const [bids, files, mails] = [await count('bid'), await count('bid_file'), await count('mail_outbox')]
const placed = await store.system((tx) =>
  tx.selectFrom('bid_request').select('request_id').where('status', '=', 'placed').execute(),
)
const trail = await store.system((tx) =>
  tx.selectFrom('audit_entry').select('entry_no').where('action', '=', 'bid-request.place').execute(),
)
process.stdout.write(JSON.stringify({ bids, files, mails, placed: placed.length, trail: trail.length }))
await store.close()
