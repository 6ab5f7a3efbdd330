import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { notFound } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { lockRow, updateRows, onKey } from '#platform/records/rows.ts'

const instances = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('edge as e', onKey('e', 'i', 'edge_id'))
    .select(['i.instance_id', 'i.name', 'i.description', 'i.licence_id', 'i.markets', 'i.bid_active', 'i.enabled'])
    .select(['i.edge_id', 'e.key as edge_key', 'e.code_version', 'e.last_reported_at', 'e.simulated'])
    .select((of) => [
      jsonArrayFrom(
        of
          .selectFrom('signal as s')
          .select(['s.signal_id', 's.kind', 's.unit'])
          .whereRef('s.customer_id', '=', 'i.customer_id')
          .whereRef('s.instance_id', '=', 'i.instance_id')
          .orderBy('s.no'),
      ).as('signals'),
      of
        .selectFrom('frequency_signal as f')
        .select('f.frequency_id')
        .whereRef('f.customer_id', '=', 'i.customer_id')
        .whereRef('f.area', '=', 'i.area')
        .orderBy('f.position')
        .limit(1)
        .as('frequency_id'),
      sql<string[]>`array(
        select distinct unnest(o.markets) from instance o
        where o.customer_id = i.customer_id and o.edge_id = i.edge_id and o.enabled order by 1)`.as('edge_markets'),
    ])
    .where('i.customer_id', '=', customerId)
    .where('i.enabled', '=', true)
    .orderBy('i.position')

export type InstanceRow = Awaited<ReturnType<ReturnType<typeof instances>['execute']>>[number]

export const findInstances = (tx: Tx, customerId: string) => instances(tx, customerId).execute()

export const findInstancesOf = (tx: Tx, customerId: string, licenceId: string) =>
  instances(tx, customerId).where('i.licence_id', '=', licenceId).execute()

export const getInstance = (tx: Tx, customerId: string, instanceId: string) =>
  instances(tx, customerId).where('i.instance_id', '=', instanceId).executeTakeFirstOrThrow(notFound)

export const lockInstance = (tx: Tx, customerId: string, instanceId: string) =>
  lockRow(tx, customerId, 'instance', { instance_id: instanceId, enabled: true }, ['name', 'description'])

export const saveInstance = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  { name, description }: { name: string; description: string },
) => {
  await updateRows(tx, customerId, 'instance', { instance_id: instanceId }).set({ name, description }).execute()
  rowChanged(tx, 'edges', customerId)
}
