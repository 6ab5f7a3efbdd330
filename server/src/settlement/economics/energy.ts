import {
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  normalDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { hourMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { Direction, SetPoint } from './measured.ts'

/** Required energy of aFRR and mFRR on a day and its payment; rules and a worked example: settlement.md. */

/** Required energy of a quarter of an hour in MWh, and its prices; null where a price is not published. */
export type ActivatedEnergy = Span & {
  upMwh: string
  downMwh: string
  upPriceEur: string | null
  downPriceEur: string | null
}

export type Energy = {
  quarters: ActivatedEnergy[]
  unmeasured: number
}

/** none: the product pays for capacity alone. open: the day is not over. unknown: a result, a price or a measurement is missing. */
export type EnergyState = 'none' | 'open' | 'unknown' | 'known'

export type Way = 'up' | 'down'

export const priceSeries = (product: string, way: Way): string =>
  `${product.startsWith('aFRR') ? 'aFRR' : 'mFRR'}-energy-${way === 'up' ? 'INC' : 'DEC'}`

/** kW times percent in a quarter of an hour that equal one MWh. */
const kwPercentPerMwh = 1000 * 100 * (hourMs / quarterMs)

/** To the Wh, halves away from zero: smaller digits are noise of the meter. `percent` is the sum over `count` samples. */
const mwhOf = (kw: number, percent: number, count: number): string =>
  normalDecimal(divideDecimal(multiplyDecimals(kw.toFixed(3), percent.toFixed(6)), count * kwPercentPerMwh, 6))

type EnergyOf = {
  product: string
  direction: Direction
  soldKw: ReadonlyMap<number, number>
  setPoints: ReadonlyMap<number, SetPoint>
  priceAt: (series: string, atMs: number) => string | null
}

export const energyOf = ({ product, direction, soldKw, setPoints, priceAt }: EnergyOf): Energy => {
  const energy: Energy = { quarters: [], unmeasured: 0 }
  for (const [hourAtMs, kw] of [...soldKw].toSorted(([a], [b]) => a - b))
    for (let fromMs = hourAtMs; fromMs < hourAtMs + hourMs; fromMs += quarterMs) {
      const required = setPoints.get(fromMs) ?? null
      if (required === null) {
        energy.unmeasured++
        continue
      }
      const upMwh = direction === 'down' ? '0' : mwhOf(kw, required.up, required.count)
      const downMwh = direction === 'up' ? '0' : mwhOf(kw, required.down, required.count)
      const isRequired = (mwh: string) => compareDecimals(mwh, '0') > 0
      if (!isRequired(upMwh) && !isRequired(downMwh)) continue
      energy.quarters.push({
        fromMs,
        toMs: fromMs + quarterMs,
        upMwh,
        downMwh,
        upPriceEur: isRequired(upMwh) ? priceAt(priceSeries(product, 'up'), fromMs) : null,
        downPriceEur: isRequired(downMwh) ? priceAt(priceSeries(product, 'down'), fromMs) : null,
      })
    }
  return energy
}

/** Revenue of a quarter of an hour; null where its price is not published. Down-regulation pays the price. */
export const energyEurOf = ({ upMwh, downMwh, upPriceEur, downPriceEur }: ActivatedEnergy): string | null => {
  const part = (mwh: string, price: string | null, sign: string): string | null => {
    if (compareDecimals(mwh, '0') === 0) return '0'
    return price === null ? null : multiplyDecimals(multiplyDecimals(mwh, price), sign)
  }
  const [up, down] = [part(upMwh, upPriceEur, '1'), part(downMwh, downPriceEur, '-1')]
  return up === null || down === null ? null : addDecimals(up, down)
}

export const energySumOf = ({ quarters, unmeasured }: Energy): string | null => {
  const published = quarters.flatMap((quarter) => energyEurOf(quarter) ?? [])
  return unmeasured === 0 && published.length === quarters.length ? sumDecimals(published) : null
}
