import {
  insertSession,
  abandonBefore,
  columnsOf,
  findStart,
  measure,
  selectSessions,
  type TransactionRow,
  updateSession,
} from './transactions.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, selectRows } from '#platform/records/rows.ts'
import type { Fact } from '#protocols/ocpp/facts.ts'
import { authorise, type Decision } from '#charging/tags/authorise.ts'
import type { Charger } from './directory.ts'
import { answerOnce, type Answered, isLate, type Message } from './messages.ts'
import { type Reading, registerAt } from './meter-values.ts'

/** Transactions of OCPP 2.0.1: the charger assigns their ids, and its events may arrive late, twice, or the end before the beginning. */

/** In OCPP 2.0.1 the charger assigns the ids, and its events may arrive late, twice, or the end before the beginning. */

type Event = Extract<Fact, { kind: 'event' }>

const findRow = (tx: Tx, charger: Charger, ocppId: string) =>
  selectSessions(tx, charger, { ocpp_id: ocppId }).executeTakeFirst()

const findCommand = (tx: Tx, charger: Charger, no: number) =>
  tx
    .selectFrom('charger_command as c')
    .leftJoin('charger_tag as t', onKey('t', 'c', 'tag_id'))
    .select(['c.command_id', 't.tag_id', 't.tag'])
    .where('c.customer_id', '=', charger.customerId)
    .where('c.charger_id', '=', charger.chargerId)
    .where('c.no', '=', no)
    .orderBy('c.issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()

const connectorOf = async (tx: Tx, charger: Charger, fact: Event): Promise<number | null> => {
  if (fact.connector !== null || fact.evse === null) return fact.connector
  const key = { charger_id: charger.chargerId, evse_no: fact.evse }
  const connectors = await selectRows(tx, charger.customerId, 'charger_connector', key).select('connector_no').execute()
  return connectors.length === 1 ? (connectors[0]?.connector_no ?? null) : null
}

type Reported = { fact: Event; atMs: number; decision: Decision | null; readings: readonly Reading[] }

/** The register at the beginning: a value in an Ended event belongs to the end unless its context is Transaction.Begin. */
const startWhOf = ({ fact, readings }: Reported): string | null => {
  const hasStart = fact.phase !== 'ended' || readings.some(({ context }) => context === 'Transaction.Begin')
  return hasStart ? (registerAt(readings, 'Begin')?.toFixed(3) ?? null) : null
}

const startColumns = (reported: Reported) => ({
  started_at: new Date(reported.atMs),
  start_seen: reported.fact.phase === 'started',
  meter_start_wh: startWhOf(reported),
})

const commandOf = async (tx: Tx, charger: Charger, { fact, atMs, decision }: Reported, evseNo: number | null) => {
  if (fact.remoteStartNo !== null) return findCommand(tx, charger, fact.remoteStartNo)
  if (decision?.mode !== 'remote') return undefined
  const command = await findStart(tx, charger, evseNo, atMs, null)
  return command && { ...command, tag_id: null, tag: null }
}
type Command = NonNullable<Awaited<ReturnType<typeof commandOf>>>

const linkedTo = ({ command_id, tag_id, tag }: Command) => ({
  command_id,
  mode: 'remote' as const,
  ...(tag_id ? { tag_id, tag } : {}),
})

const add = async (tx: Tx, message: Message, reported: Reported): Promise<TransactionRow> => {
  const { charger } = message
  const { fact, atMs, decision } = reported
  const command = await commandOf(tx, charger, reported, fact.evse)
  return insertSession(tx, {
    ...columnsOf(charger, decision),
    ...(command ? linkedTo(command) : {}),
    transaction_id: newId(atMs),
    ocpp_id: fact.transactionId,
    evse_no: fact.evse,
    connector_no: await connectorOf(tx, charger, fact),
    state: fact.chargingState === 'charging' ? 'active' : 'starting',
    charging_state: fact.chargingState,
    ...startColumns(reported),
    told_late: isLate(message, atMs),
  })
}

/** Adds EVSE, tag and register of the beginning; a refused tag is replaced by an accepted one at the same EVSE, which then pays. */
const missingColumns = async (tx: Tx, message: Message, row: TransactionRow, reported: Reported) => {
  const { fact, decision } = reported
  const isBegun = fact.phase !== 'ended'
  const isOpen = row.tag === null || (row.refused && isBegun)
  const isAccepted = decision !== null && !isRefused(decision)
  const mayBeRemote = isOpen && isBegun && row.command_id === null
  const command = mayBeRemote && (await commandOf(tx, message.charger, reported, row.evse_no ?? fact.evse))
  return {
    ...(row.evse_no === null && fact.evse !== null
      ? { evse_no: fact.evse, connector_no: await connectorOf(tx, message.charger, fact) }
      : {}),
    ...(decision && decision.mode !== 'adhoc' && (row.tag === null || (isOpen && isAccepted))
      ? {
          tag: decision.tag,
          tag_id: decision.tagId,
          mode: row.command_id ? 'remote' : decision.mode,
          refused: isBegun ? !isAccepted : row.refused,
        }
      : {}),
    ...(command ? { ...linkedTo(command), refused: isRefused(decision) } : {}),
    ...(row.meter_start_wh === null ? { meter_start_wh: startWhOf(reported) } : {}),
  }
}

const isRefused = (decision: Decision | null) => decision !== null && decision.info.status !== 'accepted'

const isEnded = ({ state }: TransactionRow) => state === 'ended' || state === 'orphan'

const stopWhOf = (row: TransactionRow) => (row.meter_stop_wh === null ? null : Number(row.meter_stop_wh))

const mergeStart = async (tx: Tx, message: Message, row: TransactionRow, reported: Reported) => {
  const start = startColumns(reported)
  const missing = await missingColumns(tx, message, row, reported)
  const more = { ...missing, ...start, meter_start_wh: start.meter_start_wh ?? row.meter_start_wh }
  const endMs = row.ended_at?.getTime() ?? reported.atMs
  const measured = isEnded(row) ? await measure(tx, { ...row, ...more }, stopWhOf(row), endMs) : {}
  await updateSession(tx, row, { ...more, ...measured })
}

const end = async (tx: Tx, message: Message, row: TransactionRow, reported: Reported) => {
  const { fact, atMs, readings } = reported
  const more = await missingColumns(tx, message, row, reported)
  const stopWh = registerAt(readings, 'End')
  const endMs = Math.max(atMs, row.started_at.getTime())
  await updateSession(tx, row, {
    ...more,
    state: 'ended',
    charging_state: null,
    ended_at: new Date(endMs),
    reason: fact.reason,
    meter_stop_wh: stopWh?.toFixed(3) ?? null,
    ...(await measure(tx, { ...row, ...more }, stopWh, endMs)),
  })
}

export const event = (tx: Tx, message: Message, fact: Event, readings: readonly Reading[]): Promise<string> => {
  const key = `event|${fact.transactionId}|${fact.phase}|${fact.at}|${fact.sequence}`
  return answerOnce(tx, message, { key, at: fact.at }, async (atMs): Promise<Answered> => {
    const { charger } = message
    const beginning = fact.phase === 'started' && !fact.isOffline ? { evse: fact.evse } : null
    const decision = fact.token
      ? await authorise(tx, charger, fact.token, message.receivedMs, { atMs, beginning })
      : null
    const outcome = { kind: 'event', info: decision?.info ?? null } as const
    const reported = { fact, atMs, decision, readings }
    const stored = await findRow(tx, charger, fact.transactionId)
    const row = stored ?? (await add(tx, message, reported))
    const transactionId = row.transaction_id
    if (!stored && fact.evse !== null && fact.phase !== 'ended' && !isRefused(decision))
      await abandonBefore(tx, charger, fact.evse, atMs, transactionId)
    if (stored && isEnded(stored) && fact.phase !== 'started') return { outcome, transactionId, isLate: true }
    if (fact.phase === 'ended') await end(tx, message, row, reported)
    else if (stored && fact.phase === 'started' && !stored.start_seen) await mergeStart(tx, message, stored, reported)
    else if (stored && !isEnded(stored)) {
      const state = fact.chargingState
      const changed = {
        ...(await missingColumns(tx, message, stored, reported)),
        ...(state && !fact.isOffline ? { charging_state: state } : {}),
        ...(stored.told_late && !isLate(message, atMs) ? { told_late: false } : {}),
        ...(state === 'charging' || stored.state === 'abandoned' ? { state: 'active', ended_at: null } : {}),
      }
      if (Object.keys(changed).length > 0) await updateSession(tx, stored, changed)
    }
    const isNew = !stored && fact.phase === 'updated'
    if (isRefused(decision) && (fact.phase === 'started' || isNew)) await updateSession(tx, row, { refused: true })
    return { outcome, transactionId }
  })
}

export const evseOfEvent = async (tx: Tx, charger: Charger, fact: Event): Promise<number | null> =>
  fact.evse ?? (await findRow(tx, charger, fact.transactionId))?.evse_no ?? null
