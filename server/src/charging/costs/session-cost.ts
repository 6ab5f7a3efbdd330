import { localDateOf, quarterMs, type LocalDate } from '@gridmast/contract/time.ts'
import { addCost, costOf, noCost, type Cost, type Rates } from '#grid/published/cost-of-energy.ts'
import { factorAt, type Emission } from '#grid/published/emission.ts'
import type { QuarterEnergy } from './quarter-energy.ts'

export type DayPrice = { area: string; rates: Rates; emission: Emission }

type UnknownCost = 'price' | 'spot' | 'tariff'

type SessionCost = {
  cost: Cost | UnknownCost
  gCo2: number | null
}

const quarterCost = (fromMs: number, wh: number, price: DayPrice | null | undefined) => {
  if (wh === 0) return { cost: noCost, gCo2: 0 }
  if (!price) return { cost: 'price' as const, gCo2: null }
  const cost = costOf({ fromMs, toMs: fromMs + quarterMs, wh }, price.rates)
  const factor = factorAt(price.emission, fromMs)
  // The reading exists, so 'reading' does not occur.
  return { cost: cost === 'reading' ? noCost : cost, gCo2: factor === undefined ? null : (wh / 1000) * factor }
}

export const quarterCosts = ({ fromMs, wh }: QuarterEnergy, prices: ReadonlyMap<LocalDate, DayPrice | null>) =>
  wh.map((taken, i) => {
    const startMs = fromMs + i * quarterMs
    return { fromMs: startMs, wh: taken, ...quarterCost(startMs, taken, prices.get(localDateOf(startMs))) }
  })

export const sessionCost = (taken: QuarterEnergy, prices: ReadonlyMap<LocalDate, DayPrice | null>): SessionCost =>
  quarterCosts(taken, prices).reduce<SessionCost>(
    (sum, { cost, gCo2 }) => ({
      cost: typeof sum.cost === 'string' ? sum.cost : typeof cost === 'string' ? cost : addCost(sum.cost, cost),
      gCo2: sum.gCo2 === null || gCo2 === null ? null : sum.gCo2 + gCo2,
    }),
    { cost: noCost, gCo2: 0 },
  )
