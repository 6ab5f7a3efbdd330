import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { workedExample } from '#delivery/scoring/delivery.fixture.ts'
import { newId } from '#platform/records/ids.ts'
import { openLive } from '#platform/http/live.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { secretOf } from '#platform/security/secret.ts'
import { openStores } from '#stores.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { startEvents } from './detection.ts'

/**
 * From samples to a row, a mail and a webhook in a process that kills itself: `node events.process.ts <folder> <where> <t0Ms>`. Without `where`
 * it resumes the work of the killed process and prints the rows and the queue.
 */
const [dataDir = '', where = '', t0 = '0'] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off' })
const { records: store, readings } = await openStores(config, log)

const secret = secretOf('the secret of a test installation')

const { records, dieAt, begin } = dyingRecords(
  store,
  where,
  async (tx) => (await tx.selectFrom('event').select('event_id').execute()).length > 0,
)
readings.onStored(() => {
  begin()
  dieAt('after the samples')
})

const numbers = () =>
  store.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('signal as s', 's.instance_id', 'i.instance_id')
      .select(['i.customer_id', 'i.instance_id', 's.no', 's.kind'])
      .where('i.name', '=', 'North Cold')
      .execute(),
  )
if (!(await store.system((tx) => tx.selectFrom('webhook').select('name').executeTakeFirst()))) {
  const [made] = await numbers()
  if (!made) throw new Error('No instance to watch')
  const { customer_id, instance_id } = made
  const ids = { customer_id, created_at: new Date() }
  await store.system(async (tx) => {
    await tx
      .insertInto('email_subscription')
      .values({
        ...ids,
        subscription_id: newId(),
        instance_id,
        email: 'ops@north.example',
        event_type: 'fcr_based',
        activation: true,
        bid_result: false,
      })
      .execute()
    await tx
      .insertInto('webhook')
      .values({
        ...ids,
        webhook_id: newId(),
        name: 'Plant',
        url: 'https://hooks.example/x',
        secret_sealed: secret.seal('whsec_a2lsbA=='),
        events: ['activation'],
        enabled: true,
      })
      .execute()
  })
}

const engine = await startEvents({
  records,
  readings,
  config,
  secret,
  log,
  live: openLive(noBus),
  bus: noBus,
  clock: { now: Date.now },
})
if (where) {
  const no = new Map((await numbers()).map((row) => [row.kind, row.no]))
  const at = { t0Ms: Number(t0), dtMs: 1000 }
  await readings.insert([
    { signalNo: no.get('frequency') ?? 0, ...at, values: workedExample.dip },
    { signalNo: no.get('power') ?? 0, ...at, values: workedExample.answer },
  ])
}
await engine.settled()
const said = await store.system(async (tx) => {
  const rows = await tx.selectFrom('event').select(['delta_load', 'score']).execute()
  const queued = await tx.selectFrom('outbox').select('kind').orderBy('kind').execute()
  return [...rows.map(({ delta_load, score }) => [delta_load, score]), ...queued.map(({ kind }) => kind)]
})
process.stdout.write(JSON.stringify(said))
await engine.close()
await readings.close()
await store.close()
