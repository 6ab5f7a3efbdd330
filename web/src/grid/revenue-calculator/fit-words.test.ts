import { type Asset, marketFits } from '@gridmast/contract/grid/market-fit.ts'
import { expect, test } from 'vitest'
import { fitWords } from './fit-words.ts'

const asset: Asset = { area: 'DK2', direction: 'both', powerKw: 1000, reactionS: 1, durationMin: 60, energyKwh: null }
const words = (change: Partial<Asset>, market: string) => {
  const changedAsset = { ...asset, ...change }
  const fit = marketFits(changedAsset).find((one) => one.market === market)
  return fit && fitWords(fit, changedAsset)
}

test('each rule is a sentence with its figure', () => {
  expect(words({}, 'FCR')).toBe('Not sold in DK2')
  expect(words({ direction: 'up' }, 'FCR-D-DEC')).toBe('Must regulate down')
  expect(words({ direction: 'down' }, 'FCR-D-INC')).toBe('Must regulate up')
  expect(words({ direction: 'up' }, 'FCR-D (LER)')).toBe('Must regulate up and down')
  expect(words({ direction: 'up', energyKwh: 100 }, 'FCR-D-INC')).toBe(
    'Must regulate up and down to recharge the storage',
  )
  expect(words({ reactionS: 8 }, 'FCR-D-INC')).toBe('Must respond within 7,5 s')
  expect(words({ durationMin: 10 }, 'FCR-D-INC')).toBe('Must last 20 min')
  expect(words({}, 'FCR-D-INC')).toBe('Full power')
  expect(words({ powerKw: 0 }, 'FCR-D-INC')).toBe('Needs power')
})

test('less than the smallest bid is sold in a pool', () => {
  expect(words({ powerKw: 50 }, 'FCR-D-INC')).toBe('Full power · below the minimum bid, sold through a pool')
})

test('a limited store is limited by its energy', () => {
  expect(words({ energyKwh: 100 }, 'FCR-D-INC')).toMatch(/^Limited by storage: 20 min each way/)
})
