import { datasetNames, datasets } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Tx } from '#platform/records.ts'

/** Names of sources as people know them. */
const titles: Record<string, string> = { 'energi-data-service': 'Energi Data Service', statnett: 'Statnett' }

export type PublishedSource = { name: string; dataset: string; simulated: boolean }

/** Where published data comes from, and whether that source is the demo's simulator. */
export const getSource = async (tx: Tx, source: string, dataset: string): Promise<PublishedSource> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('simulated')
    .where('source', '=', source)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return { name: titles[source] ?? source, dataset, simulated: state?.simulated ?? false }
}

/** The dataset that a market's prices are published in. */
const datasetOfMarket = (market: string): string =>
  datasetNames.find((name) => {
    const { content } = datasets[name]
    return content.kind === 'prices' && content.prices.some((one) => one.market === market && !one.product)
  }) ?? ''

export const getMarketSource = (tx: Tx, market: string) => getSource(tx, sourceName, datasetOfMarket(market))

/** The newest instant that a source answered at; null when it never did. */
export const findLastSuccess = async (tx: Tx, source: string, dataset: string): Promise<string | null> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('last_success_at')
    .where('source', '=', source)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return state?.last_success_at?.toISOString() ?? null
}
