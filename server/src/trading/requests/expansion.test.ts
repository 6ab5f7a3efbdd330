import { hourMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offerOf, onlyIn } from './bid-requests.fixture.ts'
import { type Bid, bidsOf, type Offer, productsOf } from './expansion.ts'

const offer = (part: Partial<Offer> = {}) =>
  offerOf({ capacity_mw: onlyIn(2, '2'), price_eur: onlyIn(2, '2.00'), ...part })
const startsOf = (bids: readonly Bid[]) => bids.map(({ starts_at }) => starts_at.toISOString().slice(0, 16))
const lengthMs = ({ starts_at, ends_at }: Bid) => ends_at.getTime() - starts_at.getTime()

describe('slots', () => {
  test('the worked example of the page', () => {
    const early = bidsOf(offer(), 'D-1 early', '2026-10-25', [])
    expect(startsOf(early)).toEqual(['2026-10-25T00:00', '2026-10-25T01:00'])
    expect(early).toMatchObject(
      [0, 1].map(() => ({ slot: 2, capacity_mw: '2', price_eur: '2.00', product: 'FCR-D-INC' })),
    )
    const decided = [
      { product: 'FCR-D-INC', starts_at: new Date('2026-10-25T00:00Z'), won: true, won_mw: '0.5' },
      { product: 'FCR-D-INC', starts_at: new Date('2026-10-25T01:00Z'), won: false, won_mw: null },
    ]
    expect(bidsOf(offer(), 'D-1 late', '2026-10-25', decided).map(({ capacity_mw }) => capacity_mw)).toEqual([
      '1.5',
      '2',
    ])
    expect(bidsOf(offer(), 'D-1 early', '2026-03-29', [])).toEqual([])
  })

  test('a won or undecided capacity is not bid again', () => {
    const one = { product: 'FCR-D-INC', starts_at: new Date('2026-11-20T01:00Z') }
    for (const earlier of [
      { ...one, won: true, won_mw: '2' },
      { ...one, won: null, won_mw: null },
    ])
      expect(bidsOf(offer(), 'D-1 late', '2026-11-20', [earlier])).toEqual([])
  })

  test('a block of FCR is one bid, with 5 hours on the day in October', () => {
    const fcr = offer({ market: 'FCR', area: 'DK1', capacity_mw: onlyIn(0, '1', 6), price_eur: onlyIn(0, '9.5', 6) })
    const [bid, ...more] = bidsOf(fcr, '', '2026-10-25', [])
    expect(more).toEqual([])
    expect(bid && lengthMs(bid) / hourMs).toBe(5)
  })

  test('each offered hour is bid once, and no other', () => {
    const hours = fc.array(fc.constantFrom('0', '0.1'), { minLength: 24, maxLength: 24 })
    const days = fc.constantFrom('2026-03-29', '2026-10-25', '2026-11-20')
    fc.assert(
      fc.property(hours, days, (capacity, day) => {
        const bids = bidsOf(offer({ capacity_mw: capacity, price_eur: capacity.map(() => '1') }), 'D-1 early', day, [])
        expect(new Set(startsOf(bids)).size).toBe(bids.length)
        for (const bid of bids) {
          expect(capacity[bid.slot]).toBe('0.1')
          expect(lengthMs(bid)).toBe(hourMs)
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

  test('aFRR is bid in both directions with its energy price', () => {
    const bids = bidsOf(
      offer({ market: 'aFRR', area: 'DK1', regulation_price_eur: onlyIn(2, '120') }),
      '',
      '2026-11-20',
      [],
    )
    expect(bids).toMatchObject([
      { product: 'aFRR-INC', regulation_price_eur: '120' },
      { product: 'aFRR-DEC', regulation_price_eur: '120' },
    ])
  })

  test('the contract names the auctions', () => {
    const late = offer({ contract: { auctions: ['D-1 late'], default_price_eur: '1' } })
    expect(bidsOf(late, 'D-1 early', '2026-11-20', [])).toEqual([])
    expect(bidsOf(late, 'D-1 late', '2026-11-20', [])).toHaveLength(1)
    expect(bidsOf(offer(), '', '2026-11-20', [])).toEqual([])
  })

  test('without custom bids the price is that of the contract and the capacity the forecast in whole tenths', () => {
    const standing = offer({ custom_bidding: false, capacity_mw: [], price_eur: [], forecastKw: [398, null, 99, 1000] })
    expect(bidsOf(standing, 'D-1 early', '2026-11-20', [])).toEqual([])
    const contract = { auctions: ['D-1 early'], default_price_eur: '2.50' }
    expect(bidsOf({ ...standing, contract }, 'D-1 early', '2026-11-20', [])).toMatchObject([
      { slot: 0, capacity_mw: '0.3', price_eur: '2.50' },
      { slot: 3, capacity_mw: '1', price_eur: '2.50' },
    ])
  })
})
