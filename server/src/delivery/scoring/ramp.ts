import { deliveredFrom, known, type Measured } from './measured.ts'
import { meanOf } from './samples.ts'

/**
 * Shares of the steady answer that must be reached by a time after the start of the ramp; `energyS` is the energy until the first of them, in
 * seconds of the steady answer.
 */
type RampProfile = { points: readonly { atS: number; share: number }[]; energyS: number | null }

export const rampProfiles = {
  nordic2023: { points: [{ atS: 7.5, share: 0.86 }], energyS: 3.2 },
  /** The rule before: half in 5 s, all in 30 s, with 5 % tolerance for the meter. */
  halfIn5Seconds: {
    points: [
      { atS: 5, share: 0.5 },
      { atS: 30, share: 0.95 },
    ],
    energyS: null,
  },
} satisfies Record<string, RampProfile>

type RampTest = {
  isPassed: boolean | null
  steadyKw: number | null
  steadyShare: number | null
  points: { atS: number; share: number | null; required: number; isPassed: boolean | null }[]
  energyS: number | null
}

const steadyLastS = 30

const valueAt = (perSecond: Float64Array, atS: number): number => {
  const before = Math.floor(atS)
  const part = atS - before
  const first = perSecond[before] ?? NaN
  return part === 0 ? first : first + part * ((perSecond[before + 1] ?? NaN) - first)
}

const energyUntil = (perSecond: Float64Array, atS: number): number => {
  let energy = 0
  for (let s = 0; s < atS; s++) {
    const width = Math.min(1, atS - s)
    energy += (width * (valueAt(perSecond, s) + valueAt(perSecond, s + width))) / 2
  }
  return energy
}

/**
 * The regulatory test with an artificial ramp of the frequency, from `startMs` until `holdS` later. Samples from 60 s before are required. The
 * steady answer is the mean of the last 30 s of the hold.
 */
export const testRamp = (
  measured: Pick<Measured, 'power' | 'counts' | 'capacityKw'>,
  { startMs, holdS, direction }: { startMs: number; holdS: number; direction: 'increased' | 'decreased' },
  profile: RampProfile = rampProfiles.nordic2023,
): RampTest => {
  const span = { fromMs: startMs, seconds: holdS + 1, sign: direction === 'increased' ? 1 : -1 } as const
  const { deliveredKw } = deliveredFrom({ ...measured, trigger: { x: [], y: [] } }, span)
  const steadyKw = meanOf(deliveredKw.subarray(Math.max(0, holdS - steadyLastS)))
  const points = profile.points.map(({ atS, share: required }) => {
    const share = valueAt(deliveredKw, atS) / steadyKw
    return {
      atS,
      share: known(share),
      required,
      isPassed: Number.isNaN(share) ? null : steadyKw > 0 && share >= required,
    }
  })
  const energyS = energyUntil(deliveredKw, profile.points[0]?.atS ?? 0) / steadyKw
  const passes = points.map((point) => point.isPassed)
  if (profile.energyS !== null) passes.push(Number.isNaN(energyS) ? null : steadyKw > 0 && energyS >= profile.energyS)
  return {
    isPassed: passes.includes(false) ? false : passes.includes(null) ? null : true,
    steadyKw: known(steadyKw),
    steadyShare: known(steadyKw / measured.capacityKw),
    points,
    energyS: known(energyS),
  }
}
