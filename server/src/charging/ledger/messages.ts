import { minuteMs, dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { openStates } from '#charging/chargers/connectors.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, insertRow } from '#platform/records/rows.ts'
import type { Outcome } from '#protocols/ocpp/facts.ts'
import type { Charger } from './directory.ts'

/** The clock of a charger may be at 1970, be hours off, or have no zone. */

const aheadMs = 5 * minuteMs
const firstYearMs = Date.UTC(2020, 0, 1)
/** No charger replays older messages. */
const oldestMs = 400 * dayMs

/** A stamp without a zone is UTC, as OCPP requires; null: not a time. */
const readStamp = (stamp: string | null): number | null => {
  if (stamp === null) return null
  const ms = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(stamp) ? stamp : `${stamp}Z`)
  return Number.isFinite(ms) ? ms : null
}

const isPlausibleTime = (ms: number, receivedMs: number) => ms >= firstYearMs && ms <= receivedMs + aheadMs

/** Milliseconds that the charger's clock is behind, from a message that it sent at once; null: plausible. */
export const skewOf = (stamp: string | null, receivedMs: number): number | null => {
  const ms = readStamp(stamp)
  return ms === null || isPlausibleTime(ms, receivedMs) ? null : receivedMs - ms
}

/**
 * The charger's own stamp where it is plausible. A stamp before 2020 or in the future is moved by the skew of the clock where that gives a plausible
 * time; otherwise the time of receipt is used.
 */
export const effectiveTime = (stamp: string | null, receivedMs: number, skewMs: number | null) => {
  const ms = readStamp(stamp)
  if (ms === null) return { atMs: receivedMs, isMoved: true }
  if (isPlausibleTime(ms, receivedMs)) return { atMs: Math.min(ms, receivedMs), isMoved: false }
  const moved = skewMs === null ? null : ms + skewMs
  const isPossible = moved !== null && moved > receivedMs - oldestMs && moved <= receivedMs + aheadMs
  return { atMs: isPossible ? Math.min(moved, receivedMs) : receivedMs, isMoved: true }
}

export type Message = {
  charger: Charger
  messageId: string
  generation: number
  receivedMs: number
  skewMs: number | null
  write: (outcome: Outcome) => string
}

/** A message that arrives later than this after its event was stored on the charger (decision 2.17): it does not describe the current state. */
const lateMs = 15 * minuteMs
export const isLate = ({ receivedMs }: Pick<Message, 'receivedMs'>, atMs: number): boolean => receivedMs - atMs > lateMs

export type Answered = { outcome: Outcome; transactionId: string | null; isLate?: boolean }

type Key = { key: string; at: string | null; isTimed?: boolean }

const selectMessages = (tx: Tx, { customerId, chargerId }: Charger) =>
  tx
    .selectFrom('charger_message as m')
    .select(['m.answer', 'm.message_id', 'm.generation', 'm.received_at'])
    .where('m.customer_id', '=', customerId)
    .where('m.charger_id', '=', chargerId)

/** A charger repeats a message without an answer within this time. */
const repeatMs = 15 * minuteMs

/**
 * A stopped clock gives each session the same timestamp, and a clock that restarts with each boot repeats its timestamps. A message with an
 * implausible timestamp is therefore a repetition only with the same connection and message id, or while the session that it began is open.
 */
const findRepeated = async (tx: Tx, message: Message, key: string) => {
  const { charger, messageId, generation, receivedMs } = message
  const last = await selectMessages(tx, charger)
    .leftJoin('charger_transaction as t', onKey('t', 'm', 'transaction_id'))
    .select('t.state')
    .where(sql<boolean>`starts_with(m.natural_key, ${`${key}|`})`)
    .orderBy('m.received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return undefined
  const isSame = last.message_id === messageId && last.generation === generation
  const isOpen = key.startsWith('stop|') || openStates.some((state) => state === last.state)
  return isSame || (isOpen && receivedMs - last.received_at.getTime() < repeatMs) ? last : undefined
}

/** Processes each message once, however often it arrives: every answer equals the first, byte for byte. */
export const answerOnce = async (
  tx: Tx,
  message: Message,
  { key, at, isTimed = false }: Key,
  work: (atMs: number) => Promise<Answered>,
): Promise<string> => {
  const { charger, receivedMs, skewMs, messageId, generation } = message
  const { atMs, isMoved } = effectiveTime(at, receivedMs, skewMs)
  const isDistrusted = isMoved && isTimed
  const repeated = isDistrusted
    ? await findRepeated(tx, message, key)
    : await selectMessages(tx, charger).where('m.natural_key', '=', key).executeTakeFirst()
  if (repeated) return repeated.answer
  const { outcome, transactionId, isLate = false } = await work(atMs)
  const answer = message.write(outcome)
  await insertRow(tx, charger.customerId, 'charger_message', {
    charger_id: charger.chargerId,
    natural_key: isDistrusted ? `${key}|${generation}|${messageId}` : key,
    transaction_id: transactionId,
    message_id: messageId,
    generation,
    said_at: at,
    received_at: new Date(receivedMs),
    effective_at: new Date(atMs),
    late: isLate,
    answer,
  }).execute()
  return answer
}
