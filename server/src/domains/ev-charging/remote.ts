import * as contract from '@gridmast/contract/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { route } from '#context.ts'
import { openStates } from '#charging/connectors.ts'
import { awaitAnswer } from '#platform/await-answer.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/records.ts'
import { getCharger } from './fleet.ts'

/** Starts and stops from the portal: checked and committed, told to whoever has the charger's socket, answered with the charger's own word (C3). */

/** What it waits for, and a little for the way back. */
const waitMs = limits.chargerAnswerMs + 2000

const findOpen = (tx: Tx, customerId: string, chargerId: string, evseNo: number) =>
  tx
    .selectFrom('charger_transaction')
    .select('transaction_id')
    .where('customer_id', '=', customerId)
    .where('charger_id', '=', chargerId)
    .where('evse_no', '=', evseNo)
    .where('state', 'in', openStates)
    .where('refused', '=', false)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()

type New = {
  commandId: string
  chargerId: string
  evseNo: number
  action: 'start' | 'stop'
  userId: string
  nowMs: number
}

const add = async (tx: Tx, customerId: string, command: New): Promise<string> => {
  const { commandId, chargerId, evseNo, action, userId, nowMs } = command
  const charger = await getCharger(tx, customerId, chargerId)
  if (evseNo > charger.connectors) throw new Refusal(409, m.noSuchConnector)
  if (!charger.online) throw new Refusal(409, m.chargerOffline)
  const open = await findOpen(tx, customerId, chargerId, evseNo)
  if (action === 'start' && open) throw new Refusal(409, m.connectorCharging)
  if (action === 'stop' && !open) throw new Refusal(409, m.connectorIdle)
  const of = tx
    .updateTable('charger_command')
    .set({ state: 'timeout', is_open: false })
    .where('customer_id', '=', customerId)
    .where('charger_id', '=', chargerId)
    .where('evse_no', '=', evseNo)
  // What a process that died left open gives way once its time is over.
  await of.where('is_open', '=', true).where('expires_at', '<=', new Date(nowMs)).execute()
  const recent = await tx
    .selectFrom('charger_command')
    .select('command_id')
    .where('customer_id', '=', customerId)
    .where('charger_id', '=', chargerId)
    .where('evse_no', '=', evseNo)
    .where('issued_at', '>', new Date(nowMs - limits.chargerCommandEveryMs))
    .executeTakeFirst()
  if (recent) throw new Refusal(409, m.chargerCommandOpen)
  const added = await tx
    .insertInto('charger_command')
    .values({
      ...{ customer_id: customerId, command_id: commandId, charger_id: chargerId, evse_no: evseNo, action },
      ...{ transaction_id: open?.transaction_id ?? null, user_id: userId, state: 'queued' },
      ...{ issued_at: new Date(nowMs), expires_at: new Date(nowMs + waitMs) },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'charger_id', 'evse_no'])
        .where(sql<boolean>`is_open`)
        .doNothing(),
    )
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) throw new Refusal(409, m.chargerCommandOpen)
  return charger.name
}

const read = (tx: Tx, customerId: string, commandId: string) =>
  tx
    .selectFrom('charger_command')
    .select(['state', 'answer', 'is_open'])
    .where('customer_id', '=', customerId)
    .where('command_id', '=', commandId)
    .executeTakeFirstOrThrow()

type Asked = Parameters<Parameters<typeof route<typeof contract.remoteStart>>[1]>[0]

const give = async (action: 'start' | 'stop', { app, own, audit, viewer, nowMs, body }: Asked) => {
  const { chargerId, connectorId: evseNo } = body
  const command = { commandId: newId(nowMs), chargerId, evseNo, action, userId: viewer.userId, nowMs }
  const { commandId } = command
  // Before the commit: no answer is quicker than the ear for it.
  const waiting = awaitAnswer(app, {
    ...{ topic: 'charger-answer', id: commandId, waitMs },
    isAnswered: async () => !(await own((tx, id) => read(tx, id, commandId))).is_open,
  })
  try {
    await own(async (tx, customerId) => {
      const name = await add(tx, customerId, command)
      await audit(tx, `charger.${action}`, name, { after: { command: commandId, connectorId: evseNo } })
    })
    app.news.changed('charger-command', commandId)
    await waiting.ended
  } finally {
    waiting.stop()
  }
  const { state, answer } = await own(async (tx, customerId) => {
    const given = await read(tx, customerId, commandId)
    if (!given.is_open) return given
    await tx
      .updateTable('charger_command')
      .set({ state: 'timeout', is_open: false })
      .where('customer_id', '=', customerId)
      .where('command_id', '=', commandId)
      .where('is_open', '=', true)
      .execute()
    return read(tx, customerId, commandId)
  })
  return { status: answer ?? m.chargerSilent, accepted: state === 'accepted' }
}

export const remote = [
  route(contract.remoteStart, (asked) => give('start', asked)),
  route(contract.remoteStop, (asked) => give('stop', asked)),
]
