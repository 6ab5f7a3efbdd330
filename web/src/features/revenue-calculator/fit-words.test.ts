import { type Asset, marketFits } from '@gridmast/contract/market-fit.ts'
import { expect, test } from 'vitest'
import { fitWords } from './fit-words.ts'

const t = ((key: string, values: Record<string, string> = {}) =>
  key.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')) as never // a stand-in for i18next
const asset: Asset = { area: 'DK2', direction: 'both', powerKw: 1000, reactionS: 1, durationMin: 60, energyKwh: null }
const words = (change: Partial<Asset>, market: string) => {
  const own = { ...asset, ...change }
  const fit = marketFits(own).find((one) => one.market === market)
  return fit && fitWords(fit, own, t)
}

test('each rule is said with its figure', () => {
  expect(words({}, 'FCR')).toBe('Not sold in DK2')
  expect(words({ direction: 'up' }, 'FCR-D-DEC')).toBe('Needs help by more consumption')
  expect(words({ direction: 'down' }, 'FCR-D-INC')).toBe('Needs help by less consumption')
  expect(words({ direction: 'up' }, 'FCR-D (LER)')).toBe('Needs help both ways')
  expect(words({ direction: 'up', energyKwh: 100 }, 'FCR-D-INC')).toBe('Needs help both ways, to refill the store')
  expect(words({ reactionS: 8 }, 'FCR-D-INC')).toBe('Must react within 7,5 s')
  expect(words({ durationMin: 10 }, 'FCR-D-INC')).toBe('Must hold for 20 min')
  expect(words({}, 'FCR-D-INC')).toBe('The whole power')
  expect(words({ powerKw: 0 }, 'FCR-D-INC')).toBe('Needs power')
})

test('less than the smallest bid is sold in a pool', () => {
  expect(words({ powerKw: 50 }, 'FCR-D-INC')).toBe('The whole power · below the smallest bid: sold in a pool')
})

test('a limited store is bounded by its energy', () => {
  expect(words({ energyKwh: 100 }, 'FCR-D-INC')).toMatch(/^Bounded by the store: 20 min each way/)
})
