import { pricedMarkets, signalsOf, type PricedMarketId } from './price-signals.ts'

/**
 * Which markets an asset can join: a first answer before prequalification. Rules, figures and their sources: market-fit.md.
 */
export type Asset = {
  area: string
  /** up = less consumption or more production. */
  direction: 'up' | 'down' | 'both'
  powerKw: number
  reactionS: number
  durationMin: number
  energyKwh: number | null
}

export type FitMarket = PricedMarketId | 'FCR-D (LER)'
export type FitRule = 'area' | 'direction' | 'reaction' | 'duration' | 'power' | 'energy'

export type Fit = {
  market: FitMarket
  needs: Asset['direction']
  fits: boolean
  rule: FitRule
  limit: number | null
  source: string
  capacityKw: number
  /** Whether it is a bid of its own; smaller ones are sold in a pool. */
  alone: boolean
}

type Figure = { value: number; source: string }
type Product = {
  market: FitMarket
  areas: readonly string[]
  needs: Asset['direction']
  reactionS: Figure
  durationMin: Figure
  minimumBidKw: Figure
  /** Limited energy reservoir: kW of power per sold kW, and hours of it that the store must cover each way. */
  reservoir?: { powerPerKw: Figure; hours: Figure; mustRecharge?: true }
}

const figure = (value: number, source: string): Figure => ({ value, source })

const anHour = figure(60, '4.1, the slot sold')
const fcrN = { powerPerKw: figure(1.34, '4.4'), hours: figure(1, '4.4') }
const fcrD = {
  reactionS: figure(7.5, '4.3, from memory'),
  durationMin: figure(20, '4.4'),
  minimumBidKw: figure(100, '4.1, from memory'),
}
const fcrDHours = figure(1 / 3, '4.4')
const oneWay = { powerPerKw: figure(1, '4.4'), hours: fcrDHours, mustRecharge: true } as const
/** The sold capacity may be activated for the whole slot: the store covers it once. */
const wholeSlot = { powerPerKw: figure(1, '4.1'), hours: figure(1, '4.1, the slot sold') }
const afrr = {
  reactionS: figure(300, '4.1'),
  durationMin: anHour,
  minimumBidKw: figure(1000, '4.1'),
  reservoir: wholeSlot,
}
const mfrr = {
  reactionS: figure(750, '4.1'),
  durationMin: anHour,
  minimumBidKw: figure(1000, '4.1, from memory'),
  reservoir: wholeSlot,
}

const products: readonly Product[] = [
  {
    market: 'FCR',
    areas: pricedMarkets.FCR.areas,
    needs: 'both',
    reactionS: figure(30, '4.1, from memory'),
    durationMin: figure(15, '4.4, from memory'),
    minimumBidKw: figure(1000, '4.1'),
    reservoir: { powerPerKw: figure(1.25, '4.4, from memory'), hours: figure(0.25, '4.4, from memory') },
  },
  {
    market: 'FCR-N',
    areas: pricedMarkets['FCR-N'].areas,
    needs: 'both',
    reactionS: figure(150, '4.1, from memory'),
    durationMin: figure(60, '4.4'),
    minimumBidKw: figure(100, '4.1, from memory'),
    reservoir: fcrN,
  },
  { market: 'FCR-D-INC', areas: pricedMarkets['FCR-D-INC'].areas, needs: 'up', ...fcrD, reservoir: oneWay },
  { market: 'FCR-D-DEC', areas: pricedMarkets['FCR-D-DEC'].areas, needs: 'down', ...fcrD, reservoir: oneWay },
  {
    market: 'FCR-D (LER)',
    areas: pricedMarkets['FCR-D-INC'].areas,
    needs: 'both',
    ...fcrD,
    reservoir: { powerPerKw: figure(1.2, '4.4'), hours: fcrDHours },
  },
  {
    market: 'FFR',
    areas: pricedMarkets.FFR.areas,
    needs: 'up',
    reactionS: figure(1.3, '4.1'),
    durationMin: figure(0.5, '4.2'),
    minimumBidKw: figure(300, '4.1, from memory'),
  },
  { market: 'aFRR-INC', areas: pricedMarkets['aFRR-INC'].areas, needs: 'up', ...afrr },
  { market: 'aFRR-DEC', areas: pricedMarkets['aFRR-DEC'].areas, needs: 'down', ...afrr },
  { market: 'mFRR-INC', areas: pricedMarkets['mFRR-INC'].areas, needs: 'up', ...mfrr },
  { market: 'mFRR-DEC', areas: pricedMarkets['mFRR-DEC'].areas, needs: 'down', ...mfrr },
]

/** The smallest bid of its own on a bidding market, in kW; smaller ones are sold in a pool. Null without a rule. */
export const minimumBidKw = (biddingMarket: string): number | null => {
  const priced = signalsOf(biddingMarket)[0]?.market
  return products.find(({ market }) => market === priced)?.minimumBidKw.value ?? null
}

/** A store that its full power empties in less time is a limited energy reservoir (section 0.1). */
const limitedBelowHours = 2

const isLimited = ({ energyKwh, powerKw }: Asset): boolean =>
  energyKwh !== null && energyKwh < limitedBelowHours * powerKw

type Decision = { rule: FitRule; limit: number | null; source: string }

const by = (rule: FitRule, { value, source }: Figure): Decision => ({ rule, limit: value, source })
const without = (rule: FitRule, source: string): Decision => ({ rule, limit: null, source })

const refusal = (asset: Asset, product: Product): Decision | null => {
  const { needs, reservoir, reactionS, durationMin } = product
  if (!product.areas.includes(asset.area)) return without('area', '1.5')
  if (asset.direction !== 'both' && asset.direction !== needs) return without('direction', '4.1')
  // In FCR-D a reservoir must also be able to move its energy back: a fifth of its sold capacity, the other way.
  if (asset.direction !== 'both' && reservoir?.mustRecharge && isLimited(asset)) return without('direction', '4.4')
  if (asset.reactionS > reactionS.value) return by('reaction', reactionS)
  if (asset.durationMin < durationMin.value) return by('duration', durationMin)
  if (asset.powerKw <= 0) return without('power', '4.1')
  if (asset.energyKwh !== null && asset.energyKwh <= 0) return without('energy', '4.4')
  return null
}

/** A store begins half full for a product in both directions, full or empty for one direction (section 4.4). */
const sellable = (asset: Asset, { needs, reservoir }: Product): Decision & { kw: number } => {
  const whole = { ...without('power', '4.1'), kw: asset.powerKw }
  if (!reservoir || asset.energyKwh === null || !isLimited(asset)) return whole
  const eachWayKwh = needs === 'both' ? asset.energyKwh / 2 : asset.energyKwh
  const byPower = { ...by('power', reservoir.powerPerKw), kw: asset.powerKw / reservoir.powerPerKw.value }
  const byEnergy = { ...by('energy', reservoir.hours), kw: eachWayKwh / reservoir.hours.value }
  return byEnergy.kw < byPower.kw ? byEnergy : byPower
}

const fitOf = (asset: Asset, product: Product): Fit => {
  const { market, needs, minimumBidKw } = product
  const refused = refusal(asset, product)
  if (refused) return { market, needs, fits: false, ...refused, capacityKw: 0, alone: false }
  const { kw, ...decision } = sellable(asset, product)
  return { market, needs, fits: true, ...decision, capacityKw: kw, alone: kw >= minimumBidKw.value }
}

export const marketFits = (asset: Asset): Fit[] => products.map((product) => fitOf(asset, product))
