import { plausibleTimes } from './session-energy.ts'
import { type MeterValue, maxWh, type Sampled } from '#protocols/ocpp/facts.ts'

/** Measured values of a charger in W, Wh and %; the accepted shapes: meter-values.md. */

export const chargerSignalKinds = ['power', 'energy', 'soc'] as const
export const phaseKinds = ['power-l1', 'power-l2', 'power-l3'] as const
type Measured = (typeof chargerSignalKinds)[number]
export type ChargerSignalKind = Measured | (typeof phaseKinds)[number]

export type Reading = { kind: ChargerSignalKind; atMs: number; value: number; context: string }
const measurands = new Map<string, Measured>([
  ['Energy.Active.Import.Register', 'energy'],
  ['Power.Active.Import', 'power'],
  ['SoC', 'soc'],
])
const defaultUnits: Record<Measured, string> = { power: 'W', energy: 'Wh', soc: 'Percent' }
const factors = new Map<string, [kind: Measured, factor: number]>([
  ['W', ['power', 1]],
  ['kW', ['power', 1000]],
  ['Wh', ['energy', 1]],
  ['kWh', ['energy', 1000]],
  ['Percent', ['soc', 1]],
  ['%', ['soc', 1]],
])

const valueOf = (kind: Measured, { value, unit, multiplier }: Sampled): number | null => {
  const text = value.trim()
  const number = text === '' ? Number.NaN : Number(text)
  const [unitKind, factor] = factors.get(unit ?? defaultUnits[kind]) ?? []
  if (!Number.isFinite(number) || unitKind !== kind || factor === undefined) return null
  const scaled = number * factor * 10 ** multiplier
  // Wh to three digits: a kWh float is not an exact number of Wh.
  return Number.isFinite(scaled) ? Math.round(scaled * 1000) / 1000 : null
}

const families = [
  ['L1', 'L2', 'L3'],
  ['L1-N', 'L2-N', 'L3-N'],
]

/** The reported total, else the sum of the phases of one family: never both, and never a value between two phases. */
const totalOf = (kind: Measured, samples: readonly Sampled[]): number | null => {
  const total = samples.find(({ phase }) => phase === null)
  if (total) return valueOf(kind, total)
  if (kind === 'soc') return samples[0] ? valueOf(kind, samples[0]) : null
  for (const family of families) {
    const values = samples
      .filter(({ phase }) => family.includes(phase ?? ''))
      .map((one) => valueOf(kind, one))
      .filter((one) => one !== null)
    if (values.length > 0) return Math.round(values.reduce((sum, value) => sum + value, 0) * 1000) / 1000
  }
  return null
}

/** Power of each phase, of the first family present; a series of its own, not part of the total. */
const phasesOf = (samples: readonly Sampled[]): { kind: (typeof phaseKinds)[number]; value: number }[] => {
  if (samples.every(({ phase }) => phase === null)) return []
  const family = families.find((names) => samples.some(({ phase }) => names.includes(phase ?? '')))
  return phaseKinds.flatMap((kind, i) => {
    const sample = samples.find(({ phase }) => phase !== null && phase === family?.[i])
    const value = sample ? valueOf('power', sample) : null
    return value === null ? [] : [{ kind, value }]
  })
}

/** Samples at the outlet where present, else at the location of the first one: the state of charge is measured in the car. */
const atOnePlace = (samples: readonly Sampled[]) => {
  const place = samples.some(({ location }) => location === 'Outlet') ? 'Outlet' : samples[0]?.location
  return samples.filter(({ location }) => location === place)
}

const isPossible = (kind: Measured, value: number, maxKw: number) => {
  if (kind === 'soc') return value >= 0 && value <= 100
  return kind === 'energy' ? value >= 0 && value <= maxWh : Math.abs(value) <= plausibleTimes * maxKw * 1000
}

/** Values above three times the power of the EVSE are counted as `implausible`, and not stored. */
export const normalise = (
  values: readonly MeterValue[],
  { maxKw, timeOf }: { maxKw: number; timeOf: (stamp: string | null) => number },
) => {
  const result = { readings: [] as Reading[], implausible: 0 }
  for (const { at, samples } of values) {
    const atMs = timeOf(at)
    const supported = samples.filter(({ measurand }) => measurands.has(measurand))
    // One message may contain the end of one transaction and the beginning of the next.
    for (const [key, group] of Map.groupBy(supported, ({ measurand, context }) => `${measurand} ${context}`)) {
      const kind = measurands.get(key.split(' ', 1)[0] ?? '')
      if (!kind) continue
      const samples = atOnePlace(group)
      const value = totalOf(kind, samples)
      if (value === null) continue
      if (!isPossible(kind, value, maxKw)) {
        result.implausible++
        continue
      }
      const common = { atMs, context: group[0]?.context ?? 'Sample.Periodic' }
      result.readings.push({ kind, value, ...common })
      if (kind === 'power') for (const one of phasesOf(samples)) result.readings.push({ ...one, ...common })
    }
  }
  return result
}

export const registerAt = (readings: readonly Reading[], end: 'Begin' | 'End'): number | null => {
  const registers = readings.filter(({ kind }) => kind === 'energy').toSorted((a, b) => a.atMs - b.atMs)
  const named = registers.find(({ context }) => context === `Transaction.${end}`)
  return (named ?? registers.at(end === 'Begin' ? 0 : -1))?.value ?? null
}
