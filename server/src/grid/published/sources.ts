import type { PublishedSource } from '@gridmast/contract/source.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { datasetNames, datasets, quartersFromMs } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { eloverblikSource } from '#connectors/eloverblik/fetch.ts'
import { entsoeSource } from '#connectors/entsoe/fetch.ts'
import { frequencySource } from '#connectors/statnett-frequency/fetch.ts'
import type { Tx } from '#platform/records/records.ts'
import { entsoeDataset, type SourceKey } from './coverage.ts'
import { sqlRows } from '#platform/records/rows.ts'

const titles: Record<string, { name: string; licence: string | null }> = {
  [sourceName]: { name: 'Energi Data Service', licence: 'Energinet CC BY 4.0' },
  [entsoeSource]: { name: 'ENTSO-E', licence: null },
  [eloverblikSource]: { name: 'Eloverblik', licence: null },
  [frequencySource]: { name: 'Statnett', licence: null },
}

const sourceOf = ({ source, dataset }: SourceKey, simulated: boolean): PublishedSource => {
  const { name, licence } = titles[source] ?? { name: source, licence: null }
  return { name, dataset, licence: simulated ? null : licence, simulated }
}

export const getSources = async <Name extends string>(tx: Tx, keys: Record<Name, SourceKey>) => {
  const named = Object.entries<SourceKey>(keys)
  const states = await tx
    .selectFrom('connector_state')
    .select(['source', 'dataset', 'simulated'])
    .where('source', '=', sql<string>`any(${named.map(([, { source }]) => source)})`)
    .where('dataset', '=', sql<string>`any(${named.map(([, { dataset }]) => dataset)})`)
    .execute()
  const isSimulated = ({ source, dataset }: SourceKey) =>
    states.some((state) => state.source === source && state.dataset === dataset && state.simulated)
  const sources = named.map(([name, key]) => [name, sourceOf(key, isSimulated(key))])
  return Object.fromEntries(sources) as Record<Name, PublishedSource> // by the same names
}

export const getSource = async (tx: Tx, key: SourceKey): Promise<PublishedSource> => (await getSources(tx, { key })).key

export type PriceOrigin = { source: string; simulated: boolean; starts_at: Date }

const datasetOf = (market: string, area: string, { source, starts_at }: Pick<PriceOrigin, 'source' | 'starts_at'>) => {
  if (source === entsoeSource) return entsoeDataset(area)
  if (market === 'day-ahead') return starts_at.getTime() < quartersFromMs ? 'Elspotprices' : 'DayAheadPrices'
  const dataset = datasetNames.find((name) => {
    const { content } = datasets[name]
    return content.kind === 'prices' && content.prices.some((one) => one.market === market && !one.product)
  })
  return dataset ?? ''
}

export const sourceOfPrices = (market: string, area: string, rows: readonly PriceOrigin[], nowMs = Date.now()) => {
  const expected = { source: sourceName, simulated: false, starts_at: new Date(nowMs) }
  const each = (rows.length > 0 ? rows : [expected]).map((row) =>
    sourceOf({ source: row.source, dataset: datasetOf(market, area, row) }, row.simulated),
  )
  const joined = (key: 'name' | 'dataset') => [...new Set(each.map((one) => one[key]))].join(' and ')
  return {
    name: joined('name'),
    dataset: joined('dataset'),
    licence: rows.length > 0 ? (each.find(({ licence }) => licence)?.licence ?? null) : null,
    simulated: each.some(({ simulated }) => simulated),
  }
}

export const getSourceOfPrices = async (tx: Tx, market: string, area: string, { fromMs, toMs }: Span) => {
  const rows = await sqlRows<PriceOrigin>(tx)`
    select source, simulated, min(starts_at) as starts_at from market_price
    where market = ${market} and area = ${area} and starts_at >= ${new Date(fromMs)} and starts_at < ${new Date(toMs)}
    group by source, simulated, starts_at < ${new Date(quartersFromMs)} order by 3`
  return sourceOfPrices(market, area, rows)
}

export const findLastSuccess = async (tx: Tx, { source, dataset }: SourceKey): Promise<string | null> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('last_success_at')
    .where('source', '=', source)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return state?.last_success_at?.toISOString() ?? null
}
