import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { activationFrom, answered, asked } from '../activation.ts'
import { noiseKw, plannedKw } from '../loads.ts'
import { frequencyHz } from '../world.ts'
import type { Group } from './world-file.ts'

/** A set point given by hand, in force from a second until the next one. Percent of the flexible power, 0 is normal operation. */
export type ManualStep = { atS: number; setPoint: number }

export type Sample = { hz: number; kw: number; setPoint: number }

const round = (value: number, decimals: number) => Number(value.toFixed(decimals))

export const manualAt = (steps: readonly ManualStep[], second: number): number =>
  steps.findLast((step) => step.atS <= second)?.setPoint ?? 0

export const isActivated = (group: Group, second: number): boolean =>
  Math.abs(asked(group.market, group.grid, second)) >= activationFrom(group.market)

/** A set point has a sign where a market goes both ways: + is up (less consumption). */
const isBothWays = ({ market }: Group): boolean => isMarket(market) && markets[market].direction === 'both'

/** What the equipment is to do: the market's activation comes before a set point given by hand. */
const wantedOf = (group: Group, manual: readonly ManualStep[]) => {
  const direction = group.market === 'FCR-D-DEC' ? -1 : 1
  return (second: number): number => {
    const market = asked(group.market, group.grid, second)
    if (manual.length === 0 || Math.abs(market) >= activationFrom(group.market)) return market
    const byHand = manualAt(manual, second)
    return byHand === 0 ? market : (byHand / 100) * direction
  }
}

/** One sample of a group at a whole second: a pure function of the second and the set points given by hand. */
export const sampleAt = (group: Group, manual: readonly ManualStep[], second: number): Sample => {
  const wanted = wantedOf(group, manual)
  const planned = plannedKw(group.load, second)
  const moved = group.load.flexibleKw * answered(group.load.kind, wanted, second)
  const kw = planned + noiseKw(group.load, second, planned) - moved
  return {
    hz: frequencyHz(group.grid, second),
    kw: round(group.load.kind === 'battery' ? kw : Math.max(0, kw), 2),
    setPoint: round((isBothWays(group) ? wanted(second) : Math.abs(wanted(second))) * 100, 1),
  }
}
