import type { PriceRow } from './parse.ts'

/** Published means carry six decimals and volumes one; a difference below this is rounding. */
const toleranceEur = 0.01

const total = 'Total'

/** A `Total` should be the mean of its auctions, weighted with what was bought in each; where it is not, one sentence with the first case. */
export const auctionWarnings = (rows: readonly PriceRow[]): string[] => {
  const bySlot = Map.groupBy(rows, (row) => `${row.market} ${row.area} ${new Date(row.startsAtMs).toISOString()}`)
  const off = [...bySlot].flatMap(([slot, auctions]) => {
    const published = auctions.find((row) => row.auction === total)
    const mean = weightedMean(auctions.filter((row) => row.auction !== total))
    if (!published || published.priceEur === null || mean === null) return []
    return Math.abs(Number(published.priceEur) - mean) > toleranceEur
      ? [`${slot}: ${published.priceEur} instead of ${mean.toFixed(6)}`]
      : []
  })
  return off.length > 0 ? [`${off.length} totals are not the weighted mean of their auctions: ${off[0]}`] : []
}

/** Null when nothing was bought or a price or volume is missing. A check only: what is stored stays decimal text. */
const weightedMean = (auctions: readonly PriceRow[]): number | null => {
  let [volume, sum] = [0, 0]
  for (const { priceEur, volumeMw } of auctions) {
    if (volumeMw === null) return null
    if (Number(volumeMw) === 0) continue
    if (priceEur === null) return null
    volume += Number(volumeMw)
    sum += Number(volumeMw) * Number(priceEur)
  }
  return volume > 0 ? sum / volume : null
}
