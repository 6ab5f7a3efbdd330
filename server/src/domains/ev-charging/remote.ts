import * as contract from '@gridmast/contract/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { route } from '#context.ts'
import { openStates } from '#charging/connectors.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'
import { give } from './give.ts'

/** Starts and stops of sessions from the portal (C3). */

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

type Asked = Parameters<Parameters<typeof route<typeof contract.remoteStart>>[1]>[0]

const ask = (action: 'start' | 'stop', asked: Asked) => {
  const { chargerId, connectorId: evseNo } = asked.body
  return give(asked, {
    chargerId,
    evseNo,
    action,
    asked: null,
    audited: `charger.${action}`,
    everyMs: limits.chargerCommandEveryMs,
    transaction: async (tx, customerId) => {
      const open = await findOpen(tx, customerId, chargerId, evseNo)
      if (action === 'start' && open) throw new Refusal(409, m.connectorCharging)
      if (action === 'stop' && !open) throw new Refusal(409, m.connectorIdle)
      return open?.transaction_id ?? null
    },
  })
}

export const remote = [
  route(contract.remoteStart, (asked) => ask('start', asked)),
  route(contract.remoteStop, (asked) => ask('stop', asked)),
]
