import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { plannedKw, plannedKwh } from './planned.ts'

const startMs = Date.parse('2026-11-20T09:00:00Z')
const span = { fromMs: startMs, toMs: startMs + 2 * hourMs }
const at = (quarter: number) => new Date(startMs + quarter * quarterMs).toISOString()

/** A plan of eight quarters with the same energy in each. */
const accepted = (wh: number, from: string, to: string | null) =>
  ({
    from,
    to,
    plan: {
      quarters: Array.from({ length: 8 }, (_, q) => ({ fromMs: startMs + q * quarterMs })),
      answer: { status: 'optimal', plan: { loads: [{ wh: Array.from({ length: 8 }, () => wh) }] } },
    },
  }) as unknown as Parameters<typeof plannedKw>[0][number] // what the sums read

test('a plan is drawn from its acceptance until another one replaces it', () => {
  const { x, y } = plannedKw([accepted(1000, at(2), at(4)), accepted(500, at(4), at(8))], span)
  expect(x[0]).toBe(startMs + 2 * quarterMs)
  expect(y).toEqual([4, 4, 2, 2, 2, 2])
})

test('a plan that replaces another one during a quarter applies to the whole quarter', () => {
  const replacedAt = new Date(startMs + 4 * quarterMs + 7 * 60_000).toISOString()
  const plans = [accepted(500, at(4), at(8)), accepted(1000, at(2), replacedAt)]
  const startOfHour = (ms: number) => Math.floor(ms / hourMs) * hourMs
  for (const given of [plans, plans.toReversed()]) {
    const { x, y } = plannedKw(given, span)
    expect(x).toEqual([2, 3, 4, 5, 6, 7].map((quarter) => startMs + quarter * quarterMs))
    expect(y).toEqual([4, 4, 2, 2, 2, 2])
    expect(plannedKwh(given, span, startOfHour).y).toEqual([2, 2])
  }
})

test('hours of a plan are the sums of their quarters; without a result nothing is planned', () => {
  const startOfHour = (ms: number) => Math.floor(ms / hourMs) * hourMs
  expect(plannedKwh([accepted(250, at(0), null)], span, startOfHour)).toEqual({
    x: [startMs, startMs + hourMs],
    y: [1, 1],
  })
  const infeasible = {
    ...accepted(0, at(0), null),
    plan: { quarters: [], answer: { status: 'infeasible', relaxations: [] } },
  }
  expect(plannedKw([infeasible as Parameters<typeof plannedKw>[0][number]], span)).toEqual({ x: [], y: [] })
})
