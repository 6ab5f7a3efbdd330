import { join } from 'node:path'
import { pino } from 'pino'
import { openVipps } from '#connectors/vipps/fetch.ts'
import { readConfig } from '#config.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { openOutbox } from '#platform/messaging/outbox.ts'
import { openRecords, type Tx } from '#platform/records/records.ts'
import { secretOf } from '#platform/security/secret.ts'
import { addChargers } from '#testing/chargers.ts'
import { die } from '#testing/scripts.ts'
import { addOperation, lockPayment } from './payment-rows.ts'
import { followPayments } from './follow.ts'
import { paymentKind, mobilePay } from './operations.ts'
import { insertRow } from '#platform/records/rows.ts'

/**
 * One payment from its reservation to a captured session, in a process that may be killed on the way: `node payments.process.ts <folder> <url of the
 * provider> <where> <now>...`, a round at each of these times. Prints the payment at the end.
 */
const [dataDir = '', url = '', where = '', ...times] = process.argv.slice(2)
let now = Date.parse(times[0] ?? '')
const log = pino({ level: 'silent' })
const store = await openRecords({ dataDir: join(dataDir, 'records') })
const customerId = idOf('customer', 'north')
const chargerId = idOf('charger', 'north', 'P1')

const read = (tx: Tx) => tx.selectFrom('payment').selectAll().executeTakeFirst()
const add = async (tx: Tx) => {
  const user = await tx
    .selectFrom('app_user')
    .select('user_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  const paymentId = newId()
  const at = new Date(now)
  await insertRow(tx, customerId, 'payment', {
    payment_id: paymentId,
    charger_id: chargerId,
    evse_no: 1,
    user_id: user.user_id,
    state: 'reserving',
    reserved_ore: 20_000,
    simulated: true,
    created_at: at,
    changed_at: at,
  }).execute()
  const row = await lockPayment(tx, customerId, paymentId)
  if (!row) throw new Error('it was just written')
  await addOperation(tx, row, 'reserve', { amountOre: row.reserved_ore, nowMs: now })
}

const charge = async (tx: Tx) => {
  const payment = await read(tx)
  if (!payment?.command_id || payment.state !== 'reserved') return
  const known = await tx.selectFrom('charger_transaction').select('transaction_id').executeTakeFirst()
  if (known) return
  const [transaction_id, at] = [newId(), new Date(now)]
  await insertRow(tx, customerId, 'charger_transaction', {
    transaction_id,
    charger_id: chargerId,
    evse_no: 1,
    mode: 'remote',
    command_id: payment.command_id,
    state: 'ended',
    started_at: at,
    ended_at: at,
    consumption_wh: '4000',
  }).execute()
  await insertRow(tx, customerId, 'charging_cost', {
    transaction_id,
    from_at: at,
    wh: [4000],
    spread: false,
    unknown: 'price',
    driver_dkk: '10',
  }).execute()
  await tx.deleteFrom('charging_due').execute()
}

if (!(await store.system(read))) {
  if (!(await store.system((tx) => tx.selectFrom('charger').select('identity').executeTakeFirst()))) {
    await addChargers(store, [{ identity: 'P1' }])
    await store.system((tx) => tx.updateTable('charger').set({ online: true }).execute())
  }
  if (times.length > 0) await store.system(add)
}

let commits = 0
/** 'commit 3': dies in the third transaction of a tenant, before its commit; 'after 3': after it. */
const records = {
  ...store,
  tenant: async <T>(id: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    commits++
    const dieAt = (place: string) => {
      if (where === `${place} ${commits}`) die()
    }
    const done = await store.tenant(id, async (tx) => {
      const answer = await work(tx)
      dieAt('commit')
      return answer
    })
    dieAt('after')
    return done
  },
}
const clock = { now: () => now }
const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', VIPPS_URL: url || 'http://127.0.0.1:9' })
const app = { config, records, log, clock, bus: noBus, secret: secretOf('a key of the test') }
const keys = { merchantSerialNumber: '123456', clientId: 'c', clientSecret: 's', subscriptionKey: 'k' }
const vipps = openVipps(url || 'http://127.0.0.1:9', keys, { timeoutMs: 5000, now: clock.now })
const providerOf = () => Promise.resolve(mobilePay(vipps))
for (const time of times) {
  now = Date.parse(time)
  const outbox = openOutbox({ records, clock, log, kinds: paymentKind(app, providerOf) })
  await outbox.drain()
  await followPayments(app, providerOf)
  await store.system(charge)
  await followPayments(app, providerOf)
  await outbox.drain()
  await outbox.close()
}
const payment = await store.system(read)
process.stdout.write(
  JSON.stringify(payment ? { id: payment.payment_id, state: payment.state, captured: payment.captured_ore } : null),
)
await store.close()
