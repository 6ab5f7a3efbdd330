import { expect, test } from 'vitest'
import { planDetail, planForm } from './load-shifting.ts'

const asked = {
  ...{ instanceId: '01930000-0000-7000-8000-000000000003', kind: 'shiftable', maxKw: 50, needKwh: 100 },
  ...{ deadline: '2026-11-20T18:00:00Z' },
}

test('amounts below 0, which were taken once, are refused in a form and still read in a plan that was made with them', () => {
  const old = { ...planForm.parse(asked), co2DkkPerKg: '-0.75', capacityDkkPerKw: '-12.5' }
  const { error } = planForm.safeParse(old)
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['co2DkkPerKg', 'capacityDkkPerKw'])
  expect(planDetail.shape.asked.parse(old)).toEqual(old)
})

test('what plans of before do not say may be left out: when a slot was left, and what a saving is made of', () => {
  const saving = {
    ...{ measuredKwh: 1, baselineKwh: 1, coverage: 1, isScaled: false, measuredDkk: '-1.00', baselineDkk: '-2.00' },
    ...{ savedDkk: '-1.00', savedKgCo2: null },
  }
  expect(planDetail.shape.saving.parse(saving)).toEqual(saving)
})
