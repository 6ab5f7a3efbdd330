import { signalKinds, type SignalKind } from '@gridmast/contract/live.ts'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, type RowOf, onKey } from '#platform/records/rows.ts'

type InstanceColumns = 'instance_id' | 'key' | 'name' | 'markets' | 'bid_active' | 'flexible_kw'
export type EquipmentInstance = Pick<RowOf<'instance'>, InstanceColumns> & {
  signals: Partial<Record<SignalKind, Pick<RowOf<'signal'>, 'signal_id' | 'no' | 'unit'>>>
}

const instanceSignals = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('instance')
    .innerJoin('edge', onKey('edge', 'instance', 'edge_id'))
    .leftJoin('signal', onKey('signal', 'instance', 'instance_id'))
    .select(['instance.instance_id', 'instance.key', 'instance.name', 'instance.edge_id', 'edge.simulated'])
    .select(['instance.markets', 'instance.bid_active', 'instance.flexible_kw'])
    .select(['signal.kind', 'signal.signal_id', 'signal.no', 'signal.unit'])
    .where('instance.customer_id', '=', customerId)
    .where('instance.enabled', '=', true)
    .orderBy('instance.position')

type InstanceSignal = Awaited<ReturnType<ReturnType<typeof instanceSignals>['execute']>>[number]

const toInstances = (rows: InstanceSignal[]): EquipmentInstance[] => {
  const instances = new Map<string, EquipmentInstance>()
  for (const { kind: kindName, signal_id, no, unit, edge_id: _, simulated: __, ...row } of rows) {
    const instance = instances.get(row.instance_id) ?? { ...row, signals: {} }
    const kind = signalKinds.find((one) => one === kindName)
    if (kind && signal_id !== null && no !== null && unit !== null) instance.signals[kind] = { signal_id, no, unit }
    instances.set(row.instance_id, instance)
  }
  return [...instances.values()]
}

const openEvents = (tx: Tx, customerId: string, edgeId: string, since: Date) =>
  tx
    .selectFrom('edge_event as v')
    .innerJoin('instance as i', onKey('i', 'v', 'instance_id'))
    .select('v.instance_id')
    .where('v.customer_id', '=', customerId)
    .where('i.edge_id', '=', edgeId)
    .where('v.ended_at', 'is', null)
    .where('v.started_at', '>=', since)

export const getEdge = async (tx: Tx, customerId: string, edgeId: string, openSince: Date) => {
  const edge = await tx
    .selectFrom('edge as e')
    .select(['e.edge_id', 'e.key', 'e.name', 'e.code_version', 'e.last_reported_at'])
    .select([
      jsonArrayFrom(instanceSignals(tx, customerId).where('instance.edge_id', '=', edgeId)).as('signals'),
      jsonArrayFrom(openEvents(tx, customerId, edgeId, openSince)).as('events'),
    ])
    .where('e.customer_id', '=', customerId)
    .where('e.edge_id', '=', edgeId)
    .where('e.enabled', '=', true)
    .executeTakeFirstOrThrow(notFound)
  const { signals, events, ...columns } = edge
  return { ...columns, instances: toInstances(signals), activated: new Set(events.map((event) => event.instance_id)) }
}
export type EquipmentEdge = Awaited<ReturnType<typeof getEdge>>

/** Security rule T3: only signals of the customer. */
export const getSignalInstance = async (tx: Tx, customerId: string, signalId: string) => {
  const signal = await getRow(tx, customerId, 'signal', { signal_id: signalId }, ['no', 'instance_id'])
  const rows = await instanceSignals(tx, customerId).where('instance.instance_id', '=', signal.instance_id).execute()
  const [instance] = toInstances(rows)
  const [row] = rows
  if (!instance || !row) throw notFound()
  return { no: signal.no, instance, edgeId: row.edge_id, simulated: row.simulated }
}
