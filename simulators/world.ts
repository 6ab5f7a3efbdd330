import { bell, seedOf, smoothNoise, uniform } from './noise.ts'

/**
 * The simulated grid: one seed, one clock. Frequency is a pure function of the second, so that live values, history and a restarted process agree.
 * Formulas, figures and their sources: world.md.
 */
export type Grid = 'nordic' | 'continental'

export const gridOf = (area: string): Grid => (area === 'DK1' ? 'continental' : 'nordic')

type Wander = { seed: number; sdHz: number; memoryS: number }

const wander: Record<Grid, Wander> = {
  nordic: { seed: seedOf('frequency nordic'), sdHz: 0.04, memoryS: 120 },
  continental: { seed: seedOf('frequency continental'), sdHz: 0.02, memoryS: 90 },
}

/** Periods of 2 s to 2,048 s: weights of an Ornstein-Uhlenbeck spectrum, one octave each, with a total variance of 1. */
const octavesOf = (memoryS: number) => {
  const steps = Array.from({ length: 11 }, (_, i) => 2 ** (i + 1))
  const powers = steps.map((step) => {
    const x = (1.2 * memoryS) / step
    return x / (1 + x * x)
  })
  const total = powers.reduce((sum, power) => sum + power, 0)
  return steps.map((step, i) => ({ step, weight: Math.sqrt((powers[i] ?? 0) / total) }))
}

const octaves: Record<Grid, ReturnType<typeof octavesOf>> = { nordic: octavesOf(120), continental: octavesOf(90) }

const wandering = (grid: Grid, second: number): number => {
  const { seed, sdHz } = wander[grid]
  let sum = 0
  for (const { step, weight } of octaves[grid]) sum += weight * smoothNoise(seed + step, second, step)
  return sum * sdHz
}

const disturbanceSeed = seedOf('disturbances nordic')
const cellS = 3600
const cellsPerDay = 24
const dropS = 6
const recoveryS = 75

/**
 * A lost power station or cable each hour: down or up by 0.12 to 0.25 Hz in 6 s, then back with a time constant of 75 s. One per day (UTC) is large:
 * down by 0.32 to 0.45 Hz. More and deeper than in a real grid, for display.
 */
export type Disturbance = { startS: number; hz: number }

export const disturbanceIn = (cell: number): Disturbance => {
  const day = Math.floor(cell / cellsPerDay)
  const isLarge = cell - day * cellsPerDay === Math.floor(uniform(disturbanceSeed + 1, day) * cellsPerDay)
  const drawn = uniform(disturbanceSeed, cell * 4 + 1)
  const size = isLarge ? 0.32 + 0.13 * drawn : 0.12 + 0.13 * drawn
  return {
    startS: cell * cellS + Math.floor(uniform(disturbanceSeed, cell * 4 + 2) * cellS),
    hz: isLarge || uniform(disturbanceSeed, cell * 4 + 3) < 0.5 ? -size : size,
  }
}

const disturbed = (second: number): number => {
  const cell = Math.floor(second / cellS)
  let sum = 0
  for (const one of [disturbanceIn(cell - 1), disturbanceIn(cell)]) {
    const age = second - one.startS
    if (age >= 0) sum += one.hz * (age < dropS ? age / dropS : Math.exp(-(age - dropS) / recoveryS))
  }
  return sum
}

const rampSeed = seedOf('hour change continental')

/** Schedules change at the full hour: a bump of ±20 to 40 mHz for 5 minutes around it. */
const hourChange = (second: number): number => {
  const hour = Math.round(second / 3600)
  const away = Math.abs(second - hour * 3600)
  if (away >= 150) return 0
  const size = (0.02 + 0.02 * uniform(rampSeed, hour * 2)) * (uniform(rampSeed, hour * 2 + 1) < 0.5 ? -1 : 1)
  return size * 0.5 * (1 + Math.cos((Math.PI * away) / 150))
}

const meterSeed = seedOf('meter noise')

/** Frequency at a whole second of UTC (epoch seconds), in Hz, to the millihertz that a meter shows. */
const measured = (grid: Grid, second: number): number => {
  const event = grid === 'nordic' ? disturbed(second) : hourChange(second)
  const hz = 50 + wandering(grid, second) + event + 0.0005 * bell(meterSeed + wander[grid].seed, second)
  return Math.round(hz * 1000) / 1000
}

// A response uses the last seconds, sample by sample: about the last hour of each grid is cached (30 ns instead of 2 µs).
const kept = 4096
type Memory = { second: Float64Array; hz: Float64Array }
const memory: Record<Grid, Memory> = {
  nordic: { second: new Float64Array(kept).fill(NaN), hz: new Float64Array(kept) },
  continental: { second: new Float64Array(kept).fill(NaN), hz: new Float64Array(kept) },
}

export const frequencyHz = (grid: Grid, second: number): number => {
  const place = ((second % kept) + kept) % kept
  const { second: seconds, hz } = memory[grid]
  if (seconds[place] !== second) {
    seconds[place] = second
    hz[place] = measured(grid, second)
  }
  return hz[place] ?? 50
}
