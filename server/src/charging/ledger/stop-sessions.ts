import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { m } from '@gridmast/contract/messages.ts'
import { openStates } from '#charging/chargers/connectors.ts'
import { route } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import { give } from '#charging/chargers/give.ts'
import { openOf } from './running.ts'
import { lockGroup } from '#charging/tags/tag-groups.ts'
import { getTag } from '#charging/tags/tags.ts'
import { hasRow } from '#platform/records/rows.ts'

/** Stops each running session of a disabled tag or group with its own command (security rule C3). */

type Session = Awaited<ReturnType<typeof openOf>>[number]
type By = Parameters<typeof give>[0]

const stop = async (by: By, { charger_id: chargerId, evse_no: evseNo, transaction_id, name }: Session) => {
  const of = { chargerName: name, connectorId: evseNo }
  if (evseNo === null) return { ...of, status: m.noSuchConnector, accepted: false }
  const asked = give(by, {
    chargerId,
    evseNo,
    action: 'stop',
    asked: null,
    audited: 'charger.stop',
    transaction: async (tx, customerId) => {
      if (!(await hasRow(tx, customerId, 'charger_transaction', { transaction_id, state: openStates })))
        throw new Refusal(409, m.connectorIdle)
      return transaction_id
    },
  })
  return asked.then(
    (answer) => ({ ...of, ...answer }),
    (error: unknown) => {
      if (error instanceof Refusal) return { ...of, status: error.message, accepted: false }
      throw error
    },
  )
}

const stopAll = async (by: By, sessions: readonly Session[]) => ({
  stops: await Promise.all(sessions.map((one) => stop(by, one))),
})

export const stopSessions = [
  route(contract.stopTagSessions, async (asked) => {
    const sessions = await asked.own(async (tx, customerId) => {
      await getTag(tx, customerId, asked.params.id, asked.nowMs)
      return openOf(tx, customerId, { tagId: asked.params.id })
    })
    return stopAll(asked, sessions)
  }),
  route(contract.stopGroupSessions, async (asked) => {
    const sessions = await asked.own(async (tx, customerId) => {
      await lockGroup(tx, customerId, asked.params.id)
      return openOf(tx, customerId, { groupId: asked.params.id })
    })
    return stopAll(asked, sessions)
  }),
]
