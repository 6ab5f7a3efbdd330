import type { PlanDetail, PlanHead } from '@gridmast/contract/load-shifting.ts'
import { planForm } from '@gridmast/contract/load-shifting.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { PlanCards } from './PlanCards.tsx'

const [first, second] = ['01930000-0000-7000-8000-000000000001', '01930000-0000-7000-8000-000000000002']
const target = { kind: 'instance', _id: '01930000-0000-7000-8000-000000000003', name: 'Cold store 1' } as const
const head = (_id: string, version: number): PlanHead => ({
  ...{ _id, seriesId: first, version, target, state: 'done', status: 'optimal' },
  ...{ from: '2026-11-20T17:00:00Z', to: '2026-11-21T07:00:00Z', madeAt: '2026-11-20T17:00:00Z', madeBy: 'Kim' },
  ...{ reason: null, accepted: null, ended: null, savedDkk: null },
})
const versions: PlanHead[] = [
  { ...head(second, 2), status: 'infeasible', reason: 'charger' },
  { ...head(first, 1), accepted: { at: '2026-11-20T17:01:00Z', by: 'Kim' } },
]
const noSource = { name: '', dataset: '', licence: null, simulated: false }

test('a next version that is not possible leads back to the one that is followed', async () => {
  const form = { instanceId: target._id, kind: 'shiftable', maxKw: 50, needKwh: 100, deadline: '2026-11-21T07:00:00Z' }
  const plan: PlanDetail = {
    ...{ ...head(second, 2), ...versions[0], place: null, cancelAsked: false, asked: planForm.parse(form), versions },
    ...{ names: {}, quarters: [], followed: null, told: [], measuredWh: [], saving: null, simulated: false },
    ...{ answer: { status: 'infeasible', relaxations: [] }, sources: { spot: noSource, emission: noSource } },
  }
  answerCalls({ [`GET /client/load-shifting/plan/${second}`]: () => ({ data: { plan } }) })
  const opened: string[] = []
  await show(<PlanCards planId={second} mayEdit onOpen={(planId) => opened.push(planId)} />)
  await expect.element(page.getByRole('heading', { name: 'There is no such plan Cold store 1' })).toBeVisible()
  await page.getByRole('region', { name: 'Versions' }).getByRole('button', { name: '1' }).click()
  expect(opened).toEqual([first])
})
