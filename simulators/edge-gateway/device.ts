import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { activationFrom, answered, asked } from '../activation.ts'
import { batteryHours, noiseKw, plannedKw, socPercent } from '../loads.ts'
import { frequencyHz } from '../world.ts'
import type { Group, Sold } from './world-file.ts'

/** A set point given by hand, in force from a second until the next one. Percent of the flexible power, 0 is normal operation. */
export type ManualStep = { atS: number; setPoint: number }

export type Sample = { hz: number; kw: number; setPoint: number }

const quarterS = 900
const round = (value: number, decimals: number) => Number(value.toFixed(decimals))

export const manualAt = (steps: readonly ManualStep[], second: number): number =>
  steps.findLast((step) => step.atS <= second)?.setPoint ?? 0

export const isActivated = ({ markets: own, grid }: Group, second: number): boolean =>
  own.some((market) => Math.abs(asked(market, grid, second)) >= activationFrom(market))

/** What all of its markets ask for together, as `sizeOf` measures it: of those that ask the same way the one that asks for most. */
const askedOfAll = (
  { markets: own, grid }: Group,
  second: number,
  sizeOf: (market: string, u: number) => number,
): number => {
  const all = own.map((market) => sizeOf(market, asked(market, grid, second)))
  return Math.max(0, ...all) + Math.min(0, ...all)
}

const isSetPoint = (market: string): boolean => isMarket(market) && markets[market].group === 'frr_based'

/** A set point by hand, as a signed share of all that the equipment has; null while none is held or a market asks. */
const byHandAt = (group: Group, manual: readonly ManualStep[], second: number): number | null => {
  const percent = manual.length > 0 && !isActivated(group, second) ? manualAt(manual, second) : 0
  return percent === 0 ? null : (percent / 100) * (group.markets[0] === 'FCR-D-DEC' ? -1 : 1)
}

/** kW that the equipment is to move: the market's activation comes before a set point given by hand. */
const wantedKwOf = (group: Group, manual: readonly ManualStep[]) => {
  const kwOf = (second: number) => (market: string, u: number) =>
    u === 0 ? 0 : u * capacityOf(group, market, u > 0, second)
  return (second: number): number => {
    const byHand = byHandAt(group, manual, second)
    return byHand === null ? askedOfAll(group, second, kwOf(second)) : byHand * group.load.flexibleKw
  }
}

/**
 * The set point that is measured, a share of what is sold (edge-protocol.md, `sp`): the operator's where a market has one, whatever the
 * frequency asks of the same equipment.
 */
const setPointOf = (group: Group, manual: readonly ManualStep[], second: number): number => {
  const own = group.markets.filter(isSetPoint)
  const told = own.length > 0 ? { ...group, markets: own } : group
  const wanted = byHandAt(told, manual, second) ?? askedOfAll(told, second, (_, u) => u)
  return own.length > 0 ? wanted : Math.abs(wanted)
}

/** Slots by the quarters of an hour that they reach over. */
const soldByQuarter = new WeakMap<readonly Sold[], Map<number, Sold[]>>()
const soldIn = (sold: readonly Sold[], second: number): readonly Sold[] => {
  let quarters = soldByQuarter.get(sold)
  if (!quarters) {
    quarters = new Map()
    for (const slot of sold)
      for (let at = Math.floor(slot.fromS / quarterS); at * quarterS < slot.toS; at++)
        quarters.set(at, [...(quarters.get(at) ?? []), slot])
    soldByQuarter.set(sold, quarters)
  }
  return quarters.get(Math.floor(second / quarterS)) ?? []
}

/**
 * kW that the equipment gives when a market asks for all of it in a direction: what is sold there in the slot, and never more than it has.
 * Where nothing is sold, as on days before it was told, all that it has: a test of the market.
 */
export const capacityOf = ({ sold = [], load }: Group, market: string, isUp: boolean, second: number): number => {
  const otherWay = isUp ? '-DEC' : '-INC'
  const kw = soldIn(sold, second)
    .filter((slot) => slot.market === market && !slot.product.endsWith(otherWay))
    .filter(({ fromS, toS }) => fromS <= second && second < toS)
    .reduce((sum, slot) => sum + slot.kW, 0)
  return kw > 0 ? Math.min(load.flexibleKw, kw) : load.flexibleKw
}

/** What it does while no market asks for it: the plan that it was sent, else what it does by itself. */
export const basicKw = ({ schedule, load }: Group, second: number): number =>
  schedule?.kW[Math.floor((second - schedule.fromS) / quarterS)] ?? plannedKw(load, second)

/** An activation is over when nothing was required for this long; the controller looks this far back for its start. */
const restS = 60
const longestHoldS = 3 * 3600
const stepS = 4

/** Second in which the operator's activation of the group began that has not been over for a minute; null where there is none. */
const heldSince = (group: Group, second: number): number | null => {
  const own = group.markets.filter(isSetPoint)
  if (own.length === 0) return null
  const isRequired = (at: number) => own.some((market) => asked(market, group.grid, at) !== 0)
  let started: number | null = null
  let quietS = 0
  for (let at = Math.floor(second / stepS) * stepS; at > second - longestHoldS && quietS < restS; at -= stepS) {
    if (isRequired(at)) {
      started = at
      quietS = 0
    } else quietS += stepS
  }
  return started
}

type Held = { step: number; sinceS: number | null; kw: number }
/** What was found last for a group: seconds are asked for one after another. */
const lastHeld = new WeakMap<Group, Held>()

/**
 * Power that the activation is measured against: while the operator's set point is followed the controller holds the equipment's mean of the
 * minute before, as a controller of reserves does, so that its own drift is not taken for an answer.
 */
const baseKw = (group: Group, second: number): number => {
  const step = Math.floor(second / stepS)
  let held = lastHeld.get(group)
  if (held?.step !== step) {
    const sinceS = heldSince(group, second)
    const known = held?.sinceS === sinceS ? held?.kw : undefined
    const kw = known ?? (sinceS === null ? 0 : meanKw(group, sinceS))
    held = { step, sinceS, kw }
    lastHeld.set(group, held)
  }
  return held.sinceS === null ? basicKw(group, second) : held.kw
}

const meanKw = (group: Group, startS: number): number => {
  let sum = 0
  for (let back = 5; back <= restS; back++) sum += basicKw(group, startS - back)
  return sum / (restS - 4)
}

/** Of what a battery takes this part is stored, and of what is stored that part is given back. */
const efficiency = 0.95

/** State of charge in percent: while a battery runs a plan it is what that makes of it, else its own day. Null where there is no battery. */
export const socOf = ({ schedule, load }: Group, second: number): number | null => {
  const own = socPercent(load, second)
  if (!schedule || schedule.soc === null || own === null) return own
  const { fromS, kW } = schedule
  if (second < fromS || second >= fromS + kW.length * quarterS) return own
  const percentOf = (kw: number, hours: number) =>
    (100 * hours * (kw > 0 ? kw * efficiency : kw / efficiency)) / (batteryHours * load.flexibleKw)
  return kW.reduce((soc, kw, q) => {
    const hours = Math.min(quarterS, Math.max(0, second - fromS - q * quarterS)) / 3600
    return Math.min(100, Math.max(0, soc + percentOf(kw, hours)))
  }, schedule.soc)
}

/** One sample of a group at a whole second: a pure function of the second, the set points given by hand, what is sold and its plan. */
export const sampleAt = (group: Group, manual: readonly ManualStep[], second: number): Sample => {
  const planned = baseKw(group, second)
  const kw =
    planned + noiseKw(group.load, second, planned) - answered(group.load.kind, wantedKwOf(group, manual), second)
  return {
    hz: frequencyHz(group.grid, second),
    kw: round(group.load.kind === 'battery' ? kw : Math.max(0, kw), 2),
    setPoint: round(setPointOf(group, manual, second) * 100, 1),
  }
}
