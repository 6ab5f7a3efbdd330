import { signalKinds, type SignalKind } from '@gridmast/contract/live.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'

type SignalRow = { signal_id: string; no: number; unit: string }
export type EquipmentInstance = {
  instanceId: string
  key: string
  name: string
  markets: string[]
  bidActive: boolean
  signals: Partial<Record<SignalKind, SignalRow>>
}

/** Instances with the series behind them, narrowed by whoever asks. */
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
    const instance = found.get(instanceId) ?? { instanceId, key, name, markets, bidActive, signals: {} }
    const kind = signalKinds.find((one) => one === row.kind)
    if (kind && row.signal_id !== null && row.no !== null && row.unit !== null)
      instance.signals[kind] = { signal_id: row.signal_id, no: row.no, unit: row.unit }
    found.set(instanceId, instance)
  }
  return [...found.values()]
}

/** An enabled edge of the customer with its enabled instances. */
export const getEdge = async (tx: Tx, customerId: string, edgeId: string) => {
  const edge = await tx
    .selectFrom('edge')
    .select(['edge_id', 'key', 'name', 'code_version', 'last_reported_at'])
    .where('customer_id', '=', customerId)
    .where('edge_id', '=', edgeId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!edge) throw notFound()
  const rows = await instanceSignals(tx, customerId).where('instance.edge_id', '=', edgeId).execute()
  return { ...edge, instances: gathered(rows) }
}
export type EquipmentEdge = Awaited<ReturnType<typeof getEdge>>

/** The signal asked for, and all of its instance (security rule T3). */
export const getSignalInstance = async (tx: Tx, customerId: string, signalId: string) => {
  const signal = await tx
    .selectFrom('signal')
    .select(['no', 'instance_id'])
    .where('customer_id', '=', customerId)
    .where('signal_id', '=', signalId)
    .executeTakeFirst()
  if (!signal) throw notFound()
  const rows = await instanceSignals(tx, customerId).where('instance.instance_id', '=', signal.instance_id).execute()
  const [instance] = gathered(rows)
  const [row] = rows
  if (!instance || !row) throw notFound()
  return { no: signal.no, instance, edgeId: row.edge_id, simulated: row.simulated }
}

/** Instances among these of which the edge said that an activation began, and not that it ended. */
export const findOpenEvents = async (
  tx: Tx,
  customerId: string,
  instanceIds: string[],
  since: Date,
): Promise<Set<string>> => {
  const found = await tx
    .selectFrom('edge_event')
    .select('instance_id')
    .where('customer_id', '=', customerId)
    .where('instance_id', 'in', instanceIds)
    .where('ended_at', 'is', null)
    .where('started_at', '>=', since)
    .execute()
  return new Set(found.map(({ instance_id }) => instance_id))
}
