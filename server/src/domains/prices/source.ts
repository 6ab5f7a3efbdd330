import { datasetNames, datasets } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Tx } from '#platform/records.ts'
import { getSource } from '#published-source.ts'

/** The dataset that a market's prices are published in. */
const datasetOfMarket = (market: string): string =>
  datasetNames.find((name) => {
    const { content } = datasets[name]
    return content.kind === 'prices' && content.prices.some((one) => one.market === market && !one.product)
  }) ?? ''

export const getMarketSource = (tx: Tx, market: string) => getSource(tx, sourceName, datasetOfMarket(market))
