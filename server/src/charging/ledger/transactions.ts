import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { sql, type Updateable } from 'kysely'
import { openStates } from '#charging/chargers/connectors.ts'
import { plausibleWh } from './session-energy.ts'
import { isPlausible } from '#charging/costs/quarter-energy.ts'
import type { ChargerTransaction } from '#platform/records/db-types.ts'
import { newId } from '#platform/records/ids.ts'
import type { Fact } from '#protocols/ocpp/facts.ts'
import { authorise, type Decision } from '#charging/tags/authorise.ts'
import type { Charger } from './directory.ts'
import { answerOnce, isToldLate, type Message } from './messages.ts'
import { type Reading, registerAt } from './meter-values.ts'

type SessionKey = { customer_id: string; charger_id: string; evse_no: number | null; started_at: Date }

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

/** Transactions of OCPP 1.6: rows with the charger's own registers, matched by their content and not by the time of their messages. */

export const ofCharger = (tx: Tx, { customerId, chargerId }: Charger) =>
  tx
    .selectFrom('charger_transaction')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('charger_id', '=', chargerId)
export type TransactionRow = Awaited<ReturnType<ReturnType<typeof ofCharger>['executeTakeFirstOrThrow']>>

export const findByNo = async (tx: Tx, charger: Charger, no: number): Promise<TransactionRow | undefined> =>
  no <= 0 || no > maxInteger ? undefined : ofCharger(tx, charger).where('no', '=', no).executeTakeFirst()
/** Of PostgreSQL's type; a charger may send any number. */
const maxInteger = 2_147_483_647

export const sessionKey = ['customer_id', 'charger_id', 'evse_no', 'started_at'] as const

export const updateSession = async (
  tx: Tx,
  row: TransactionRow,
  columns: Updateable<ChargerTransaction>,
): Promise<void> => {
  const updated = await tx
    .updateTable('charger_transaction')
    .set(columns)
    .where('customer_id', '=', row.customer_id)
    .where('transaction_id', '=', row.transaction_id)
    .returning(sessionKey)
    .execute()
  markSessions(tx, updated)
}

const lastRegister = (tx: Tx, row: TransactionRow, untilMs: number) =>
  tx
    .selectFrom('charger_register')
    .select(['wh', 'at'])
    .where('customer_id', '=', row.customer_id)
    .where('charger_id', '=', row.charger_id)
    .where('evse_no', '=', row.evse_no ?? -1)
    .where('at', '>=', row.started_at)
    .where('at', '<=', new Date(untilMs))
    .where('context', '!=', 'Transaction.Begin')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Energy that the connector cannot have delivered is stored as `doubted_wh`, not as `consumption_wh`. */
const energyColumns = async (tx: Tx, row: TransactionRow, wh: number | null, endMs: number) => {
  if (wh === null) return { consumption_wh: null, doubted_wh: null }
  const { rows } = await sql<{ max_kw: string; at: Date | null; wh: string | null }>`
    select c.max_kw, r.at, r.wh from charger c
    left join charger_register r on r.customer_id = c.customer_id and r.charger_id = c.charger_id and r.evse_no = ${row.evse_no}::int
      and r.at >= ${row.started_at} and r.at <= ${new Date(endMs)}
    where c.customer_id = ${row.customer_id} and c.charger_id = ${row.charger_id}`.execute(tx)
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

export const abandonBefore = async (
  tx: Tx,
  charger: Charger,
  evseNo: number,
  atMs: number,
  except: string,
): Promise<void> => {
  const left = await ofCharger(tx, charger)
    .where('evse_no', '=', evseNo)
    .where('state', 'in', openStates)
    .where('started_at', '<', new Date(atMs))
    .where('transaction_id', '!=', except)
    .execute()
  // A reading at the start of the next session belongs to that session: some registers restart at 0.
  for (const row of left) await abandon(tx, row, atMs - 1)
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
    const decision = await authorise(tx, charger, fact.token, message.receivedMs, {
      atMs,
      beginning: { evse: fact.evse },
    })
    const isRefused = decision.info.status !== 'accepted'
    const { mode, tagId } = decision
    const command =
      mode === 'remote' || tagId !== null ? await findStart(tx, charger, fact.evse, atMs, tagId) : undefined
    const transactionId = newId(atMs)
    const added = await tx
      .insertInto('charger_transaction')
      .values({
        ...columnsOf(charger, decision),
        transaction_id: transactionId,
        evse_no: fact.evse,
        connector_no: 1,
        started_at: new Date(atMs),
        meter_start_wh: fact.meterStartWh.toFixed(3),
        ...(command ? { command_id: command.command_id, mode: 'remote' } : {}),
        told_late: isToldLate(message, atMs),
        // A refused session never replaces a running one; if the charger charges all the same, its stop states the energy.
        ...(isRefused
          ? { state: 'ended', refused: true, ended_at: new Date(atMs), consumption_wh: '0' }
          : { state: 'active', charging_state: 'charging' }),
      })
      .returning([...sessionKey, 'no'])
      .executeTakeFirstOrThrow()
    markSessions(tx, [added])
    if (!isRefused) await abandonBefore(tx, charger, fact.evse, atMs, transactionId)
    return { outcome: { kind: 'started', transactionNo: added.no, info: decision.info }, transactionId }
  })
}

/** A stop whose start was never answered has no id of ours: the newest open transaction of its tag before it, or the only open one. */
const findUnanswered = async (tx: Tx, charger: Charger, tag: string | null, atMs: number) => {
  const open = await ofCharger(tx, charger)
    .where('ocpp_id', 'is', null)
    .where('state', 'in', openStates)
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
  const added = await tx
    .insertInto('charger_transaction')
    .values({
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
    .returning(sessionKey)
    .execute()
  markSessions(tx, added)
  return transactionId
}
type Stop = { atMs: number; startMs: number; stopWh: number | null; readings: readonly Reading[] }

export const stop = async (tx: Tx, message: Message, fact: Stopped, readings: readonly Reading[]): Promise<string> => {
  const { charger } = message
  const known = await findByNo(tx, charger, fact.transactionNo)
  const key = known ? `stop|${fact.transactionNo}` : `stop|${fact.transactionNo}|${fact.at}|${fact.meterStopWh}`
  return answerOnce(tx, message, { key, at: fact.at, isTimed: !known }, async (atMs) => {
    const decision = fact.token ? await authorise(tx, charger, fact.token, message.receivedMs, { atMs }) : null
    const stopWh = fact.meterStopWh ?? registerAt(readings, 'End')
    const row = known ?? (await findUnanswered(tx, charger, decision?.tag ?? null, atMs))
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
