import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, updateRows } from '#platform/records/rows.ts'

/** A command to a charger is a row; the process with the charger's socket sends it once, after its commit (security rule C1). */

/** The charger's time limit, plus 2 s for the way back of its answer. */
export const commandWaitMs = limits.chargerAnswerMs + 2000

type NewCommand = {
  customerId: string
  chargerId: string
  evseNo: number
  action: string
  asked?: object | null
  transactionId?: string | null
  /** Start only: the tag of the session; null is the portal's own tag. */
  tagId?: string | null
  /** Null for a command of a rule. */
  userId: string | null
  nowMs: number
}

export const queueCommand = async (
  tx: Tx,
  {
    customerId,
    chargerId,
    evseNo,
    action,
    asked = null,
    transactionId = null,
    tagId = null,
    userId,
    nowMs,
  }: NewCommand,
  commandId = newId(nowMs),
): Promise<string | null> => {
  await updateRows(tx, customerId, 'charger_command', { charger_id: chargerId, evse_no: evseNo, is_open: true })
    .set({ state: 'timeout', is_open: false, asked: null })
    .where('expires_at', '<=', new Date(nowMs))
    .execute()
  const added = await insertRow(tx, customerId, 'charger_command', {
    command_id: commandId,
    charger_id: chargerId,
    evse_no: evseNo,
    action,
    transaction_id: transactionId,
    tag_id: tagId,
    user_id: userId,
    state: 'queued',
    asked: asked && JSON.stringify(asked),
    issued_at: new Date(nowMs),
    expires_at: new Date(nowMs + commandWaitMs),
  })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'charger_id', 'evse_no'])
        .where(sql<boolean>`is_open`)
        .doNothing(),
    )
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) return null
  rowChanged(tx, 'charger-command', commandId)
  return commandId
}
