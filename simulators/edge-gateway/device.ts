import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { activationFrom, answered, asked } from '../activation.ts'
import { batteryHours, noiseKw, plannedKw, socPercent } from '../loads.ts'
import { frequencyHz } from '../world.ts'
import type { Group } from './world-file.ts'

/** A set point given by hand, in force from a second until the next one. Percent of the flexible power, 0 is normal operation. */
export type ManualStep = { atS: number; setPoint: number }

export type Sample = { hz: number; kw: number; setPoint: number }

const round = (value: number, decimals: number) => Number(value.toFixed(decimals))

export const manualAt = (steps: readonly ManualStep[], second: number): number =>
  steps.findLast((step) => step.atS <= second)?.setPoint ?? 0

export const isActivated = ({ markets: own, grid }: Group, second: number): boolean =>
  own.some((market) => Math.abs(asked(market, grid, second)) >= activationFrom(market))

/** What all of its markets ask for together: of those that ask the same way the one that asks for most. */
const askedOfAll = ({ markets: own, grid }: Group, second: number): number => {
  const all = own.map((market) => asked(market, grid, second))
  return Math.max(0, ...all) + Math.min(0, ...all)
}

const isSetPoint = (market: string): boolean => isMarket(market) && markets[market].group === 'frr_based'
/** A set point has a sign where a market goes both ways: + is up (less consumption). */
const isBothWays = (market: string): boolean => isMarket(market) && markets[market].direction === 'both'

/** What the equipment is to do: the market's activation comes before a set point given by hand. */
const wantedOf = (group: Group, manual: readonly ManualStep[]) => {
  const direction = group.markets[0] === 'FCR-D-DEC' ? -1 : 1
  return (second: number): number => {
    const market = askedOfAll(group, second)
    if (manual.length === 0 || isActivated(group, second)) return market
    const byHand = manualAt(manual, second)
    return byHand === 0 ? market : (byHand / 100) * direction
  }
}

/** The set point that is measured: the operator's where a market has one, whatever the frequency asks of the same equipment. */
const setPointOf = (group: Group, manual: readonly ManualStep[], second: number): number => {
  const own = group.markets.filter(isSetPoint)
  const told = own.length > 0 ? { ...group, markets: own } : group
  const wanted = wantedOf(told, manual)(second)
  return told.markets.some(isBothWays) ? wanted : Math.abs(wanted)
}

/**
 * What the equipment gives when a market asks for all of it: what is sold in the slot, and never more than it has. Where nothing is sold, as
 * on days before it was told, all that it has: a test of the market.
 */
export const capacityOf = ({ sold = [], load }: Group, second: number): number => {
  const now = sold.filter(({ fromS, toS, kW }) => kW > 0 && fromS <= second && second < toS)
  return now.length === 0 ? load.flexibleKw : Math.min(load.flexibleKw, Math.max(...now.map(({ kW }) => kW)))
}

const quarterS = 900

/** What it does while no market asks for it: the plan that it was sent, else what it does by itself. */
export const basicKw = ({ schedule, load }: Group, second: number): number =>
  schedule?.kW[Math.floor((second - schedule.fromS) / quarterS)] ?? plannedKw(load, second)

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
  const wanted = wantedOf(group, manual)
  const planned = basicKw(group, second)
  const byHand = manual.length > 0 && !isActivated(group, second) && manualAt(manual, second) !== 0
  const most = byHand ? group.load.flexibleKw : capacityOf(group, second)
  const moved = most * answered(group.load.kind, wanted, second)
  const kw = planned + noiseKw(group.load, second, planned) - moved
  return {
    hz: frequencyHz(group.grid, second),
    kw: round(group.load.kind === 'battery' ? kw : Math.max(0, kw), 2),
    setPoint: round(setPointOf(group, manual, second) * 100, 1),
  }
}
