import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { newId } from '#platform/records/ids.ts'
import { openRecords } from '#platform/records/records.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { placeDue } from './placing.ts'

/**
 * The cut-off of a gate in a process that may kill itself: `node placing.process.ts <folder> <where> <now>...`, one run per time; without times
 * it only creates the request. Prints the number of bids, files, mails, placed requests and audit entries at the start and after each run.
 */
const [dataDir = '', where = '', ...times] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', OPERATOR_EMAIL: 'bids@operator.example' })
const store = await openRecords({ dataDir: join(dataDir, 'records') })

const isThere = await store.system((tx) => tx.selectFrom('bid_request').select('request_id').executeTakeFirst())
if (!isThere) {
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
        ...instance,
        request_id: newId(),
        market: 'FCR-D-INC',
        status: 'pending',
        note: 'x',
        excluded_days: '[]',
        start_date: day,
        end_date: day,
        custom_bidding: true,
        capacity_mw: each('0.2'),
        price_eur: each('2.5'),
        created_at: at,
        updated_at: at,
      })
      .execute()
  })
}

const hasBid = async (tx: Parameters<Parameters<typeof store.system>[0]>[0]) =>
  (await tx.selectFrom('bid').select('slot').limit(1).execute()).length > 0
const { records, begin } = dyingRecords(store, where, hasBid)
const count = (table: 'bid' | 'bid_file' | 'mail_outbox') =>
  store.system(async (tx) => (await tx.selectFrom(table).selectAll().execute()).length)
const look = async () => {
  const [bids, files, mails] = [await count('bid'), await count('bid_file'), await count('mail_outbox')]
  const placed = await store.system((tx) =>
    tx.selectFrom('bid_request').select('request_id').where('status', '=', 'placed').execute(),
  )
  const trail = await store.system((tx) =>
    tx.selectFrom('audit_entry').select('entry_no').where('action', '=', 'bid-request.place').execute(),
  )
  return { bids, files, mails, placed: placed.length, trail: trail.length }
}
begin()
const seen = [await look()]
for (const now of times) {
  await placeDue({
    records: { ...records, tenant: (_, work) => records.system(work) },
    readings: { buckets: async () => [] } as never,
    config,
    log,
    clock: { now: () => Date.parse(now) },
  })
  seen.push(await look())
}
process.stdout.write(JSON.stringify(seen))
await store.close()
