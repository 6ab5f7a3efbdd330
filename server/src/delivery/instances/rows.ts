import { signalKinds } from '@gridmast/contract/live.ts'
import { idOf } from '#platform/records/ids.ts'

/**
 * Rows of edges and instances, of the provisioning file and of the portal. Ids follow from the keys, so that an edge or instance of the portal
 * becomes one of the file when the file lists its key.
 */

const units: Record<(typeof signalKinds)[number], string> = {
  frequency: 'Hz',
  power: 'kW',
  setPoint: '%',
  capacityUp: 'kW',
  capacityDown: 'kW',
  soc: '%',
  energy: 'kWh',
}

type NewEdge = { key: string; name: string; site?: string | undefined; area?: string | undefined; simulated: boolean }

export const edgeRow = (companyKey: string, { site, area, ...edge }: NewEdge) => ({
  edge_id: idOf('edge', companyKey, edge.key),
  ...edge,
  site: site ?? null,
  area: area ?? null,
  enabled: true,
})

type NewInstance = {
  key: string
  name: string
  description: string
  markets: string[]
  area: string
  kind: string
  flexibleKw: number
  bidActive: boolean
  enabled: boolean
  properties: Record<string, unknown>
}
type Place = { licence_id: string; edge_id: string; position: number }

export const instanceRow = (companyKey: string, { flexibleKw, bidActive, ...one }: NewInstance, place: Place) => ({
  instance_id: idOf('instance', companyKey, one.key),
  ...one,
  ...place,
  flexible_kw: flexibleKw.toFixed(3),
  bid_active: bidActive,
})

export const signalId = (companyKey: string, instanceKey: string, kind: string) =>
  idOf('signal', companyKey, instanceKey, kind)

/** An instance has every signal of the edge protocol; an edge omits those that it does not measure. */
export const signalRows = (companyKey: string, instanceKey: string) =>
  signalKinds.map((kind) => ({
    signal_id: signalId(companyKey, instanceKey, kind),
    instance_id: idOf('instance', companyKey, instanceKey),
    kind,
    unit: units[kind],
  }))
