import type { App } from '#context.ts'

export const findInstance = async ({ records }: Pick<App, 'records'>, instanceKey = 'cold', customerKey = 'north') => {
  const rows = await records.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
      .innerJoin('signal as s', 's.instance_id', 'i.instance_id')
      .select(['i.customer_id', 'i.instance_id', 'i.edge_id', 'i.licence_id', 's.kind', 's.no', 's.signal_id'])
      .where('c.key', '=', customerKey)
      .where('i.key', '=', instanceKey)
      .execute(),
  )
  const [first] = rows
  if (!first) throw new Error(`No instance ${instanceKey}`)
  return {
    customerId: first.customer_id,
    instanceId: first.instance_id,
    edgeId: first.edge_id,
    licenceId: first.licence_id,
    noOf: (kind: string) => rows.find((row) => row.kind === kind)?.no ?? 0,
    signalIdOf: (kind: string) => rows.find((row) => row.kind === kind)?.signal_id ?? '',
  }
}
export type TestInstance = Awaited<ReturnType<typeof findInstance>>

export const eventRow = ({ customerId, instanceId }: TestInstance, eventId: string, start: Date) => ({
  customer_id: customerId,
  event_id: eventId,
  instance_id: instanceId,
  market: 'FCR-D-INC',
  source: 'telemetry',
  event_type: 'fcr_based',
  direction: 'increased',
  started_at: start,
  capacity_kw: 420,
  capacity_source: 'registered',
  is_final: true,
  late: false,
})
