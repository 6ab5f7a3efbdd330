import { type EdgeCommandResult, type EdgeCommand, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import type { EquipmentCommand } from '@gridmast/contract/delivery/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import { z } from 'zod'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { type New, hasRow, insertRow, type RowOf, selectRows, updateRows } from '#platform/records/rows.ts'
import type { App } from '#context.ts'
import { allEdges, isInPartition, type Partition } from '#delivery/instances/partition.ts'
import { writeAudit } from '#platform/records/audit.ts'

export type CommandRow = RowOf<'equipment_command'>

export const toCommand = (row: CommandRow): EquipmentCommand => ({
  _id: row.command_id,
  setPoint: row.set_point,
  status: row.status,
  detail: row.detail,
  issuedAt: row.issued_at.toISOString(),
  answeredAt: row.answered_at?.toISOString() ?? null,
  heldUntil: row.held_until.toISOString(),
})

/** False while another command of the edge is open (security rules C1, R4): a unique index decides between concurrent requests. */
export const addCommand = async (
  tx: Tx,
  customerId: string,
  command: New<'equipment_command'> & { command_id: string },
): Promise<boolean> => {
  const added = await insertRow(tx, customerId, 'equipment_command', { ...command })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'edge_id'])
        .where(sql<boolean>`is_open`)
        .doNothing(),
    )
    .executeTakeFirst()
  const isAdded = (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  if (isAdded) rowChanged(tx, 'command', command.command_id)
  return isAdded
}

export const logCommands = async (
  tx: Tx,
  customerId: string,
  entries: { instance_id: string; device_id: string; command: string; at: Date | string }[],
): Promise<void> => {
  await tx
    .insertInto('command_log')
    .values(entries.map((entry) => ({ customer_id: customerId, ...entry })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const closeAs = (tx: Tx, customerId: string) =>
  updateRows(tx, customerId, 'equipment_command', { is_open: true })
    .set({ is_open: false, status: m.noResponseFromEdge })
    .returningAll()

export const closeUnanswered = (tx: Tx, customerId: string, commandId: string): Promise<CommandRow | undefined> =>
  closeAs(tx, customerId).where('command_id', '=', commandId).executeTakeFirst()

export const closeExpired = (tx: Tx, customerId: string, edgeId: string, now: Date): Promise<CommandRow | undefined> =>
  closeAs(tx, customerId).where('edge_id', '=', edgeId).where('expires_at', '<=', now).executeTakeFirst()

export const getCommand = (tx: Tx, customerId: string, commandId: string): Promise<CommandRow> =>
  selectRows(tx, customerId, 'equipment_command', { command_id: commandId }).selectAll().executeTakeFirstOrThrow()

export const findNewestCommand = (tx: Tx, customerId: string, edgeId: string, instanceId: string) =>
  selectRows(tx, customerId, 'equipment_command', { edge_id: edgeId })
    .selectAll()
    .where((is) => is.or([is('instance_id', '=', instanceId), is('instance_id', 'is', null)]))
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Claims a command before it is published: one claim over all processes and retries (security rule C1). */
const claim = (tx: Tx, partition: Partition, commandId: string, now: Date) =>
  tx
    .updateTable('equipment_command as c')
    .from('edge as e')
    .set({ sent_at: now })
    .whereRef('e.customer_id', '=', 'c.customer_id')
    .whereRef('e.edge_id', '=', 'c.edge_id')
    .where('c.command_id', '=', commandId)
    .where('c.is_open', '=', true)
    .where('c.sent_at', 'is', null)
    .where('c.expires_at', '>', now)
    .where(isInPartition('e.key', partition))
    .returning((of) => [
      ...(['e.key as edge_key', 'c.set_point', 'c.issued_at', 'c.expires_at', 'c.held_until', 'c.user_id'] as const),
      of
        .selectFrom('instance as i')
        .whereRef('i.customer_id', '=', 'c.customer_id')
        .whereRef('i.instance_id', '=', 'c.instance_id')
        .select('i.key')
        .as('instance_key'),
    ])
    .executeTakeFirst()

type Edge = { customerId: string; edgeId: string }

export const saveAnswer = async (tx: Tx, edge: Edge, { id, status, detail }: EdgeCommandResult, now: Date) => {
  const answered = await updateRows(tx, edge.customerId, 'equipment_command', {
    edge_id: edge.edgeId,
    command_id: id,
    is_open: true,
  })
    .set({ is_open: false, status, detail: detail ?? null, answered_at: now })
    .where('sent_at', 'is not', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (answered) rowChanged(tx, 'command-answer', id)
  return answered
}

const saveLateAnswer = (tx: Tx, edge: Edge, { id, status }: EdgeCommandResult, now: Date) =>
  updateRows(tx, edge.customerId, 'equipment_command', {
    edge_id: edge.edgeId,
    command_id: id,
    answered_at: null,
    late_at: null,
  })
    .set({ late_status: status, late_at: now })
    .where('sent_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()

const isCommandOf = (tx: Tx, edge: Edge, commandId: string): Promise<boolean> =>
  hasRow(tx, edge.customerId, 'equipment_command', { edge_id: edge.edgeId, command_id: commandId })

type Publish = (topic: string, payload: object) => Promise<void>
const seconds = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 1000)

const send = async ({ records, clock }: App, publish: Publish, partition: Partition, commandId: string) => {
  const claimed = await records.system((tx) => claim(tx, partition, commandId, new Date(clock.now())))
  if (!claimed) return
  const message: EdgeCommand = {
    v: 1,
    id: commandId,
    action: 'manual-control',
    testType: 'control',
    ...(claimed.instance_key === null ? {} : { groupId: claimed.instance_key }),
    profiles: [{ setPoint: claimed.set_point }],
    issuedAt: claimed.issued_at.toISOString(),
    ttlS: seconds(claimed.issued_at, claimed.expires_at),
    maxHoldS: seconds(claimed.issued_at, claimed.held_until),
    by: claimed.user_id,
  }
  await publish(edgeTopic.commandRequest(claimed.edge_key), message)
}

/** Sends each committed command once (security rule C1); returns the function that stops it. */
export const sendCommands = (app: App, publish: Publish, partition = allEdges): (() => void) =>
  app.bus.listen('command', (commandId) => {
    const id = z.uuid().safeParse(commandId)
    if (!id.success) return
    send(app, publish, partition, id.data).catch((error: unknown) =>
      app.log.warn({ err: error, command: id.data }, 'command not sent'),
    )
  })

/** Answer of an edge to a command that was sent to it; false for any other. A second answer changes nothing, a late one is only recorded. */
export const receiveAnswer =
  ({ records, clock }: App) =>
  async (edge: Edge & { key: string }, result: EdgeCommandResult): Promise<boolean> => {
    const nowMs = clock.now()
    const now = new Date(nowMs)
    const write = (tx: Tx, action: AuditAction, row: CommandRow) =>
      writeAudit(tx, edge.customerId, nowMs, {
        userId: null,
        who: edge.key,
        action,
        subject: row.target,
        result: result.status,
        after: { command: row.command_id, setPoint: row.set_point, detail: result.detail ?? null },
      })
    return records.system(async (tx) => {
      const answered = await saveAnswer(tx, edge, result, now)
      if (answered) {
        await write(tx, 'equipment.answer', answered)
        return true
      }
      const late = await saveLateAnswer(tx, edge, result, now)
      if (late) await write(tx, 'equipment.late-answer', late)
      return late !== undefined || isCommandOf(tx, edge, result.id)
    })
  }
