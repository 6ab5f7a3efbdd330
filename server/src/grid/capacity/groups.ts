import { capacityGroups, readyTogether } from '@gridmast/contract/grid/capacity.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { getLicence } from '#access/licence.ts'
import type { Tx } from '#platform/records/records.ts'
import { route } from '#context.ts'

const findCapacitySignals = (tx: Tx, customerId: string, licenceId: string) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('edge as e', (join) =>
      join.onRef('e.customer_id', '=', 'i.customer_id').onRef('e.edge_id', '=', 'i.edge_id'),
    )
    .leftJoin('signal as s', (join) =>
      join
        .onRef('s.customer_id', '=', 'i.customer_id')
        .onRef('s.instance_id', '=', 'i.instance_id')
        .on('s.kind', 'in', ['capacityUp', 'capacityDown']),
    )
    .select(['i.instance_id', 'i.name', 'i.markets', 'e.simulated', 's.kind', 's.no'])
    .where('i.customer_id', '=', customerId)
    .where('i.licence_id', '=', licenceId)
    .where('i.enabled', '=', true)
    .orderBy('i.position')
    .execute()

export const groups = route(capacityGroups, async ({ app, own, nowMs, params }) => {
  const rows = await own(async (tx, customerId) => {
    await getLicence(tx, customerId, params.id)
    return findCapacitySignals(tx, customerId, params.id)
  })
  const latest = await app.readings.latest(rows.flatMap(({ no }) => no ?? []))
  const readyOf = (instanceId: string, market: string) => {
    const kind = isMarket(market) ? capacityKind(market) : null
    const no = rows.find((row) => row.instance_id === instanceId && row.kind === kind)?.no
    const sample = typeof no === 'number' ? latest.get(no) : undefined
    return {
      market,
      kw: sample ? readyTogether([{ ms: sample.tMs, kw: sample.value }], nowMs) : null,
      lastReported: sample ? new Date(sample.tMs).toISOString() : null,
    }
  }
  const instances = new Map(rows.map((row) => [row.instance_id, row]))
  return {
    groups: [...instances.values()].map(({ instance_id, name, simulated, markets }) => ({
      _id: instance_id,
      name,
      simulated,
      capacity: markets.map((market) => readyOf(instance_id, market)),
    })),
  }
})
