import type { App } from '#context.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Tx } from '#platform/records/records.ts'
import { updateRows } from '#platform/records/rows.ts'
import type { CallAnswer, Connection } from '#protocols/ocpp/connection.ts'
import { isYes, type Order, type VariableName } from '#protocols/ocpp/orders.ts'
import { z } from 'zod'
import { saveVariables } from './configuration.ts'
import { portalTagOf } from '#charging/ledger/directory.ts'
import type { Kept } from './give.ts'

/** The sending side of a command: claimed once, sent once, closed by the charger's answer (security rule C3). */

const takeToSend = (tx: Tx, commandId: string, now: Date) =>
  tx
    .updateTable('charger_command as c')
    .from('charger as k')
    .set({ state: 'sent', sent_at: now })
    .whereRef('k.customer_id', '=', 'c.customer_id')
    .whereRef('k.charger_id', '=', 'c.charger_id')
    .where('c.command_id', '=', commandId)
    .where('c.state', '=', 'queued')
    .where('c.expires_at', '>', now)
    .returning((of) => [
      ...([
        'c.customer_id',
        'c.charger_id',
        'c.action',
        'c.evse_no',
        'c.no',
        'c.asked',
        'c.expires_at',
        'k.name',
      ] as const),
      of
        .selectFrom('charger_transaction as t')
        .whereRef('t.customer_id', '=', 'c.customer_id')
        .whereRef('t.transaction_id', '=', 'c.transaction_id')
        .select('t.no')
        .as('transaction_no'),
      of
        .selectFrom('charger_transaction as t')
        .whereRef('t.customer_id', '=', 'c.customer_id')
        .whereRef('t.transaction_id', '=', 'c.transaction_id')
        .select('t.ocpp_id')
        .as('ocpp_id'),
      of
        .selectFrom('charger_tag as g')
        .whereRef('g.customer_id', '=', 'c.customer_id')
        .whereRef('g.tag_id', '=', 'c.tag_id')
        .select('g.tag')
        .as('tag'),
    ])
    .executeTakeFirst()

const chargerOf = async (tx: Tx, commandId: string) => {
  const found = await tx
    .selectFrom('charger_command')
    .select('charger_id')
    .where('command_id', '=', commandId)
    .executeTakeFirst()
  return found?.charger_id
}

type Taken = NonNullable<Awaited<ReturnType<typeof takeToSend>>>

const orderOf = (taken: Taken): Order => {
  if (taken.asked) return { ...(taken.asked as Kept), no: taken.no } as Order // written by `give`
  return taken.action === 'start'
    ? { kind: 'start', evse: taken.evse_no, tag: taken.tag ?? portalTagOf(taken.customer_id), no: taken.no }
    : { kind: 'stop', transactionNo: taken.transaction_no ?? -1, transactionId: taken.ocpp_id }
}

const closing = (answer: CallAnswer): { state: string; answer: string | null } => {
  if (answer.kind === 'refused') return { state: 'failed', answer: `${answer.code} ${answer.description}`.trim() }
  if (answer.kind !== 'answered') return { state: answer.kind, answer: null }
  return { state: isYes(answer.status) ? 'accepted' : 'rejected', answer: answer.status }
}

const close = async ({ records, clock }: App, commandId: string, taken: Taken, answer: CallAnswer) => {
  const closed = closing(answer)
  await records.system(async (tx) => {
    const now = new Date(clock.now())
    const told = answer.kind === 'answered' ? answer.variables : []
    const of = { customerId: taken.customer_id, chargerId: taken.charger_id }
    if (told.length > 0) await saveVariables(tx, of, told, now, taken.action === 'read-all')
    await updateRows(tx, taken.customer_id, 'charger_command', { command_id: commandId, is_open: true })
      .set({ ...closed, is_open: false, answered_at: now, asked: null })
      .execute()
    rowChanged(tx, 'charger-answer', commandId)
    await writeAudit(tx, taken.customer_id, clock.now(), {
      userId: null,
      who: taken.name,
      action: 'charger.answer',
      subject: taken.name,
      result: closed.state === 'accepted' ? 'ok' : 'refused',
      after: { command: commandId, action: taken.action, answer: closed.answer ?? closed.state },
    })
  })
}

const saveLate = ({ records }: App, commandId: string, taken: Taken, answer: CallAnswer) =>
  records.system((tx) =>
    updateRows(tx, taken.customer_id, 'charger_command', { command_id: commandId })
      .set({ late_answer: closing(answer).answer })
      .execute(),
  )

export const sendChargerCommands = (app: App, connectionOf: (chargerId: string) => Connection | null): (() => void) => {
  const { records, bus, log, clock } = app
  const failed = (commandId: string) => (error: unknown) =>
    log.warn({ err: error, command: commandId }, 'charger command failed: not sent, or its answer not stored')
  const send = async (commandId: string) => {
    const found = await records.system(async (tx) => {
      const chargerId = await chargerOf(tx, commandId)
      const connection = chargerId === undefined ? null : connectionOf(chargerId)
      if (!connection) return null
      const taken = await takeToSend(tx, commandId, new Date(clock.now()))
      return taken ? { connection, taken } : null
    })
    if (!found) return
    const { connection, taken } = found
    const late = (answer: CallAnswer) => void saveLate(app, commandId, taken, answer).catch(failed(commandId))
    const order = orderOf(taken)
    const answer = await connection.call(order, { late, untilMs: taken.expires_at.getTime() })
    await close(app, commandId, taken, answer)
    if (order.kind === 'write' && answer.kind === 'answered' && isYes(answer.status))
      await readBack(connection, taken, order)
  }
  /** The value is read back because a charger may round it. */
  const readBack = async (connection: Connection, taken: Taken, { component, variable }: VariableName) => {
    const told = await connection.call({ kind: 'read', variables: [{ component, variable }] }, { isQuiet: true })
    if (told.kind !== 'answered' || told.variables.length === 0) return
    const of = { customerId: taken.customer_id, chargerId: taken.charger_id }
    await records.system((tx) => saveVariables(tx, of, told.variables, new Date(clock.now()), false))
  }
  return bus.listen('charger-command', (told) => {
    const id = z.uuid().safeParse(told)
    if (id.success) send(id.data).catch(failed(id.data))
  })
}
