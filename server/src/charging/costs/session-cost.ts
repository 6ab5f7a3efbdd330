import { localDateOf, quarterMs, type LocalDate } from '@gridmast/contract/time.ts'
import { addCost, costOf, noCost, type Cost, type Rates } from '#grid/published/cost-of-energy.ts'
import { factorAt, type Emission } from '#grid/published/emission.ts'
import type { QuarterEnergy } from './quarter-energy.ts'

/** What a charger pays on a local day. */
export type DayPrice = { area: string; rates: Rates; emission: Emission }

/** Why a cost is unknown: the charger has no price, or a part of it was not published yet. */
type UnknownCost = 'price' | 'spot' | 'tariff'

type SessionCost = {
  cost: Cost | UnknownCost
  /** Of the grid, in g; null while the emission of some hour is not published. */
  gCo2: number | null
}

/** Cost and emission of a quarter; a quarter in which nothing was charged needs no price. */
const quarterCost = (fromMs: number, wh: number, price: DayPrice | null | undefined) => {
  if (wh === 0) return { cost: noCost, gCo2: 0 }
  if (!price) return { cost: 'price' as const, gCo2: null }
  const cost = costOf({ fromMs, toMs: fromMs + quarterMs, wh }, price.rates)
  const factor = factorAt(price.emission, fromMs)
  // There is a reading.
  return { cost: cost === 'reading' ? noCost : cost, gCo2: factor === undefined ? null : (wh / 1000) * factor }
}

/** Each quarter of a session with its cost. */
export const quarterCosts = ({ fromMs, wh }: QuarterEnergy, prices: ReadonlyMap<LocalDate, DayPrice | null>) =>
  wh.map((taken, i) => {
    const startMs = fromMs + i * quarterMs
    return { fromMs: startMs, wh: taken, ...quarterCost(startMs, taken, prices.get(localDateOf(startMs))) }
  })

/** Sum over the quarters of a session; as soon as one of them is unknown, so is the sum. */
export const sessionCost = (taken: QuarterEnergy, prices: ReadonlyMap<LocalDate, DayPrice | null>): SessionCost =>
  quarterCosts(taken, prices).reduce<SessionCost>(
    (sum, { cost, gCo2 }) => ({
      cost: typeof sum.cost === 'string' ? sum.cost : typeof cost === 'string' ? cost : addCost(sum.cost, cost),
      gCo2: sum.gCo2 === null || gCo2 === null ? null : sum.gCo2 + gCo2,
    }),
    { cost: noCost, gCo2: 0 },
  )
