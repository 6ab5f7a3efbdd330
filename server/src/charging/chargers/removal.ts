import { removeCharger } from '@gridmast/contract/charging/chargers.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { route } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, hasRow, lockRow } from '#platform/records/rows.ts'

/** A charger registered by mistake is deleted with its messages; one with sessions or payments is kept, since they are bills. */

export const tables = [
  'charger_connector',
  'charger_signal',
  'charger_command',
  'charger_message',
  'charger_register',
  'charger_frames',
  'charger_deviation',
  'charger_variable',
  'charger_limit',
  'charger_local_list',
  'charging_price',
  'charging_due',
]

const getOwn = (tx: Tx, customerId: string, chargerId: string) =>
  lockRow(tx, customerId, 'charger', { charger_id: chargerId }, ['name', 'identity', 'registered_by'])

export const removal = route(removeCharger, async ({ own, audit, params }) => {
  await own(async (tx, customerId) => {
    const found = await getOwn(tx, customerId, params.id)
    if (found.registered_by === null) throw new Refusal(409, m.chargerProvisioned)
    if (await hasRow(tx, customerId, 'charger_transaction', { charger_id: params.id }))
      throw new Refusal(409, m.chargerHasSessions)
    if (await hasRow(tx, customerId, 'payment', { charger_id: params.id })) throw new Refusal(409, m.chargerHasPayments)
    for (const table of tables)
      await sql`delete from ${sql.table(table)} where customer_id = ${customerId} and charger_id = ${params.id}`.execute(
        tx,
      )
    await deleteRows(tx, customerId, 'charger', { charger_id: params.id }).execute()
    rowChanged(tx, 'chargers', customerId)
    await audit(tx, 'charger.remove', found.name, { before: { identity: found.identity } })
  })
})
