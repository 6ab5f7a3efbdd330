import { assumed } from './assumed.ts'
import type { Demand } from './rules.ts'

const most = {
  customers: 1_000_000,
  edges: 1_000_000,
  chargers: 10_000_000,
  meters: 10_000_000,
  users: 10_000_000,
  'samples-per-second': 100_000_000,
  'retention-days': 36_500,
} as const
type Name = keyof typeof most

/** Options of the command; throws one sentence for a missing or an invalid one. */
export const readDemand = (options: Partial<Record<Name, string>>): Demand => {
  const number = (name: Name, least: number, fallback?: number): number => {
    const text = options[name]
    if (text === undefined && fallback !== undefined) return fallback
    if (text === undefined) throw new Error(`--${name} is missing, a whole number from ${least} to ${most[name]}.`)
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most[name]) return value
    throw new Error(`--${name} ${text}: expected a whole number from ${least} to ${most[name]}.`)
  }
  const edges = number('edges', 0)
  return {
    customers: number('customers', 1),
    edges,
    chargers: number('chargers', 0),
    meters: number('meters', 0),
    users: number('users', 1),
    samplesPerSecond: number('samples-per-second', 0, edges * assumed.signalsPerEdge),
    retentionDays: number('retention-days', 31, 400),
  }
}
