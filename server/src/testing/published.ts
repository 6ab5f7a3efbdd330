// Domains never import domains, nor do their tests: published data for them comes from here.
export { runFeed } from '#domains/market-data/feed.ts'
export { savePrices } from '#domains/market-data/save-prices.ts'
