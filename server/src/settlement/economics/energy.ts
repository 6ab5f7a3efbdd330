import {
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  normalDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { hourMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { Direction } from './measured.ts'
import type { Asked } from './set-points.ts'

/** What aFRR and mFRR were asked for on a day, and what it was paid with. Rules and a worked example: settlement.md. */

/** Energy that was asked for in a quarter of an hour, MWh, and what it was paid with; null where the price is not published. */
export type ActivatedEnergy = Span & {
  upMwh: string
  downMwh: string
  upPriceEur: string | null
  downPriceEur: string | null
}

export type Energy = {
  /** Those in which something was asked for. */
  quarters: ActivatedEnergy[]
  /** Quarters of an hour that were sold and of which nobody measured what was asked for. */
  unmeasured: number
}

/** none: the product pays for capacity alone. open: the day is not over. unknown: a result, a price or a measurement is missing. */
export type EnergyState = 'none' | 'open' | 'unknown' | 'known'

export type Way = 'up' | 'down'

/** The series that the prices of activated energy of a product are published in. */
export const priceSeries = (product: string, way: Way): string =>
  `${product.startsWith('aFRR') ? 'aFRR' : 'mFRR'}-energy-${way === 'up' ? 'INC' : 'DEC'}`

/** kW times percent in a quarter of an hour that are one MWh. */
const kwPercentPerMwh = 1000 * 100 * (hourMs / quarterMs)

/** To the Wh, halves away from zero: a set point is measured, and what lies below is noise of the meter. `percent` is the sum over `count` samples. */
const mwhOf = (kw: number, percent: number, count: number): string =>
  normalDecimal(divideDecimal(multiplyDecimals(kw.toFixed(3), percent.toFixed(6)), count * kwPercentPerMwh, 6))

type EnergyOf = {
  product: string
  direction: Direction
  /** By the start of each hour in which something was sold. */
  soldKw: ReadonlyMap<number, number>
  /** By the start of each quarter of an hour. */
  asked: ReadonlyMap<number, Asked>
  priceAt: (series: string, atMs: number) => string | null
}

export const energyOf = ({ product, direction, soldKw, asked, priceAt }: EnergyOf): Energy => {
  const energy: Energy = { quarters: [], unmeasured: 0 }
  for (const [hourAtMs, kw] of [...soldKw].toSorted(([a], [b]) => a - b))
    for (let fromMs = hourAtMs; fromMs < hourAtMs + hourMs; fromMs += quarterMs) {
      const required = asked.get(fromMs) ?? null
      if (required === null) {
        energy.unmeasured++
        continue
      }
      const upMwh = direction === 'down' ? '0' : mwhOf(kw, required.up, required.count)
      const downMwh = direction === 'up' ? '0' : mwhOf(kw, required.down, required.count)
      const isAsked = (mwh: string) => compareDecimals(mwh, '0') > 0
      if (!isAsked(upMwh) && !isAsked(downMwh)) continue
      energy.quarters.push({
        fromMs,
        toMs: fromMs + quarterMs,
        upMwh,
        downMwh,
        upPriceEur: isAsked(upMwh) ? priceAt(priceSeries(product, 'up'), fromMs) : null,
        downPriceEur: isAsked(downMwh) ? priceAt(priceSeries(product, 'down'), fromMs) : null,
      })
    }
  return energy
}

/** What one quarter of an hour earned; null where its price is not published. Who is regulated down pays the price. */
export const energyEurOf = ({ upMwh, downMwh, upPriceEur, downPriceEur }: ActivatedEnergy): string | null => {
  const part = (mwh: string, price: string | null, sign: string): string | null => {
    if (compareDecimals(mwh, '0') === 0) return '0'
    return price === null ? null : multiplyDecimals(multiplyDecimals(mwh, price), sign)
  }
  const [up, down] = [part(upMwh, upPriceEur, '1'), part(downMwh, downPriceEur, '-1')]
  return up === null || down === null ? null : addDecimals(up, down)
}

/** Of the whole day; null where something of it is unknown. */
export const energySumOf = ({ quarters, unmeasured }: Energy): string | null => {
  const known = quarters.flatMap((quarter) => energyEurOf(quarter) ?? [])
  return unmeasured === 0 && known.length === quarters.length ? sumDecimals(known) : null
}
