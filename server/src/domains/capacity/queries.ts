import type { SignalKind } from '@gridmast/contract/live.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'

const instanceSignals = (tx: Tx, customerId: string, kind: SignalKind) =>
  tx
    .selectFrom('instance')
    .innerJoin('signal', (join) =>
      join
        .onRef('signal.customer_id', '=', 'instance.customer_id')
        .onRef('signal.instance_id', '=', 'instance.instance_id'),
    )
    .innerJoin('edge', (join) =>
      join.onRef('edge.customer_id', '=', 'instance.customer_id').onRef('edge.edge_id', '=', 'instance.edge_id'),
    )
    .select(['instance.instance_id', 'instance.name', 'instance.markets', 'edge.simulated', 'signal.no', 'signal.unit'])
    .where('instance.customer_id', '=', customerId)
    .where('signal.kind', '=', kind)
    .orderBy('instance.position')

/** An instance of the customer with one of its series. Without an id: the first enabled instance that is sold on the market. */
export const getInstanceSignal = async (
  tx: Tx,
  customerId: string,
  wanted: { instanceId?: string | undefined; market?: string; kind: SignalKind },
) => {
  const all = instanceSignals(tx, customerId, wanted.kind)
  const found = await (
    wanted.instanceId
      ? all.where('instance.instance_id', '=', wanted.instanceId)
      : all.where('instance.enabled', '=', true)
  ).execute()
  const { market } = wanted
  const instance = market ? found.find((one) => one.markets.includes(market)) : found[0]
  if (!instance) throw notFound()
  return instance
}

/** Every enabled instance that is sold on the market, with the series of what it has ready. */
export const findMarketSignals = (tx: Tx, customerId: string, market: string, kind: SignalKind) =>
  instanceSignals(tx, customerId, kind)
    .where('instance.enabled', '=', true)
    .execute()
    .then((found) => found.filter(({ markets }) => markets.includes(market)))
