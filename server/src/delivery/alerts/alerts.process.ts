import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { newId } from '#platform/records/ids.ts'
import { openLive } from '#platform/http/live.ts'
import { mailKind } from '#platform/messaging/mail.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { openOutbox } from '#platform/messaging/outbox.ts'
import { openStores } from '#stores.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { startAlerts } from './triggers.ts'

/**
 * From a sample to a mail in a process that kills itself: `node alerts.process.ts <folder> <where> <t0Ms>`. Without `where` it resumes the work
 * of the killed process and prints the rows. Mails are lines of a file.
 */
const [dataDir = '', where = '', t0 = '0'] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off' })
const { records: store, readings } = await openStores(config, log)

const { records, dieAt, begin } = dyingRecords(
  store,
  where,
  async (tx) => (await tx.selectFrom('alert_trigger').select('value').execute()).length > 0,
)
// This listener must be registered before the one of the engine.
readings.onStored(() => {
  begin()
  dieAt('after the samples')
})

const watched = await store.system((tx) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('signal as s', 's.instance_id', 'i.instance_id')
    .select(['i.customer_id', 'i.instance_id', 's.no'])
    .where('i.name', '=', 'North Cold')
    .where('s.kind', '=', 'power')
    .executeTakeFirstOrThrow(),
)
if (!(await store.system((tx) => tx.selectFrom('alert').select('alert_id').executeTakeFirst()))) {
  const { customer_id, instance_id } = watched
  const alert = { name: 'Cold above 400', type: 'power', criteria: 'gt', threshold: 400, email: 'ops@north.example' }
  const since = new Date(Number(t0) - 60_000)
  const ids = { customer_id, instance_id, alert_id: newId(), valid_from: since, created_at: since }
  await store.system((tx) =>
    tx
      .insertInto('alert')
      .values({ ...alert, ...ids, notification: true, interval_minutes: 0 })
      .execute(),
  )
}

const engine = await startAlerts({
  records,
  readings,
  config,
  log,
  live: openLive(noBus),
  bus: noBus,
  clock: { now: Date.now },
})
if (where) await readings.insert([{ signalNo: watched.no, t0Ms: Number(t0), dtMs: 1000, values: [399, 412, 413] }])
await engine.settled()
const send = async ({ subject }: { subject: string }) => {
  dieAt('before the mail')
  appendFileSync(join(dataDir, 'mails'), `${subject}\n`)
}
// The lease of an outbox item ends after a minute.
const clock = { now: () => Date.now() + (where ? 0 : 120_000) }
await openOutbox({ records: store, clock, log, kinds: { mail: mailKind(send) } }).drain()
const rows = await store.system((tx) => tx.selectFrom('alert_trigger').select('value').execute())
process.stdout.write(JSON.stringify(rows.map(({ value }) => value)))
await engine.close()
await readings.close()
await store.close()
