import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { activationFrom, answered, asked } from '../activation.ts'
import { batteryHours, noiseKw, plannedKw, socPercent } from '../loads.ts'
import { frequencyHz } from '../world.ts'
import type { Group, Sold } from './world-file.ts'

/** A manual set point, valid from a second until the next one: percent of the flexible power, 0 is normal operation. */
export type ManualStep = { atS: number; setPoint: number }

export type Sample = { hz: number; kw: number; setPoint: number }

const quarterS = 900
const round = (value: number, decimals: number) => Number(value.toFixed(decimals))

export const manualAt = (steps: readonly ManualStep[], second: number): number =>
  steps.findLast((step) => step.atS <= second)?.setPoint ?? 0

export const isActivated = ({ markets: own, grid }: Group, second: number): boolean =>
  own.some((market) => Math.abs(asked(market, grid, second)) >= activationFrom(market))

/** Total of all its markets, as measured by `sizeOf`: per direction the largest activation. */
const askedOfAll = (
  { markets: own, grid }: Group,
  second: number,
  sizeOf: (market: string, u: number) => number,
): number => {
  const all = own.map((market) => sizeOf(market, asked(market, grid, second)))
  return Math.max(0, ...all) + Math.min(0, ...all)
}

const isSetPoint = (market: string): boolean => isMarket(market) && markets[market].group === 'frr_based'

/** A manual set point as a signed share of the flexible power; null without one or during an activation. */
const byHandAt = (group: Group, manual: readonly ManualStep[], second: number): number | null => {
  const percent = manual.length > 0 && !isActivated(group, second) ? manualAt(manual, second) : 0
  return percent === 0 ? null : (percent / 100) * (group.markets[0] === 'FCR-D-DEC' ? -1 : 1)
}

const wantedKwOf = (group: Group, manual: readonly ManualStep[]) => {
  const kwOf = (second: number) => (market: string, u: number) =>
    u === 0 ? 0 : u * capacityOf(group, market, u > 0, second)
  return (second: number): number => {
    const byHand = byHandAt(group, manual, second)
    return byHand === null ? askedOfAll(group, second, kwOf(second)) : byHand * group.load.flexibleKw
  }
}

/** The reported set point, a share of the sold capacity (edge-protocol.md, `sp`): the operator's where a market has one. */
const setPointOf = (group: Group, manual: readonly ManualStep[], second: number): number => {
  const own = group.markets.filter(isSetPoint)
  const told = own.length > 0 ? { ...group, markets: own } : group
  const wanted = byHandAt(told, manual, second) ?? askedOfAll(told, second, (_, u) => u)
  return own.length > 0 ? wanted : Math.abs(wanted)
}

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
 * kW at full activation in a direction: the slot's sold capacity, at most the flexible power. Without sold slots, as on days before any config, the
 * full flexible power: a test of the market.
 */
export const capacityOf = ({ sold = [], load }: Group, market: string, isUp: boolean, second: number): number => {
  const otherWay = isUp ? '-DEC' : '-INC'
  const kw = soldIn(sold, second)
    .filter((slot) => slot.market === market && !slot.product.endsWith(otherWay))
    .filter(({ fromS, toS }) => fromS <= second && second < toS)
    .reduce((sum, slot) => sum + slot.kW, 0)
  return kw > 0 ? Math.min(load.flexibleKw, kw) : load.flexibleKw
}

export const basicKw = ({ schedule, load }: Group, second: number): number =>
  schedule?.kW[Math.floor((second - schedule.fromS) / quarterS)] ?? plannedKw(load, second)

/** An activation ends after this long without a request; the controller searches this far back for its start. */
const restS = 60
const longestHoldS = 3 * 3600
const stepS = 4

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
const lastHeld = new WeakMap<Group, Held>()

/**
 * Reference power of an activation: while the operator's set point is active the controller uses the mean of the minute before, as a reserve
 * controller does, so that the load's own drift does not count as a response.
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

/** Stored part of the charged energy, and discharged part of the stored energy. */
const efficiency = 0.95

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
