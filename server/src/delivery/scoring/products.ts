import { type Market, type MarketId, markets } from '@gridmast/contract/markets.ts'

/** In millihertz from 50 Hz: nothing up to the deadband, beyond it the straight line that is 0 at `zero` and 1 at `full`. */
type Droop = { deadbandMilliHz: number; zeroMilliHz: number; fullMilliHz: number }

/** The full capacity at once when the frequency falls to the threshold, for `holdS`; the next one at the earliest `readyAgainS` later. */
type Latch = { thresholdMilliHz: number; holdS: number; readyAgainS: number }

export type ResponseTerms = {
  by: 'response'
  /** The slowest answer with full credit: a dead time, then a first-order lag. */
  deadTimeS: number
  tauS: number
  rampFromS: number
  rampToS: number
  maxShare: number
}
export type BandTerms = { by: 'band'; least: Droop; lagS: number }
export type SetPointTerms = { by: 'set point'; deadTimeS: number; rampS: number }

type Common = {
  direction: Market['direction']
  /** Share of the capacity (and above 0) from which a second belongs to an activation. */
  activeFrom: number
}

/** Trigger and scoring of a product; a product with other parameters: `{ ...products.FFR, latch: { ... } }`. */
export type Product =
  | (Common & { trigger: 'frequency'; droop: Droop; judged: BandTerms | ResponseTerms })
  | (Common & { trigger: 'frequency'; latch: Latch; judged: ResponseTerms })
  | (Common & { trigger: 'set point'; judged: SetPointTerms })

const fcrDroop: Droop = { deadbandMilliHz: 20, zeroMilliHz: 0, fullMilliHz: 200 }
const fcrLeast: Droop = { deadbandMilliHz: 20, zeroMilliHz: 20, fullMilliHz: 200 }
const fcrNDroop: Droop = { deadbandMilliHz: 0, zeroMilliHz: 0, fullMilliHz: 100 }

const fcrD = (market: 'FCR-D-INC' | 'FCR-D-DEC'): Product => ({
  trigger: 'frequency',
  direction: markets[market].direction,
  activeFrom: 0,
  droop: { deadbandMilliHz: 100, zeroMilliHz: 100, fullMilliHz: 500 },
  judged: { by: 'response', deadTimeS: 2, tauS: 3, rampFromS: 4, rampToS: 10, maxShare: 1.2 },
})

const restoration = (market: MarketId, rampS: number): Product => ({
  trigger: 'set point',
  direction: markets[market].direction,
  activeFrom: 0,
  judged: { by: 'set point', deadTimeS: 30, rampS },
})

/** Figures and their sources: delivery.md. */
export const products: Record<MarketId, Product> = {
  FCR: {
    trigger: 'frequency',
    direction: markets.FCR.direction,
    activeFrom: 0.4,
    droop: fcrDroop,
    judged: { by: 'band', least: fcrLeast, lagS: 15 },
  },
  'FCR-N': {
    trigger: 'frequency',
    direction: markets['FCR-N'].direction,
    activeFrom: 0.4,
    droop: fcrNDroop,
    judged: { by: 'band', least: fcrNDroop, lagS: 15 },
  },
  'FCR-D-INC': fcrD('FCR-D-INC'),
  'FCR-D-DEC': fcrD('FCR-D-DEC'),
  FFR: {
    trigger: 'frequency',
    direction: markets.FFR.direction,
    activeFrom: 0,
    latch: { thresholdMilliHz: 300, holdS: 30, readyAgainS: 900 },
    judged: { by: 'response', deadTimeS: 1.3, tauS: 0, rampFromS: 2, rampToS: 5, maxShare: 1.35 },
  },
  aFRR: restoration('aFRR', 300),
  'aFRR-DK1-INC': restoration('aFRR-DK1-INC', 300),
  'aFRR-DK1-DEC': restoration('aFRR-DK1-DEC', 300),
  'aFRR-DK2-INC': restoration('aFRR-DK2-INC', 300),
  'aFRR-DK2-DEC': restoration('aFRR-DK2-DEC', 300),
  mFRR: restoration('mFRR', 750),
}

/** No grid runs outside this range: the meter is broken. */
const lowestHz = 45
const highestHz = 55

/** Below 50 Hz positive; rounded to 0.01 mHz, so that 49.98 Hz lies 20 mHz away and not 20.00000000000313; NaN outside the range of a grid. */
const milliHzBelow50 = (hz: number) => (hz >= lowestHz && hz <= highestHz ? Math.round((50 - hz) * 1e5) / 100 : NaN)

/** Share of the capacity that a droop requires at a frequency, -1 … 1, + = up (less load); NaN outside the range of a grid. */
export const droopShare = ({ deadbandMilliHz, zeroMilliHz, fullMilliHz }: Droop, hz: number): number => {
  const deviation = milliHzBelow50(hz)
  const size = Math.abs(deviation)
  if (size <= deadbandMilliHz) return 0
  const share = Math.min(1, (size - zeroMilliHz) / (fullMilliHz - zeroMilliHz))
  return deviation > 0 ? share : -share
}

const latched = ({ thresholdMilliHz, holdS, readyAgainS }: Latch) => {
  let triggeredMs = -Infinity
  return (atMs: number, hz: number): number => {
    const deviation = milliHzBelow50(hz)
    if (deviation >= thresholdMilliHz && atMs - triggeredMs >= readyAgainS * 1000) triggeredMs = atMs
    if (Number.isNaN(deviation)) return NaN
    return atMs - triggeredMs < holdS * 1000 ? 1 : 0
  }
}

const anyDirection = (product: Product): Demand => {
  if (product.trigger === 'set point') return (_atMs, percent) => Math.min(1, Math.max(-1, percent / 100))
  if ('latch' in product) return latched(product.latch)
  return (_atMs, hz) => droopShare(product.droop, hz)
}

/**
 * Required share of the capacity at an instant (epoch ms), -1 … 1, + = up; NaN where the value is unknown (NaN, or outside the range of a grid).
 * The value is the frequency in Hz or the signed set point in percent. Instants must be in order: FFR keeps the time of its trigger.
 */
export type Demand = (atMs: number, value: number) => number

export const demandOf = (product: Product): Demand => {
  const demand = anyDirection(product)
  if (product.direction === 'both') return demand
  // Math.max and Math.min keep NaN.
  if (product.direction === 'up') return (atMs, value) => Math.max(0, demand(atMs, value))
  return (atMs, value) => Math.min(0, demand(atMs, value))
}
