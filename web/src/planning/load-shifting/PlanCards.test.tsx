import { type PlanDetail, type PlanHead } from '@gridmast/contract/planning/load-shifting.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import {
  firstPlan as first,
  planHead as head,
  planStartMs as startMs,
  plannedInstance as target,
  secondPlan as second,
  solvedAnswer as solved,
  somePlan as detail,
  somePlanBill as bill,
} from '#testing/plans.ts'
import { showAt } from '#testing/render.tsx'
import { planModel, priceModel } from './plan-model.ts'
import { PlanCards } from './PlanCards.tsx'

/** Still to be followed. */
const later = '2999-01-01T00:00:00Z'

const open = async (plan: PlanDetail, mayEdit = true) => {
  const requests = answerCalls({
    [`GET /client/load-shifting/plan/${plan._id}`]: () => ({ data: { plan } }),
    [`POST /client/load-shifting/plan/${plan._id}/cancel`]: () => ({ message: 'Planning stopped', data: {} }),
    [`POST /client/load-shifting/plan/${plan._id}/accept`]: () => ({ message: 'Plan sent', data: {} }),
  })
  const opened: string[] = []
  await showAt(
    '/insights/loadShifting',
    <main>
      <h1>Load Shifting</h1>
      <PlanCards planId={plan._id} mayEdit={mayEdit} onOpen={(planId) => opened.push(planId)} />
    </main>,
  )
  const sent = () => requests.filter(({ call }) => call.startsWith('POST')).map(({ call, body }) => ({ call, body }))
  return { opened, sent }
}

test('a next version that is not possible names what to change, and links to the followed version', async () => {
  const versions: PlanHead[] = [
    { ...head(second, 2), status: 'infeasible', reason: 'charger' },
    { ...head(first, 1), accepted: { at: '2026-11-20T17:01:00Z', by: 'Kim' } },
  ]
  const relaxations = [
    { limit: 'need', id: target._id, unit: 'kWh', now: 100, works: 62.5, isEnough: true },
    {
      limit: 'deadline',
      id: target._id,
      unit: 'ms',
      now: startMs + 3_600_000,
      works: startMs + 7_200_000,
      isEnough: true,
    },
  ] as const
  const { opened } = await open(
    detail({ ...versions[0], versions, quarters: [], answer: { status: 'infeasible', relaxations: [...relaxations] } }),
  )
  await expect.element(page.getByRole('heading', { name: 'No plan is possible Cold store 1' })).toBeVisible()
  await expect
    .element(page.getByText('The energy need (Cold store 1) is 100 kWh. With 62,5 kWh a plan is possible.'))
    .toBeVisible()
  await expect
    .element(page.getByText('The deadline (Cold store 1) is 20.11. 19:00. With 20.11. 20:00 a plan is possible.'))
    .toBeVisible()
  await expectClean()
  await page.getByRole('region', { name: 'Versions' }).getByRole('button', { name: '1' }).click()
  expect(opened).toEqual([first])
})

test('a plan is shown with its baseline, its assumptions, missed needs and slots to skip, and is sent after a confirmation', async () => {
  const left = [
    {
      soldId: 'offer FCR-D-INC 2026-11-20T17:00:00.000Z',
      market: 'FCR-D-INC',
      lostDkk: '3.2',
      penaltyDkk: '0',
      span: { fromMs: startMs, toMs: startMs + 3_600_000 },
    },
  ]
  const missed = [
    {
      ...({ wish: 'need', unit: 'kWh' } as const),
      loadId: target._id,
      fromMs: startMs,
      toMs: startMs + 3_600_000,
      by: 85,
      wished: 100,
    },
  ]
  const assumedMs = [startMs + 1_800_000, startMs + 2_700_000]
  const { sent } = await open(
    detail({ to: later, hasAssumedPrices: true, answer: { ...solved, assumedMs, left, missed } }),
  )
  const result = page.getByRole('region', { name: 'Result' })
  await expect.element(result.getByText(/^≈ 18/)).toBeVisible()
  await expect.element(result.getByText('on assumed prices')).toBeVisible()
  await expect.element(result.getByText('Baseline 30', { exact: true })).toBeVisible()
  const notices = page.getByRole('region', { name: 'Notes' })
  await expect.element(notices.getByText(/^2 quarters from 20.11. 18:30 have no published price yet/)).toBeVisible()
  await expect.element(notices.getByText(/is missed by 85,0 kWh of 100,0 kWh/)).toBeVisible()
  await expect.element(notices.getByText(/^Skipping FCR-D-INC 20.11. 18:00–19:00 pays off: remove it/)).toBeVisible()
  expect(notices.getByRole('link', { name: 'Open the bid request' }).element().getAttribute('href')).toBe(
    '/demandResponse/FCR-D-INC?tab=requestBid',
  )
  await expect.element(page.getByRole('row', { name: /20.11. 18:30 10,00 0,00.* 1,719 assumed/ })).toBeVisible()
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Send plan to the equipment' }))
  expect(sent()).toEqual([])
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Send' }))
  await expect.poll(sent).toMatchObject([{ body: { replace: false } }])
})

test('another followed plan of the same equipment is named before it is replaced', async () => {
  const { sent } = await open(detail({ to: later, followed: { _id: second, name: 'Cold store 1' } }))
  await userEvent.click(page.getByRole('button', { name: 'Send plan to the equipment' }))
  await expect.element(page.getByText('The current plan of Cold store 1 ends.')).toBeVisible()
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Replace and send' }))
  await expect.poll(sent).toMatchObject([{ body: { replace: true } }])
})

test('a followed plan shows its measurement per quarter and its notified equipment', async () => {
  await open(
    detail({
      accepted: { at: '2026-11-20T17:01:00Z', by: 'Kim' },
      measuredWh: [0, 250],
      told: [{ name: 'Edge 1', at: null, answer: null }],
    }),
  )
  await expect.element(page.getByText('Measured per quarter', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /20.11. 18:15 0,00 5,00 0,25/ })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Sent to' }).getByText('Not delivered yet')).toBeVisible()
})

test('a past plan shows its saving: the bill of both sides, and each quarter', async () => {
  const quarter = (q: number, isMeasured: boolean) => ({
    fromMs: startMs + q * 900_000,
    dkkPerMwh: '1719',
    isMeasured,
    baseline: { wh: 5000, dkk: '8.595' },
    measured: { wh: 2000, dkk: '3.438' },
  })
  await open(
    detail({
      accepted: { at: '2026-11-20T17:01:00Z', by: 'Kim' },
      measuredWh: [2000, null],
      ended: { at: '2026-11-20T18:00:00Z', reason: 'over' },
      saving: {
        measuredKwh: 2,
        baselineKwh: 5,
        coverage: 0.5,
        isScaled: false,
        measuredDkk: '3.44',
        baselineDkk: '8.60',
        savedDkk: '5.16',
        savedKgCo2: '0.300',
        quarters: [quarter(0, true), quarter(1, false)],
        bills: { measured: { ...bill('3.438'), reserve: '1.25' }, baseline: bill('8.595') },
      },
    }),
  )
  const card = page.getByRole('region', { name: 'Saved, measured' })
  await expect.element(card.getByRole('row', { name: 'Total 8,60 3,44 5,16' })).toBeVisible()
  await expect.element(card.getByRole('row', { name: 'Lost reserve revenue 0,00 1,25 −1,25' })).toBeVisible()
  await expect.element(card.getByRole('row', { name: 'Capacity tariff – – –' })).toBeVisible()
  await expectClean()
  await userEvent.click(card.getByText('Saving per quarter'))
  await expect.element(card.getByRole('row', { name: /20.11. 18:00 1,719 5,00 2,00 5,16/ })).toBeVisible()
  await expect.element(card.getByRole('row', { name: /20.11. 18:15 1,719 5,00 – –/ })).toBeVisible()
})

test('the best plan of a time-out shows its gap', async () => {
  await open(
    detail({ status: 'best-found', answer: { ...solved, status: 'best-found', gapPercent: 0.034, gapDkk: '1.5' } }),
  )
  await expect.element(page.getByText(/No plan is better than this one by more than 1,50 DKK/)).toBeVisible()
})

test('a waiting plan shows its place, and is stopped', async () => {
  const waiting = detail({ state: 'queued', status: null, answer: null, quarters: [], place: 2 })
  const { sent } = await open(waiting)
  await expect.element(page.getByText('2 plans are calculated before this one.')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Stop' }))
  await expect.poll(sent).toHaveLength(1)
})

test('R1 a user with read access cannot send a plan, and may export it', async () => {
  await open(detail(), false)
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send plan to the equipment' })).not.toBeInTheDocument()
})

test('while plans load none is reported as missing; a failed read shows its reason', async () => {
  let answer: (failure: { status: number; message: string }) => void = () => {}
  answerCalls({ 'GET /client/load-shifting/plan': () => new Promise((resolve) => (answer = resolve)) })
  await showAt('/insights/loadShifting', <PlanCards planId={undefined} mayEdit onOpen={() => {}} />)
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeInTheDocument()
  await expect.element(page.getByText('No plan yet')).not.toBeInTheDocument()
  answer({ status: 403, message: 'Not now' })
  await expect.element(page.getByText('The plans could not be loaded.')).toBeVisible()
  await expect.element(page.getByText('No plan yet')).not.toBeInTheDocument()
})

test('the plan of the load in the form is shown, a followed one first; a load without a plan shows none', async () => {
  answerCalls({ 'GET /client/load-shifting/plan': () => ({ data: { plans: [], totalCount: 0 } }) })
  await showAt('/insights/loadShifting', <PlanCards planId={undefined} loadId={second} mayEdit onOpen={() => {}} />)
  await expect.element(page.getByText('No plan yet')).toBeVisible()
  const [request] = vi.mocked(window.fetch).mock.calls.at(-1) ?? []
  const query = new URL(request instanceof Request ? request.url : String(request), location.href).searchParams
  expect(Object.fromEntries(query)).toEqual({ limit: '1', first: 'followed', loadId: second })
})

test('the last quarter of a plan and of its prices is drawn to its end', () => {
  const words = { plan: 'Plan', baseline: 'Baseline', measured: 'Measured', price: 'Price', assumed: 'Assumed prices' }
  for (const model of [planModel(detail(), words, 0), priceModel(detail(), words)])
    for (const series of model?.series ?? []) expect(series.ends?.at(-1)).toBe(model?.span.toMs)
})
