import { hourMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { type ExpectedKw, shortfallsOf, type SoldPeriod, stepOf } from './shortfall.ts'

const fromMs = Date.parse('2026-11-24T14:00:00Z')
const sold = (market: string, kw: number, part: Partial<SoldPeriod> = {}): SoldPeriod => ({
  market,
  product: market,
  kw,
  eur: null,
  fromMs,
  toMs: fromMs + hourMs,
  ...part,
})
const ready = (up: number | null, down = up): ExpectedKw => {
  const of = (kw: number | null) => () => (kw === null ? null : { kw, usualErrorKw: 12 })
  return { up: of(up), down: of(down) }
}

test('the worked example of the page', () => {
  const both = [sold('FCR-D-INC', 300, { eur: '3.4' }), sold('FFR', 100)]
  expect(shortfallsOf(both, ready(360))).toEqual([
    { expectedKw: 360, usualErrorKw: 12, shortKw: 30, lossEur: '0.34' },
    { expectedKw: 360, usualErrorKw: 12, shortKw: 10, lossEur: null },
  ])
  const block = sold('FCR', 100, { eur: '40', toMs: fromMs + 5 * hourMs })
  const once = (startMs: number) => ({ kw: startMs === fromMs + 2 * hourMs ? 50 : 200, usualErrorKw: 5 })
  expect(shortfallsOf([block], { up: () => ({ kw: 500, usualErrorKw: 9 }), down: once })).toEqual([
    { expectedKw: 50, usualErrorKw: 5, shortKw: 50, lossEur: '4.00' },
  ])
})

test.each([
  ['FCR', 'FCR', 50, 300, 50],
  ['FCR', 'FCR', 300, 50, 50],
  ['FCR-D-INC', 'FCR-D-INC', 300, 0, 0],
  ['FCR-D-DEC', 'FCR-D-DEC', 0, 300, 0],
  ['aFRR', 'aFRR-INC', 0, 300, 100],
  ['aFRR', 'aFRR-DEC', 0, 300, 0],
])('%s, %s: with %i kW up and %i down %i of 100 are missing', (market, product, up, down, missing) => {
  expect(shortfallsOf([sold(market, 100, { product })], ready(up, down))[0]?.shortKw).toBe(missing)
})

test('an unknown hour makes the period unknown in either direction', () => {
  const unknown = { expectedKw: null, usualErrorKw: null, shortKw: null, lossEur: null }
  expect(shortfallsOf([sold('FCR', 100)], ready(500, null))).toEqual([unknown])
  const first = (startMs: number) => (startMs === fromMs ? null : { kw: 500, usualErrorKw: 1 })
  expect(shortfallsOf([sold('FCR', 100, { toMs: fromMs + 3 * hourMs })], { up: first, down: first })).toEqual([unknown])
})

const step = (shortKw: number | null, open: Parameters<typeof stepOf>[3] = null, isSilent = false) =>
  stepOf({ kw: 100 }, { shortKw }, isSilent, open)
const short = (told_kw: number) => ({ state: 'short', told_kw }) as const
const unknown = { state: 'unknown', told_kw: 100 } as const

test.each([
  ['little is missing', step(4.9), { to: 'none' }],
  ['a twentieth', step(5), { to: 'notify', ...short(5) }],
  ['the same again', step(20, short(20)), { to: 'keep', ...short(20) }],
  ['a little more', step(29.9, short(20)), { to: 'keep', ...short(20) }],
  ['a tenth more', step(30, short(20)), { to: 'notify', ...short(30) }],
  ['less', step(2, short(20)), { to: 'keep', ...short(20) }],
  ['nothing any more', step(0, short(20)), { to: 'close' }],
  ['nothing', step(0), { to: 'none' }],
  ['too new', step(null), { to: 'none' }],
  ['not known any more, though heard', step(null, short(20)), { to: 'keep', ...short(20) }],
  ['silent', step(null, null, true), { to: 'notify', ...unknown }],
  ['silent, whatever was usual', step(0, null, true), { to: 'notify', ...unknown }],
  ['silent still', step(50, unknown, true), { to: 'keep', ...unknown }],
  ['short, then silent', step(50, short(50), true), { to: 'notify', ...unknown }],
  ['heard again, and short', step(20, unknown), { to: 'notify', ...short(20) }],
  ['heard again, and whole', step(0, unknown), { to: 'close' }],
])('%s', (_, found, wanted) => expect(found).toEqual(wanted))
