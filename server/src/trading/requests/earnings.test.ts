import { expect, test } from 'vitest'
import { earnedOn, meanPrices, slotPrices, sumOf, type Marginals, type Published } from './earnings.ts'
import { offerOf, onlyIn } from './bid-requests.fixture.ts'
import type { Offer } from './expansion.ts'

const offer = (part: Partial<Offer> = {}) =>
  offerOf({ capacity_mw: onlyIn(10, '2'), price_eur: onlyIn(10, '2.00'), ...part })
const isBought = () => true
const prices = (of: Record<string, string | null>): Published => ({
  priceAt: (_, auction) => of[auction] ?? null,
  isBought,
})
const [early, late] = ['D-1 early', 'D-1 late']

test('the worked example of the page', () => {
  const days = [
    { [early]: '3.50', [late]: '1.00' },
    { [early]: '1.80', [late]: '2.10' },
    { [early]: null, [late]: '2.10' },
  ].map((of, i) => ({ earned: earnedOn(offer(), `2026-09-1${i}`, prices(of)) }))
  const none = { won: 0, lost: 0, unpriced: 0 }
  expect(days[0]?.earned).toEqual([{ product: 'FCR-D-INC', auction: early, ...none, eur: '7', won: 1 }])
  expect(sumOf(days)).toEqual([
    { product: 'FCR-D-INC', auction: early, eur: '7', won: 1, lost: 1, unpriced: 1 },
    { product: 'FCR-D-INC', auction: late, ...none, eur: '4.2', won: 1 },
  ])
})

test('the total of both auctions is not a price', () => {
  const total: Marginals = (_, auction) => (auction === '' || auction === 'Total' ? '99' : null)
  expect(earnedOn(offer(), '2026-09-15', { priceAt: total, isBought })).toMatchObject([
    { auction: early, eur: null, unpriced: 1 },
  ])
})

test('a contract with one auction earns in that auction', () => {
  const contract = { auctions: [late], default_price_eur: '0' }
  const of = { [early]: '3.50', [late]: '2.87' }
  expect(earnedOn(offer({ contract }), '2026-09-15', prices(of))).toMatchObject([{ auction: late, eur: '5.74' }])
})

test('a block of FCR is paid once; the repeated hour of October twice, the skipped hour of March not', () => {
  const block = offer({ market: 'FCR', area: 'DK1', capacity_mw: onlyIn(0, '1', 6), price_eur: onlyIn(0, '0', 6) })
  expect(earnedOn(block, '2026-10-25', prices({ '': '3.69' }))).toMatchObject([{ eur: '3.69', won: 1 }])
  const two = offer({ capacity_mw: onlyIn(2, '0.1'), price_eur: onlyIn(2, '0') })
  expect(earnedOn(two, '2026-10-25', prices({ [early]: '0.3' }))).toMatchObject([{ eur: '0.06', won: 2 }])
  expect(earnedOn(two, '2026-03-29', prices({ [early]: '0.3' }))).toEqual([])
})

test('an auction that bought nothing wins no bid of 0', () => {
  const free = offer({ market: 'FFR', capacity_mw: onlyIn(10, '1'), price_eur: onlyIn(10, '0') })
  expect(earnedOn(free, '2026-09-15', prices({ '': '0' }))).toMatchObject([{ eur: '0', won: 1, lost: 0 }])
  const none = { ...prices({ '': '0' }), isBought: () => false }
  expect(earnedOn(free, '2026-09-15', none)).toMatchObject([{ eur: '0', won: 0, lost: 1 }])
})

test('both directions of aFRR are separate products', () => {
  const both = offer({ market: 'aFRR', area: 'DK1', capacity_mw: onlyIn(0, '1'), price_eur: onlyIn(0, '5') })
  const priceAt: Marginals = (product) => (product === 'aFRR-INC' ? '38.8' : '0.02')
  expect(earnedOn(both, '2026-09-15', { priceAt, isBought })).toMatchObject([
    { product: 'aFRR-INC', eur: '38.8', won: 1 },
    { product: 'aFRR-DEC', eur: '0', lost: 1 },
  ])
})

test('a slot of two hours has their mean, null without one of them, and days without a price do not count', () => {
  let hour = 0
  const of = slotPrices('FFR', { product: 'FFR', auction: '' }, '2026-10-25', () => String(hour++))
  expect(of.slice(0, 4)).toEqual(['0', '1', '2.5', '4'])
  hour = 0
  const gap = slotPrices('FFR', { product: 'FFR', auction: '' }, '2026-10-25', () => (hour++ === 3 ? null : '1'))
  expect(gap.slice(0, 4)).toEqual(['1', '1', null, '1'])
  expect(
    meanPrices([
      ['1', null],
      ['2', null],
      [null, null],
    ]),
  ).toEqual(['1.5', null])
})
