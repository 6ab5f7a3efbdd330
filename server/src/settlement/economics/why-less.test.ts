import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasons } from '@gridmast/contract/settlement/month-comparison.ts'
import {
  compareDecimals,
  multiplyDecimals,
  ratioOfDecimals,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Contract, settle } from './settle.ts'
import { addUp, explainSlot, fromText, nothing, type Parts, roundPart, type SlotSum, toText } from './why-less.ts'

const times = (a: string, b: string) => multiplyDecimals(a, b)
const plus = (...all: string[]) => sumDecimals(all)

const slotOf = (
  offeredMwHours: string,
  wonMwHours: string,
  capacityEur: string,
  share: string,
  penaltyEur = '0',
): SlotSum => ({
  ...nothing,
  offeredMwHours: fromText(offeredMwHours),
  wonMwHours: fromText(wonMwHours),
  capacityEur: fromText(capacityEur),
  penaltyEur: fromText(penaltyEur),
  sizeEur: fromText(capacityEur),
  sharedSizeEur: fromText(times(capacityEur, share)),
})
const explain = (before: SlotSum, after: SlotSum): Parts => {
  const revenue = ({ sharedSizeEur, penaltyEur }: SlotSum) => toText(sharedSizeEur + penaltyEur)
  return addUp([explainSlot(before, after)], plus(revenue(after), times(revenue(before), '-1')))
}
const rest: Parts = {
  volume: '0.00',
  winRate: '0.00',
  price: '0.00',
  availability: '0.00',
  shares: '0.00',
  rounding: '0.00',
}

test('the worked example of why-less.md', () => {
  const page = readFileSync(join(import.meta.dirname, 'why-less.md'), 'utf8').replaceAll('\u2212', '-')
  const [before = [], after = []] = ['before', 'after'].map((name) =>
    (page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '')
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim()),
  )
  const read = ([offered = '', won = '', eur = '', share = '', penalty = '']: string[]) =>
    slotOf(offered, won, eur, share, penalty)
  const told = page.slice(page.indexOf('28 MW at the old rate'))
  const bold = [...told.matchAll(/\*\*(-?\d+\.\d\d)\*\*/g)].map(([, eur]) => eur)
  expect(Object.values(explain(read(before), read(after)))).toEqual(bold)
  expect(reasons.map((reason) => explain(read(before), read(after))[reason])).toEqual(bold)
})

describe('a single change is one part', () => {
  const slot = slotOf('30', '24', '120', '0.7', '-3.50')
  test.each<[string, SlotSum, SlotSum, Partial<Parts>]>([
    ['nothing changed', slot, slot, {}],
    ['a new product', nothing, slot, { volume: '84.00', availability: '-3.50' }],
    ['a product that is gone', slot, nothing, { volume: '-84.00', availability: '3.50' }],
    ['nothing won before', slotOf('30', '0', '0', '0.7'), slotOf('30', '24', '120', '0.7'), { winRate: '84.00' }],
    ['nothing won any more', slotOf('30', '24', '120', '0.7'), slotOf('30', '0', '0', '0.7'), { winRate: '-84.00' }],
    ['another price', slotOf('30', '24', '120', '0.7'), slotOf('30', '24', '96', '0.7'), { price: '-16.80' }],
    ['another contract', slotOf('30', '24', '120', '0.7'), slotOf('30', '24', '120', '0.6'), { shares: '-12.00' }],
    ['penalties', slotOf('30', '24', '120', '0.7'), slot, { availability: '-3.50' }],
  ])('%s', (_, before, after, parts) => {
    expect(explain(before, after)).toEqual({ ...rest, ...parts })
  })

  test('a negative price that becomes positive is price', () => {
    const below: SlotSum = {
      ...slotOf('10', '10', '-20', '0.5'),
      sizeEur: fromText('20'),
      sharedSizeEur: fromText('10'),
    }
    const parts = addUp([explainSlot(below, slotOf('10', '10', '30', '0.5'))], '25')
    expect(parts).toEqual({ ...rest, price: '25.00' })
  })
})

type Line = { day: number; slot: number; mw: string; won: boolean; price: string; missed: boolean }

const monthOf = (lines: readonly Line[], contract: Contract) => {
  const share = times(contract.customer, '0.01')
  const slots = new Map<number, SlotSum>()
  let revenue = '0'
  for (const ofDay of Map.groupBy(lines, ({ day }) => day).values()) {
    const startOf = ({ slot }: Line) => slot * hourMs
    const settled = settle({
      energy: null,
      contract,
      notAvailable: new Set(ofDay.filter(({ missed }) => missed).map(startOf)),
      bids: ofDay.map((line) => ({
        fromMs: startOf(line),
        toMs: startOf(line) + hourMs,
        slot: line.slot,
        auction: '',
        capacityMw: line.mw,
        priceEur: '0',
        regulationPriceEur: null,
        won: line.won,
        wonMw: line.won ? line.mw : null,
        marginalPriceEur: line.price,
        decidedBy: 'price' as const,
      })),
    })
    revenue = plus(revenue, settled.customer_eur ?? '0')
    for (const bid of settled.bids) {
      const sum = slots.get(bid.slot) ?? nothing
      const [eur, size] = [bid.capacityEur ?? '0', (bid.capacityEur ?? '0').replace('-', '')]
      const penaltyEur = contract.penaltyTo === 'sc' ? '0' : times(bid.penaltyEur ?? '0', share)
      slots.set(bid.slot, {
        ...nothing,
        offeredMwHours: sum.offeredMwHours + fromText(bid.capacityMw),
        wonMwHours: sum.wonMwHours + fromText(bid.wonMw ?? '0'),
        capacityEur: sum.capacityEur + fromText(eur),
        sizeEur: sum.sizeEur + fromText(size),
        sharedSizeEur: sum.sharedSizeEur + fromText(times(size, share)),
        penaltyEur: sum.penaltyEur + fromText(penaltyEur),
      })
    }
  }
  return { revenue, slots }
}

const decimal = (most: number, places: number) =>
  fc.nat(most * 10 ** places).map((whole) => (whole / 10 ** places).toFixed(places))
const someLine = fc.record({
  day: fc.nat(29),
  slot: fc.nat(23),
  mw: decimal(5, 3),
  won: fc.boolean(),
  missed: fc.boolean(),
  price: fc
    .tuple(decimal(300, 6), fc.boolean())
    .map(([eur, isBelow]) => (isBelow && compareDecimals(eur, '0') > 0 ? `-${eur}` : eur)),
})
const someMonth = fc.tuple(
  fc.uniqueArray(someLine, { maxLength: 80, selector: ({ day, slot }) => day * 24 + slot }),
  fc.record({ percent: fc.nat(100), penaltyTo: fc.constantFrom('shares' as const, 'sc' as const) }),
)

test('for any two months the parts add up to the difference, with rounding of at most the cents of their days', () => {
  fc.assert(
    fc.property(someMonth, someMonth, (...months) => {
      const [before, after] = months.map(([lines, { percent, penaltyTo }]) =>
        monthOf(lines, {
          customer: String(percent),
          partner: '0',
          sc: String(100 - percent),
          enablers: {},
          penaltyTo,
        }),
      )
      if (!before || !after) throw new Error('two months')
      const difference = plus(after.revenue, times(before.revenue, '-1'))
      const slots = [...new Set([...before.slots.keys(), ...after.slots.keys()])]
      const parts = addUp(
        slots.map((slot) => explainSlot(before.slots.get(slot) ?? nothing, after.slots.get(slot) ?? nothing)),
        difference,
      )
      expect(plus(...Object.values(parts))).toBe(plus(roundDecimal(difference, 2)))
      // Each day is rounded to cents for each of two recipients, each of the five parts once.
      const days = months.reduce((sum, [lines]) => sum + new Set(lines.map(({ day }) => day)).size, 0)
      expect(Math.abs(Number(parts.rounding))).toBeLessThanOrEqual(0.01 * days + 0.03)
    }),
  )
})

/** The formulas of why-less.md with decimals as text, ten decimals of each ratio. */
const explainExactly = (before: SlotSum, after: SlotSum): string[] => {
  const textsOf = ({ offeredMwHours, wonMwHours, capacityEur, penaltyEur, sizeEur, sharedSizeEur }: SlotSum) => ({
    offered: toText(offeredMwHours),
    won: toText(wonMwHours),
    eur: toText(capacityEur),
    penalty: toText(penaltyEur),
    share: ratioOfDecimals(toText(sharedSizeEur), toText(sizeEur), 10),
  })
  const [was, is] = [textsOf(before), textsOf(after)]
  const minus = (a: string, b: string) => plus(a, times(b, '-1'))
  const share = was.share ?? is.share ?? '0'
  const expected = was.offered === '0' ? is.won : (ratioOfDecimals(times(is.offered, was.won), was.offered, 10) ?? '')
  const priced = was.won === '0' ? is : was
  const atOldPrice = (mw: string) => ratioOfDecimals(times(mw, priced.eur), priced.won, 10) ?? '0'
  return [
    times(share, minus(atOldPrice(expected), was.eur)),
    times(share, minus(atOldPrice(is.won), atOldPrice(expected))),
    times(share, minus(is.eur, atOldPrice(is.won))),
    minus(is.penalty, was.penalty),
    times(is.eur, minus(is.share ?? share, share)),
  ]
}

const someSlot = fc
  .record({
    offered: decimal(500, 3),
    rate: fc.constantFrom('0', '0.5', '1'),
    eur: decimal(9000, 9),
    isBelow: fc.boolean(),
    share: decimal(1, 6),
    penalty: decimal(900, 9),
  })
  .map(({ offered, rate, eur, isBelow, share, penalty }) => {
    const [won, capacityEur] = [roundDecimal(times(offered, rate), 3), compareDecimals(rate, '0') === 0 ? '0' : eur]
    const slot = slotOf(offered, won, capacityEur, share, times(times(penalty, share), '-1'))
    return isBelow ? { ...slot, capacityEur: -slot.capacityEur } : slot
  })

test('the parts of a slot equal a calculation with decimals as text', () => {
  fc.assert(
    fc.property(fc.oneof(someSlot, fc.constant(nothing)), someSlot, (before, after) => {
      const parts = Object.values(explainSlot(before, after))
      const exact = explainExactly(before, after)
      expect(parts.map((part) => toText(part, undefined, 25))).toEqual(exact.map((eur) => plus(eur)))
      expect(parts.map(roundPart)).toEqual(exact.map((eur) => roundDecimal(eur, 2)))
    }),
  )
})

test('decimals of a settlement are read and written exactly, and more than 15 are refused', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.nat(15), (whole, decimals) => {
      const text = toText(whole)
      expect(fromText(text)).toBe(whole)
      expect(toText(whole, decimals)).toBe(roundDecimal(text, decimals))
    }),
  )
  expect(['-0.50', '7', '-12.000000000000001'].map((text) => toText(fromText(text)))).toEqual([
    '-0.5',
    '7',
    '-12.000000000000001',
  ])
  expect(() => fromText('0.0000000000000001')).toThrow(RangeError)
})
