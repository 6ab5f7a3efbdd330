import type { SignalKind } from '@gridmast/contract/live.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'

/** Instances of the customer with their series of one kind, in the customer's order (security rule T3); of one instance when it is named. */
export const findSignals = (tx: Tx, customerId: string, kind: SignalKind, instanceId?: string) => {
  const all = tx
    .selectFrom('instance as i')
    .innerJoin('signal as s', (join) =>
      join.onRef('s.customer_id', '=', 'i.customer_id').onRef('s.instance_id', '=', 'i.instance_id'),
    )
    .innerJoin('edge as e', (join) =>
      join.onRef('e.customer_id', '=', 'i.customer_id').onRef('e.edge_id', '=', 'i.edge_id'),
    )
    .select(['i.instance_id', 'i.name', 'i.area', 'i.markets', 'i.enabled', 'e.simulated', 's.no', 's.unit'])
    .where('i.customer_id', '=', customerId)
    .where('s.kind', '=', kind)
    .orderBy('i.position')
  return (instanceId ? all.where('i.instance_id', '=', instanceId) : all).execute()
}

/** 404 when the instance is unknown, of another customer, or has no such series. */
export const getSignal = async (tx: Tx, customerId: string, kind: SignalKind, instanceId: string) => {
  const [signal] = await findSignals(tx, customerId, kind, instanceId)
  if (!signal) throw notFound()
  return signal
}
