import { dayMs, hourMs, offsetMs } from '@gridmast/contract/time.ts'
import { bell, seedOf, smoothNoise } from './noise.ts'

/** Power of equipment without any activation, in kW; consumption is positive. Pure functions of the second (world.md). */
export const loadKinds = ['cold-store', 'logistics', 'battery', 'ev'] as const
export type LoadKind = (typeof loadKinds)[number]

export type Load = { seed: number; kind: LoadKind; flexibleKw: number }

export const loadOf = (key: string, kind: LoadKind, flexibleKw: number): Load => ({
  seed: seedOf(`load ${key}`),
  kind,
  flexibleKw,
})

type Shape = {
  /** Power as a multiple of the flexible power per local hour, linear between the middles of the hours. */
  hours: readonly number[]
  weekend: number
  most: number
  drift: number
  switching: number
}

const shapes: Record<Exclude<LoadKind, 'battery'>, Shape> = {
  'cold-store': {
    hours: [
      1.22, 1.2, 1.19, 1.18, 1.21, 1.33, 1.43, 1.48, 1.51, 1.54, 1.56, 1.58, 1.51, 1.43, 1.4, 1.39, 1.38, 1.39, 1.41,
      1.39, 1.35, 1.31, 1.27, 1.25,
    ],
    weekend: 0.96,
    most: 2.9,
    drift: 0.025,
    switching: 0.012,
  },
  logistics: {
    hours: [
      1.42, 1.4, 1.38, 1.42, 1.51, 1.75, 1.99, 2.1, 2.08, 1.99, 1.89, 1.81, 1.78, 1.75, 1.76, 1.8, 1.89, 1.95, 1.89,
      1.8, 1.7, 1.61, 1.51, 1.45,
    ],
    weekend: 0.9,
    most: 3.6,
    drift: 0.05,
    switching: 0.04,
  },
  ev: {
    hours: [
      1.75, 1.65, 1.6, 1.5, 1.45, 1.2, 0.5, 0.3, 0.25, 0.25, 0.25, 0.26, 0.32, 0.38, 0.56, 0.9, 1.44, 1.92, 2.16, 2.1,
      2, 1.95, 1.9, 1.8,
    ],
    weekend: 0.35,
    most: 2.4,
    drift: 0.08,
    switching: 0.05,
  },
}

const shareAt = ({ hours, weekend }: Shape, second: number): number => {
  const localMs = second * 1000 + offsetMs(second * 1000)
  const hour = (localMs / hourMs + 23.5) % 24 // from the middle of an hour to the middle of the next
  const before = Math.floor(hour)
  const [a = 0, b = 0] = [hours[before], hours[(before + 1) % 24]]
  const weekday = (Math.floor(localMs / dayMs) + 3) % 7 // 1970-01-01 was a Thursday; 0 is Monday
  return (a + (b - a) * (hour - before)) * (weekday >= 5 ? weekend : 1)
}

export const batteryHours = 2.4 // kWh per kW of flexible power

/** State of charge in percent: charged at night, discharged over the evening peak, slightly different each day; null without a battery. */
export const socPercent = (load: Load, second: number): number | null => {
  if (load.kind !== 'battery') return null
  const localS = second + offsetMs(second * 1000) / 1000
  const hour = (localS / 3600) % 24
  const charged = rise(hour, 1, 5) - rise(hour, 17, 20)
  const size = 32 + 4 * smoothNoise(load.seed, second, 86_400)
  return 38 + size * charged + 2 * smoothNoise(load.seed + 1, second, 14_400)
}

/** 0 before `from`, 1 after `to`, smooth between. */
const rise = (x: number, from: number, to: number): number => {
  const u = Math.min(1, Math.max(0, (x - from) / (to - from)))
  return u * u * (3 - 2 * u)
}

export const plannedKw = (load: Load, second: number): number => {
  if (load.kind === 'battery') {
    const [before = 0, after = 0] = [socPercent(load, second - 30), socPercent(load, second + 30)].map(
      (soc) => soc ?? 0,
    )
    return ((after - before) / 100) * batteryHours * load.flexibleKw * 60
  }
  const shape = shapes[load.kind]
  const wobble =
    1 + shape.drift * smoothNoise(load.seed, second, 1800) + shape.switching * smoothNoise(load.seed + 1, second, 240)
  return Math.max(0, load.flexibleKw * shareAt(shape, second) * wobble)
}

/** 1 % of the power, drawn each second. */
export const noiseKw = (load: Load, second: number, kw: number): number => 0.01 * kw * bell(load.seed + 2, second)

/** Available capacity from the current power: less consumption (`up`) and more (`down`); a battery's depends on its state of charge. */
export const capacityKw = (
  load: Load,
  second: number,
  soc = socPercent(load, second),
): { up: number; down: number } => {
  const kw = plannedKw(load, second)
  const { flexibleKw, kind } = load
  if (kind === 'battery') {
    return { up: (soc ?? 50) > 10 ? flexibleKw : 0, down: (soc ?? 50) < 90 ? flexibleKw : 0 }
  }
  const { most } = shapes[kind]
  return { up: Math.max(0, kw - 0.03 * flexibleKw), down: Math.max(0, most * flexibleKw - kw) }
}

const stepS = 900
const countedFromS = Date.parse('2026-01-01T00:00:00Z') / 1000
const counted = new Map<string, Float64Array>()

/** Planned energy since the start of 2026 in kWh, by quarter; without activations and noise, so a reading is reproducible and never falls. */
export const meterKwh = (load: Load, second: number): number => {
  const steps = Math.max(0, Math.floor((second - countedFromS) / stepS))
  const sums = sumsOf(load, steps)
  const middle = (step: number) => Math.max(0, plannedKw(load, countedFromS + step * stepS + stepS / 2))
  const restS = Math.max(0, second - countedFromS - steps * stepS)
  return 10_000 + (sums[steps] ?? 0) + (middle(steps) * restS) / 3600
}

const sumsOf = (load: Load, steps: number): Float64Array => {
  const key = `${load.seed} ${load.kind} ${load.flexibleKw}`
  const known = counted.get(key)
  if (known && steps < known.length) return known
  const sums = new Float64Array(steps + 2000)
  sums.set(known ?? [])
  for (let i = Math.max(1, known?.length ?? 1); i < sums.length; i++) {
    const kw = Math.max(0, plannedKw(load, countedFromS + (i - 1) * stepS + stepS / 2))
    sums[i] = (sums[i - 1] ?? 0) + (kw * stepS) / 3600
  }
  counted.set(key, sums)
  return sums
}
