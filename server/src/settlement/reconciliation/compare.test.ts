import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addDecimals, compareDecimals, parseNumber } from '@gridmast/contract/numbers.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ComparedBid,
  type ComparedSettlement,
  compareDay,
  type StatementRow,
  sumLines,
  type StatementFacts,
} from './compare.ts'

const hour = 3_600_000
const bid = (slot: number, part: Partial<ComparedBid> = {}): ComparedBid => ({
  fromMs: slot * hour,
  slot,
  auction: 'D-1 early',
  wonMw: '0.4',
  won: true,
  capacityEur: '0.8',
  penaltyEur: '0',
  ...part,
})
const contract = { customer: '70', penaltyTo: 'shares' as const }
const settlement = (part: Partial<ComparedSettlement> = {}): ComparedSettlement => ({
  version: 1,
  gross_eur: '7.20',
  customer_eur: '5.04',
  contract,
  bids: Array.from({ length: 10 }, (_, slot) => bid(slot, slot === 3 ? { penaltyEur: '-0.8' } : {})),
  ...part,
})
const nothing: StatementFacts = {
  mw: null,
  priceEur: null,
  availability: null,
  share: null,
  grossEur: null,
  customerEur: null,
}
const day = { starts: [], slot: null }
const row = (theirs: Partial<StatementFacts>, part: Partial<StatementRow> = {}): StatementRow => ({
  row: 2,
  auction: null,
  period: day,
  theirs: { ...nothing, ...theirs },
  ...part,
})
const at = (slot: number) => ({ starts: [slot * hour], slot: null })

test('the worked example of compare.md', () => {
  const page = readFileSync(join(import.meta.dirname, 'compare.md'), 'utf8')
  const table = page
    .slice(page.indexOf('## Worked example'))
    .split('\n')
    .filter((text) => text.startsWith('| '))
  const written = new Map(
    table.map((text) => text.split('|').map((cell) => cell.trim())).map((cells) => [cells[1], cells]),
  )
  const cell = (name: string, column: number) =>
    parseNumber((written.get(name)?.[column] ?? '').replace('+', '').replace('−', '-'))
  const text = (decimal: string | null) => Number(decimal).toFixed(2)
  const [line] = compareDay(
    [row({ mw: '4.4', priceEur: '2.10', availability: '0.95', share: '0.60', customerEur: '5.27' })],
    settlement(),
    'customer',
  )
  expect(line).toMatchObject({ kind: 'differs', oursEur: '5.04', theirsEur: '5.27', differenceEur: '0.23' })
  expect(line?.ours).toMatchObject({ mw: '4', priceEur: '2.000000', availability: '90.0000', share: '70.0000' })
  expect(line?.oursEur).toBe(text(cell('ours', 6)))
  for (const cause of ['volume', 'price', 'availability', 'share', 'other'] as const)
    expect([cause, line?.parts?.[cause]]).toEqual([cause, text(cell(cause, 7))])
})

test('a figure that the statement omits is equal, and an unexplained sum is other', () => {
  const [priced] = compareDay([row({ priceEur: '3', customerEur: '7.56' })], settlement(), 'customer')
  expect(priced?.parts).toEqual({ volume: '0.00', price: '2.52', availability: '0.00', share: '0.00', other: '0.00' })
  const [bare] = compareDay([row({ customerEur: '6' })], settlement(), 'customer')
  expect(bare?.parts).toEqual({ volume: '0.00', price: '0.00', availability: '0.00', share: '0.00', other: '0.96' })
})

test('with a gross only, the gross is compared without a share', () => {
  const [line] = compareDay([row({ grossEur: '8.00', availability: '1', share: '0.5' })], settlement(), 'gross')
  expect(line).toMatchObject({ oursEur: '7.20', differenceEur: '0.80' })
  expect(line?.parts).toMatchObject({ availability: '0.80', share: '0.00', other: '0.00' })
})

test('a cent is rounding, two cents are a difference', () => {
  const kinds = ['5.03', '5.05', '5.06', '5.02'].map(
    (customerEur) => compareDay([row({ customerEur })], settlement(), 'customer')[0]?.kind,
  )
  expect(kinds).toEqual(['agrees', 'agrees', 'differs', 'differs'])
})

describe('hours with fractions of a cent', () => {
  const hours = (eur: string) =>
    settlement({ bids: Array.from({ length: 24 }, (_, slot) => bid(slot, { capacityEur: eur })), contract: null })
  const rowsOf = (grossEur: string) =>
    Array.from({ length: 24 }, (_, slot) => row({ grossEur }, { row: slot + 2, period: at(slot) }))
  const kindsOf = (lines: ReturnType<typeof compareDay>) => [...new Set(lines.map(({ kind }) => kind))]

  test('add up to the day rounded once, and agree with an operator who rounds each hour', () => {
    const lines = compareDay(rowsOf('0.33'), hours('0.333333'), 'gross')
    expect(lines.slice(0, 3).map(({ oursEur }) => oursEur)).toEqual(['0.33', '0.34', '0.33'])
    expect(kindsOf(lines)).toEqual(['agrees'])
    expect(sumLines(lines)).toMatchObject({ oursEur: '8.00', theirsEur: '7.92', differenceEur: '-0.08' })
    const exact = compareDay(rowsOf('0.333333'), hours('0.333333'), 'gross')
    expect(sumLines(exact)).toMatchObject({ oursEur: '8.00', theirsEur: '8.00', differenceEur: '0.00' })
  })

  test('differ by a cent in each hour of a day', () => {
    const lines = compareDay(rowsOf('0.49'), hours('0.5'), 'gross')
    expect(kindsOf(lines)).toEqual(['differs'])
    expect(sumLines(lines).differenceEur).toBe('-0.24')
  })
})

describe('on one side only', () => {
  test('a day without a settlement and a period without a bid are not settled', () => {
    const [without] = compareDay([row({ customerEur: '3.00' })], null, 'customer')
    expect(without).toMatchObject({ kind: 'not-settled', oursEur: null, differenceEur: '3.00', version: null })
    const lines = compareDay([row({ customerEur: '1.00' }, { period: at(20) })], settlement(), 'customer')
    expect(lines.map(({ kind, differenceEur }) => [kind, differenceEur])).toEqual([
      ['not-settled', '1.00'],
      ['not-in-statement', '-5.04'],
    ])
  })

  test('bids that the statement omits are one line, without lost bids', () => {
    const rows = [0, 1, 2].map((slot) => row({ customerEur: '0.56' }, { row: slot + 2, period: at(slot) }))
    const lines = compareDay(rows, settlement(), 'customer')
    expect(lines.map(({ kind }) => kind)).toEqual(['agrees', 'agrees', 'agrees', 'not-in-statement'])
    // 7 hours remain, one of them missed: 6 x 0.8 x 70 %.
    expect(lines[3]).toMatchObject({ oursEur: '3.36', theirsEur: null, differenceEur: '-3.36' })
    const lost = settlement({ bids: [bid(0), bid(1, { won: false, wonMw: '0', capacityEur: '0' })] })
    expect(compareDay([row({ customerEur: '0.56' }, { period: at(0) })], lost, 'customer')).toHaveLength(1)
  })

  test('a bid that only the statement has as won is volume', () => {
    const lost = settlement({
      gross_eur: '0.00',
      customer_eur: '0.00',
      bids: [bid(0, { won: false, wonMw: '0', capacityEur: '0' })],
    })
    const [line] = compareDay(
      [row({ mw: '2', priceEur: '3.5', availability: '1', share: '0.7', customerEur: '4.90' }, { period: at(0) })],
      lost,
      'customer',
    )
    expect(line?.parts).toEqual({ volume: '4.90', price: '0.00', availability: '0.00', share: '0.00', other: '0.00' })
  })
})

test('a line without a result or a contract is open', () => {
  const unpublished = settlement({
    gross_eur: '0.80',
    bids: [bid(0), bid(1, { won: null, capacityEur: null, penaltyEur: null })],
  })
  const [line] = compareDay([row({ customerEur: '9' }, { period: at(1) })], unpublished, 'customer')
  expect(line).toMatchObject({ kind: 'open', differenceEur: null, parts: null })
  const unshared = settlement({ contract: null, customer_eur: null })
  expect(compareDay([row({ customerEur: '9' })], unshared, 'customer')[0]?.kind).toBe('open')
  expect(compareDay([row({ grossEur: '7.20' })], unshared, 'gross')[0]?.kind).toBe('agrees')
})

test('both passes of the repeated hour of October are separate, and auctions are named or added', () => {
  const bids = [
    bid(1),
    bid(1, { fromMs: 2 * hour }),
    bid(5),
    bid(5, { auction: 'D-1 late', wonMw: '0.1', capacityEur: '0.3' }),
  ]
  const twice = { starts: [hour, 2 * hour], slot: null }
  const lines = compareDay(
    [
      row({ customerEur: '0.56' }, { row: 2, period: twice }),
      row({ customerEur: '0.56' }, { row: 3, period: twice }),
      row({ customerEur: '0.21' }, { row: 4, period: at(5), auction: 'D-1 late' }),
      row({ customerEur: '0.56' }, { row: 5, period: at(5), auction: 'D-1 early' }),
    ],
    settlement({ bids }),
    'customer',
  )
  expect(lines.map(({ kind, startMs }) => [kind, startMs])).toEqual([
    ['agrees', hour],
    ['agrees', 2 * hour],
    ['agrees', 5 * hour],
    ['agrees', 5 * hour],
  ])
})

const decimal = (least: number, most: number, places: number) =>
  fc.integer({ min: least * 10 ** places, max: most * 10 ** places }).map((n) => (n / 10 ** places).toFixed(places))
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const someBids = fc.array(
  fc.record({ mw: decimal(0, 50, 3), price: decimal(-20, 400, 2), isMissed: fc.boolean(), won: fc.boolean() }),
  { minLength: 1, maxLength: 24 },
)
const someTheirs = fc.record({
  mw: maybe(decimal(0, 900, 3)),
  priceEur: maybe(decimal(-20, 400, 2)),
  availability: maybe(decimal(0, 1, 4)),
  share: maybe(decimal(0, 1, 4)),
  grossEur: decimal(-999, 9999, 2),
  customerEur: decimal(-999, 9999, 2),
})

test('for any figures the parts add up to the difference exactly', () => {
  fc.assert(
    fc.property(
      someBids,
      someTheirs,
      fc.constantFrom('gross', 'customer'),
      fc.constantFrom('sc', 'shares'),
      (given, theirs, compares, penaltyTo) => {
        const bids = given.map(({ mw, price, isMissed, won }, slot) => {
          const eur = won ? (Number(mw) * Number(price)).toFixed(5) : '0'
          return bid(slot, {
            wonMw: won ? mw : '0',
            won,
            capacityEur: eur,
            penaltyEur: isMissed && Number(eur) > 0 ? `-${eur}` : '0',
          })
        })
        const of = settlement({
          bids,
          contract: { customer: '64.5', penaltyTo },
          gross_eur: '10.00',
          customer_eur: '6.45',
        })
        const lines = compareDay([row(theirs), row(theirs, { row: 3, period: at(99) })], of, compares)
        for (const { parts, differenceEur } of lines)
          expect(compareDecimals(addDecimals(...Object.values(parts ?? {})), differenceEur ?? 'none')).toBe(0)
        const { oursEur, theirsEur, differenceEur, parts } = sumLines(lines)
        expect(addDecimals(theirsEur, `-${oursEur}`.replace('--', ''))).toBe(addDecimals(differenceEur))
        expect(addDecimals(...Object.values(parts))).toBe(addDecimals(differenceEur))
      },
    ),
  )
})
