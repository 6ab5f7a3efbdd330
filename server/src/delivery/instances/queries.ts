import type { EdgeEvent } from '@gridmast/contract/delivery/edge.ts'
import { sql } from 'kysely'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import type { EdgeEntry } from './directory.ts'

export type EdgeReport = {
  customerId: string
  edgeId: string
  atMs: number
  online: boolean | null
  codeVersion: string | null
}

export const saveEdgeReports = async (tx: Tx, reports: EdgeReport[]): Promise<void> => {
  await sql`
    update edge e
    set last_reported_at = greatest(e.last_reported_at, r.at), online = coalesce(r.online, e.online), code_version = coalesce(r.code_version, e.code_version)
    from unnest(
      ${reports.map((report) => report.customerId)}::uuid[], ${reports.map((report) => report.edgeId)}::uuid[],
      ${reports.map((report) => new Date(report.atMs).toISOString())}::timestamptz[],
      ${reports.map((report) => report.online)}::boolean[], ${reports.map((report) => report.codeVersion)}::text[]
    ) as r(customer_id, edge_id, at, online, code_version)
    where e.customer_id = r.customer_id and e.edge_id = r.edge_id`.execute(tx)
}

export const saveEdgeEvent = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  event: EdgeEvent,
  nowMs: number,
): Promise<void> => {
  const values = {
    ended_at: event.end,
    max_set_point: event.maxSetPoint ?? null,
    external_frequency_hz: event.extFreq ?? null,
    received_at: new Date(nowMs),
  }
  await tx
    .insertInto('edge_event')
    .values({
      customer_id: customerId,
      event_id: event.id,
      instance_id: instanceId,
      market: event.market,
      direction: event.direction,
      started_at: event.start,
      ...values,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'event_id'])
        .doUpdateSet(values)
        .where('edge_event.instance_id', '=', instanceId)
        .where('edge_event.ended_at', 'is', null),
    )
    .execute()
}

export const saveEdgeHash = async (tx: Tx, edge: EdgeEntry, passwordHash: string): Promise<void> => {
  await tx
    .updateTable('edge')
    .set({ password_hash: passwordHash })
    .where('customer_id', '=', edge.customerId)
    .where('edge_id', '=', edge.edgeId)
    .where('password_hash', '=', edge.passwordHash)
    .execute()
  rowChanged(tx, 'edges', edge.customerId)
}
