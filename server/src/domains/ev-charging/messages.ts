import type { Tx } from '#platform/records.ts'
import type { Outcome } from '#protocols/ocpp/facts.ts'
import type { Charger } from './directory.ts'
import { effectiveTime } from './effective-time.ts'

/** A message about a transaction as it came. */
export type Message = {
  charger: Charger
  messageId: string
  generation: number
  receivedMs: number
  /** How far the charger's clock is behind, where it showed that it cannot be right. */
  skewMs: number | null
  /** The outcome in the protocol's words. */
  write: (outcome: Outcome) => string
}

/** What comes longer than this after it happened was kept for later (decision 2.17): it says nothing of now. */
const lateMs = 15 * 60_000
export const isToldLate = ({ receivedMs }: Pick<Message, 'receivedMs'>, atMs: number): boolean =>
  receivedMs - atMs > lateMs

export type Answered = { outcome: Outcome; transactionId: string | null; isLate?: boolean }

/** Works once for each thing that is said, however often: the answer of the first time is the answer of every time, byte for byte. */
export const answerOnce = async (
  tx: Tx,
  message: Message,
  said: { key: string; at: string | null },
  work: (atMs: number) => Promise<Answered>,
): Promise<string> => {
  const { charger, receivedMs, skewMs } = message
  const own = { customer_id: charger.customerId, charger_id: charger.chargerId }
  const known = await tx
    .selectFrom('charger_message')
    .select('answer')
    .where('customer_id', '=', own.customer_id)
    .where('charger_id', '=', own.charger_id)
    .where('natural_key', '=', said.key)
    .executeTakeFirst()
  if (known) return known.answer
  const { atMs } = effectiveTime(said.at, receivedMs, skewMs)
  const { outcome, transactionId, isLate = false } = await work(atMs)
  const answer = message.write(outcome)
  await tx
    .insertInto('charger_message')
    .values({
      ...own,
      natural_key: said.key,
      transaction_id: transactionId,
      message_id: message.messageId,
      generation: message.generation,
      said_at: said.at,
      received_at: new Date(receivedMs),
      effective_at: new Date(atMs),
      late: isLate,
      answer,
    })
    .execute()
  return answer
}
