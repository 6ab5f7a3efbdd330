import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { newId } from '#platform/records/ids.ts'
import { openRecords } from '#platform/records/records.ts'
import { secretOf } from '#platform/security/secret.ts'
import { refreshToken } from '#testing/eloverblik.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { runMeters } from './sync.ts'
import { insertRow } from '#platform/records/rows.ts'

/**
 * Syncs of 25 meters in a process that may kill itself on the way: `node sync.process.ts <folder> <url of Eloverblik> <where> <now>...`, one at each
 * of these times; without any it only creates the meters. Prints the number of days of each meter at the end.
 */
const [dataDir = '', url = '', where = '', ...times] = process.argv.slice(2)
let now = times[0] ?? ''
const log = pino({ level: 'silent' })
const config = readConfig({
  DATA_DIR: dataDir,
  DEMO: 'off',
  ELOVERBLIK_URL: url || 'http://127.0.0.1:9',
  ELOVERBLIK_TOKEN: refreshToken,
  ELOVERBLIK_MIN_INTERVAL_MS: '0',
})
const store = await openRecords({ dataDir: join(dataDir, 'records') })

const isThere = await store.system((tx) => tx.selectFrom('meter').select('meter_id').limit(1).executeTakeFirst())
if (!isThere) {
  await store.system(async (tx) => {
    const { customer_id, price_signal_id } = await tx
      .selectFrom('price_signal')
      .select(['customer_id', 'price_signal_id'])
      .executeTakeFirstOrThrow()
    const [group_id, at] = [newId(), new Date()]
    await insertRow(tx, customer_id, 'meter_group', { group_id, cvr: '99000007', created_at: at }).execute()
    const meter = { customer_id, group_id, price_signal_id, tax_dkk_per_mwh: '119', enabled: true, name: 'Killed' }
    await tx
      .insertInto('meter')
      .values(
        Array.from({ length: 25 }, (_, i) => ({
          ...meter,
          meter_id: newId(),
          metering_point_id: `5713130000${String(i).padStart(8, '0')}`,
          details_at: at,
          added_at: at,
        })),
      )
      .execute()
  })
}

const { records, begin } = dyingRecords(
  store,
  where,
  async (tx) => (await tx.selectFrom('meter_day').select('day').limit(1).execute()).length > 0,
)
begin()
const app = { config, records, log, secret: secretOf('a key of the test'), clock: { now: () => Date.parse(now) } }
for (now of times) await runMeters(app, performance.now() + 60_000)
const days = await store.system((tx) =>
  tx
    .selectFrom('meter as m')
    .leftJoin('meter_day as d', (join) =>
      join.onRef('d.customer_id', '=', 'm.customer_id').onRef('d.meter_id', '=', 'm.meter_id'),
    )
    .select(({ fn }) => fn.count<number>('d.day').as('days'))
    .groupBy('m.meter_id')
    .execute(),
)
process.stdout.write(JSON.stringify(days.map((meter) => meter.days)))
await store.close()
