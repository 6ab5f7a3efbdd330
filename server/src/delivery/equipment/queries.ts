import { signalKinds, type SignalKind } from '@gridmast/contract/live.ts'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow } from '#platform/records/rows.ts'

type SignalRow = { signal_id: string; no: number; unit: string }
export type EquipmentInstance = {
  instanceId: string
  key: string
  name: string
  markets: string[]
  bidActive: boolean
  flexibleKw: number
  signals: Partial<Record<SignalKind, SignalRow>>
}

const instanceSignals = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('instance')
    .innerJoin('edge', (join) =>
      join.onRef('edge.customer_id', '=', 'instance.customer_id').onRef('edge.edge_id', '=', 'instance.edge_id'),
    )
    .leftJoin('signal', (join) =>
      join
        .onRef('signal.customer_id', '=', 'instance.customer_id')
        .onRef('signal.instance_id', '=', 'instance.instance_id'),
    )
    .select([
      ...([
        'instance.instance_id',
        'instance.key',
        'instance.name',
        'instance.markets',
        'instance.bid_active',
        'instance.flexible_kw',
      ] as const),
      ...([
        'instance.edge_id',
        'edge.simulated',
        'signal.kind',
        'signal.signal_id',
        'signal.no',
        'signal.unit',
      ] as const),
    ])
    .where('instance.customer_id', '=', customerId)
    .where('instance.enabled', '=', true)
    .orderBy('instance.position')

type InstanceSignal = Awaited<ReturnType<ReturnType<typeof instanceSignals>['execute']>>[number]

const gathered = (rows: InstanceSignal[]): EquipmentInstance[] => {
  const found = new Map<string, EquipmentInstance>()
  for (const row of rows) {
    const { instance_id: instanceId, key, name, markets, bid_active: bidActive } = row
    const flexibleKw = Number(row.flexible_kw)
    const instance = found.get(instanceId) ?? { instanceId, key, name, markets, bidActive, flexibleKw, signals: {} }
    const kind = signalKinds.find((one) => one === row.kind)
    if (kind && row.signal_id !== null && row.no !== null && row.unit !== null)
      instance.signals[kind] = { signal_id: row.signal_id, no: row.no, unit: row.unit }
    found.set(instanceId, instance)
  }
  return [...found.values()]
}

const openEvents = (tx: Tx, customerId: string, edgeId: string, since: Date) =>
  tx
    .selectFrom('edge_event as v')
    .innerJoin('instance as i', (join) =>
      join.onRef('i.customer_id', '=', 'v.customer_id').onRef('i.instance_id', '=', 'v.instance_id'),
    )
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
  const { signals, events, ...found } = edge
  return { ...found, instances: gathered(signals), activated: new Set(events.map((event) => event.instance_id)) }
}
export type EquipmentEdge = Awaited<ReturnType<typeof getEdge>>

/** The signal and all signals of its instance (security rule T3). */
export const getSignalInstance = async (tx: Tx, customerId: string, signalId: string) => {
  const signal = await getRow(tx, customerId, 'signal', { signal_id: signalId }, ['no', 'instance_id'])
  const rows = await instanceSignals(tx, customerId).where('instance.instance_id', '=', signal.instance_id).execute()
  const [instance] = gathered(rows)
  const [row] = rows
  if (!instance || !row) throw notFound()
  return { no: signal.no, instance, edgeId: row.edge_id, simulated: row.simulated }
}
