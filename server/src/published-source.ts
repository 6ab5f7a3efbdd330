import { sql } from 'kysely'
import { datasetNames, datasets } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Tx } from '#platform/records.ts'

/** Names of sources as people know them. */
const titles: Record<string, string> = { 'energi-data-service': 'Energi Data Service', statnett: 'Statnett' }

export type PublishedSource = { name: string; dataset: string; simulated: boolean }

export type DatasetKey = { source: string; dataset: string }

const shown = ({ source, dataset }: DatasetKey, simulated: boolean | null): PublishedSource => ({
  name: titles[source] ?? source,
  dataset,
  simulated: simulated ?? false,
})

/** Where published data comes from, and whether that source is the demo's simulator. */
export const getSource = async (tx: Tx, key: DatasetKey): Promise<PublishedSource> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('simulated')
    .where('source', '=', key.source)
    .where('dataset', '=', key.dataset)
    .executeTakeFirst()
  return shown(key, state?.simulated ?? null)
}

/** The dataset that a market's prices are published in. */
const datasetOfMarket = (market: string): string =>
  datasetNames.find((name) => {
    const { content } = datasets[name]
    return content.kind === 'prices' && content.prices.some((one) => one.market === market && !one.product)
  }) ?? ''

const keyOfMarket = (market: string): DatasetKey => ({ source: sourceName, dataset: datasetOfMarket(market) })

export const getMarketSource = (tx: Tx, market: string) => getSource(tx, keyOfMarket(market))

/** Whether a market's source is simulated, to be selected beside something else. */
export const simulatedColumn = (market: string) => {
  const { source, dataset } = keyOfMarket(market)
  return sql<
    boolean | null
  >`(select s.simulated from connector_state s where s.source = ${source} and s.dataset = ${dataset})`.as('simulated')
}

/** What that column says. */
export const marketSourceOf = (market: string, { simulated }: { simulated: boolean | null }) =>
  shown(keyOfMarket(market), simulated)

/** The newest instant that a source answered at; null when it never did. */
export const findLastSuccess = async (tx: Tx, { source, dataset }: DatasetKey): Promise<string | null> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('last_success_at')
    .where('source', '=', source)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return state?.last_success_at?.toISOString() ?? null
}
