import type { LoadKind } from './loads.ts'
import { seedOf, smoothNoise, uniform } from './noise.ts'
import { frequencyHz, type Grid } from './world.ts'

const clamp = (x: number, from: number, to: number) => Math.min(to, Math.max(from, x))

const restoration = { nordic: seedOf('aFRR nordic'), continental: seedOf('aFRR continental') }

/** The operator's aFRR signal, new every 4 s: bounded, upwards and downwards in about an eighth of the time each. */
const restorationSignal = (grid: Grid, second: number): number => {
  const value = smoothNoise(restoration[grid], Math.floor(second / 4) * 4, 600)
  return Math.sign(value) * clamp((Math.abs(value) - 1.1) / 1.2, 0, 1)
}

const manualSeed = seedOf('mFRR')
const quarterS = 900

/** mFRR is activated for whole quarters of an hour: one in twelve, at half or more. */
const scheduled = (quarter: number): number =>
  uniform(manualSeed, quarter * 2) < 1 / 12 ? 0.5 + 0.5 * uniform(manualSeed, quarter * 2 + 1) : 0

const ffrHz = 49.7
const ffrHoldS = 30

/** Activated share of the sold capacity at a second: 1 is full upwards (less consumption), -1 full downwards. */
export const asked = (market: string, grid: Grid, second: number): number => {
  const hz = frequencyHz(grid, second)
  switch (market) {
    case 'FCR':
      return Math.abs(50 - hz) <= 0.02 ? 0 : clamp((50 - hz) / 0.2, -1, 1)
    case 'FCR-N':
      return clamp((50 - hz) / 0.1, -1, 1)
    case 'FCR-D-INC':
      return clamp((49.9 - hz) / 0.4, 0, 1)
    case 'FCR-D-DEC':
      return -clamp((hz - 50.1) / 0.4, 0, 1)
    case 'FFR': {
      for (let back = 0; back < ffrHoldS; back++) if (frequencyHz(grid, second - back) <= ffrHz) return 1
      return 0
    }
    case 'aFRR':
      return restorationSignal(grid, second)
    case 'aFRR-DK1-INC':
    case 'aFRR-DK2-INC':
      return Math.max(0, restorationSignal(grid, second))
    case 'aFRR-DK1-DEC':
    case 'aFRR-DK2-DEC':
      return Math.min(0, restorationSignal(grid, second))
    case 'mFRR':
      return scheduled(Math.floor(second / quarterS))
    default:
      return 0
  }
}

/** Threshold of an activation: FCR responds to every deviation, the others rest in between. */
export const activationFrom = (market: string): number => (market === 'FCR' || market === 'FCR-N' ? 0.4 : 0.001)

const lagS: Record<LoadKind, number> = { battery: 1, 'cold-store': 3, ev: 4, logistics: 5 }

const weightsOf = (tau: number): number[] => {
  const all = Array.from({ length: tau * 5 + 1 }, (_, back) => Math.exp(-back / tau))
  const total = all.reduce((sum, weight) => sum + weight, 0)
  return all.map((weight) => weight / total)
}

const weights: Record<LoadKind, number[]> = {
  battery: weightsOf(lagS.battery),
  'cold-store': weightsOf(lagS['cold-store']),
  ev: weightsOf(lagS.ev),
  logistics: weightsOf(lagS.logistics),
}

/** Response of the equipment: a first-order lag of 1 to 5 s, cut off after five time constants. */
export const answered = (kind: LoadKind, wanted: (second: number) => number, second: number): number => {
  let sum = 0
  weights[kind].forEach((weight, back) => {
    sum += weight * wanted(second - back)
  })
  return sum
}
