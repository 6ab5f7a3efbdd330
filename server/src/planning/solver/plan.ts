import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import type { Span } from '@gridmast/contract/time.ts'

/**
 * Input and output of the planner: plain data for its thread. Prices and money are exact decimal text, energy of a plan whole Wh, other quantities
 * numbers. Consumption is positive, discharge negative. Rules, formulation and a worked example: planner.md.
 */

export type PlanProblem = {
  /** Lies in the first quarter, of which only the rest is planned. */
  nowMs: number
  quarters: readonly PlanQuarter[]
  site: Site
  loads: readonly Load[]
  sold: readonly SoldReserve[]
  later?: { quarters: readonly PlanQuarter[]; sold: readonly SoldReserve[] }
  weights: Weights
  baseline: Baseline
  /** The followed plan: among plans of equal value the one closer to it is chosen. */
  running: Readonly<Record<LoadId, RunningPlan>> | null
  /** Value of a kWh in a storage at the end, DKK/MWh; null: the mean price of the quarters. */
  storedDkkPerMwh: string | null
}

type LoadId = string

/** Without a plan: everything immediately, or as on the same weekdays before (`weekdayProfile`); a load without readings runs immediately. */
export type Baseline =
  | { method: 'immediate' }
  | { method: 'weekday-profile'; wh: Readonly<Record<LoadId, readonly number[] | null>> }

export type PlanQuarter = {
  atMs: number
  spotDkkPerMwh: string
  tariffDkkPerMwh: string
  taxDkkPerMwh: string
  /** The price is not published: the mean of the same weekday is used (`weekday-mean.ts`). */
  isAssumed: boolean
  /** Null beyond the prognosis: the mean of the available values is used for the choice, and the sum is unknown. */
  gCo2PerKwh: number | null
  /** The site's consumption besides the planned loads; negative with surplus solar power. */
  otherKw: number
}

export type Site = {
  /** Hard limit of the connection; null where unknown. */
  limitKw: number | null
  /** Maximum feed-in, paid at the spot price; 0: none. */
  feedInKw: number
  wishedPeakKw: number | null
  /** DKK per kW of a month's highest quarter, above the peak reached so far; null where peaks cost nothing. */
  capacity: { dkkPerKw: string; months: readonly PeakMonth[] } | null
  /** Loads with a common fuse or cable besides the site's connection; a hard limit. */
  shared: readonly { id: string; loadIds: readonly LoadId[]; limitKw: number }[]
}

/** A month that the quarters touch; `reachedKw` is sunk, for a future month the peak that the site reaches anyway. */
type PeakMonth = Span & { reachedKw: number }

export type Load = Shiftable | OnOff | Storage | ChargerSession

/** Energy between two instants. A firm need is met or there is no plan; otherwise it is met as far as possible. */
type Need = { needKwh: number; isFirm: boolean; fromMs: number; deadlineMs: number }

export type Shiftable = Need & { kind: 'shiftable'; id: LoadId; maxKw: number; minKw: number }

/** Whole quarters at one power; the need is rounded up to them. */
export type OnOff = Need & {
  kind: 'on-off'
  id: LoadId
  kw: number
  minRunQuarters: number
  minPauseQuarters: number
  /** Per local day; null: unlimited. */
  maxStartsADay: number | null
  isOn: boolean
  /** Start of the current state; null: long ago. */
  sinceMs: number | null
  startsToday: number
}

export type Storage = {
  kind: 'storage'
  id: LoadId
  capacityKwh: number
  chargeKw: number
  dischargeKw: number
  /** Idle before this time; optional. */
  fromMs?: number
  /** Stored part of the charged energy, and discharged part of the stored energy, 0 to 1. */
  chargeEfficiency: number
  dischargeEfficiency: number
  nowKwh: number
  lowestKwh: number
  /** Wishes: a minimum, a maximum, and a content at an instant. */
  wishedLeastKwh: number | null
  wishedMostKwh: number | null
  target: { kwh: number; atMs: number; isFirm: boolean } | null
}

export type ChargerSession = Need & {
  kind: 'session'
  id: LoadId
  phases: 1 | 2 | 3
  maxA: number
  /** A car charges with at least this current or not at all, 6 A by the standard; 0 allows any mean of a quarter. */
  minA: number
}

const voltsOfPhase = 230
export const sessionKw = ({ phases }: { phases: number }, ampere: number): number =>
  (phases * voltsOfPhase * ampere) / 1000

/**
 * Capacity sold for a slot. Up: consume less or discharge, down: consume more. All its loads together provide it; two simultaneous slots have the
 * same loads or disjoint ones.
 */
export type SoldReserve = Span & {
  id: string
  market: string
  loadIds: readonly LoadId[]
  upKw: number
  downKw: number
  /** Sold power, where a storage reserves more; defaults to the greater of both. */
  soldKw?: number
  /** Energy that a storage must be able to discharge or charge in addition, at any time of the slot. */
  upKwh: number
  downKwh: number
  /** Cost of skipping the slot; null: hard. */
  leaving: { lostDkk: string; penaltyDkk: string } | null
}

/** 0 to 1 each; the cost of skipping a market always counts in full, and wishes take precedence over both. */
export type Weights = { cost: number; co2: number; co2DkkPerKg: string }

export type RunningPlan = { fromMs: number; wh: readonly number[] }

export type Solved = Omit<Extract<PlanAnswer, { status: 'optimal' }>, 'status'>
export type Schedule = Solved['plan']
/** `kwh` is the exact energy of which `wh` is rounded; it is not stored. */
export type LoadSchedule = Schedule['loads'][number] & { kwh?: readonly number[] }
export type Scaled = Solved['scaled'][number]
export type MissedWish = Solved['missed'][number]
export type Binding = Solved['binding'][number]
export type Relaxation = Extract<PlanAnswer, { status: 'infeasible' }>['relaxations'][number]
