import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { baselineOf, immediate, weekdayProfile } from './baseline.ts'
import type { LoadSchedule, PlanProblem } from './plan.ts'
import { at, battery, onOff, problemOf, quartersAt, session, shiftable } from './planning.fixture.ts'
import { quartersOf, savingOf } from './bill.ts'

const start = at('2026-11-24T11:00:00Z')
const quarters = quartersAt(start, [500, 100, 300, 200], { tariffDkkPerMwh: '100' })
const months = [{ fromMs: start - 1, toMs: start + hourMs, reachedKw: 1 }]
const heat = shiftable(quarters, { needKwh: 2 })
const whOf = (loads: readonly LoadSchedule[]) => Object.fromEntries(loads.map(({ loadId, wh }) => [loadId, wh]))

describe('the baseline', () => {
  test('the immediate baseline runs at full power in order of arrival, within the connection', () => {
    const loads = [
      session(quarters, { id: 'late', needKwh: 3, fromMs: start + quarterMs }),
      session(quarters, { id: 'early', needKwh: 3 }),
      onOff(quarters, { kw: 4, needKwh: 1.5 }),
      battery({ target: { kwh: 1, atMs: start + hourMs, isFirm: false }, chargeEfficiency: 0.8 }),
    ]
    expect(whOf(immediate(problemOf(quarters, loads, { site: { limitKw: 16 } })))).toEqual({
      early: [2760, 240, 0, 0],
      late: [0, 2510, 490, 0],
      pump: [0, 1000, 1000, 0],
      battery: [1000, 250, 0, 0],
    })
    expect(whOf(immediate(problemOf(quarters, [battery()])))).toEqual({ battery: [0, 0, 0, 0] })
  })

  test('the weekday baseline is the measured mean of the same weekdays', () => {
    const weeks = [1, 2, 5].map((week) => ({ atMs: start - week * 7 * 24 * hourMs, wh: week * 100 }))
    const otherDay = { atMs: start - 24 * hourMs, wh: 9000 }
    const wh = weekdayProfile([...weeks, otherDay], quarters.slice(0, 1), start)
    expect(wh).toEqual([150])
    const profile = { method: 'weekday-profile', wh: { heat: [0, 0, 400, 100], car: null } } as const
    const loads = baselineOf(problemOf(quarters, [heat, session(quarters, { needKwh: 1 })], { baseline: profile }))
    expect(whOf(loads)).toEqual({ heat: [0, 0, 400, 100], car: [1000, 0, 0, 0] })
    const begun = { nowMs: start + quarterMs / 3, baseline: { ...profile, wh: { heat: [300, 0, 400, 100] } } }
    expect(whOf(baselineOf(problemOf(quarters, [heat], begun)))).toEqual({ heat: [200, 0, 400, 100] })
  })
})

describe('the saving', () => {
  const problem = problemOf(quarters, [heat], { site: { capacity: { dkkPerKw: '10', months } } })
  const baseline = immediate(problem)

  test('the saving is the measured cost against the baseline, by part and quarter', () => {
    const saving = savingOf(problem, baseline, [{ loadId: 'heat', wh: [0, 1000, 0, 1000] }])
    expect(saving).toMatchObject({
      savedDkk: '0.30',
      savedKgCo2: '0.000',
      parts: { spot: '0.3', tariff: '0', capacity: '0', total: '0.3' },
      scaled: [],
      unknownMs: [],
    })
    const rows = quartersOf(problem, saving)
    expect(rows.map(({ baseline, measured }) => [baseline.wh, baseline.dkk, measured.wh, measured.dkk])).toEqual([
      [1000, '0.6', 0, '0'],
      [1000, '0.2', 1000, '0.2'],
      [0, '0', 0, '0'],
      [0, '0', 1000, '0.3'],
    ])
  })

  test('the saving is scaled to the consumed energy and states it', () => {
    const saving = savingOf(problem, baseline, [{ loadId: 'heat', wh: [500, 500, 0, 0] }])
    expect(saving.scaled).toEqual([{ loadId: 'heat', fromWh: 2000, toWh: 1000 }])
    expect(saving.savedDkk).toBe('0.00')
  })

  test('unmeasured quarters are excluded on both sides', () => {
    const saving = savingOf(problem, baseline, [{ loadId: 'heat', wh: [null, 1000, 0, 0] }])
    expect(saving).toMatchObject({
      savedDkk: '0.00',
      unknownMs: [start],
      baseline: { loads: [{ wh: [0, 1000, 0, 0] }] },
    })
  })

  test('a quarter that began before the plan is excluded', () => {
    const begun = { ...problem, nowMs: start + quarterMs / 3 }
    const saving = savingOf(begun, immediate(begun), [{ loadId: 'heat', wh: [3000, 1000, 0, 1000] }])
    expect(saving).toMatchObject({
      unknownMs: [],
      countedMs: [1, 2, 3].map((q) => start + q * quarterMs),
      measured: { loads: [{ wh: [0, 1000, 0, 1000] }], peakKw: 4 },
    })
  })

  test('only the followed time counts', () => {
    const followed = { fromMs: start + 1, toMs: start + 3 * quarterMs }
    const measured = [{ loadId: 'heat', wh: [0, 1000, 1000, 1000] }]
    const saving = savingOf(problem, baseline, measured, { followed })
    expect(saving).toMatchObject({
      countedMs: [start + quarterMs, start + 2 * quarterMs],
      measured: { loads: [{ wh: [0, 1000, 1000, 0] }] },
    })
    expect(saving.baseline.loads[0]?.wh[0]).toBe(0)
  })

  test('a higher peak and a released market reduce the saving', () => {
    const left: PlanProblem['sold'] = [
      {
        id: 's',
        market: 'aFRR',
        loadIds: ['heat'],
        upKw: 1,
        downKw: 0,
        upKwh: 0,
        downKwh: 0,
        fromMs: start,
        toMs: start + quarterMs,
        leaving: { lostDkk: '0.5', penaltyDkk: '0.25' },
      },
    ]
    const saving = savingOf(problem, baseline, [{ loadId: 'heat', wh: [0, 2000, 0, 0] }], { skipped: left })
    expect(saving.parts).toMatchObject({ spot: '0.4', capacity: '-40', reserve: '-0.75', total: '-40.35' })
    const both = { skipped: left, baselineSkipped: left }
    const { parts } = savingOf(problem, baseline, [{ loadId: 'heat', wh: [0, 2000, 0, 0] }], both)
    expect(parts).toMatchObject({ reserve: '0', total: '-39.6' })
  })
})
