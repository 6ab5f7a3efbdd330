import type { Span } from '@gridmast/contract/time.ts'

/*
 * What the planner is asked and what it answers: plain data that goes to its thread and back. Prices and money are exact decimal text,
 * energy of an answer whole Wh, other quantities numbers. Consumption is positive, what a storage gives back negative. Rules, formulation
 * and a worked example: planner.md.
 */

export type PlanProblem = {
  /** The first quarter is the one that this instant lies in; only what is left of it is planned. */
  nowMs: number
  /** One after another without a hole; all arrays by quarter, here and in the answer, have this order. */
  quarters: readonly PlanQuarter[]
  site: Site
  loads: readonly Load[]
  sold: readonly SoldReserve[]
  /** What follows them, and what is sold there: looked at only where there is no plan, for a later deadline. */
  later?: { quarters: readonly PlanQuarter[]; sold: readonly SoldReserve[] }
  weights: Weights
  baseline: Baseline
  /** What is being followed now: of plans that are worth the same, the one that changes less of it is taken. */
  running: Readonly<Record<LoadId, RunningPlan>> | null
  /** What a kWh that lies in a storage at the end saves later, DKK/MWh; null takes the mean price of the quarters. */
  storedDkkPerMwh: string | null
}

type LoadId = string

/**
 * What would happen without a plan: everything at once and at full power, or as on the same weekdays before (`weekdayProfile`); a load of which
 * nothing was measured goes at once.
 */
export type Baseline =
  | { method: 'immediate' }
  | { method: 'weekday-profile'; wh: Readonly<Record<LoadId, readonly number[] | null>> }

export type PlanQuarter = {
  atMs: number
  spotDkkPerMwh: string
  tariffDkkPerMwh: string
  taxDkkPerMwh: string
  /** The price is not published: it is the mean of the same weekday's (`assumed-prices.ts`). */
  isAssumed: boolean
  /** Null where no prognosis reaches: the mean of those that are known stands in for the choice, and the sum is unknown. */
  gCo2PerKwh: number | null
  /** What the site takes beside the loads that are planned; negative where the sun gives more. */
  otherKw: number
}

export type Site = {
  /** What the connection carries, hard; null where nothing is known. */
  limitKw: number | null
  /** What may be fed into the grid, paid with the spot price; 0 never feeds in. */
  feedInKw: number
  /** A peak that nobody wants to be above, which is no limit of the connection: a wish. */
  wishedPeakKw: number | null
  /** DKK for each kW of the highest quarter of a month, above what was reached already; null where peaks cost nothing. */
  capacity: { dkkPerKw: string; months: readonly PeakMonth[] } | null
  /** Loads that share a fuse or cable, beside the connection of the site; hard. */
  shared: readonly { id: string; loadIds: readonly LoadId[]; limitKw: number }[]
}

/** A month that the quarters touch; `reachedKw` is sunk, and of a month to come what the site will reach anyway. */
type PeakMonth = Span & { reachedKw: number }

export type Load = Shiftable | OnOff | Storage | ChargerSession

/** Energy that is needed between two instants. A firm need is met or there is no plan; otherwise as much of it as can be. */
type Need = { needKwh: number; isFirm: boolean; fromMs: number; deadlineMs: number }

/** Any power up to its limit, or from its least power to its limit where it has one. */
export type Shiftable = Need & { kind: 'shiftable'; id: LoadId; maxKw: number; minKw: number }

/** Whole quarters at one power; what is needed is rounded up to them. */
export type OnOff = Need & {
  kind: 'on-off'
  id: LoadId
  kw: number
  minRunQuarters: number
  minPauseQuarters: number
  /** Of each local day; null where it may start as often as it wants. */
  maxStartsADay: number | null
  isOn: boolean
  /** Since when it has been on or off; null where that is long ago. */
  sinceMs: number | null
  /** Starts of the day that `nowMs` lies in. */
  startsToday: number
}

export type Storage = {
  kind: 'storage'
  id: LoadId
  capacityKwh: number
  chargeKw: number
  dischargeKw: number
  /** Before this it does nothing; at once where it is left out. */
  fromMs?: number
  /** 0 to 1: of what is taken this part is stored, and of what is stored that part is given back. */
  chargeEfficiency: number
  dischargeEfficiency: number
  nowKwh: number
  /** Never below; hard. */
  lowestKwh: number
  /** Wishes: not below, not above, and so much at an instant. */
  wishedLeastKwh: number | null
  wishedMostKwh: number | null
  target: { kwh: number; atMs: number; isFirm: boolean } | null
}

/** A car at a charger: `fromMs` is its arrival, `deadlineMs` when it leaves, `needKwh` what it still takes. */
export type ChargerSession = Need & {
  kind: 'session'
  id: LoadId
  phases: 1 | 2 | 3
  maxA: number
  /** A car takes at least so much or nothing, 6 A by the norm; 0 lets a quarter's mean be anything. */
  minA: number
}

const voltsOfPhase = 230
export const sessionKw = ({ phases }: { phases: number }, ampere: number): number =>
  (phases * voltsOfPhase * ampere) / 1000

/**
 * Capacity that was sold for a slot. Up: consume less or give back, down: consume more. All of its loads together hold it; two slots at one
 * time are held by the same loads or by others altogether.
 */
export type SoldReserve = Span & {
  id: string
  market: string
  loadIds: readonly LoadId[]
  upKw: number
  downKw: number
  /** What was sold, where a storage keeps more than that free for it; left out, it is the greater of both. */
  soldKw?: number
  /** What a storage must be able to give back or take in on top, at any time of the slot. */
  upKwh: number
  downKwh: number
  /** What leaving the slot costs; null where it can no longer be left: then it is hard. */
  leaving: { lostDkk: string; penaltyDkk: string } | null
}

/** 0 to 1 each. What leaving a market costs always counts in full, and wishes come before both. */
export type Weights = { cost: number; co2: number; co2DkkPerKg: string }

export type RunningPlan = { fromMs: number; wh: readonly number[] }

export type Plan =
  | ({ status: 'optimal' } & Solved)
  /** The time was over: none is better by more than the gap, in DKK as costs and CO₂ are weighed. */
  | ({ status: 'best-found'; gapPercent: number | null; gapDkk?: string | null | undefined } & Solved)
  | { status: 'infeasible'; relaxations: Relaxation[] }
  | { status: 'timed-out' | 'cancelled' }

export type Solved = {
  plan: Schedule
  baseline: Schedule
  /** Loads whose baseline took another sum than the plan does and was scaled to it. */
  scaled: Scaled[]
  /** Baseline less plan, in DKK with two decimals and kg with three; null where emission is unknown. */
  savedDkk: string
  savedKgCo2: string | null
  missed: MissedWish[]
  /** The dearest first. */
  binding: Binding[]
  /** Needs of on/off loads that are no multiple of a quarter. */
  roundedUp: { loadId: LoadId; needWh: number; plannedWh: number }[]
  /** Starts of quarters whose price is assumed. */
  assumedMs: number[]
  left: LeftMarket[]
  /** What the best plan that leaves no market would cost more; null where none is left, or none can be kept. */
  leavingSavesDkk: string | null
  solveMs: number
}

/** What loads do in each quarter, and what they add to the site's bill by it. */
export type Schedule = {
  loads: LoadSchedule[]
  bill: Bill
  kgCo2: string | null
  /** Of the site with all that it takes. */
  peakKw: number
  peakAtMs: number | null
}

export type LoadSchedule = {
  loadId: LoadId
  wh: number[]
  /** Before they were whole Wh: what a peak is counted by. An answer does not say it. */
  kwh?: readonly number[]
  /** At the end of each quarter; null for what is no storage. */
  storedWh: number[] | null
}

export type Scaled = { loadId: LoadId; fromWh: number; toWh: number }

/** DKK, exact text; `total` is the sum of the others. Negative is earned. */
export type Bill = {
  spot: string
  tariff: string
  tax: string
  capacity: string
  /** Revenue lost and penalties paid for slots that were left. */
  reserve: string
  /** What lies in storages at the end more than at the beginning, as a negative amount. */
  stored: string
  total: string
}

export type MissedWish = {
  wish: 'need' | 'target' | 'stored-least' | 'stored-most' | 'site-peak'
  loadId: LoadId | null
  /** The first and last quarter that it is missed in; for a need its window. */
  fromMs: number
  toMs: number
  /** The most by which it is missed, and what was wished. */
  by: number
  wished: number
  unit: 'kWh' | 'kW'
}

export type Limit =
  | 'need'
  | 'target'
  | 'deadline'
  | 'load-power'
  | 'site-limit'
  | 'shared-limit'
  | 'feed-in'
  | 'wished-peak'
  | 'capacity-peak'
  | 'sold-reserve'
  | 'stored-lowest'
  | 'stored-capacity'
  | 'starts'
  | 'min-run'

/**
 * What holds the plan back. With one unit more of a limit, or one less of a need or sold slot, it would cost `dkkPerUnit` less, as costs and
 * CO₂ are weighed; null where a missed wish would be met by more first.
 */
export type Binding = {
  limit: Limit
  /** Of a load, a shared limit or a sold slot; null for the site. */
  id: string | null
  unit: 'kW' | 'kWh'
  dkkPerUnit: string | null
  /** Quarters in which it binds. */
  quarters: number
  fromMs: number
  toMs: number
}

/** A limit that contradicts others, and the nearest value with which there is a plan. */
export type Relaxation = {
  limit: Limit
  id: string | null
  unit: 'kW' | 'kWh' | 'ms' | 'starts' | 'quarters'
  now: number
  works: number
  /** Of those that change one limit alone each is a way out by itself; the rest are a way out together only. */
  isEnough: boolean
}

type LeftMarket = {
  soldId: string
  market: string
  lostDkk: string
  penaltyDkk: string
  span?: Span | undefined
}
