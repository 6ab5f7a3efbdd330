import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, type RowOf, selectRows, updateRows } from '#platform/records/rows.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Insertable, Updateable } from 'kysely'
import { openStates } from '#charging/chargers/connectors.ts'
import { plausibleWh } from './session-energy.ts'
import { isPlausible } from '#charging/costs/quarter-energy.ts'
import type { ChargerTransaction } from '#platform/records/db-types.ts'
import { newId } from '#platform/records/ids.ts'
import type { Fact } from '#protocols/ocpp/facts.ts'
import { authorise, type Decision } from '#charging/tags/authorise.ts'
import type { Charger, ChargerKey } from './directory.ts'
import { answerOnce, isLate, type Message } from './messages.ts'
import { type Reading, registerAt } from './meter-values.ts'

/** Transactions of OCPP 1.6: rows with the charger's own registers, matched by their content and not by the time of their messages. */

export type TransactionRow = RowOf<'charger_transaction'>

const keyColumns = ['customer_id', 'charger_id', 'evse_no', 'started_at'] as const
type SessionKey = Pick<TransactionRow, (typeof keyColumns)[number]>

/** Their cost is due; the mark is written with the commit. */
export const markSessions = (tx: Tx, sessions: readonly SessionKey[]): void =>
  addMarks(
    tx,
    'charging_due',
    sessions.map(({ customer_id, charger_id, evse_no, started_at }) => ({
      customer_id,
      charger_id,
      evse_no: evse_no ?? -1,
      day: started_at.toISOString().slice(0, 10),
    })),
  )

export const selectSessions = (
  tx: Tx,
  { customerId, chargerId }: ChargerKey,
  key: Partial<Pick<TransactionRow, 'transaction_id' | 'ocpp_id' | 'no' | 'evse_no'>> = {},
) => selectRows(tx, customerId, 'charger_transaction', { charger_id: chargerId, ...key }).selectAll()

export const selectOpen = (tx: Tx, charger: ChargerKey, key: Parameters<typeof selectSessions>[2] = {}) =>
  selectSessions(tx, charger, key).where('state', 'in', openStates)

/** int32, as OCPP transmits it; a charger may send any number. */
const maxInteger = 2_147_483_647

/** Numbers begin again after the largest one: the newest session of the charger is meant, and `isReused` states that an older one had it. */
const findNamed = async (tx: Tx, charger: Charger, no: number) => {
  if (no <= 0 || no > maxInteger) return { named: undefined, isReused: false }
  const [named, older] = await selectSessions(tx, charger, { no }).orderBy('transaction_id', 'desc').limit(2).execute()
  return { named, isReused: older !== undefined }
}

export const findByNo = async (tx: Tx, charger: Charger, no: number): Promise<TransactionRow | undefined> =>
  (await findNamed(tx, charger, no)).named

export const insertSession = async (tx: Tx, row: Insertable<ChargerTransaction>): Promise<TransactionRow> => {
  const added = await tx.insertInto('charger_transaction').values(row).returningAll().executeTakeFirstOrThrow()
  markSessions(tx, [added])
  return added
}

export const updateSession = async (
  tx: Tx,
  { customer_id, transaction_id }: TransactionRow,
  columns: Updateable<ChargerTransaction>,
) => {
  const updated = await updateRows(tx, customer_id, 'charger_transaction', { transaction_id })
    .set(columns)
    .returning(keyColumns)
    .execute()
  markSessions(tx, updated)
}

/** The state of the running session of an EVSE of OCPP 1.6, which has no message of its own for it. */
export const updateChargingState = async (
  tx: Tx,
  { customerId, chargerId }: Charger,
  evseNo: number,
  state: string,
  at: Date,
): Promise<void> => {
  const running = { charger_id: chargerId, evse_no: evseNo, state: 'active', ocpp_id: null }
  const updated = await updateRows(tx, customerId, 'charger_transaction', running)
    .set({ charging_state: state })
    .where('started_at', '<=', at)
    .returning(keyColumns)
    .execute()
  markSessions(tx, updated)
}

const lastRegister = (tx: Tx, row: TransactionRow, untilMs: number) =>
  selectRows(tx, row.customer_id, 'charger_register', { charger_id: row.charger_id, evse_no: row.evse_no ?? -1 })
    .select(['wh', 'at'])
    .where('at', '>=', row.started_at)
    .where('at', '<=', new Date(untilMs))
    .where('context', '!=', 'Transaction.Begin')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Energy that the connector cannot have delivered is stored as `doubted_wh`, not as `consumption_wh`. */
const energyColumns = async (tx: Tx, row: TransactionRow, wh: number | null, endMs: number) => {
  if (wh === null) return { consumption_wh: null, doubted_wh: null }
  const rows = await sqlRows<{ max_kw: string; at: Date | null; wh: string | null }>(tx)`
    select c.max_kw, r.at, r.wh from charger c
    left join charger_register r on r.customer_id = c.customer_id and r.charger_id = c.charger_id and r.evse_no = ${row.evse_no}::int
      and r.at >= ${row.started_at} and r.at <= ${new Date(endMs)}
    where c.customer_id = ${row.customer_id} and c.charger_id = ${row.charger_id}`
  const readings = rows.flatMap(({ at, wh: register }) => (at ? [{ atMs: at.getTime(), wh: Number(register) }] : []))
  const meterStartWh = row.meter_start_wh === null ? null : Number(row.meter_start_wh)
  const session = { fromMs: row.started_at.getTime(), toMs: endMs, meterStartWh, wh, maxKw: Number(rows[0]?.max_kw) }
  return isPlausible(session, readings)
    ? { consumption_wh: wh.toFixed(3), doubted_wh: null }
    : { consumption_wh: null, doubted_wh: wh.toFixed(3) }
}

/**
 * Difference of the reported registers; without them, or with a register that ran backwards, the difference up to the last reading, as an estimate.
 * Energy that a user has reviewed is not calculated again.
 */
export const measure = async (tx: Tx, row: TransactionRow, stopWh: number | null, endMs: number) => {
  if (row.energy_reviewed_at !== null) return {}
  const startWh = row.meter_start_wh === null ? null : Number(row.meter_start_wh)
  const between = (toWh: number | null) => (toWh === null || startWh === null || toWh < startWh ? null : toWh - startWh)
  const exact = between(stopWh)
  if (exact !== null) return { ...(await energyColumns(tx, row, exact, endMs)), estimated: !row.start_seen }
  const last = await lastRegister(tx, row, endMs)
  const wh = between(last ? Number(last.wh) : null)
  return { ...(await energyColumns(tx, row, wh, last?.at.getTime() ?? endMs)), estimated: true }
}

/** Ends a transaction that gets no stop, at its last reading; a stop that arrives later corrects it. */
export const abandon = async (tx: Tx, row: TransactionRow, nowMs: number): Promise<void> => {
  const last = await lastRegister(tx, row, nowMs)
  await updateSession(tx, row, {
    state: 'abandoned',
    charging_state: null,
    ended_at: last?.at ?? row.started_at,
    ...(await measure(tx, row, null, nowMs)),
  })
}

export const abandonBefore = async (tx: Tx, charger: Charger, evseNo: number, atMs: number, except: string) => {
  const open = await selectOpen(tx, charger, { evse_no: evseNo })
    .where('started_at', '<', new Date(atMs))
    .where('transaction_id', '!=', except)
    .execute()
  // A reading at the start of the next session belongs to that session: some registers restart at 0.
  for (const row of open) await abandon(tx, row, atMs - 1)
}

const linkedMs = 5 * minuteMs

export const startsWithoutSession = (tx: Tx, customerId: string, chargerId: string) =>
  tx
    .selectFrom('charger_command as c')
    .select('c.command_id')
    .where('c.customer_id', '=', customerId)
    .where('c.charger_id', '=', chargerId)
    .where('c.action', '=', 'start')
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('charger_transaction as t')
            .select('t.no')
            .whereRef('t.customer_id', '=', 'c.customer_id')
            .whereRef('t.command_id', '=', 'c.command_id'),
        ),
      ),
    )

export const findStart = (tx: Tx, charger: Charger, evseNo: number | null, atMs: number, tagId: string | null) =>
  startsWithoutSession(tx, charger.customerId, charger.chargerId)
    .where('c.state', 'in', ['sent', 'accepted', 'timeout', 'socket-lost'])
    .$if(evseNo !== null, (of) => of.where('c.evse_no', '=', evseNo ?? 0))
    .where('c.tag_id', 'is not distinct from', tagId)
    .where('c.issued_at', '>', new Date(atMs - linkedMs))
    .where('c.issued_at', '<=', new Date(atMs + linkedMs))
    .orderBy('c.issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const columnsOf = (charger: Charger, decision: Decision | null) => ({
  customer_id: charger.customerId,
  charger_id: charger.chargerId,
  tag: decision?.tag || null,
  tag_id: decision?.tagId ?? null,
  mode: decision?.mode ?? 'adhoc',
})

export const start = (tx: Tx, message: Message, fact: Extract<Fact, { kind: 'started' }>): Promise<string> => {
  const { charger } = message
  const key = `start|${fact.evse}|${fact.at}|${fact.token.id}|${fact.meterStartWh}`
  return answerOnce(tx, message, { key, at: fact.at, isTimed: true }, async (atMs) => {
    const beginning = { evse: fact.evse }
    const decision = await authorise(tx, charger, fact.token, message.receivedMs, { atMs, beginning })
    const isRefused = decision.info.status !== 'accepted'
    const { mode, tagId } = decision
    const isRemote = mode === 'remote' || tagId !== null
    const command = isRemote ? await findStart(tx, charger, fact.evse, atMs, tagId) : undefined
    const transactionId = newId(atMs)
    const { no } = await insertSession(tx, {
      ...columnsOf(charger, decision),
      transaction_id: transactionId,
      evse_no: fact.evse,
      connector_no: 1,
      started_at: new Date(atMs),
      meter_start_wh: fact.meterStartWh.toFixed(3),
      ...(command ? { command_id: command.command_id, mode: 'remote' } : {}),
      told_late: isLate(message, atMs),
      // A refused session never replaces a running one; if the charger charges all the same, its stop states the energy.
      ...(isRefused
        ? { state: 'ended', refused: true, ended_at: new Date(atMs), consumption_wh: '0' }
        : { state: 'active', charging_state: 'charging' }),
    })
    if (!isRefused) await abandonBefore(tx, charger, fact.evse, atMs, transactionId)
    return { outcome: { kind: 'started', transactionNo: no, info: decision.info }, transactionId }
  })
}

/** A stop whose start was never answered has no id of ours: the newest open transaction of its tag before it, or the only open one. */
const findUnanswered = async (tx: Tx, charger: Charger, tag: string | null, atMs: number) => {
  const open = await selectOpen(tx, charger, { ocpp_id: null })
    .where('started_at', '<=', new Date(atMs))
    .orderBy('started_at', 'desc')
    .execute()
  if (tag !== null) return open.find((row) => row.tag === tag)
  return open.length === 1 ? open[0] : undefined
}

type Stopped = Extract<Fact, { kind: 'stopped' }>

const addOrphan = async (tx: Tx, message: Message, fact: Stopped, decision: Decision | null, stopped: Stop) => {
  const transactionId = newId(stopped.atMs)
  const startWh = registerAt(stopped.readings, 'Begin')
  const consumed = startWh !== null && stopped.stopWh !== null ? Math.max(0, stopped.stopWh - startWh) : null
  const isDoubted = (consumed ?? 0) > plausibleWh(message.charger.maxKw, stopped.atMs - stopped.startMs)
  await insertSession(tx, {
    ...columnsOf(message.charger, decision),
    transaction_id: transactionId,
    state: 'orphan',
    estimated: true,
    start_seen: false,
    reason: fact.reason,
    started_at: new Date(stopped.startMs),
    ended_at: new Date(stopped.atMs),
    meter_start_wh: startWh?.toFixed(3) ?? null,
    meter_stop_wh: stopped.stopWh?.toFixed(3) ?? null,
    [isDoubted ? 'doubted_wh' : 'consumption_wh']: consumed?.toFixed(3) ?? null,
  })
  return transactionId
}
type Stop = { atMs: number; startMs: number; stopWh: number | null; readings: readonly Reading[] }

export const stop = async (tx: Tx, message: Message, fact: Stopped, readings: readonly Reading[]): Promise<string> => {
  const { charger } = message
  const { named, isReused } = await findNamed(tx, charger, fact.transactionNo)
  const ofNumber = `stop|${fact.transactionNo}`
  const ofSession = named && isReused ? `${ofNumber}|${named.transaction_id}` : ofNumber
  const key = named ? ofSession : `${ofNumber}|${fact.at}|${fact.meterStopWh}`
  return answerOnce(tx, message, { key, at: fact.at, isTimed: !named }, async (atMs) => {
    const decision = fact.token ? await authorise(tx, charger, fact.token, message.receivedMs, { atMs }) : null
    const stopWh = fact.meterStopWh ?? registerAt(readings, 'End')
    const row = named ?? (await findUnanswered(tx, charger, decision?.tag ?? null, atMs))
    if (!row) {
      const startMs = Math.min(atMs, ...readings.map((one) => one.atMs))
      const transactionId = await addOrphan(tx, message, fact, decision, { atMs, startMs, stopWh, readings })
      // An error as the answer would make the charger repeat the message forever.
      return { outcome: { kind: 'stopped', info: null }, transactionId }
    }
    const endMs = Math.max(atMs, row.started_at.getTime())
    await updateSession(tx, row, {
      state: 'ended',
      charging_state: null,
      ended_at: new Date(endMs),
      reason: fact.reason,
      meter_stop_wh: stopWh?.toFixed(3) ?? null,
      ...(await measure(tx, row, stopWh, endMs)),
    })
    return { outcome: { kind: 'stopped', info: decision?.info ?? null }, transactionId: row.transaction_id }
  })
}
