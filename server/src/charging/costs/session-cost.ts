import type { Nullable } from 'kysely'
import type { RowOf } from '#platform/records/rows.ts'
import { localDateOf, quarterMs, type LocalDate } from '@gridmast/contract/time.ts'
import { addCost, costOf, noCost, type Cost, type Rates } from '#grid/published/cost-of-energy.ts'
import { factorAt, type Emission } from '#grid/published/emission.ts'
import type { QuarterEnergy } from './quarter-energy.ts'
import type { ChargingCost } from '@gridmast/contract/charging/charging-costs.ts'
import { addDecimals, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'

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

export const sessionCost = (energy: QuarterEnergy, prices: ReadonlyMap<LocalDate, DayPrice | null>): SessionCost =>
  quarterCosts(energy, prices).reduce<SessionCost>(
    (sum, { cost, gCo2 }) => ({
      cost: typeof sum.cost === 'string' ? sum.cost : typeof cost === 'string' ? cost : addCost(sum.cost, cost),
      gCo2: sum.gCo2 === null || gCo2 === null ? null : sum.gCo2 + gCo2,
    }),
    { cost: noCost, gCo2: 0 },
  )

/** Wh as kWh or g as kg, exact to the last digit: a float division adds digits. */
export function thousandths(text: string): number
export function thousandths(text: string | null): number | null
export function thousandths(text: string | null): number | null {
  return text === null ? null : Number(multiplyDecimals(text, '0.001'))
}

type CostRow = Nullable<
  RowOf<'charging_cost', 'spot_dkk' | 'tariff_dkk' | 'tax_dkk' | 'unknown' | 'driver_dkk' | 'g_co2' | 'spread'>
> & { counted: Date | null }

export const costColumns = [
  'k.from_at as counted',
  'k.spot_dkk',
  'k.tariff_dkk',
  'k.tax_dkk',
  'k.unknown',
  'k.driver_dkk',
  'k.g_co2',
  'k.spread',
] as const

/** Amounts are rounded once, here; null where the energy is unknown or the cost is not calculated yet, which takes up to a minute. */
export const toCost = (row: CostRow): ChargingCost | null => {
  if (row.counted === null) return null
  const { spot_dkk: spot, tariff_dkk: tariff, tax_dkk: tax } = row
  const parts = spot !== null && tariff !== null && tax !== null ? { spot, tariff, tax } : null
  return {
    total: parts && roundDecimal(addDecimals(parts.spot, parts.tariff, parts.tax), 2),
    parts,
    unknown: parts ? null : row.unknown === 'spot' || row.unknown === 'tariff' ? row.unknown : 'price',
    driver: row.driver_dkk && roundDecimal(row.driver_dkk, 2),
    kgCo2: thousandths(row.g_co2),
    spread: row.spread ?? false,
  }
}
