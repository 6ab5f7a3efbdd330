import { demandOf, products } from './products.ts'
import type { Samples } from './samples.ts'

export const t0Ms = Date.UTC(2026, 10, 20, 10)

export const everySecond = (values: ArrayLike<number | null>, fromMs = t0Ms): Samples => ({
  x: Array.from(values, (_, i) => fromMs + i * 1000),
  y: Array.from(values),
})

export const without = ({ x, y }: Samples, isAway: (atMs: number) => boolean): Samples => {
  const places = Array.from(x, (_, i) => i).filter((i) => !isAway(x[i] ?? 0))
  return { x: places.map((i) => x[i] ?? 0), y: places.map((i) => y[i] ?? null) }
}

export const lines = (...points: [second: number, value: number][]): number[] => {
  const values: number[] = []
  points.slice(1).forEach(([to, end], i) => {
    const [from, start] = points[i] ?? [0, 0]
    for (let s = from; s < to; s++) values.push(start + ((end - start) * (s - from)) / (to - from))
  })
  return [...values, points.at(-1)?.[1] ?? 0]
}

export const follows = (asked: readonly number[], deadTimeS: number, tauS: number): number[] => {
  let now = 0
  return asked.map((_, i) => (now += ((asked[i - deadTimeS] ?? 0) - now) / tauS))
}

/** A lost power station: 70 s at rest, 49.96 to 49.62 Hz in 6 s, 20 s hold, back with a time constant of 180 s, 70 s at rest. */
export const lostPowerStation: number[] = [
  ...Array.from({ length: 70 }, () => 49.96),
  ...Array.from({ length: 6 }, (_, i) => 49.96 - (0.34 * (i + 1)) / 6),
  ...Array.from({ length: 20 }, () => 49.62),
  ...Array.from({ length: 900 }, (_, i) => 49.96 - 0.34 * Math.exp(-(i + 1) / 180)),
  ...Array.from({ length: 70 }, () => 49.96),
]

const dip = lines([0, 50], [100, 50], [106, 49.62], [126, 49.62], [186, 50], [300, 50])
const shares = dip.map((hz) => Math.max(0, demandOf(products['FCR-D-INC'])(0, hz)))

/** The worked example of delivery.md: 50.0 to 49.62 Hz in 6 s, 20 s hold, back in 60 s; 900 kW with 420 kW sold, answered after 3 s with a lag of 3 s. */
export const workedExample = { dip, shares, answer: follows(shares, 3, 3).map((share) => 900 - 420 * share) }
