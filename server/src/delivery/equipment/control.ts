import { awaitAnswer } from '#platform/messaging/bus.ts'
import { edgeVersionValue, isTestable, controlEquipment } from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { m } from '@gridmast/contract/messages.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { demandOf, type Product, products } from '#delivery/scoring/products.ts'
import type { Readings } from '#readings/readings.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { route } from '#context.ts'
import {
  type CommandRow,
  addCommand,
  closeExpired,
  closeUnanswered,
  findNewestCommand,
  getCommand,
  logCommands,
  toCommand,
} from './commands.ts'
import { type EquipmentEdge, type EquipmentInstance, getEdge } from './queries.ts'

/** The reason why an edge accepts no command now, whatever the set point; null when it accepts one (security rule C2). */
const edgeRefusal = (edge: EquipmentEdge, expectedVersion: number, nowMs: number): string | null => {
  if (expectedVersion !== (edgeVersionValue(edge.code_version) ?? 0)) return m.edgeVersionChanged
  const reportedMs = edge.last_reported_at?.getTime() ?? -Infinity
  if (nowMs - reportedMs >= limits.edgeAliveMs) return m.edgeSilent(limits.edgeAliveMs / minuteMs)
  return isTestable(edge.code_version) ? null : m.edgeTooOld
}

const isActivatedAt = (product: Product, atMs: number, hz: number): boolean => {
  if (product.trigger !== 'frequency') return false
  const share = Math.abs(demandOf(product)(atMs, hz))
  return share > 0 && share >= product.activeFrom
}

/** Percent of the set point from which equipment counts as activated: FCR and FCR-N answer every small deviation of the frequency. */
const activeFromPct = (sold: readonly Product[]): number =>
  sold.some(({ trigger }) => trigger === 'set point')
    ? 1
    : Math.max(1, ...sold.map(({ activeFrom }) => 100 * activeFrom))

const freshMs = minuteMs
/** An edge event without an end is ignored after this time; telemetry shows whether it still runs. */
const openEventMs = 60 * minuteMs
const settledMs = 15_000

/**
 * Whether a market runs an instance now: an edge event is open, the frequency activates one of its markets, or its set point is not 0 without a
 * manual command.
 */
const isMarketActive = async (
  readings: Pick<Readings, 'latest'>,
  { markets, bid_active, signals }: EquipmentInstance,
  { hasOpenEvent, newestCommand }: { hasOpenEvent: boolean; newestCommand: CommandRow | undefined },
  nowMs: number,
): Promise<boolean> => {
  if (hasOpenEvent) return true
  const [frequency, setPoint] = [signals.frequency?.no, signals.setPoint?.no]
  const latest = await readings.latest([frequency, setPoint].flatMap((no) => no ?? []))
  const fresh = (no: number | undefined) => {
    const sample = no === undefined ? undefined : latest.get(no)
    return sample && nowMs - sample.tMs <= freshMs ? sample : undefined
  }
  const sold = markets.filter(isMarket).map((market) => products[market])
  const measured = fresh(frequency)
  if (bid_active && measured && sold.some((product) => isActivatedAt(product, measured.tMs, measured.value)))
    return true
  const commanded = fresh(setPoint)
  if (!commanded) return false
  const heldMs = newestCommand && newestCommand.set_point > 0 ? newestCommand.held_until.getTime() : -Infinity
  const settledAtMs = Math.max(heldMs, newestCommand ? newestCommand.issued_at.getTime() : -Infinity) + settledMs
  if (commanded.tMs <= settledAtMs) return false
  return Math.abs(commanded.value) >= activeFromPct(sold)
}

const targetOf = (edge: EquipmentEdge, groupId: string | undefined, setPoint: number) => {
  const { instances } = edge
  const named = instances.find(({ instance_id }) => instance_id === groupId)
  if (groupId !== undefined && !named) throw notFound()
  const one = named ?? (instances.length === 1 ? instances[0] : undefined)
  if (one) return { instanceId: one.instance_id, name: one.name, reached: [one] }
  if (setPoint !== 0) throw instances.length > 1 ? invalid({ groupId: m.groupNeeded }) : notFound()
  return { instanceId: null, name: edge.name, reached: instances }
}

const endExpired = async (tx: Tx, customerId: string, edgeId: string, { nowMs, requestId }: Request) => {
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
type Request = { nowMs: number; requestId: string }

/**
 * Security rules C1 and C2: the command is checked and committed in one transaction, sent by the process that reaches the edge, and answered
 * with the edge's own words.
 */
export const control = route(controlEquipment, async ({ app, own, audit, viewer, nowMs, requestId, body }) => {
  const { profiles, edgeId, groupId, action, testType } = body
  const [setPoint = 0] = profiles
  const now = new Date(nowMs)
  const commandId = newId(nowMs)

  const sendCommand = async (tx: Tx, customerId: string): Promise<string> => {
    const edge = await getEdge(tx, customerId, edgeId, new Date(nowMs - openEventMs))
    const target = targetOf(edge, groupId, setPoint)
    const { instanceId } = target
    const refused = edgeRefusal(edge, body.edgeVersionValue, nowMs)
    if (refused) throw new Refusal(409, refused)
    const [instance] = target.reached
    // A release only ends the manual set point; a market activation continues.
    if (setPoint !== 0 && instance && instanceId !== null) {
      const newestCommand = await findNewestCommand(tx, customerId, edgeId, instanceId)
      const state = { hasOpenEvent: edge.activated.has(instanceId), newestCommand }
      if (await isMarketActive(app.readings, instance, state, nowMs)) throw new Refusal(409, m.marketActive)
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
    await logCommands(
      tx,
      customerId,
      target.reached.map((one) => ({ instance_id: one.instance_id, ...logged })),
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
    targetName = await own(sendCommand)
    await waiting.ended
  } finally {
    waiting.stop()
  }
  return own(async (tx, customerId) => {
    const row = await read(tx, customerId)
    if (row.status !== null) return { ...toCommand(row), status: row.status }
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
