import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasons } from '@gridmast/contract/month-comparison.ts'
import { addDecimals, compareDecimals, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Contract, settle } from './settle.ts'
import { addUp, explainSlot, nothing, type Parts, type SlotSum } from './why-less.ts'

const times = (a: string, b: string) => multiplyDecimals(a, b)
const plus = (...all: string[]) => addDecimals('0', ...all)

const slotOf = (offeredMw: string, wonMw: string, capacityEur: string, share: string, penaltyEur = '0'): SlotSum => ({
  ...nothing,
  offeredMw,
  wonMw,
  capacityEur,
  penaltyEur,
  sizeEur: capacityEur,
  sharedSizeEur: times(capacityEur, share),
})
const explain = (before: SlotSum, after: SlotSum): Parts => {
  const revenue = ({ sharedSizeEur, penaltyEur }: SlotSum) => plus(sharedSizeEur, penaltyEur)
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

describe('one thing alone is all of it', () => {
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

  test('a price below zero that comes back', () => {
    const below: SlotSum = { ...slotOf('10', '10', '-20', '0.5'), sizeEur: '20', sharedSizeEur: '10' }
    const parts = addUp([explainSlot(below, slotOf('10', '10', '30', '0.5'))], '25')
    expect(parts).toEqual({ ...rest, price: '25.00' })
  })
})

type Line = { day: number; slot: number; mw: string; won: boolean; price: string; missed: boolean }

/** A month through the settlement itself: what the customer got, and what `slot-sums.ts` adds up of it. */
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
    revenue = plus(revenue, settled.shares?.customer ?? '0')
    for (const bid of settled.bids) {
      const { offeredMw, wonMw, capacityEur, sizeEur, sharedSizeEur, penaltyEur } = slots.get(bid.slot) ?? nothing
      const [eur, size] = [bid.capacityEur ?? '0', (bid.capacityEur ?? '0').replace('-', '')]
      slots.set(bid.slot, {
        ...nothing,
        offeredMw: plus(offeredMw, bid.capacityMw),
        wonMw: plus(wonMw, bid.wonMw ?? '0'),
        capacityEur: plus(capacityEur, eur),
        sizeEur: plus(sizeEur, size),
        sharedSizeEur: plus(sharedSizeEur, times(size, share)),
        penaltyEur: contract.penaltyTo === 'sc' ? penaltyEur : plus(penaltyEur, times(bid.penaltyEur ?? '0', share)),
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

test('whatever two months were: the parts are their difference to the cent, and rounding is no more than the cents of their days', () => {
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
      // Each day is rounded to cents for each of two takers, each of the five parts once.
      const days = months.reduce((sum, [lines]) => sum + new Set(lines.map(({ day }) => day)).size, 0)
      expect(Math.abs(Number(parts.rounding))).toBeLessThanOrEqual(0.01 * days + 0.03)
    }),
  )
})
