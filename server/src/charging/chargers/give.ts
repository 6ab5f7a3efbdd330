import { m } from '@gridmast/contract/messages.ts'
import type { Viewer } from '#access/viewer.ts'
import { commandWaitMs, queueCommand } from './command-rows.ts'
import type { App } from '#context.ts'
import { awaitAnswer } from '#platform/messaging/bus.ts'
import { Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows, updateRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { isYes, type Order } from '#protocols/ocpp/orders.ts'
import { getCharger } from './fleet.ts'

/** Commands from the portal: committed, passed to the process with the charger's socket, then answered by the charger (security rules C1, C3). */

type Without<O> = O extends { no: number } ? Omit<O, 'no'> : O
export type Kept = Without<Exclude<Order, { kind: 'start' | 'stop' }>>

type Command = {
  chargerId: string
  evseNo: number
  action: string
  asked: Kept | null
  transaction?: (tx: Tx, customerId: string) => Promise<string | null>
  tagId?: string | null
  /** Minimum time between two equal commands of a connector; a stop may follow a start at once. */
  everyMs?: number
  audited: 'charger.start' | 'charger.stop' | 'charger.command'
}

type By = Own & { app: App; viewer: Viewer; nowMs: number }

const checkRecent = async (tx: Tx, customerId: string, command: Command, sinceMs: number) => {
  const recent = await selectRows(tx, customerId, 'charger_command', {
    charger_id: command.chargerId,
    evse_no: command.evseNo,
    action: command.action,
  })
    .select('command_id')
    .where('issued_at', '>', new Date(sinceMs))
    .executeTakeFirst()
  if (recent) throw new Refusal(409, m.chargerCommandOpen)
}

const add = async (tx: Tx, customerId: string, commandId: string, command: Command, by: By): Promise<string> => {
  const { chargerId, evseNo, action, asked, tagId = null } = command
  const { nowMs, viewer } = by
  const charger = await getCharger(tx, customerId, chargerId, true)
  if (evseNo > charger.connectors) throw new Refusal(409, m.noSuchConnector)
  if (!charger.online) throw new Refusal(409, m.chargerOffline)
  const transactionId = (await command.transaction?.(tx, customerId)) ?? null
  if (command.everyMs !== undefined) await checkRecent(tx, customerId, command, nowMs - command.everyMs)
  const queued = { customerId, chargerId, evseNo, action, asked, transactionId, tagId, userId: viewer.userId, nowMs }
  if (!(await queueCommand(tx, queued, commandId))) throw new Refusal(409, m.chargerCommandOpen)
  return charger.name
}

const read = (tx: Tx, customerId: string, commandId: string) =>
  selectRows(tx, customerId, 'charger_command', { command_id: commandId })
    .select(['state', 'answer', 'is_open'])
    .executeTakeFirstOrThrow()

export const give = async (by: By, command: Command): Promise<{ status: string; accepted: boolean }> => {
  const { app, own, audit } = by
  const commandId = newId(by.nowMs)
  // Subscribed before the commit, so that no answer is missed.
  const waiting = awaitAnswer(app, {
    topic: 'charger-answer',
    id: commandId,
    waitMs: commandWaitMs,
    isAnswered: async () => !(await own((tx, id) => read(tx, id, commandId))).is_open,
  })
  try {
    await own(async (tx, customerId) => {
      const name = await add(tx, customerId, commandId, command, by)
      const { evseNo, action, asked, tagId = null } = command
      await audit(tx, command.audited, name, {
        after: {
          command: commandId,
          connectorId: evseNo,
          ...(tagId && { tagId }),
          ...(asked && { action, ...withoutSecrets(asked) }),
        },
      })
    })
    await waiting.ended
  } finally {
    waiting.stop()
  }
  const { state, answer } = await own(async (tx, customerId) => {
    const given = await read(tx, customerId, commandId)
    if (!given.is_open) return given
    await updateRows(tx, customerId, 'charger_command', { command_id: commandId, is_open: true })
      .set({ state: 'timeout', is_open: false, asked: null })
      .execute()
    return read(tx, customerId, commandId)
  })
  return { status: answer ?? m.chargerSilent, accepted: state === 'accepted' && (answer === null || isYes(answer)) }
}

/** Addresses contain user names and passwords, and a setting may be a secret. */
const isSecret = /key|password|secret/i
const withoutSecrets = (asked: Kept): object => {
  if (asked.kind === 'write' && isSecret.test(asked.variable)) return { ...asked, value: '***' }
  return 'location' in asked ? { ...asked, location: asked.location.replace(/\/\/[^/@]*@/, '//***@') } : asked
}
