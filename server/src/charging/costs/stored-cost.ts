import type { ChargingCost } from '@gridmast/contract/charging/charging-costs.ts'
import { addDecimals, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'

/** Wh as kWh or g as kg, exact to the last digit: a float division adds digits. */
export function thousandths(text: string): number
export function thousandths(text: string | null): number | null
export function thousandths(text: string | null): number | null {
  return text === null ? null : Number(multiplyDecimals(text, '0.001'))
}

type CostRow = {
  counted: Date | null
  spot_dkk: string | null
  tariff_dkk: string | null
  tax_dkk: string | null
  unknown: string | null
  driver_dkk: string | null
  g_co2: string | null
  spread: boolean | null
}

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
