import { sql } from 'kysely'
import { connectorStates } from '@gridmast/contract/charging/ev-charging.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, selectRows } from '#platform/records/rows.ts'
import { byName } from '#platform/http/list-query.ts'

export const openStates = ['starting', 'active'] as const

const stateOf = (state: string) => connectorStates.find((one) => one === state) ?? 'unknown'

const availableLast = (a: { state: string }, b: { state: string }) =>
  Number(a.state === 'available') - Number(b.state === 'available')

/** OCPP 2.0.1 may start a session with the cable (use case F01): it has no driver until a tag or a start from the portal arrives. */
const hasDriver = (session: { state: string; tag: string | null; command_id: string | null }) =>
  session.state === 'active' || session.tag !== null || session.command_id !== null

export const findRunning = async (tx: Tx, of: { customerId: string; chargerId: string; evseNo: number }) => {
  const open = await selectRows(tx, of.customerId, 'charger_transaction', {
    charger_id: of.chargerId,
    evse_no: of.evseNo,
    state: openStates,
    refused: false,
  })
    .select(['transaction_id', 'state', 'tag', 'command_id'])
    .orderBy('started_at', 'desc')
    .execute()
  return open.find(hasDriver)
}

export const readConnectors = async (tx: Tx, customerId: string) => {
  const reported = await selectRows(tx, customerId, 'charger_connector').selectAll().execute()
  const open = await selectRows(tx, customerId, 'charger_transaction', { state: openStates, refused: false })
    .select(['charger_id', 'evse_no', 'transaction_id', 'charging_state', 'started_at', 'state', 'tag', 'command_id'])
    .orderBy('started_at')
    .execute()
  const states = Map.groupBy(reported, (row) => row.charger_id)
  const sessions = Map.groupBy(open, (row) => row.charger_id)
  return (chargerId: string, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const [state] = (states.get(chargerId) ?? []).filter((one) => one.evse_no === i + 1).toSorted(availableLast)
      const newest = (sessions.get(chargerId) ?? []).findLast((one) => one.evse_no === i + 1)
      // An available EVSE charges nothing: its charger has lost the session, which ends when no stop arrives.
      const isLost = newest && state?.state === 'available' && state.state_at > newest.started_at
      const session = isLost ? undefined : newest
      // OCPP 2.0.1 reports an EVSE only as occupied; the session has the charging state.
      const now = state?.state === 'occupied' ? (session?.charging_state ?? state.state) : state?.state
      return {
        connectorId: i + 1,
        state: stateOf(now ?? 'unknown'),
        error: state?.error ?? null,
        since: state?.state_at ?? null,
        session: session && hasDriver(session) ? session : undefined,
      }
    })
}

export const findOpenSessions = (tx: Tx, customerId: string, tags: { tag_id: string } | { group_id: string }) =>
  tx
    .selectFrom('charger_transaction as s')
    .innerJoin('charger as c', onKey('c', 's', 'charger_id'))
    .select(['s.transaction_id', 's.charger_id', 's.evse_no', 'c.name'])
    .where('s.customer_id', '=', customerId)
    .where('s.state', 'in', openStates)
    .where('s.refused', '=', false)
    .where('s.tag_id', 'in', selectRows(tx, customerId, 'charger_tag', tags).select('tag_id'))
    .orderBy(byName(sql`c.name`))
    .orderBy('s.evse_no')
    .execute()
