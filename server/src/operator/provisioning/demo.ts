import { sql } from 'kysely'
import { endSessionsOf } from '#access/sessions.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { applyProvisioning, type Change } from './apply.ts'
import type { ProvisioningFile } from './file.ts'

const elsewhere = 'Set DEMO=off, or DATA_DIR to a folder of its own for the demo.'

/** Published passwords and simulated prices must not mix with real data. */
const refuseRealStore = async (tx: Tx) => {
  const customers = await tx.selectFrom('customer').select(['key', 'demo']).orderBy('key').execute()
  const others = customers.filter(({ demo }) => !demo).map(({ key }) => key)
  if (others.length > 0)
    throw new Error(`DEMO: this store has customers who are not the demo's: ${others.join(', ')}. ${elsewhere}`)
  const price = await tx.selectFrom('market_price').select('market').limit(1).executeTakeFirst()
  if (customers.length === 0 && price) throw new Error(`DEMO: this store has real published prices. ${elsewhere}`)
}

export const enterDemo = async (records: Records, world: ProvisioningFile): Promise<Change[]> => {
  await records.system(refuseRealStore)
  return applyProvisioning(records, world, { dryRun: false, demo: true })
}

/** Data that its source can send again; samples of public signals lose their number and become unreachable. */
const published = [
  'market_price',
  'market_price_revision',
  'exchange_rate',
  'tariff',
  'public_signal',
  'connector_state',
  'connector_run',
  'backfill_month',
]

/** Ends a demo: no user, edge or charger can sign in with a published password, and simulated prices are deleted. Returns whether the store was a demo. */
export const leaveDemo = (records: Records, nowMs: number): Promise<boolean> =>
  records.system(async (tx) => {
    const customers = await tx.selectFrom('customer').select('customer_id').where('demo', '=', true).execute()
    let shut = 0
    for (const { customer_id } of customers) shut += await shutCustomer(tx, customer_id, nowMs)
    if (shut > 0) await tx.deleteFrom('application_version').execute()
    const simulated = await tx.selectFrom('connector_state').select('source').where('simulated', '=', true).execute()
    if (simulated.length > 0) for (const table of published) await sql`delete from ${sql.table(table)}`.execute(tx)
    const wasDemo = shut > 0 || simulated.length > 0
    if (wasDemo) rowChanged(tx, 'resync')
    return wasDemo
  })

const shutCustomer = async (tx: Tx, customerId: string, nowMs: number): Promise<number> => {
  const shut = (table: 'app_user' | 'edge' | 'webhook' | 'charger') =>
    sql<{ user_id?: string }>`
      update ${sql.table(table)} set enabled = false where customer_id = ${customerId} and enabled returning *`.execute(
      tx,
    )
  const users = (await shut('app_user')).rows
  for (const { user_id } of users) if (user_id) await endSessionsOf(tx, { customer_id: customerId, user_id }, nowMs)
  let count = users.length
  for (const table of ['edge', 'webhook', 'charger'] as const) count += (await shut(table)).rows.length
  if (count > 0)
    await writeAudit(tx, customerId, nowMs, { who: 'operator', action: 'customer.demo-ended', subject: 'demo' })
  return count
}
