import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quarterMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Energy, energyEurOf, energyOf, energySumOf } from './energy.ts'
import type { SetPoint } from './measured.ts'

const hour = Date.parse('2026-09-15T10:00:00Z')
const quarters = [0, 1, 2, 3].map((n) => hour + n * quarterMs)

type Given = { product?: string; kw?: number; setPoints?: SetPoint[]; prices?: Record<string, (string | null)[]> }

const energyFor = ({ product = 'aFRR-INC', kw = 400, setPoints = [], prices = {} }: Given): Energy =>
  energyOf({
    product,
    direction: product.endsWith('-DEC') ? 'down' : product.endsWith('-INC') ? 'up' : 'both',
    soldKw: new Map([[hour, kw]]),
    setPoints: new Map(setPoints.map((share, n) => [quarters[n] ?? 0, share])),
    priceAt: (series, atMs) => prices[series]?.[quarters.indexOf(atMs)] ?? null,
  })
const up = (share: number): SetPoint => ({ up: share * 100, down: 0, count: 1 })
const down = (share: number): SetPoint => ({ up: 0, down: share * 100, count: 1 })
const rest = { up: 0, down: 0, count: 1 }

/** The rows of the table under '5.' in settlement.md. */
const example = () => {
  const page = readFileSync(join(import.meta.dirname, 'settlement.md'), 'utf8').split('\n')
  const rows = page.slice(page.findIndex((line) => line.startsWith('5.'))).filter((line) => line.startsWith('   |'))
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
}

test('the worked example of settlement.md', () => {
  const rows = example()
  expect(rows).toHaveLength(8)
  const of = (product: string) => rows.filter(([name]) => name === product)
  for (const [product, ways] of [
    ['aFRR-INC', 'INC'],
    ['aFRR-DEC', 'DEC'],
  ] as const) {
    const setPoints = of(product).map(([, , , setPoint]): SetPoint => {
      const share = Number(setPoint?.replace('\u2212', '-')) / 100
      return share >= 0 ? up(share) : down(-share)
    })
    const prices = {
      [`aFRR-energy-${ways}`]: of(product).map(([, , , , , price]) => price?.replace('\u2212', '-') ?? null),
    }
    const energy = energyFor({ product, setPoints, prices })
    const shown = of(product).filter(([, , , , mwh]) => mwh !== '0')
    expect(energy.quarters.map(({ upMwh, downMwh }) => (product === 'aFRR-INC' ? upMwh : downMwh))).toEqual(
      shown.map(([, , , , mwh]) => mwh),
    )
    expect(energy.quarters.map(energyEurOf)).toEqual(shown.map((cells) => cells[6]?.replace('\u2212', '-')))
  }
})

const prices = { 'aFRR-energy-INC': ['120.4', '120.4', '120.4', '120.4'] }

test('a missing price leaves the sum unknown, and quarters without demand need no price', () => {
  const setPoints = [up(1), up(0.5), rest, rest]
  expect(energySumOf(energyFor({ setPoints, prices }))).toBe('18.06')
  expect(energySumOf(energyFor({ setPoints, prices: { 'aFRR-energy-INC': ['120.4'] } }))).toBeNull()
  expect(energySumOf(energyFor({ setPoints: [rest, rest, rest, rest] }))).toBe('0')
})

test('a sold quarter without a measurement leaves the sum unknown', () => {
  const energy = energyFor({ setPoints: [rest, null, rest] })
  expect(energy).toEqual({ quarters: [], unmeasured: 2 })
  expect(energySumOf(energy)).toBeNull()
})

test('a product of one direction has the energy of that direction only', () => {
  const both: SetPoint = { up: 25, down: 50, count: 1 }
  const setPoints = [both, rest, rest, rest]
  const of = (product: string) =>
    energyFor({ product, setPoints }).quarters.map(({ upMwh, downMwh }) => [upMwh, downMwh])
  expect([of('mFRR-INC'), of('aFRR-DEC'), of('aFRR')]).toEqual([[['0.025', '0']], [['0', '0.05']], [['0.025', '0.05']]])
  expect(
    energyFor({ product: 'mFRR-INC', setPoints, prices: { 'mFRR-energy-INC': ['9'] } }).quarters[0]?.upPriceEur,
  ).toBe('9')
})

test('an extreme price is counted as published', () => {
  const setPoints = [up(1), rest, rest, rest]
  const energy = energyFor({ setPoints, prices: { 'aFRR-energy-INC': ['99999999.999999'] } })
  expect(energySumOf(energy)).toBe('9999999.9999999')
})

test('energy is exact to the Wh, with halves rounded away from zero', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), steps, fc.constantFrom(1, 4, 25, 900), (kw, tenths, each) => {
      const samples = tenths.flatMap((tenth) => Array.from({ length: each }, () => tenth))
      const percent = samples.reduce((sum, tenth) => sum + tenth / 10, 0)
      const [quarter] = energyFor({ kw, setPoints: [{ up: percent, down: 0, count: samples.length }] }).quarters
      const sum = BigInt(samples.reduce((all, tenth) => all + tenth, 0))
      // kW x tenths of a percent / 1000 / 1000 / 4 MWh, in millionths of it.
      const by = 4n * BigInt(samples.length)
      const wh = (2n * BigInt(kw) * sum + by) / (2n * by)
      expect(Math.round(Number(quarter?.upMwh ?? '0') * 1e6)).toBe(Number(wh))
    }),
    { numRuns: 1500 },
  )
})
