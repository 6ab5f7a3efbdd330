import { datasetNames, datasets } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Tx } from '#platform/records.ts'

const title = 'Energi Data Service'

/** The dataset that a market's prices are published in. */
export const datasetOfMarket = (market: string): string =>
  datasetNames.find((name) => {
    const { content } = datasets[name]
    return content.kind === 'prices' && content.prices.some((one) => one.market === market && !one.product)
  }) ?? ''

/** Where a market's prices come from, and whether that source is the demo's simulator. */
export const getSource = async (tx: Tx, market: string) => {
  const dataset = datasetOfMarket(market)
  const state = await tx
    .selectFrom('connector_state')
    .select('simulated')
    .where('source', '=', sourceName)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return { name: title, dataset, simulated: state?.simulated ?? false }
}
