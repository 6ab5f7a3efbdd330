import { hourMs, type Span } from '@gridmast/contract/time.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Readings } from '#readings/readings.ts'
import type { SourceKey } from './coverage.ts'

/** Emission of an area's grid, in g/kWh every 5 minutes. */
export const emissionSource: SourceKey = { source: sourceName, dataset: 'CO2Emis' }

/** Grid of a meter or charger: its location; only where that is unknown, the area of its price. A price preview does not change it. */
export const gridAreaOf = (one: { area: string | null; priced_area: string | null }) => one.area ?? one.priced_area

export const findEmissionSignal = (tx: Tx, area: string | null, kind: 'co2' | 'co2Prognosis' = 'co2') =>
  tx
    .selectFrom('public_signal')
    .select(['no', 'last_reported_at'])
    .where('area', '=', area)
    .where('kind', '=', kind)
    .executeTakeFirst()

export type Emission = ReadonlyMap<number, number>

export const noEmission: Emission = new Map()

export const factorAt = (emission: Emission, ms: number) => emission.get(Math.floor(ms / hourMs) * hourMs)

export const readEmission = async (
  readings: Pick<Readings, 'buckets'>,
  signal: { no: number } | undefined,
  { fromMs, toMs }: Span,
): Promise<Emission> => {
  if (!signal || toMs <= fromMs) return noEmission
  const edgesMs = Array.from({ length: Math.ceil((toMs - fromMs) / hourMs) + 1 }, (_, i) => fromMs + i * hourMs)
  const buckets = await readings.buckets({ signalNo: signal.no, edgesMs })
  return new Map(buckets.flatMap(({ count, sum }, i) => (count > 0 ? [[edgesMs[i] ?? 0, sum / count] as const] : [])))
}
