// Domains never import domains, nor do their tests: published data for them comes from here.
export { runFeed } from '#grid/market-data/feed.ts'
export { savePrices } from '#grid/market-data/save-prices.ts'
