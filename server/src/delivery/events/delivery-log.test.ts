import type { DeliveryScore } from '@gridmast/contract/delivery/events.ts'
import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { lines } from '#delivery/scoring/delivery.fixture.ts'
import { judgePiece, judgeRunning, pieceMs, piecesOf } from './delivery-log.ts'
import { judge, type Source, type Subject } from './judge.ts'

const second = 1000
const startMs = Date.parse('2026-11-20T07:03:20Z')
const seconds = 14 * 3600 + 777

const openSource = (trigger: readonly number[], power: readonly number[]) => {
  const firstMs = startMs - 10 * minuteMs
  const read: number[] = []
  const source: Source = {
    latest: async (nos) => new Map(nos.map((no) => [no, { tMs: firstMs + (power.length - 1) * second, value: 0 }])),
    samples: async ({ signalNos, fromMs, toMs }) => {
      read.push(toMs - fromMs)
      const first = Math.max(0, Math.ceil((fromMs - firstMs) / second))
      const end = Math.max(first, Math.ceil((toMs - firstMs) / second))
      const x = power.slice(first, end).map((_, i) => firstMs + (first + i) * second)
      return {
        toMs,
        series: new Map(signalNos.map((no) => [no, { x, y: (no === 1 ? trigger : power).slice(first, end) }])),
      }
    },
  }
  return { source, read }
}

const wavering = (rest: number, values: readonly number[], everyS: number) => {
  const points: [number, number][] = [
    [0, rest],
    [599, rest],
  ]
  for (let s = 600, i = 0; s < seconds + 600; s += everyS, i++) points.push([s, values[i % values.length] ?? rest])
  return lines(...points, [seconds + 900, rest])
}

const cases = [
  { market: 'FCR-D-INC', trigger: wavering(50, [49.7, 49.62, 49.85, 49.55], 733), nos: { frequency: 1, power: 2 } },
  { market: 'aFRR', trigger: wavering(0, [40, 80, 20, 60, 100], 411), nos: { setPoint: 1, power: 2 } },
  { market: 'mFRR', trigger: wavering(0, [50, 100, 30], 2500), nos: { setPoint: 1, power: 2 } },
] as const

describe.each(cases)('L1 an activation of half a day on $market', ({ market, trigger, nos }) => {
  const power = trigger.map((value, i) => {
    const before = trigger[Math.max(0, i - 20)] ?? value
    return 900 - 3 * Math.abs(before - (trigger[0] ?? 0)) * (market === 'FCR-D-INC' ? 250 : 1) + (i % 7)
  })
  const subject: Subject = { market, capacityKw: 420, nos, tests: [] }
  const judged = { direction: 'increased' as const, startMs, endMs: startMs + seconds * second }

  test('its pieces have the curves of the whole, and each read is limited to a piece', async () => {
    const all = await judge(openSource(trigger, power).source, subject, judged, judged.endMs)
    const { source, read } = openSource(trigger, power)
    const pieces = piecesOf(judged, judged.endMs)
    expect(pieces.length).toBe(3)
    const parts = []
    for (const piece of pieces)
      parts.push((await judgePiece(source, subject, judged, piece, all.score?.baseKw ?? NaN)).curves)
    expect(Math.max(...read)).toBeLessThan(pieceMs + hourMs)
    const whole = all.score?.curves
    for (const name of ['x', 'requiredKw', 'deliveredKw', 'floorKw', 'ceilingKw'] as const) {
      const values = parts.flatMap((part) => part[name])
      const wanted = whole?.[name] ?? []
      expect([values.length, wanted.length]).toEqual([seconds, seconds])
      expect(Math.max(...values.map((value, i) => Math.abs((value ?? 0) - (wanted[i] ?? 0))))).toBeLessThan(0.01)
    }
  })

  test('while it runs the current power equals the whole, without a score', async () => {
    const nowMs = startMs + (seconds - 500) * second
    const running = { ...judged, endMs: null }
    const { source, read } = openSource(trigger.slice(0, seconds + 100), power.slice(0, seconds + 100))
    const all = await judge(source, subject, running, nowMs)
    read.length = 0
    const { baseKw = null } = all.score ?? {}
    const kept = { baseKw } as DeliveryScore
    const now = await judgeRunning(source, subject, running, kept, nowMs)
    expect(Math.max(...read)).toBeLessThan(2 * hourMs)
    expect(now.score).toMatchObject({ score: null, baseKw })
    expect(now.score?.curves.requiredKw.at(-1)).toBeCloseTo(all.score?.curves.requiredKw.at(-1) ?? NaN, 6)
    expect(now.score?.curves.deliveredKw.at(-1)).toBeCloseTo(all.score?.curves.deliveredKw.at(-1) ?? NaN, 6)
  })
})
