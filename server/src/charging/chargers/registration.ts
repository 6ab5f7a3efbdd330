import { randomBytes } from 'node:crypto'
import * as contract from '@gridmast/contract/charging/chargers.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { ownRoute } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import { hashMachineSecret } from '#platform/security/token.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, deleteRows, insertRow, selectRows, updateRows, hasRow, lockRow } from '#platform/records/rows.ts'
import { keyText } from '#protocols/ocpp/admission.ts'
import { getCharger } from './fleet.ts'
import { unknownSince } from '#charging/ledger/frame-ring.ts'

/** A charger's secret is shown once (security rule D2). */

/** Shown once (security rule D2): 20 random bytes as 40 hex digits, the AuthorizationKey of OCPP 1.6. */
/** 20 random bytes as 40 hex digits: the AuthorizationKey of OCPP 1.6. */
const newSecret = () => {
  const secret = randomBytes(20).toString('hex')
  return { secret, hash: hashMachineSecret(keyText(secret)) }
}
const overlapMs = dayMs

const pathOf = async (tx: Tx, customerId: string, identity?: string): Promise<string> => {
  const { key } = await selectRows(tx, customerId, 'customer').select('key').executeTakeFirstOrThrow()
  return `/ocpp/${[key, identity ?? []].flat().map(encodeURIComponent).join('/')}`
}

const findUnknown = ownRoute(contract.findUnknownChargers, async (tx, customerId, { nowMs }) => {
  const rows = await selectRows(tx, customerId, 'charger_unknown')
    .selectAll()
    .where('last_seen_at', '>=', unknownSince(nowMs))
    .orderBy('last_seen_at', 'desc')
    .execute()
  return {
    path: await pathOf(tx, customerId),
    unknown: rows.map((row) => ({
      identity: row.identity,
      tries: row.tries,
      firstSeen: row.first_seen_at.toISOString(),
      lastSeen: row.last_seen_at.toISOString(),
    })),
  }
})

const dismissUnknown = ownRoute(
  contract.dismissUnknownCharger,
  async (tx, customerId, { audit, params: { identity } }) => {
    const dismissed = await deleteRows(tx, customerId, 'charger_unknown', { identity }).executeTakeFirst()
    if (dismissed.numDeletedRows === 0n) throw notFound()
    await audit(tx, 'charger.dismiss', identity)
  },
)

const licenceOf = async (tx: Tx, customerId: string): Promise<string> => {
  const licence = await selectRows(tx, customerId, 'licence', { type: 'evCharging', enabled: true })
    .select('licence_id')
    .orderBy('licence_id')
    .executeTakeFirst()
  if (!licence) throw new Refusal(409, m.licenseNotActive)
  return licence.licence_id
}

const register = ownRoute(contract.registerCharger, async (tx, customerId, { audit, viewer, nowMs, body }) => {
  const { identity, name, chargerType, connectors, maxKw, securityProfile, description = '', area = null } = body
  const licence_id = await licenceOf(tx, customerId)
  const { secret, hash } = newSecret()
  const charger_id = newId(nowMs)
  const count = await countRows(selectRows(tx, customerId, 'charger'))
  if (count >= limits.chargers) throw new Refusal(409, m.tooManyChargers(limits.chargers))
  const added = await insertRow(tx, customerId, 'charger', {
    charger_id,
    identity,
    name,
    description,
    licence_id,
    connectors,
    charger_type: chargerType,
    max_kw: maxKw.toFixed(3),
    security_profile: securityProfile,
    password_hash: hash,
    position: count,
    registered_by: viewer.userId,
    area,
  })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n)
    throw new Refusal(409, m.chargerTaken, { errors: { identity: m.chargerTaken } })
  const knocked = await deleteRows(tx, customerId, 'charger_unknown', { identity }).executeTakeFirst()
  const adopted = knocked.numDeletedRows > 0n
  rowChanged(tx, 'chargers', customerId)
  await audit(tx, 'charger.register', name, { after: { ...body, charger: charger_id, adopted } })
  return { _id: charger_id, identity, secret, path: await pathOf(tx, customerId, identity) }
})

const renew = ownRoute(contract.renewChargerSecret, async (tx, customerId, { audit, nowMs, params }) => {
  const { name } = await getCharger(tx, customerId, params.id)
  const { secret, hash } = newSecret()
  const { identity } = await updateRows(tx, customerId, 'charger', { charger_id: params.id })
    .set({
      password_hash: hash,
      previous_hash: sql`password_hash`,
      previous_until: new Date(nowMs + overlapMs),
    })
    .returning('identity')
    .executeTakeFirstOrThrow()
  rowChanged(tx, 'chargers', customerId)
  await audit(tx, 'charger.secret', name, { after: { charger: params.id } })
  return { _id: params.id, identity, secret, path: await pathOf(tx, customerId, identity) }
})

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

const remove = ownRoute(contract.removeCharger, async (tx, customerId, { audit, params }) => {
  const key = { charger_id: params.id }
  const charger = await lockRow(tx, customerId, 'charger', key, ['name', 'identity', 'registered_by'])
  if (charger.registered_by === null) throw new Refusal(409, m.chargerProvisioned)
  if (await hasRow(tx, customerId, 'charger_transaction', key)) throw new Refusal(409, m.chargerHasSessions)
  if (await hasRow(tx, customerId, 'payment', key)) throw new Refusal(409, m.chargerHasPayments)
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where customer_id = ${customerId} and charger_id = ${params.id}`.execute(
      tx,
    )
  await deleteRows(tx, customerId, 'charger', key).execute()
  rowChanged(tx, 'chargers', customerId)
  await audit(tx, 'charger.remove', charger.name, { before: { identity: charger.identity } })
})

export const registration = [findUnknown, dismissUnknown, register, renew, remove]
