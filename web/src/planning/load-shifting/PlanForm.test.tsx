import type { PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import { atLocalTime, localDateOf } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { PlanForm } from './PlanForm.tsx'

const id = (n: number) => `01930000-0000-7000-8000-00000000000${n}`
const site: PlannedLoad = {
  target: { kind: 'site', _id: id(1), name: 'Yard' },
  area: 'DK2',
  simulated: false,
  suggested: { kind: 'session', maxKw: 22, needKwh: 40, socPercent: null },
  chargers: [
    { _id: id(2), name: 'Bay 1', online: true, maxKw: 22 },
    { _id: id(3), name: 'Bay 2', online: false, maxKw: 22 },
  ],
}
const tariffs = [{ _id: '5790000705689:DT_C_01', owner: 'Radius', code: 'DT_C_01', name: 'Nettarif C' }]

const open = async () => {
  const made: string[] = []
  const requests = answerCalls({
    'GET /client/load-shifting': () => ({ data: { loads: [site], tariffs } }),
    'POST /client/load-shifting/plan': () => ({ data: { _id: id(9) } }),
  })
  await showAt(
    '/insights/loadShifting',
    <main>
      <h1>Load Shifting</h1>
      <PlanForm loadId={null} onLoad={() => {}} onMade={(planId) => made.push(planId)} />
    </main>,
  )
  await expect.element(page.getByRole('button', { name: 'Create plan' })).toBeVisible()
  const bodies = () => requests.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)
  return { made, bodies }
}

test('the values of the form are sent: it begins now, uses its own tariff and shares the need evenly', async () => {
  const { made, bodies } = await open()
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Create plan' }))
  await expect.poll(bodies).toHaveLength(1)
  expect(bodies()[0]).toMatchObject({ siteId: id(1), kind: 'session', needKwh: 40, costWeight: 70 })
  for (const key of ['start', 'tariff', 'needs']) expect(bodies()[0]).not.toHaveProperty(key)
  await expect.poll(() => made).toEqual([id(9)])
})

test('a start, a tariff and the need of each charger are sent; a charger without a need is not planned', async () => {
  const { bodies } = await open()
  const tomorrow = localDateOf(Date.now() + 86_400_000)
  const [year, month, day] = tomorrow.split('-')
  await userEvent.fill(page.getByRole('textbox', { name: 'Not before' }), `${day}.${month}.${year}`)
  await userEvent.fill(page.getByRole('textbox', { name: 'Time' }).first(), '01:30')
  await userEvent.click(page.getByRole('checkbox', { name: 'Each charger has its own need' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Bay 1' }), '12,5')
  await expect.element(page.getByText('Together 12,5 kWh')).toBeVisible()
  await userEvent.click(page.getByText('Site, capacity tariff and baseline'))
  await userEvent.click(page.getByRole('combobox', { name: 'Tariff' }))
  await userEvent.click(page.getByRole('option', { name: 'DT_C_01 Nettarif C' }))
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Create plan' }))
  await expect.poll(bodies).toHaveLength(1)
  expect(bodies()[0]).toMatchObject({
    needKwh: 12.5,
    needs: [{ chargerId: id(2), needKwh: 12.5 }],
    tariff: '5790000705689:DT_C_01',
    start: new Date(atLocalTime(tomorrow, '01:30')).toISOString(),
  })
})

test('an invalid power is reported under its field, and the typed text is kept', async () => {
  const { bodies } = await open()
  const power = page.getByRole('textbox', { name: 'Maximum power' })
  await userEvent.fill(power, '0')
  await userEvent.click(page.getByRole('button', { name: 'Create plan' }))
  await expect.element(page.getByText('Must be more than 0')).toBeVisible()
  await expect.element(power).toHaveValue('0')
  expect(bodies()).toEqual([])
})
