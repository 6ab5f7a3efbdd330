import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marketFits, type Asset, type FitMarket } from './market-fit.ts'

const load: Asset = { area: 'DK2', direction: 'both', powerKw: 2000, reactionS: 0.5, durationMin: 240, energyKwh: null }
const west = { area: 'DK1' }

const fit = (market: FitMarket, more: Partial<Asset> = {}) =>
  marketFits({ ...load, ...more }).find((one) => one.market === market)
const yes = (rule: string, more: object = {}) => expect.objectContaining({ fits: true, rule, ...more })
const no = (rule: string, more: object = {}) =>
  expect.objectContaining({ fits: false, rule, capacityKw: 0, alone: false, ...more })

test('the worked example: a battery of 1,200 kW and 900 kWh in DK2', () => {
  const battery = { powerKw: 1200, energyKwh: 900, reactionS: 1, durationMin: 45 }
  expect(fit('FCR-D (LER)', battery)).toEqual(
    yes('power', { capacityKw: 1000, limit: 1.2, source: '4.4', alone: true }),
  )
  expect(fit('FCR-D-INC', battery)).toEqual(yes('power', { capacityKw: 1200 }))
  expect(fit('FCR-N', battery)).toEqual(no('duration', { limit: 60 }))
  expect(fit('FCR', battery)).toEqual(no('area'))
})

test('a load without limitations fits every market of its area and none of another area', () => {
  const joined = (area: string) => marketFits({ ...load, area }).flatMap(({ market, fits }) => (fits ? [market] : []))
  const frr = ['aFRR-INC', 'aFRR-DEC', 'mFRR-INC', 'mFRR-DEC']
  const fcrD = ['FCR-N', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-D (LER)']
  expect(joined('DK1')).toEqual(['FCR', ...frr])
  expect(joined('DK2')).toEqual([...fcrD, 'FFR', ...frr])
  expect(joined('SE3')).toEqual(fcrD)
  expect(joined('DE')).toEqual([])
})

test.each<[FitMarket, number, Partial<Asset>]>([
  ['FCR', 30, west],
  ['FCR-N', 150, {}],
  ['FCR-D-INC', 7.5, {}],
  ['FCR-D-DEC', 7.5, {}],
  ['FCR-D (LER)', 7.5, {}],
  ['FFR', 1.3, {}],
  ['aFRR-INC', 300, {}],
  ['aFRR-DEC', 300, west],
  ['mFRR-INC', 750, {}],
  ['mFRR-DEC', 750, west],
])('%s: a reaction time of %d s is accepted, one millisecond more is not', (market, reactionS, more) => {
  expect(fit(market, { ...more, reactionS })).toEqual(yes('power'))
  expect(fit(market, { ...more, reactionS: reactionS + 0.001 })).toEqual(no('reaction', { limit: reactionS }))
})

test.each<[FitMarket, number, Partial<Asset>]>([
  ['FCR', 15, west],
  ['FCR-N', 60, {}],
  ['FCR-D-INC', 20, {}],
  ['FCR-D-DEC', 20, {}],
  ['FCR-D (LER)', 20, {}],
  ['FFR', 0.5, {}],
  ['aFRR-INC', 60, {}],
  ['aFRR-DEC', 60, {}],
  ['mFRR-INC', 60, {}],
  ['mFRR-DEC', 60, {}],
])('%s: an endurance of %d minutes is accepted, slightly less is not', (market, durationMin, more) => {
  expect(fit(market, { ...more, durationMin })).toEqual(yes('power'))
  expect(fit(market, { ...more, durationMin: durationMin - 0.001 })).toEqual(no('duration', { limit: durationMin }))
})

test.each<[FitMarket, string[]]>([
  ['FCR', ['both']],
  ['FCR-N', ['both']],
  ['FCR-D-INC', ['up', 'both']],
  ['FCR-D-DEC', ['down', 'both']],
  ['FCR-D (LER)', ['both']],
  ['FFR', ['up', 'both']],
  ['aFRR-INC', ['up', 'both']],
  ['aFRR-DEC', ['down', 'both']],
  ['mFRR-INC', ['up', 'both']],
  ['mFRR-DEC', ['down', 'both']],
])('%s accepts the directions %j', (market, directions) => {
  const area = market === 'FCR' ? 'DK1' : 'DK2'
  for (const direction of ['up', 'down', 'both'] as const)
    expect(fit(market, { area, direction }), direction).toEqual(
      directions.includes(direction) ? yes('power') : no('direction'),
    )
})

test.each<[FitMarket, number, Partial<Asset>]>([
  ['FCR', 1000, west],
  ['FCR-N', 100, {}],
  ['FCR-D-INC', 100, {}],
  ['FFR', 300, {}],
  ['aFRR-INC', 1000, {}],
  ['mFRR-DEC', 1000, {}],
])('%s: %i kW are sufficient for a separate bid, less is pooled, and zero does not fit', (market, powerKw, more) => {
  expect(fit(market, { ...more, powerKw })).toEqual(yes('power', { alone: true, capacityKw: powerKw }))
  expect(fit(market, { ...more, powerKw: powerKw - 1 })).toEqual(
    yes('power', { alone: false, capacityKw: powerKw - 1 }),
  )
  expect(fit(market, { ...more, powerKw: 0 })).toEqual(no('power'))
})

test.each<[FitMarket, number, number, number, Partial<Asset>]>([
  // Both ways: half of the store for 15 min, an hour, 20 min. One way: the whole store for 20 min.
  ['FCR', 1000, 1.25, 0.5, west],
  ['FCR-N', 1000, 1.34, 2, {}],
  ['FCR-D (LER)', 1000, 1.2, 2 / 3, {}],
  ['FCR-D-INC', 1000, 1, 1 / 3, {}],
  ['FCR-D-DEC', 1000, 1, 1 / 3, {}],
  ['aFRR-INC', 1000, 1, 1, {}],
  ['aFRR-DEC', 1000, 1, 1, west],
  ['mFRR-INC', 1000, 1, 1, {}],
  ['mFRR-DEC', 1000, 1, 1, west],
])('%s: a reservoir sells its power, or less with a smaller store', (market, powerKw, factor, storeHours, more) => {
  const sold = powerKw / factor
  const enoughKwh = sold * storeHours
  const reservoir = { ...more, powerKw }
  expect(fit(market, { ...reservoir, energyKwh: enoughKwh + 0.01 })?.capacityKw).toBeCloseTo(sold, 6)
  expect(fit(market, { ...reservoir, energyKwh: enoughKwh + 0.01 })).toEqual(yes('power', { limit: factor }))
  expect(fit(market, { ...reservoir, energyKwh: enoughKwh / 2 })).toEqual(yes('energy'))
  expect(fit(market, { ...reservoir, energyKwh: enoughKwh / 2 })?.capacityKw).toBeCloseTo(sold / 2, 6)
  expect(fit(market, { ...reservoir, energyKwh: 0 })).toEqual(no('energy'))
})

test('a two-hour store does not limit the capacity, a slightly smaller one does', () => {
  expect(fit('FCR-D (LER)', { energyKwh: 4000 })).toEqual(yes('power', { capacityKw: 2000, limit: null }))
  expect(fit('FCR-D (LER)', { energyKwh: 3999 })).toEqual(yes('power', { limit: 1.2 }))
})

test('a one-way reservoir does not fit FCR-D because it cannot return energy', () => {
  const battery = { direction: 'up', energyKwh: 1000 } as const
  expect(fit('FCR-D-INC', battery)).toEqual(no('direction', { source: '4.4' }))
  expect(fit('FCR-D-INC', { ...battery, energyKwh: 4000 })).toEqual(yes('power'))
  expect(fit('aFRR-INC', battery)).toEqual(yes('energy', { capacityKw: 1000 }))
})

const assets = fc.record({
  area: fc.constantFrom('DK1', 'DK2', 'SE1'),
  direction: fc.constantFrom('up', 'down', 'both'),
  powerKw: fc.integer({ min: 0, max: 5000 }),
  reactionS: fc.double({ min: 0, max: 1000, noNaN: true }),
  durationMin: fc.double({ min: 0, max: 120, noNaN: true }),
  energyKwh: fc.option(fc.integer({ min: 0, max: 20_000 })),
})

test('a faster and more enduring asset fits at least the same markets, and never sells more than its power', () => {
  fc.assert(
    fc.property(assets, (asset) => {
      const better = marketFits({ ...asset, reactionS: asset.reactionS / 2, durationMin: asset.durationMin * 2 })
      marketFits(asset).forEach((one, i) => {
        if (one.fits) expect(better[i]?.fits).toBe(true)
        expect(one.capacityKw).toBeLessThanOrEqual(asset.powerKw)
        expect(one.capacityKw > 0).toBe(one.fits)
        expect(one.source).toMatch(/^[14]\.\d/)
      })
    }),
  )
})
