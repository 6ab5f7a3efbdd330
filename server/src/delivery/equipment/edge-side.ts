import { type EdgeCommand, type EdgeCommandResult, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import { z } from 'zod'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Tx } from '#platform/records/records.ts'
import { type CommandRow, isKnownTo, saveAnswer, saveLateAnswer, takeToSend } from './commands.ts'

type Publish = (topic: string, payload: object) => Promise<void>
const seconds = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 1000)

const send = async ({ records, clock }: App, publish: Publish, commandId: string) => {
  const taken = await records.system((tx) => takeToSend(tx, commandId, new Date(clock.now())))
  if (!taken) return
  const message: EdgeCommand = {
    v: 1,
    id: commandId,
    action: 'manual-control',
    testType: 'control',
    ...(taken.instance_key === null ? {} : { groupId: taken.instance_key }),
    profiles: [{ setPoint: taken.set_point }],
    issuedAt: taken.issued_at.toISOString(),
    ttlS: seconds(taken.issued_at, taken.expires_at),
    maxHoldS: seconds(taken.issued_at, taken.held_until),
    by: taken.user_id,
  }
  await publish(edgeTopic.commandRequest(taken.edge_key), message)
}

/** Sends each committed command once (security rule C1); returns the function that stops it. */
export const sendCommands = (app: App, publish: Publish): (() => void) =>
  app.bus.listen('command', (told) => {
    const id = z.uuid().safeParse(told)
    if (!id.success) return
    send(app, publish, id.data).catch((error: unknown) =>
      app.log.warn({ err: error, command: id.data }, 'command not sent'),
    )
  })

type Edge = { customerId: string; edgeId: string; key: string }

/** Answer of an edge to a command that was sent to it; false for any other. A second answer changes nothing, a late one is only recorded. */
export const takeAnswer =
  ({ records, clock }: App) =>
  async (edge: Edge, result: EdgeCommandResult): Promise<boolean> => {
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
    const outcome = await records.system(async (tx) => {
      const answered = await saveAnswer(tx, edge, result, now)
      if (answered) {
        await write(tx, 'equipment.answer', answered)
        return 'answered'
      }
      const late = await saveLateAnswer(tx, edge, result, now)
      if (late) await write(tx, 'equipment.late-answer', late)
      return late || (await isKnownTo(tx, edge, result.id)) ? 'known' : 'unknown'
    })
    return outcome !== 'unknown'
  }
