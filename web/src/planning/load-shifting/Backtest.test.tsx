import type { Backtest, BacktestDetail } from '@gridmast/contract/planning/load-backtests.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { BacktestCards } from './BacktestCards.tsx'
import { BacktestForm } from './BacktestForm.tsx'
import { BacktestList } from './Lists.tsx'

const cold = '01930000-0000-7000-8000-000000000011'
const id = '01930000-0000-7000-8000-0000000000b1'

const result: NonNullable<Backtest['result']> = {
  first: '2026-10-05',
  last: '2026-10-31',
  days: 27,
  daysWithoutPrices: 4,
  assumedDays: ['2026-10-14'],
  withoutPlan: [],
  missedKwh: 0,
  brokenSlots: 2,
  savedDkk: '2600.00',
  overCheapestHoursDkk: '12.50',
  regretDkk: '3.10',
  savedKgCo2: null,
}
const bill = (total: string) => ({
  spot: total,
  tariff: '0',
  tax: '0',
  capacity: '0',
  reserve: '0',
  stored: '0',
  total,
})
const done: BacktestDetail = {
  _id: id,
  target: { kind: 'instance', _id: cold, name: 'Cold store 1' },
  state: 'done',
  period: 'month',
  done: 27,
  of: 27,
  cancelAsked: false,
  reason: null,
  madeBy: 'Karen',
  result,
  madeAt: '2026-11-20T10:00:00Z',
  finishedAt: '2026-11-20T10:01:00Z',
  sources: null,
  asked: {
    instanceId: cold,
    kind: 'shiftable',
    needKwh: 100,
    minKw: 0,
    maxKw: 50,
    otherKw: 0,
    costWeight: 100,
    co2DkkPerKg: '0.75',
    period: 'month',
    from: '16:00',
    until: '08:00',
    workdays: false,
  },
  byMonth: [
    {
      month: '2026-10',
      bills: { noPlan: bill('3140'), cheapestHours: bill('552.5'), plan: bill('540') },
      kgCo2: { noPlan: null, cheapestHours: null, plan: null },
      foresightDkk: '536.90',
    },
  ],
}
const running: BacktestDetail = { ...done, state: 'running', done: 9, of: 31, result: null, byMonth: [] }

const load = {
  target: { kind: 'instance', _id: cold, name: 'Cold store 1' },
  area: 'DK2',
  chargers: [],
  simulated: false,
  suggested: { kind: 'shiftable', maxKw: 50, needKwh: 100, socPercent: null },
}

const open = async (one: BacktestDetail | null, mayEdit = true) => {
  const requests = answerCalls({
    'GET /client/saved-view': () => ({ data: { views: [] } }),
    'GET /client/load-shifting': () => ({ data: { loads: [load], tariffs: [] } }),
    'GET /client/load-shifting/backtest': () => ({ data: { backtests: one ? [one] : [], totalCount: one ? 1 : 0 } }),
    [`GET /client/load-shifting/backtest/${id}`]: () => ({ data: { backtest: one } }),
    'POST /client/load-shifting/backtest': () => ({ data: { _id: id } }),
    [`POST /client/load-shifting/backtest/${id}/cancel`]: () => ({ message: 'Backtest stopped', data: {} }),
  })
  await showAt(
    '/insights/loadShifting',
    <UserProvider value={someUser({})}>
      <main>
        <h1>Load Shifting</h1>
        {mayEdit && <BacktestForm loadId={null} onLoad={() => {}} onMade={() => {}} />}
        <BacktestCards backtestId={undefined} mayEdit={mayEdit} />
        <BacktestList onOpen={() => {}} />
      </main>
    </UserProvider>,
  )
  return () => requests.filter(({ call }) => call.startsWith('POST')).map(({ call, body }) => ({ call, body }))
}

test('the form of a backtest is sent with its values and keeps them', async () => {
  const sent = await open(null)
  await expect.element(page.getByText('No backtest yet')).toBeVisible()
  await expectClean()
  await userEvent.click(page.getByRole('radio', { name: 'Last 12 months' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Each day from' }), '16:00')
  await userEvent.fill(page.getByRole('textbox', { name: 'Done by' }), '08:00')
  await userEvent.fill(page.getByRole('textbox', { name: 'Energy need a day' }), '')
  await userEvent.click(page.getByRole('button', { name: 'Run backtest' }))
  await expect.poll(sent).toHaveLength(1)
  expect(sent()[0]?.body).toMatchObject({
    period: 'year',
    from: '16:00',
    until: '08:00',
    instanceId: cold,
    costWeight: 100,
  })
  expect(sent()[0]?.body).not.toHaveProperty('baseline')
  await expect.element(page.getByRole('textbox', { name: 'Each day from' })).toHaveValue('16:00')
})

test('a running backtest shows its progress and is stopped after a confirmation', async () => {
  const sent = await open(running)
  await expect.element(page.getByText('9 of 31 days are planned')).toBeVisible()
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '9')
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(sent()).toEqual([])
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Stop' }))
  await expect.poll(sent).toMatchObject([{ call: `POST /client/load-shifting/backtest/${id}/cancel` }])
})

test('a waiting backtest is stopped without a confirmation', async () => {
  const sent = await open({ ...running, state: 'queued', done: 0, of: null })
  await userEvent.click(page.getByRole('button', { name: 'Stop' }))
  await expect.poll(sent).toHaveLength(1)
})

test('the result has three sums, incomplete days, and the bill of each way and month', async () => {
  await open(done)
  await expect.element(page.getByRole('region', { name: 'Result' }).getByText(/^2\.600,00/)).toBeVisible()
  await expect.element(page.getByText(/Prices are missing on 14.10.2026/)).toBeVisible()
  await expect.element(page.getByText(/available from 05.10.2026: 4 days are excluded/)).toBeVisible()
  await expect.element(page.getByText(/would have violated 2 sold slots/)).toBeVisible()
  await expect.element(page.getByRole('row', { name: /10.2026 2.600,00 540,00 3.140,00 552,50 536,90/ })).toBeVisible()
  await expectClean()
})

test('R1 a user with read access sees backtests and can neither create nor stop one', async () => {
  await open(running, false)
  await expect.element(page.getByText('9 of 31 days are planned')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Run backtest' })).not.toBeInTheDocument()
})

test.each([
  ['no-prices', /^No prices are available for its area in this period\. .* run the backtest again in a few minutes\.$/],
  ['removed', 'The equipment has been removed or no longer has a price signal.'],
] as const)('a failed backtest states its reason: %s', async (reason, words) => {
  await open({ ...running, state: 'failed', reason, of: null })
  await expect.element(page.getByText(words)).toBeVisible()
})
