import { atLocalTime, hourMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dkkOf } from '#grid/published/cost-of-energy.ts'
import { dearestOf, type HourCost } from './explain.ts'

const midnightMs = atLocalTime('2026-11-20', '00:00')

const hourOf = (hour: number, wh: number, dkkPerMwh: number): HourCost => {
  const price = BigInt(dkkPerMwh) * 100_000_000n
  return { fromMs: midnightMs + hour * hourMs, wh, amount: price * BigInt(wh), price }
}

test('the worked example of dearest-hours.md', () => {
  const hours = [hourOf(0, 2000, 900), hourOf(1, 1000, 300), hourOf(2, 4000, 500)]
  const moved = dearestOf(hours, hours)
  expect(moved.map(({ amount, saved }) => [dkkOf(amount, 2), dkkOf(saved, 2)])).toEqual([
    ['2.00', '0.80'],
    ['1.80', '1.20'],
    ['0.30', '0.00'],
  ])
})

test('energy moves within its local day only, also to an hour without a reading', () => {
  const [late, night] = [hourOf(23, 1000, 800), { fromMs: midnightMs + 24 * hourMs, price: 1n }]
  expect(dearestOf([late], [late, night])[0]?.cheapest.fromMs).toBe(late.fromMs)
  const unread = { fromMs: midnightMs + 2 * hourMs, price: 100_000_000n }
  expect(dearestOf([late], [late, night, unread])[0]?.cheapest).toEqual(unread)
})

test('hours with a cost of zero or below are not listed', () => {
  expect(dearestOf([hourOf(0, 0, 500), hourOf(1, 1000, -50)], [])).toEqual([])
})

test('at most ten hours, highest cost first, and moving energy never increases the cost', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(900_000), fc.integer({ min: -500, max: 5000 })), { maxLength: 24 }),
      (given) => {
        const hours = given.map(([wh, price], hour) => hourOf(hour, wh, price))
        const moved = dearestOf(hours, hours)
        expect(moved.length).toBe(Math.min(10, hours.filter(({ amount }) => amount > 0n).length))
        moved.forEach(({ amount, saved }, i) => {
          expect(amount <= (moved[i - 1]?.amount ?? amount)).toBe(true)
          expect(saved >= 0n).toBe(true)
        })
      },
    ),
  ))
