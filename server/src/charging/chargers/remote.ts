import * as contract from '@gridmast/contract/charging/sessions.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { authorise } from '#charging/tags/authorise.ts'
import { lockGroup } from '#charging/tags/tag-groups.ts'
import { getTag } from '#charging/tags/tags.ts'
import { startsWithoutSession } from '#charging/ledger/transactions.ts'
import { route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { hasRow } from '#platform/records/rows.ts'
import { findOpenSessions, findRunning, openStates } from './connectors.ts'
import { sendCommand, type Sender } from './send-command.ts'

/** Starts and stops of sessions from the portal; each session of a disabled tag or group is stopped with its own command (security rule C3). */

const commandIntervalMs = limits.chargerCommandEveryMs

const isStartWaiting = async (tx: Tx, customerId: string, chargerId: string, evseNo: number, nowMs: number) =>
  (await startsWithoutSession(tx, customerId, chargerId)
    .where('c.evse_no', '=', evseNo)
    .where('c.state', '=', 'accepted')
    .where('c.answered_at', '>', new Date(nowMs - limits.startWaitMs))
    .executeTakeFirst()) !== undefined

/** The longest id tag of OCPP 1.6. */
const shortTag = 20

type Connector = { customerId: string; chargerId: string; evseNo: number }

const checkTag = async (tx: Tx, { customerId, chargerId, evseNo }: Connector, tagId: string, nowMs: number) => {
  const { tag, version } = await tx
    .selectFrom('charger_tag as t')
    .innerJoin('charger as c', 'c.customer_id', 't.customer_id')
    .select(['t.tag', 'c.version'])
    .where('t.customer_id', '=', customerId)
    .where('t.tag_id', '=', tagId)
    .where('c.charger_id', '=', chargerId)
    .executeTakeFirstOrThrow(notFound)
  const token = { id: tag, type: null }
  const { info } = await authorise(tx, { customerId, chargerId }, token, nowMs, { beginning: { evse: evseNo } })
  const isTooLong = version === 'ocpp1.6' && tag.length > shortTag
  if (info.status !== 'accepted' || isTooLong) throw new Refusal(409, m.tagRefused)
}

const start = route(contract.remoteStart, async (request) => {
  const { own, nowMs } = request
  const { chargerId, connectorId: evseNo, tagId = null } = request.body
  if (tagId !== null) await own((tx, customerId) => getTag(tx, customerId, tagId, nowMs))
  return sendCommand(request, {
    chargerId,
    evseNo,
    order: { kind: 'start', tagId },
    everyMs: commandIntervalMs,
    check: async (tx, customerId) => {
      const connector = { customerId, chargerId, evseNo }
      if (await findRunning(tx, connector)) throw new Refusal(409, m.connectorCharging)
      if (await isStartWaiting(tx, customerId, chargerId, evseNo, nowMs)) throw new Refusal(409, m.startWaiting)
      if (tagId !== null) await checkTag(tx, connector, tagId, nowMs)
      return null
    },
  })
})

const stop = route(contract.remoteStop, (request) => {
  const { chargerId, connectorId: evseNo } = request.body
  return sendCommand(request, {
    chargerId,
    evseNo,
    order: { kind: 'stop' },
    everyMs: commandIntervalMs,
    check: async (tx, customerId) => {
      const session = await findRunning(tx, { customerId, chargerId, evseNo })
      if (!session) throw new Refusal(409, m.connectorIdle)
      return session.transaction_id
    },
  })
})

type Session = Awaited<ReturnType<typeof findOpenSessions>>[number]

const stopSession = async (sender: Sender, { charger_id, evse_no, transaction_id, name }: Session) => {
  const connector = { chargerName: name, connectorId: evse_no }
  if (evse_no === null) return { ...connector, status: m.noSuchConnector, accepted: false }
  const check = async (tx: Tx, customerId: string) => {
    if (await hasRow(tx, customerId, 'charger_transaction', { transaction_id, state: openStates }))
      return transaction_id
    throw new Refusal(409, m.connectorIdle)
  }
  try {
    const order = { kind: 'stop' } as const
    return { ...connector, ...(await sendCommand(sender, { chargerId: charger_id, evseNo: evse_no, order, check })) }
  } catch (error) {
    if (error instanceof Refusal) return { ...connector, status: error.message, accepted: false }
    throw error
  }
}

const stopAll = async (sender: Sender, sessions: readonly Session[]) => ({
  stops: await Promise.all(sessions.map((session) => stopSession(sender, session))),
})

const stopOfTag = route(contract.stopTagSessions, async (request) => {
  const sessions = await request.own(async (tx, customerId) => {
    await getTag(tx, customerId, request.params.id, request.nowMs)
    return findOpenSessions(tx, customerId, { tag_id: request.params.id })
  })
  return stopAll(request, sessions)
})

const stopOfGroup = route(contract.stopGroupSessions, async (request) => {
  const sessions = await request.own(async (tx, customerId) => {
    await lockGroup(tx, customerId, request.params.id)
    return findOpenSessions(tx, customerId, { group_id: request.params.id })
  })
  return stopAll(request, sessions)
})

export const remote = [start, stop, stopOfTag, stopOfGroup]
