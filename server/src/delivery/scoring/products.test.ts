import { markets } from '@gridmast/contract/markets.ts'
import { expect, test } from 'vitest'
import { demandOf, type Product, products } from './products.ts'

const asked = (product: Product, ...hz: number[]) => hz.map((value, i) => demandOf(product)(i * 1000, value))

test('each market has demand in its own direction, by its own kind of signal', () => {
  for (const [id, product] of Object.entries(products)) {
    const market = markets[id as keyof typeof markets] // the keys of both are the markets
    expect(product.trigger).toBe(market.group === 'frr_based' ? 'set point' : 'frequency')
    const values = product.trigger === 'frequency' ? [49.6, 50.4] : [60, -60]
    const [up = NaN, down = NaN] = values.map((value) => demandOf(product)(0, value))
    expect([id, up > 0, down < 0]).toEqual([id, market.direction !== 'down', market.direction !== 'up'])
  }
})

test.each([
  ['FCR-D-INC', [50, 49.9, 49.899, 49.7, 49.5, 49.2, 50.4], [0, 0, 0.0025, 0.5, 1, 1, 0]],
  ['FCR-D-DEC', [50, 50.1, 50.101, 50.3, 50.5, 50.9, 49.6], [0, 0, -0.0025, -0.5, -1, -1, 0]],
  ['FCR-N', [50, 49.99, 50.01, 49.96, 49.9, 50.1, 49.5], [0, 0.1, -0.1, 0.4, 1, -1, 1]],
  ['FCR', [50, 49.98, 50.02, 49.979, 49.92, 49.8, 50.3], [0, 0, 0, 0.105, 0.4, 1, -1]],
] as const)('%s: the demand is exact at its limits', (market, hz, u) => {
  const found = asked(products[market], ...hz)
  found.forEach((value, i) => expect(value).toBeCloseTo(u[i] ?? NaN, 12))
  for (const i of [0, 1]) if (u[i] === 0) expect(Math.abs(found[i] ?? 1)).toBe(0)
})

test('FCR-N and FCR count from exactly 40 % on', () => {
  expect(asked(products['FCR-N'], 49.96, 50.04)).toEqual([0.4, -0.4])
  expect(asked(products.FCR, 49.92, 50.08)).toEqual([0.4, -0.4])
})

test('the deadband is a parameter', () => {
  const { FCR } = products
  if (!('droop' in FCR)) throw new Error('FCR has a droop')
  const narrow: Product = { ...FCR, droop: { ...FCR.droop, deadbandMilliHz: 10 } }
  expect(asked(narrow, 49.99, 49.985)).toEqual([0, 0.075])
  expect(asked(FCR, 49.985)).toEqual([0])
})

test('FFR: full demand at 49.7 Hz, held for 30 s, not repeated for 15 minutes', () => {
  const demand = demandOf(products.FFR)
  const at = (second: number, hz: number) => demand(second * 1000, hz)
  expect([at(0, 49.701), at(1, 49.7), at(2, 49.9), at(30, 49.6), at(31, 49.6)]).toEqual([0, 1, 1, 1, 0])
  expect([at(900, 49.5), at(901, 49.71), at(902, 49.7), at(903, 50)]).toEqual([0, 0, 1, 1])
})

test('a set point is signed percent, at most the whole capacity', () => {
  expect([40, -40, 250, -250, 0].map((sp) => demandOf(products.aFRR)(0, sp))).toEqual([0.4, -0.4, 1, -1, 0])
  expect([40, -40].map((sp) => demandOf(products['aFRR-DK1-DEC'])(0, sp))).toEqual([0, -0.4])
})

test('an implausible frequency is unknown', () => {
  for (const product of Object.values(products)) {
    expect(demandOf(product)(0, NaN)).toBeNaN()
    if (product.trigger === 'frequency') expect(asked(product, 0, 44, 60, -1)).toEqual([NaN, NaN, NaN, NaN])
  }
})
