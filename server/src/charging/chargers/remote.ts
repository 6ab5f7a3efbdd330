import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { route } from '#context.ts'
import { findRunning } from './connectors.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { authorise } from '#charging/ledger/authorise.ts'
import { give } from './give.ts'
import { getTag } from '#charging/tags/tags.ts'
import { startsWithoutSession } from '#charging/ledger/transactions.ts'

/** Starts and stops of sessions from the portal (security rule C3). */

const findWaiting = (tx: Tx, customerId: string, chargerId: string, evseNo: number, nowMs: number) =>
  startsWithoutSession(tx, customerId, chargerId)
    .where('c.evse_no', '=', evseNo)
    .where('c.state', '=', 'accepted')
    .where('c.answered_at', '>', new Date(nowMs - limits.startWaitMs))
    .executeTakeFirst()

/** The longest id tag of OCPP 1.6. */
const shortTag = 20

const checkTag = async (tx: Tx, customerId: string, asked: Asked, tagId: string) => {
  const { chargerId, connectorId: evse } = asked.body
  const found = await tx
    .selectFrom('charger_tag as t')
    .innerJoin('charger as c', 'c.customer_id', 't.customer_id')
    .select(['t.tag', 'c.version'])
    .where('t.customer_id', '=', customerId)
    .where('t.tag_id', '=', tagId)
    .where('c.charger_id', '=', chargerId)
    .executeTakeFirstOrThrow(notFound)
  const token = { id: found.tag, type: null }
  const { info } = await authorise(tx, { customerId, chargerId }, token, asked.nowMs, { beginning: { evse } })
  const isTooLong = found.version === 'ocpp1.6' && found.tag.length > shortTag
  if (info.status !== 'accepted' || isTooLong) throw new Refusal(409, m.tagRefused)
}

type Asked = Parameters<Parameters<typeof route<typeof contract.remoteStart>>[1]>[0]

const start = async (asked: Asked) => {
  const { chargerId, connectorId: evseNo, tagId = null } = asked.body
  if (tagId !== null) await asked.own((tx, customerId) => getTag(tx, customerId, tagId, asked.nowMs))
  return give(asked, {
    chargerId,
    evseNo,
    action: 'start',
    asked: null,
    tagId,
    audited: 'charger.start',
    everyMs: limits.chargerCommandEveryMs,
    transaction: async (tx, customerId) => {
      if (await findRunning(tx, { customerId, chargerId, evseNo })) throw new Refusal(409, m.connectorCharging)
      if (await findWaiting(tx, customerId, chargerId, evseNo, asked.nowMs)) throw new Refusal(409, m.startWaiting)
      if (tagId !== null) await checkTag(tx, customerId, asked, tagId)
      return null
    },
  })
}

const stop = (asked: Parameters<Parameters<typeof route<typeof contract.remoteStop>>[1]>[0]) => {
  const { chargerId, connectorId: evseNo } = asked.body
  return give(asked, {
    chargerId,
    evseNo,
    action: 'stop',
    asked: null,
    audited: 'charger.stop',
    everyMs: limits.chargerCommandEveryMs,
    transaction: async (tx, customerId) => {
      const running = await findRunning(tx, { customerId, chargerId, evseNo })
      if (!running) throw new Refusal(409, m.connectorIdle)
      return running.transaction_id
    },
  })
}

export const remote = [route(contract.remoteStart, start), route(contract.remoteStop, stop)]
