import { addDecimals, compareDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BidResult, type Contract, settle, type SettlementInput } from './settle.ts'

const fromMs = Date.parse('2026-09-15T10:00:00Z')
const bid = (part: Partial<BidResult> = {}): BidResult => ({
  fromMs,
  toMs: fromMs + hourMs,
  slot: 12,
  auction: 'D-1 early',
  capacityMw: '2',
  priceEur: '2',
  regulationPriceEur: null,
  won: true,
  wonMw: null,
  marginalPriceEur: '3.5',
  decidedBy: 'price',
  ...part,
})
const late = bid({ auction: 'D-1 late', won: false, marginalPriceEur: '1' })
const contract = (part: Partial<Contract> = {}): Contract => ({
  customer: '80',
  partner: '10',
  sc: '10',
  enablers: {},
  penaltyTo: 'shares',
  ...part,
})
const day = (part: Partial<SettlementInput>) =>
  settle({ bids: [], notAvailable: new Set(), energy: null, contract: contract(), ...part })

describe('the worked examples of settlement.md', () => {
  test('1: the price of the won auction and its shares', () => {
    const of = contract({ customer: '70', partner: '15', sc: '10', enablers: { Hjælper: '5' } })
    expect(day({ bids: [late, bid()], contract: of })).toMatchObject({
      is_result_fetched: true,
      won_mw: '2',
      capacity_eur: '7.00',
      penalty_eur: '0.00',
      gross_eur: '7.00',
      energy_eur: null,
      customer_eur: '4.90',
      partner_eur: '1.05',
      sc_eur: '0.70',
      enablers: { Hjælper: '0.35' },
    })
  })

  const october = dayBounds('2026-10-25').fromMs
  const block = bid({
    fromMs: october,
    toMs: october + 5 * hourMs,
    slot: 0,
    auction: '',
    capacityMw: '3',
    marginalPriceEur: '10.01',
  })
  const notAvailable = new Set([october + hourMs, october + 2 * hourMs])

  test('2: two missed hours of a block of five, shared by all', () => {
    expect(day({ bids: [block], notAvailable })).toMatchObject({
      capacity_eur: '30.03',
      penalty_eur: '-12.01',
      gross_eur: '18.02',
      customer_eur: '14.42',
      partner_eur: '1.80',
      sc_eur: '1.80',
      bids: [{ hours: 5, missedHours: 2, capacityEur: '30.03', penaltyEur: '-12.012000000' }],
    })
  })

  test('2: or by the service company alone', () => {
    expect(day({ bids: [block], notAvailable, contract: contract({ penaltyTo: 'sc' }) })).toMatchObject({
      gross_eur: '18.02',
      customer_eur: '24.03',
      partner_eur: '3.00',
      sc_eur: '-9.01',
    })
  })

  test('a missed hour of the block in March is a third, and the repeated hour of October is two', () => {
    const march = dayBounds('2026-03-29').fromMs
    const short = bid({ fromMs: march, toMs: march + 3 * hourMs, slot: 0, auction: '', marginalPriceEur: '13.50' })
    expect(day({ bids: [short], notAvailable: new Set([march + 2 * hourMs]) })).toMatchObject({
      capacity_eur: '27.00',
      penalty_eur: '-9.00',
      bids: [{ hours: 3, missedHours: 1 }],
    })
    const twice = [2, 3].map((hour) =>
      bid({ fromMs: october + hour * hourMs, toMs: october + (hour + 1) * hourMs, slot: 2, marginalPriceEur: '2.50' }),
    )
    expect(day({ bids: twice, notAvailable: new Set([october + 3 * hourMs]) })).toMatchObject({
      won_mw: '2',
      capacity_eur: '10.00',
      penalty_eur: '-5.00',
      gross_eur: '5.00',
      bids: [{ missedHours: 0 }, { missedHours: 1 }],
    })
  })

  test('3: a day is rounded once', () => {
    const hours = [0, 1, 2].map((hour) =>
      bid({
        fromMs: fromMs + hour * hourMs,
        toMs: fromMs + (hour + 1) * hourMs,
        capacityMw: '1',
        marginalPriceEur: '0.333',
      }),
    )
    expect(day({ bids: hours }).gross_eur).toBe('1.00')
  })

  test('6: a row is the sum of its lines, the gross the sum of the rows, and shares are of the rounded gross', () => {
    const third = bid({ toMs: fromMs + 3 * hourMs, capacityMw: '1', marginalPriceEur: '0.335' })
    const of = contract({ customer: '50', partner: '50', sc: '0' })
    expect(day({ bids: [third], notAvailable: new Set([fromMs]), contract: of })).toMatchObject({
      capacity_eur: '0.34',
      penalty_eur: '-0.11',
      gross_eur: '0.23',
      bids: [{ capacityEur: '0.335', penaltyEur: '-0.111666667' }],
      partner_eur: '0.12',
      customer_eur: '0.11',
    })
  })
})

test('an unpublished result makes the day provisional, and known results count', () => {
  const open = bid({ auction: 'D-1 late', won: null, marginalPriceEur: null })
  expect(day({ bids: [bid(), open] })).toMatchObject({ is_result_fetched: false, gross_eur: '7.00' })
  expect(day({ bids: [open] })).toMatchObject({
    is_result_fetched: false,
    won_mw: '0',
    gross_eur: null,
    customer_eur: null,
  })
})

test('a partly won bid is paid for its part, and auctions of an hour are added', () => {
  const part = bid({ wonMw: '0.5' })
  const rest = bid({ auction: 'D-1 late', capacityMw: '1.5', marginalPriceEur: '1' })
  expect(day({ bids: [part, rest] })).toMatchObject({ won_mw: '2', gross_eur: '3.25' })
})

test('at a negative price the customer pays, and a missed hour has no penalty', () => {
  const paid = bid({ marginalPriceEur: '-1.5' })
  expect(day({ bids: [paid], notAvailable: new Set([fromMs]) })).toMatchObject({
    capacity_eur: '-3.00',
    penalty_eur: '0.00',
    gross_eur: '-3.00',
    customer_eur: '-2.40',
    partner_eur: '-0.30',
    sc_eur: '-0.30',
  })
})

test('without a contract the gross is known and the shares are not', () => {
  expect(day({ bids: [bid()], contract: null })).toMatchObject({
    gross_eur: '7.00',
    customer_eur: null,
    partner_eur: null,
    sc_eur: null,
  })
})

test('for any bids the shares add up to the gross, a penalty is at most the capacity, and order does not matter', () => {
  const decimal = (min: number, max: number, places: number) =>
    fc
      .integer({ min: min * 10 ** places, max: max * 10 ** places })
      .map((whole) => (whole / 10 ** places).toFixed(places))
  const some = fc.record({
    hour: fc.nat(20),
    length: fc.constantFrom(1, 3, 4, 5),
    won: fc.option(fc.boolean()),
    mw: decimal(1, 30, 3),
    price: decimal(-20, 500, 6),
  })
  const percents = fc.tuple(fc.nat(40), fc.nat(30), fc.nat(30), fc.constantFrom('shares', 'sc'))
  fc.assert(
    fc.property(
      fc.array(some, { maxLength: 24 }),
      fc.uniqueArray(fc.nat(24)),
      percents,
      (all, missed, [a, b, c, to]) => {
        const bids = all.map(({ hour, length, won, mw, price }, i) =>
          bid({
            fromMs: fromMs + hour * hourMs,
            toMs: fromMs + (hour + length) * hourMs,
            auction: String(i),
            won,
            wonMw: mw,
            marginalPriceEur: won === null ? null : price,
          }),
        )
        const of = contract({
          customer: String(100 - a - b - c),
          partner: String(a),
          sc: String(b),
          enablers: { One: String(c) },
          penaltyTo: to === 'sc' ? 'sc' : 'shares',
        })
        const input = { bids, contract: of, notAvailable: new Set(missed.map((hour) => fromMs + hour * hourMs)) }
        const found = day(input)
        expect(day({ ...input, bids: bids.toReversed() })).toEqual(found)
        const { customer_eur, partner_eur, sc_eur, enablers } = found
        if (!customer_eur || !partner_eur || !sc_eur || found.gross_eur === null) {
          expect(bids.every(({ won }) => won === null)).toBe(true)
          return
        }
        const shares = addDecimals(customer_eur, partner_eur, sc_eur, enablers?.['One'] ?? '')
        expect(compareDecimals(shares, found.gross_eur)).toBe(0)
        expect(compareDecimals(addDecimals(found.capacity_eur ?? '', found.penalty_eur ?? ''), found.gross_eur)).toBe(0)
        const lines = found.bids.filter(({ capacityEur }) => capacityEur !== null)
        const isSum = (row: string | null, of_: readonly (string | null)[]) =>
          Math.abs(Number(sumDecimals(of_.map((eur) => eur ?? '0'))) - Number(row)) <= 0.005 + 1e-7
        expect(
          isSum(
            found.capacity_eur,
            lines.map((line) => line.capacityEur),
          ),
        ).toBe(true)
        expect(
          isSum(
            found.penalty_eur,
            lines.map((line) => line.penaltyEur),
          ),
        ).toBe(true)
        for (const { capacityEur, penaltyEur } of found.bids.filter(({ won }) => won)) {
          const left = addDecimals(capacityEur ?? '', penaltyEur ?? '')
          expect(compareDecimals(penaltyEur ?? '', '0')).toBeLessThanOrEqual(0)
          expect(compareDecimals(left, '0') >= 0 || compareDecimals(capacityEur ?? '', '0') < 0).toBe(true)
        }
      },
    ),
  )
})
