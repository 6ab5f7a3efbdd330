import { awaitAnswer } from '#platform/messaging/bus.ts'
import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { Viewer } from '#access/viewer.ts'
import type { App } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { isYes } from '#protocols/ocpp/orders.ts'
import { commandWaitMs, queueCommand, type StoredOrder } from './commands.ts'
import { getCharger } from './fleet.ts'

/** Commands from the portal: committed, passed to the process with the charger's socket, then answered by the charger (security rules C1, C3). */

type Command = {
  chargerId: string
  evseNo: number
  order: StoredOrder | { kind: 'start'; tagId: string | null } | { kind: 'stop' }
  /** Refuses the command, or resolves with the transaction that it is about. */
  check?: (tx: Tx, customerId: string) => Promise<string | null>
  /** Minimum time between two equal commands of a connector; a stop may follow a start at once. */
  everyMs?: number
}

export type Sender = Own & { app: App; viewer: Viewer; nowMs: number }

/** Addresses contain user names and passwords, and a setting may be a secret. */
const isSecret = /key|password|secret/i
const withoutSecrets = (order: StoredOrder): object => {
  if (order.kind === 'write' && isSecret.test(order.variable)) return { ...order, value: '***' }
  return 'location' in order ? { ...order, location: order.location.replace(/\/\/[^/@]*@/, '//***@') } : order
}

const auditOf = (order: Command['order']): { action: AuditAction; after: object } => {
  if (order.kind === 'start') return { action: 'charger.start', after: order.tagId ? { tagId: order.tagId } : {} }
  if (order.kind === 'stop') return { action: 'charger.stop', after: {} }
  return { action: 'charger.command', after: { action: order.kind, ...withoutSecrets(order) } }
}

const add = async (tx: Tx, customerId: string, commandId: string, command: Command, sender: Sender) => {
  const { chargerId: charger_id, evseNo: evse_no, order, everyMs } = command
  const { nowMs, viewer } = sender
  const charger = await getCharger(tx, customerId, charger_id, true)
  if (evse_no > charger.connectors) throw new Refusal(409, m.noSuchConnector)
  if (!charger.online) throw new Refusal(409, m.chargerOffline)
  const transaction_id = (await command.check?.(tx, customerId)) ?? null
  const key = { charger_id, evse_no, action: order.kind }
  if (everyMs !== undefined) {
    const recent = selectRows(tx, customerId, 'charger_command', key).select('command_id')
    if (await recent.where('issued_at', '>', new Date(nowMs - everyMs)).executeTakeFirst())
      throw new Refusal(409, m.chargerCommandOpen)
  }
  const row = { ...key, transaction_id, tag_id: order.kind === 'start' ? order.tagId : null, user_id: viewer.userId }
  const stored = order.kind === 'start' || order.kind === 'stop' ? null : order
  if (!(await queueCommand(tx, customerId, row, nowMs, { order: stored, commandId })))
    throw new Refusal(409, m.chargerCommandOpen)
  const { action, after } = auditOf(order)
  await sender.audit(tx, action, charger.name, { after: { command: commandId, connectorId: evse_no, ...after } })
}

const read = (tx: Tx, customerId: string, commandId: string) =>
  getRow(tx, customerId, 'charger_command', { command_id: commandId }, ['state', 'answer', 'is_open'])

export const sendCommand = async (sender: Sender, command: Command): Promise<{ status: string; accepted: boolean }> => {
  const { app, own } = sender
  const commandId = newId(sender.nowMs)
  // Subscribed before the commit, so that no answer is missed.
  const waiting = awaitAnswer(app, {
    topic: 'charger-answer',
    id: commandId,
    waitMs: commandWaitMs,
    isAnswered: async () => !(await own((tx, id) => read(tx, id, commandId))).is_open,
  })
  try {
    await own((tx, customerId) => add(tx, customerId, commandId, command, sender))
    await waiting.ended
  } finally {
    waiting.stop()
  }
  const { state, answer } = await own(async (tx, customerId) => {
    const row = await read(tx, customerId, commandId)
    if (!row.is_open) return row
    await updateRows(tx, customerId, 'charger_command', { command_id: commandId, is_open: true })
      .set({ state: 'timeout', is_open: false, asked: null })
      .execute()
    return read(tx, customerId, commandId)
  })
  return { status: answer ?? m.chargerSilent, accepted: state === 'accepted' && (answer === null || isYes(answer)) }
}
