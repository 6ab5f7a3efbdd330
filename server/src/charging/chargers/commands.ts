import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, insertRows, type RowOf, updateRows } from '#platform/records/rows.ts'
import { type Variable, isYes, type Order } from '#protocols/ocpp/orders.ts'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { CallAnswer, Connection } from '#protocols/ocpp/connection.ts'
import { z } from 'zod'
import { type ChargerKey, portalTagOf } from '#charging/ledger/directory.ts'
import type { Fact } from '#protocols/ocpp/facts.ts'

/** A command to a charger is a row; the process with the charger's socket sends it once, after its commit (security rule C1). */

/** The charger's time limit, plus 2 s for the way back of its answer. */
export const commandWaitMs = limits.chargerAnswerMs + 2000

type Without<O> = O extends { no: number } ? Omit<O, 'no'> : O
export type StoredOrder = Without<Exclude<Order, { kind: 'start' | 'stop' }>>

/** `tag_id` is the tag of a start, else the portal's own; `user_id` is null for a command of a rule. */
type NewCommand = Pick<RowOf<'charger_command'>, 'charger_id' | 'evse_no' | 'action' | 'user_id'> &
  Partial<Pick<RowOf<'charger_command'>, 'transaction_id' | 'tag_id'>>

/** The command's id, or null where another command of the connector is open. */
export const queueCommand = async (
  tx: Tx,
  customerId: string,
  command: NewCommand,
  nowMs: number,
  { order = null, commandId = newId(nowMs) }: { order?: StoredOrder | null; commandId?: string } = {},
): Promise<string | null> => {
  const { charger_id, evse_no } = command
  await updateRows(tx, customerId, 'charger_command', { charger_id, evse_no, is_open: true })
    .set({ state: 'timeout', is_open: false, asked: null })
    .where('expires_at', '<=', new Date(nowMs))
    .execute()
  const added = await insertRow(tx, customerId, 'charger_command', {
    ...command,
    command_id: commandId,
    state: 'queued',
    asked: order && JSON.stringify(order),
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

const maxVariables = 2000
/** Credentials of a charger are never shown. */
const hidden = /AuthorizationKey|BasicAuthPassword/i

/** `isWhole`: the answer has all variables of the charger. */
export const saveVariables = async (
  tx: Tx,
  { customerId, chargerId }: ChargerKey,
  variables: readonly Variable[],
  now: Date,
  isWhole: boolean,
) => {
  // An upsert must not write the same row twice.
  const rows = [...new Map(variables.map((one) => [`${one.component} ${one.variable}`, one])).values()].slice(
    0,
    maxVariables,
  )
  const columns = rows.map(({ component, variable, value, isReadOnly }) => ({
    customer_id: customerId,
    charger_id: chargerId,
    component: component.slice(0, 60),
    variable: variable.slice(0, 60),
    read_at: now,
    value: hidden.test(variable) ? null : value,
    read_only: isReadOnly,
  }))
  // The answer for a single setting does not state whether it is writable.
  const readOnly = isWhole ? sql`, read_only = excluded.read_only` : sql``
  if (columns.length > 0)
    await sql`${insertRows('charger_variable', columns)} on conflict (customer_id, charger_id, component, variable)
      do update set value = excluded.value, read_at = excluded.read_at ${readOnly}`.execute(tx)
  if (!isWhole) return
  await updateRows(tx, customerId, 'charger', { charger_id: chargerId }).set({ configuration_read_at: now }).execute()
}

type Progress = Extract<Fact, { kind: 'progress' }>

export const saveProgress = (tx: Tx, { customerId, chargerId }: ChargerKey, { what, status }: Progress, now: Date) =>
  updateRows(tx, customerId, 'charger', { charger_id: chargerId })
    .set({ [`${what}_status`]: status.slice(0, 60), [`${what}_status_at`]: now })
    .execute()

/** The sending side of a command: claimed once, sent once, closed by the charger's answer (security rule C3). */

const claimCommand = async (tx: Tx, commandId: string, now: Date) => {
  const [row] = await sqlRows<Claimed>(tx)`
    update charger_command c set state = 'sent', sent_at = ${now}
    from charger k
    where k.customer_id = c.customer_id and k.charger_id = c.charger_id
      and c.command_id = ${commandId} and c.state = 'queued' and c.expires_at > ${now}
    returning c.customer_id, c.charger_id, c.action, c.evse_no, c.no, c.asked, c.expires_at, k.name,
      (select t.no from charger_transaction t where t.customer_id = c.customer_id and t.transaction_id = c.transaction_id) as transaction_no,
      (select t.ocpp_id from charger_transaction t where t.customer_id = c.customer_id and t.transaction_id = c.transaction_id) as ocpp_id,
      (select g.tag from charger_tag g where g.customer_id = c.customer_id and g.tag_id = c.tag_id) as tag`
  return row
}

type Claimed = RowOf<
  'charger_command',
  'customer_id' | 'charger_id' | 'action' | 'evse_no' | 'no' | 'asked' | 'expires_at'
> & { name: string; transaction_no: number | null; ocpp_id: string | null; tag: string | null }

const keyOf = ({ customer_id, charger_id }: Claimed): ChargerKey => ({ customerId: customer_id, chargerId: charger_id })

const orderOf = (claimed: Claimed): Order => {
  if (claimed.asked) return { ...(claimed.asked as StoredOrder), no: claimed.no } as Order // written by `queueCommand`
  return claimed.action === 'start'
    ? { kind: 'start', evse: claimed.evse_no, tag: claimed.tag ?? portalTagOf(claimed.customer_id), no: claimed.no }
    : { kind: 'stop', transactionNo: claimed.transaction_no ?? -1, transactionId: claimed.ocpp_id }
}

const resultOf = (answer: CallAnswer): { state: string; answer: string | null } => {
  if (answer.kind === 'refused') return { state: 'failed', answer: `${answer.code} ${answer.description}`.trim() }
  if (answer.kind !== 'answered') return { state: answer.kind, answer: null }
  return { state: isYes(answer.status) ? 'accepted' : 'rejected', answer: answer.status }
}

const close = async ({ records, clock }: App, commandId: string, claimed: Claimed, answer: CallAnswer) => {
  const closed = resultOf(answer)
  await records.system(async (tx) => {
    const now = new Date(clock.now())
    const variables = answer.kind === 'answered' ? answer.variables : []
    if (variables.length > 0) await saveVariables(tx, keyOf(claimed), variables, now, claimed.action === 'read-all')
    await updateRows(tx, claimed.customer_id, 'charger_command', { command_id: commandId, is_open: true })
      .set({ ...closed, is_open: false, answered_at: now, asked: null })
      .execute()
    rowChanged(tx, 'charger-answer', commandId)
    await writeAudit(tx, claimed.customer_id, clock.now(), {
      userId: null,
      who: claimed.name,
      action: 'charger.answer',
      subject: claimed.name,
      result: closed.state === 'accepted' ? 'ok' : 'refused',
      after: { command: commandId, action: claimed.action, answer: closed.answer ?? closed.state },
    })
  })
}

export const sendChargerCommands = (app: App, connectionOf: (chargerId: string) => Connection | null): (() => void) => {
  const { records, bus, log, clock } = app
  const failed = (commandId: string) => (error: unknown) =>
    log.warn({ err: error, command: commandId }, 'charger command not sent, or its answer not stored')
  const send = async (commandId: string) => {
    const sending = await records.system(async (tx) => {
      const command = await tx
        .selectFrom('charger_command')
        .select('charger_id')
        .where('command_id', '=', commandId)
        .executeTakeFirst()
      const connection = command ? connectionOf(command.charger_id) : null
      const claimed = connection && (await claimCommand(tx, commandId, new Date(clock.now())))
      return claimed && { connection, claimed }
    })
    if (!sending) return
    const { connection, claimed } = sending
    const saveLate = (tx: Tx, answer: CallAnswer) =>
      updateRows(tx, claimed.customer_id, 'charger_command', { command_id: commandId })
        .set({ late_answer: resultOf(answer).answer })
        .execute()
    const late = (answer: CallAnswer) => void records.system((tx) => saveLate(tx, answer)).catch(failed(commandId))
    const order = orderOf(claimed)
    const answer = await connection.call(order, { late, untilMs: claimed.expires_at.getTime() })
    await close(app, commandId, claimed, answer)
    if (order.kind !== 'write' || answer.kind !== 'answered' || !isYes(answer.status)) return
    // The value is read back because a charger may round it.
    const { component, variable } = order
    const stored = await connection.call({ kind: 'read', variables: [{ component, variable }] }, { isQuiet: true })
    if (stored.kind !== 'answered' || stored.variables.length === 0) return
    await records.system((tx) => saveVariables(tx, keyOf(claimed), stored.variables, new Date(clock.now()), false))
  }
  return bus.listen('charger-command', (message) => {
    const id = z.uuid().safeParse(message)
    if (id.success) send(id.data).catch(failed(id.data))
  })
}
