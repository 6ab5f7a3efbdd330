import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { newId } from '#platform/records/ids.ts'
import { openRecords } from '#platform/records/records.ts'
import { secretOf } from '#platform/security/secret.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { sendDue } from './send.ts'
import { settlementStatement } from './settlement-statement.ts'

/**
 * The statements of a month in a process that may kill itself: `node send.process.ts <folder> <where> <now>...`, one run per time; without times
 * it only creates two readers. Prints the number of waiting mails, rows marked as sent and audit entries at the start and after each run.
 */
const [dataDir = '', where = '', ...times] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off' })
const store = await openRecords({ dataDir: join(dataDir, 'records') })

if (!(await store.system((tx) => tx.selectFrom('statement_reader').select('email').executeTakeFirst()))) {
  await store.system(async (tx) => {
    const at = new Date('2026-10-02T08:00:00Z')
    const { customer_id, instance_id } = await tx
      .selectFrom('instance')
      .select(['customer_id', 'instance_id'])
      .where('key', '=', 'cold')
      .limit(1)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('settlement')
      .values({
        customer_id,
        instance_id,
        day: '2026-10-01',
        product: 'FFR',
        market: 'FFR',
        version: 1,
        made_at: at,
        is_closed: true,
        is_result_fetched: true,
        won_mw: '1',
        gross_eur: '2',
        customer_eur: '1',
        inputs: '{}',
        inputs_sha256: '',
      })
      .execute()
    const readers = ['a@north.example', 'b@north.example'].map((email) => ({
      customer_id,
      reader_id: newId(),
      email,
      kind: 'settlement',
      created_at: at,
      created_by: 'x',
    }))
    await tx.insertInto('statement_reader').values(readers).execute()
  })
}

const { records, begin } = dyingRecords(
  store,
  where,
  async (tx) => (await tx.selectFrom('statement_sent').select('email').limit(1).execute()).length > 0,
)
const count = (table: 'statement_sent' | 'mail_outbox') =>
  store.system(async (tx) => (await tx.selectFrom(table).selectAll().execute()).length)
const look = async () => {
  const [sent, mails] = [await count('statement_sent'), await count('mail_outbox')]
  const trail = await store.system((tx) =>
    tx.selectFrom('audit_entry').select('entry_no').where('action', '=', 'statement.send').execute(),
  )
  return { sent, mails, trail: trail.length }
}
begin()
const seen = [await look()]
for (const now of times) {
  const clock = { now: () => Date.parse(now) }
  await sendDue({ records, config, secret: secretOf('kill'), log, clock }, [settlementStatement])
  seen.push(await look())
}
process.stdout.write(JSON.stringify(seen))
await store.close()
