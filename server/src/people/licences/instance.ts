import { isEdgeGood, type Instance } from '@gridmast/contract/people/instances.ts'
import { signalKinds } from '@gridmast/contract/live.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, type TableFile } from '#platform/files/table-file.ts'
import type { InstanceRow } from './queries.ts'

/** INC is up-regulation, DEC down; FFR is a product of its own. */
const fcrOf = (sold: readonly string[]): Instance['properties']['fcr'] => {
  const directions = sold.flatMap((market) =>
    isMarket(market) && market.startsWith('FCR') ? [markets[market].direction] : [],
  )
  return {
    enabled: directions.length > 0,
    increased: directions.some((direction) => direction !== 'down'),
    decreased: directions.some((direction) => direction !== 'up'),
  }
}

export const toInstance = (row: InstanceRow): Instance => ({
  _id: row.instance_id,
  name: row.name,
  description: row.description,
  licenseId: row.licence_id,
  market: row.markets,
  bidActive: row.bid_active,
  enabled: row.enabled,
  simulated: row.simulated,
  edgeLastReported: row.last_reported_at?.toISOString() ?? null,
  edgeDetails: {
    _id: row.edge_id,
    deviceId: row.edge_key,
    market: row.edge_markets,
    properties: { codeVersion: row.code_version },
  },
  signalData: row.signals.flatMap(({ signal_id, kind: stored, unit }) => {
    const kind = signalKinds.find((one) => one === stored)
    return kind ? [{ _id: signal_id, kind, unit }] : []
  }),
  properties: { frequencySignal: row.frequency_id, fcr: fcrOf(row.markets) },
})

export const instancesFile = (type: string, instances: readonly Instance[], nowMs: number): { file: TableFile } => {
  const columns: Column<Instance>[] = [
    column.text('S.No', (_, index) => index + 1, 8),
    column.text('Name', (one) => one.name, 30),
    column.text('Description', (one) => one.description, 60),
    column.text('License Type', () => type),
    column.text('Market', (one) => one.market.join(', '), 30),
    column.text('Market Status', (one) => (one.bidActive ? 'Active' : 'Inactive')),
    column.text('Edge Status', (one) => (isEdgeGood(one.edgeLastReported, nowMs) ? 'Good' : 'Bad')),
    column.instant('Edge Last Reported', (one) => one.edgeLastReported),
  ]
  return { file: tableFile({ fileName: 'Generic_Instance', sheet: 'Instances' }, columns, instances) }
}
