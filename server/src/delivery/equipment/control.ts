import { controlEquipment } from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { awaitAnswer } from '#platform/messaging/bus.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { route } from '#context.ts'
import {
  addCommand,
  closeExpired,
  closeUnanswered,
  findNewestCommand,
  getCommand,
  logCommand,
  toCommand,
} from './commands.ts'
import { edgeRefusal, isMarketActive, openEventMs } from './interlocks.ts'
import { type EquipmentEdge, getEdge } from './queries.ts'

const targetOf = (edge: EquipmentEdge, groupId: string | undefined, setPoint: number) => {
  const { instances } = edge
  const named = instances.find(({ instanceId }) => instanceId === groupId)
  if (groupId !== undefined && !named) throw notFound()
  const one = named ?? (instances.length === 1 ? instances[0] : undefined)
  if (one) return { instanceId: one.instanceId, name: one.name, reached: [one] }
  if (setPoint !== 0) throw instances.length > 1 ? invalid({ groupId: m.groupNeeded }) : notFound()
  return { instanceId: null, name: edge.name, reached: instances }
}

const endExpired = async (
  tx: Tx,
  customerId: string,
  edgeId: string,
  { nowMs, requestId }: Asked,
): Promise<boolean> => {
  const expired = await closeExpired(tx, customerId, edgeId, new Date(nowMs))
  if (!expired) return false
  await writeAudit(tx, customerId, nowMs, {
    action: 'equipment.answer',
    result: m.noResponseFromEdge,
    userId: null,
    who: 'server',
    subject: expired.target,
    requestId,
    after: { command: expired.command_id, setPoint: expired.set_point },
  })
  return true
}
type Asked = { nowMs: number; requestId: string }

/**
 * Security rules C1 and C2: the command is checked and committed in one transaction, sent by the process that reaches the edge, and answered
 * with the edge's own words.
 */
export const control = route(controlEquipment, async ({ app, own, audit, viewer, nowMs, requestId, body }) => {
  const { profiles, edgeId, groupId, action, testType } = body
  const [setPoint = 0] = profiles
  const now = new Date(nowMs)
  const commandId = newId(nowMs)

  const give = async (tx: Tx, customerId: string): Promise<string> => {
    const edge = await getEdge(tx, customerId, edgeId, new Date(nowMs - openEventMs))
    const target = targetOf(edge, groupId, setPoint)
    const { instanceId } = target
    const refused = edgeRefusal(edge, body.edgeVersionValue, nowMs)
    if (refused) throw new Refusal(409, refused)
    const [instance] = target.reached
    // A release only ends the manual set point; a market activation continues.
    if (setPoint !== 0 && instance && instanceId !== null) {
      const newestCommand = await findNewestCommand(tx, customerId, edgeId, instanceId)
      const known = { hasOpenEvent: edge.activated.has(instanceId), newestCommand }
      if (await isMarketActive(app.readings, instance, known, nowMs)) throw new Refusal(409, m.marketActive)
    }
    const add = () =>
      addCommand(tx, customerId, {
        command_id: commandId,
        edge_id: edgeId,
        instance_id: instanceId,
        target: target.name,
        user_id: viewer.userId,
        action,
        test_type: testType,
        set_point: setPoint,
        issued_at: now,
        expires_at: new Date(nowMs + limits.commandTtlS * 1000),
        held_until: new Date(nowMs + limits.commandHoldS * 1000),
      })
    const isAdded = (await add()) || ((await endExpired(tx, customerId, edgeId, { nowMs, requestId })) && (await add()))
    if (!isAdded) throw new Refusal(409, m.commandOpen)
    const logged = { device_id: edge.key, command: `${action} setPoint=${setPoint}`, at: now }
    await logCommand(
      tx,
      customerId,
      target.reached.map((one) => ({ instance_id: one.instanceId, ...logged })),
    )
    const after = { command: commandId, edge: edge.key, setPoint, action, testType }
    await audit(tx, 'equipment.control', target.name, { after })
    return target.name
  }

  const read = (tx: Tx, customerId: string) => getCommand(tx, customerId, commandId)
  // Listens before the commit, so that a fast answer is not missed.
  const waiting = awaitAnswer(app, {
    topic: 'command-answer',
    id: commandId,
    waitMs: limits.commandAnswerMs,
    isAnswered: async () => (await own(read)).status !== null,
  })
  let targetName = ''
  try {
    targetName = await own(give)
    await waiting.ended
  } finally {
    waiting.stop()
  }
  return own(async (tx, customerId) => {
    const given = await read(tx, customerId)
    if (given.status !== null) return { ...toCommand(given), status: given.status }
    const unanswered = await closeUnanswered(tx, customerId, commandId)
    if (unanswered)
      await audit(tx, 'equipment.answer', targetName, {
        after: { command: commandId, setPoint },
        result: m.noResponseFromEdge,
      })
    const command = toCommand(unanswered ?? (await read(tx, customerId)))
    return { ...command, status: command.status ?? m.noResponseFromEdge }
  })
})
