import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bidsOf, type Offer, productsOf } from './expansion.ts'

const only = (slot: number, value: string, length = 24) => Array.from({ length }, (_, i) => (i === slot ? value : '0'))
const offer = (part: Partial<Offer> = {}): Offer => ({
  market: 'FCR-D-INC',
  area: 'DK2',
  customBidding: true,
  capacity: only(2, '2'),
  price: only(2, '2.00'),
  regulationPrice: null,
  contract: null,
  forecastKw: [],
  ...part,
})
const startsOf = (bids: { fromMs: number }[]) => bids.map(({ fromMs }) => new Date(fromMs).toISOString().slice(0, 16))

describe('slots', () => {
  test('the worked example of the page', () => {
    const early = bidsOf(offer(), 'D-1 early', '2026-10-25', [])
    expect(startsOf(early)).toEqual(['2026-10-25T00:00', '2026-10-25T01:00'])
    expect(early).toMatchObject(
      [0, 1].map(() => ({ slot: 2, capacityMw: '2', priceEur: '2.00', product: 'FCR-D-INC' })),
    )
    const decided = [
      { product: 'FCR-D-INC', startMs: Date.parse('2026-10-25T00:00Z'), won: true, wonMw: '0.5' },
      { product: 'FCR-D-INC', startMs: Date.parse('2026-10-25T01:00Z'), won: false, wonMw: null },
    ]
    expect(bidsOf(offer(), 'D-1 late', '2026-10-25', decided).map(({ capacityMw }) => capacityMw)).toEqual(['1.5', '2'])
    expect(bidsOf(offer(), 'D-1 early', '2026-03-29', [])).toEqual([])
  })

  test('what is won whole, or not decided, is not bid again', () => {
    const one = { product: 'FCR-D-INC', startMs: Date.parse('2026-11-20T01:00Z') }
    for (const earlier of [
      { ...one, won: true, wonMw: '2' },
      { ...one, won: null, wonMw: null },
    ])
      expect(bidsOf(offer(), 'D-1 late', '2026-11-20', [earlier])).toEqual([])
  })

  test('a block of FCR is one bid, of 5 hours on the day in October', () => {
    const fcr = offer({ market: 'FCR', area: 'DK1', capacity: only(0, '1', 6), price: only(0, '9.5', 6) })
    const [bid, ...more] = bidsOf(fcr, '', '2026-10-25', [])
    expect(more).toEqual([])
    expect(bid && (bid.toMs - bid.fromMs) / 3_600_000).toBe(5)
  })

  test('each hour of a year that is offered is bid once, and no other', () => {
    const hours = fc.array(fc.constantFrom('0', '0.1'), { minLength: 24, maxLength: 24 })
    const days = fc.constantFrom('2026-03-29', '2026-10-25', '2026-11-20')
    fc.assert(
      fc.property(hours, days, (capacity, day) => {
        const bids = bidsOf(offer({ capacity, price: capacity.map(() => '1') }), 'D-1 early', day, [])
        expect(new Set(startsOf(bids)).size).toBe(bids.length)
        for (const { slot, fromMs, toMs } of bids) {
          expect(capacity[slot]).toBe('0.1')
          expect(toMs - fromMs).toBe(3_600_000)
        }
      }),
    )
  })
})

describe('products and auctions', () => {
  test.each([
    ['FCR', 'DK1', ['FCR']],
    ['FCR-D-DEC', 'DK2', ['FCR-D-DEC']],
    ['aFRR', 'DK1', ['aFRR-INC', 'aFRR-DEC']],
    ['aFRR-DK1-DEC', 'DK1', ['aFRR-DEC']],
    ['mFRR', 'DK2', ['mFRR-INC']],
    ['local flexibility', 'DK2', ['local flexibility']],
  ])('%s in %s is sold as %j', (market, area, products) => {
    expect(productsOf(market, area)).toEqual(products)
  })

  test('aFRR is bid both ways, with its price of energy', () => {
    const bids = bidsOf(offer({ market: 'aFRR', area: 'DK1', regulationPrice: only(2, '120') }), '', '2026-11-20', [])
    expect(bids).toMatchObject([
      { product: 'aFRR-INC', regulationPriceEur: '120' },
      { product: 'aFRR-DEC', regulationPriceEur: '120' },
    ])
  })

  test('the contract names the auctions', () => {
    const late = offer({ contract: { auctions: ['D-1 late'], priceEur: '1' } })
    expect(bidsOf(late, 'D-1 early', '2026-11-20', [])).toEqual([])
    expect(bidsOf(late, 'D-1 late', '2026-11-20', [])).toHaveLength(1)
    expect(bidsOf(offer(), '', '2026-11-20', [])).toEqual([])
  })

  test('what is left to the contract takes its price, and the forecast in whole tenths', () => {
    const standing = offer({ customBidding: false, capacity: [], price: [], forecastKw: [398, null, 99, 1000] })
    expect(bidsOf(standing, 'D-1 early', '2026-11-20', [])).toEqual([])
    const contract = { auctions: ['D-1 early'], priceEur: '2.50' }
    expect(bidsOf({ ...standing, contract }, 'D-1 early', '2026-11-20', [])).toMatchObject([
      { slot: 0, capacityMw: '0.3', priceEur: '2.50' },
      { slot: 3, capacityMw: '1', priceEur: '2.50' },
    ])
  })
})
