// Domains and their tests do not import other domains; they import published data from here.
export { runFeed } from '#grid/market-data/feed.ts'
export { savePrices } from '#grid/market-data/save-prices.ts'
