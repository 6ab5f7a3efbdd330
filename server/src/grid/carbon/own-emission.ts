/** kWh and kg of one hour or of several; `knownKwh` is the part whose emission is known. */
export type Emitted = { kwh: number; knownKwh: number; kgCo2: number }

const nothing: Emitted = { kwh: 0, knownKwh: 0, kgCo2: 0 }

/**
 * What one hour of consumption emitted; null where it was not measured. An hour that fed in more than it took emits nothing.
 * `gramsPerKwh` is null where the emission of the hour is unknown.
 */
export const emittedInHour = (kwh: number | null, gramsPerKwh: number | null): Emitted | null => {
  if (kwh === null) return null
  const taken = Math.max(0, kwh)
  if (gramsPerKwh === null) return { kwh: taken, knownKwh: 0, kgCo2: 0 }
  return { kwh: taken, knownKwh: taken, kgCo2: (taken * gramsPerKwh) / 1000 }
}

export const sumOf = (parts: readonly (Emitted | null)[]): Emitted =>
  parts.reduce<Emitted>(
    (sum, part) =>
      part ? { kwh: sum.kwh + part.kwh, knownKwh: sum.knownKwh + part.knownKwh, kgCo2: sum.kgCo2 + part.kgCo2 } : sum,
    nothing,
  )

/** Percent of the consumption whose hour has a known emission; null when nothing was consumed. */
export const coverageOf = ({ kwh, knownKwh }: Emitted): number | null => (kwh > 0 ? (knownKwh / kwh) * 100 : null)

/** Minutes that have passed, and those of them in which power was measured. */
export type Minutes = { passed: number; measured: number }

/** Percent of the time that was measured; null where no time has passed. An hour of which one minute was measured counts whole in the kWh. */
export const measuredShare = (each: readonly Minutes[]): number | null => {
  const total = (key: keyof Minutes) => each.reduce((sum, one) => sum + one[key], 0)
  return total('passed') > 0 ? (total('measured') / total('passed')) * 100 : null
}
