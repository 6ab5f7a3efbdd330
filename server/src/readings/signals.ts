import type { SignalKind } from '@gridmast/contract/live.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Own } from '#platform/http/route.ts'

/** Instances of the customer with all series, in the customer's order (security rule T3). */
const ofCustomer = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('signal as s', (join) =>
      join.onRef('s.customer_id', '=', 'i.customer_id').onRef('s.instance_id', '=', 'i.instance_id'),
    )
    .innerJoin('edge as e', (join) =>
      join.onRef('e.customer_id', '=', 'i.customer_id').onRef('e.edge_id', '=', 'i.edge_id'),
    )
    .select([
      'i.instance_id',
      'i.licence_id',
      'i.name',
      'i.area',
      'i.markets',
      'i.enabled',
      'e.simulated',
      's.no',
      's.kind',
      's.unit',
    ])
    .where('i.customer_id', '=', customerId)
    .orderBy('i.position')

export const findAllSignals = (tx: Tx, customerId: string) => ofCustomer(tx, customerId).execute()

export const findSignals = (tx: Tx, customerId: string, kind: SignalKind, instanceId?: string) => {
  const all = ofCustomer(tx, customerId).where('s.kind', '=', kind)
  return (instanceId ? all.where('i.instance_id', '=', instanceId) : all).execute()
}

/** 404 for an unknown instance, another customer's, or one without this series. */
export const getSignal = async (readCached: Own['readCached'], kind: SignalKind, instanceId: string) => {
  const all = await readCached(findAllSignals)
  const signal = all.find((one) => one.kind === kind && one.instance_id === instanceId)
  if (!signal) throw notFound()
  return signal
}
