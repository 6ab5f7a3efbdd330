import { quarterMs } from '@gridmast/contract/time.ts'
import type { ChargerSession, OnOff, PlanProblem, PlanQuarter, Shiftable, SoldReserve, Storage } from './plan.ts'

export const at = (text: string): number => Date.parse(text)

export const quartersAt = (
  fromMs: number,
  spots: readonly number[],
  more: Partial<Omit<PlanQuarter, 'atMs' | 'spotDkkPerMwh'>> = {},
): PlanQuarter[] =>
  spots.map((spot, q) => ({
    atMs: fromMs + q * quarterMs,
    spotDkkPerMwh: String(spot),
    tariffDkkPerMwh: '0',
    taxDkkPerMwh: '0',
    isAssumed: false,
    gCo2PerKwh: 100,
    otherKw: 0,
    ...more,
  }))

export const problemOf = (
  quarters: readonly PlanQuarter[],
  loads: PlanProblem['loads'],
  { site = {}, ...more }: Partial<Omit<PlanProblem, 'site'>> & { site?: Partial<PlanProblem['site']> } = {},
): PlanProblem => ({
  nowMs: quarters[0]?.atMs ?? 0,
  quarters,
  loads,
  site: { limitKw: null, feedInKw: 0, wishedPeakKw: null, capacity: null, shared: [], ...site },
  sold: [],
  weights: { cost: 1, co2: 0, co2DkkPerKg: '0.75' },
  baseline: { method: 'immediate' },
  running: null,
  storedDkkPerMwh: '0',
  ...more,
})

const spanOf = (quarters: readonly PlanQuarter[]) => ({
  fromMs: quarters[0]?.atMs ?? 0,
  deadlineMs: (quarters.at(-1)?.atMs ?? 0) + quarterMs,
})

export const shiftable = (quarters: readonly PlanQuarter[], more: Partial<Shiftable> = {}): Shiftable => ({
  kind: 'shiftable',
  id: 'heat',
  maxKw: 4,
  minKw: 0,
  needKwh: 1,
  isFirm: true,
  ...spanOf(quarters),
  ...more,
})

export const onOff = (quarters: readonly PlanQuarter[], more: Partial<OnOff> = {}): OnOff => ({
  kind: 'on-off',
  id: 'pump',
  kw: 4,
  needKwh: 1,
  isFirm: true,
  minRunQuarters: 1,
  minPauseQuarters: 1,
  maxStartsADay: null,
  isOn: false,
  sinceMs: null,
  startsToday: 0,
  ...spanOf(quarters),
  ...more,
})

export const session = (quarters: readonly PlanQuarter[], more: Partial<ChargerSession> = {}): ChargerSession => ({
  kind: 'session',
  id: 'car',
  phases: 3,
  maxA: 16,
  minA: 0,
  needKwh: 5,
  isFirm: true,
  ...spanOf(quarters),
  ...more,
})

export const battery = (more: Partial<Storage> = {}): Storage => ({
  kind: 'storage',
  id: 'battery',
  capacityKwh: 10,
  chargeKw: 4,
  dischargeKw: 4,
  chargeEfficiency: 1,
  dischargeEfficiency: 1,
  nowKwh: 0,
  lowestKwh: 0,
  wishedLeastKwh: null,
  wishedMostKwh: null,
  target: null,
  ...more,
})

export const slot = (
  quarters: readonly PlanQuarter[],
  first: number,
  count: number,
  more: Partial<SoldReserve> = {},
): SoldReserve => ({
  id: 'slot',
  market: 'FCR-D-INC',
  loadIds: ['battery'],
  upKw: 0,
  downKw: 0,
  upKwh: 0,
  downKwh: 0,
  leaving: null,
  fromMs: quarters[first]?.atMs ?? 0,
  toMs: (quarters[first]?.atMs ?? 0) + count * quarterMs,
  ...more,
})
