/** kWh and kg of one or more hours; `coveredKwh` is the part with a published emission. */
export type Emitted = { kwh: number; coveredKwh: number; kgCo2: number }

const nothing: Emitted = { kwh: 0, coveredKwh: 0, kgCo2: 0 }

/** Emission of one hour of consumption; null where it was not measured. A net feed-in hour emits nothing; `gramsPerKwh` is null where unpublished. */
export const emittedInHour = (kwh: number | null, gramsPerKwh: number | null): Emitted | null => {
  if (kwh === null) return null
  const consumedKwh = Math.max(0, kwh)
  if (gramsPerKwh === null) return { kwh: consumedKwh, coveredKwh: 0, kgCo2: 0 }
  return { kwh: consumedKwh, coveredKwh: consumedKwh, kgCo2: (consumedKwh * gramsPerKwh) / 1000 }
}

export const sumOf = (parts: readonly (Emitted | null)[]): Emitted =>
  parts.reduce<Emitted>(
    (sum, part) =>
      part
        ? { kwh: sum.kwh + part.kwh, coveredKwh: sum.coveredKwh + part.coveredKwh, kgCo2: sum.kgCo2 + part.kgCo2 }
        : sum,
    nothing,
  )

/** Percent of the consumption in hours with a published emission; null without consumption. */
export const coverageOf = ({ kwh, coveredKwh }: Emitted): number | null => (kwh > 0 ? (coveredKwh / kwh) * 100 : null)

export type Minutes = { passed: number; measured: number }

/** Measured share of the elapsed time in percent, null without any; in the kWh, an hour with one measured minute counts in full. */
export const measuredShare = (each: readonly Minutes[]): number | null => {
  const total = (key: keyof Minutes) => each.reduce((sum, one) => sum + one[key], 0)
  return total('passed') > 0 ? (total('measured') / total('passed')) * 100 : null
}
