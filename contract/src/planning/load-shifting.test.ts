import { expect, test } from 'vitest'
import { limits } from '#limits.ts'
import { backtestForm } from './load-backtests.ts'
import { m } from '#messages.ts'
import { planDetail, planForm } from './load-shifting.ts'

const asked = {
  instanceId: '01930000-0000-7000-8000-000000000003',
  kind: 'shiftable',
  maxKw: 50,
  needKwh: 100,
  deadline: '2026-11-20T18:00:00Z',
}

test('amounts below 0 are refused in a form and still read in an older plan', () => {
  const old = { ...planForm.parse(asked), co2DkkPerKg: '-0.75', capacityDkkPerKw: '-12.5' }
  const { error } = planForm.safeParse(old)
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['co2DkkPerKg', 'capacityDkkPerKw'])
  expect(planDetail.shape.asked.parse(old)).toEqual(old)
})

test('an amount beyond the range of the solver is refused in the form of a plan and of a backtest', () => {
  const { deadline: _, ...daily } = asked
  const large = { co2DkkPerKg: '10000.01', capacityDkkPerKw: '99999999999999999999' }
  for (const { error } of [planForm.safeParse({ ...asked, ...large }), backtestForm.safeParse({ ...daily, ...large })])
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['co2DkkPerKg', m.atMost(limits.co2DkkPerKgMax)],
      ['capacityDkkPerKw', m.atMost(limits.capacityDkkPerKwMax)],
    ])
  const most = { co2DkkPerKg: '10000', capacityDkkPerKw: '100000.00' }
  expect(planForm.parse({ ...asked, ...most })).toMatchObject(most)
})

test('fields that older plans do not have are optional', () => {
  const saving = {
    measuredKwh: 1,
    baselineKwh: 1,
    coverage: 1,
    isScaled: false,
    measuredDkk: '-1.00',
    baselineDkk: '-2.00',
    savedDkk: '-1.00',
    savedKgCo2: null,
  }
  expect(planDetail.shape.saving.parse(saving)).toEqual(saving)
})
