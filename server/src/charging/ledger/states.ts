import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { rowChanged } from '#platform/messaging/bus.ts'
import { abandon, selectOpen, updateChargingState } from './transactions.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, updateRows } from '#platform/records/rows.ts'
import type { Fact } from '#protocols/ocpp/facts.ts'
import type { Version } from '#protocols/ocpp/frames.ts'
import type { Charger } from './directory.ts'
import type { App } from '#context.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'

const updateCharger = (tx: Tx, { customerId, chargerId }: Charger) =>
  updateRows(tx, customerId, 'charger', { charger_id: chargerId })

type OpenedBy = { version: Version; processId: string; now: Date; isClaim: boolean }

/** Increments the connection number, so that all processes can tell the newer of two sockets. */
export const saveOpened = (tx: Tx, charger: Charger, { version, processId, now, isClaim }: OpenedBy) =>
  updateCharger(tx, charger)
    .set({
      ...(isClaim && { unnamed_certificate_at: now }),
      generation: sql`generation + 1`,
      version,
      online: true,
      connected_by: processId,
      connected_at: now,
      last_seen_at: now,
    })
    .where('enabled', '=', true)
    .returning((of) => [
      'generation',
      of
        .selectFrom('charger_frames as f')
        .whereRef('f.customer_id', '=', 'charger.customer_id')
        .whereRef('f.charger_id', '=', 'charger.charger_id')
        .select((select) => select.fn.max('f.no').as('no'))
        .as('frame_no'),
    ])
    .executeTakeFirstOrThrow()

/** Only the end of the newest connection takes a charger offline. */
export const saveClosed = async (tx: Tx, charger: Charger, generation: number): Promise<boolean> => {
  const changed = await updateCharger(tx, charger)
    .set({ online: false })
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  const queued = { charger_id: charger.chargerId, state: 'queued' }
  const closed = await updateRows(tx, charger.customerId, 'charger_command', queued)
    .set({ state: 'offline', is_open: false })
    .returning('command_id')
    .execute()
  for (const { command_id } of closed) rowChanged(tx, 'charger-answer', command_id)
  return true
}

export const saveBoot = (tx: Tx, charger: Charger, fact: Extract<Fact, { kind: 'booted' }>, now: Date) =>
  updateCharger(tx, charger)
    .set({
      vendor: fact.vendor,
      model: fact.model,
      serial_number: fact.serialNumber,
      firmware: fact.firmware,
      iccid: fact.iccid,
      meter_serial_number: fact.meterSerialNumber,
      booted_at: now,
      last_seen_at: now,
    })
    .execute()

const statesOfSessions: readonly string[] = ['charging', 'suspended-ev', 'suspended-evse', 'finishing', 'faulted']

/** The newest event counts, by its own time: replayed messages do not change a live state. */
export const saveState = async (tx: Tx, charger: Charger, fact: Extract<Fact, { kind: 'status' }>, atMs: number) => {
  const { state, error, info } = fact
  const columns = { state, error, info, state_at: new Date(atMs) }
  const saved = await insertRow(tx, charger.customerId, 'charger_connector', {
    charger_id: charger.chargerId,
    evse_no: fact.evse,
    connector_no: fact.connector ?? 0,
    ...columns,
  })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'charger_id', 'evse_no', 'connector_no'])
        .doUpdateSet(columns)
        .where('charger_connector.state_at', '<=', columns.state_at),
    )
    .executeTakeFirst()
  const isNew = (saved.numInsertedOrUpdatedRows ?? 0n) > 0n
  if (isNew && statesOfSessions.includes(state))
    await updateChargingState(tx, charger, fact.evse, state, columns.state_at)
  return isNew
}

/** An available EVSE charges nothing, but after a power loss its charger may still send a stop within this time. */
const freeMs = 5 * minuteMs

/** Ends sessions that a power loss interrupted: the charger has booted since, its EVSE is available, and no stop has arrived. */
export const abandonForgotten = async (tx: Tx, nowMs: number) => {
  const rows = await sqlRows<{ customer_id: string; charger_id: string; transaction_id: string }>(tx)`
    select t.customer_id, t.charger_id, t.transaction_id
    from charger_transaction t
    join charger c using (customer_id, charger_id)
    join charger_connector o on o.customer_id = t.customer_id and o.charger_id = t.charger_id and o.evse_no = t.evse_no
    where t.state in ('starting', 'active') and c.online and c.booted_at > t.started_at
      and o.state = 'available' and o.state_at >= c.booted_at - interval '1 minute' and o.state_at < ${new Date(nowMs - freeMs)}
    limit 500`
  for (const row of rows) {
    const charger = { customerId: row.customer_id, chargerId: row.charger_id }
    const open = await selectOpen(tx, charger, { transaction_id: row.transaction_id }).executeTakeFirst()
    if (open) await abandon(tx, open, nowMs)
  }
}

const stormAt = 400
const [soonS, spreadS] = [20, 60]

/** Seconds until a charger may boot again, spread so that chargers do not return together; 0: accepted. */
export const pendingS = (waiting: number, chance: number): number =>
  waiting > stormAt ? soonS + Math.floor(chance * spreadS) : 0

/** A charger of OCPP 2.0.1 is queried about each of its open sessions; a session that is unknown to it ended with its last reading. */
export const askOpenSessions = async ({ records, clock }: App, charger: Charger, connection: Connection) => {
  if (connection.version !== 'ocpp2.0.1') return
  const open = await records.system((tx) => selectOpen(tx, charger).where('ocpp_id', 'is not', null).execute())
  for (const { ocpp_id, transaction_id } of open) {
    const order = { kind: 'session-status', transactionId: ocpp_id ?? '' } as const
    const answer = await connection.call(order, { isQuiet: true })
    if (answer.kind !== 'answered' || answer.isOngoing !== false) continue
    await records.system(async (tx) => {
      const row = await selectOpen(tx, charger, { transaction_id }).forUpdate().executeTakeFirst()
      if (row) await abandon(tx, row, clock.now())
    })
  }
}
