import type { TriggeredAlert } from '@gridmast/contract/alerts.ts'
import type { PortalRole } from '@gridmast/contract/roles.ts'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectToasts } from '#lib/toast.ts'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { Verified } from '#testing/verified.tsx'
import { TriggeredView } from './TriggeredView.tsx'

const _id = '01930000-0000-7000-8000-000000000002'
const atMs = Date.parse('2026-11-20T12:34:00Z')
const first: TriggeredAlert = {
  _id,
  name: 'Cold above 400',
  type: 'power',
  criteria: 'gt',
  threshold: 400.5,
  value: 412.5,
  triggerTime: '2026-11-20T12:34:00Z',
  crossedAt: '2026-11-20T12:24:00Z',
  late: false,
  group: '01930000-0000-7000-8000-000000000011',
  groupName: 'Cold store 1',
  source: 'FCR-D-INC',
  acknowledgedAt: null,
  acknowledgedBy: null,
  comment: '',
  about: null,
  closedAt: null,
}

const toasts: string[] = []
connectToasts(({ message }) => toasts.push(message))
afterEach(() => {
  toasts.length = 0
})

const open = async (role: PortalRole, more: Partial<TriggeredAlert> = {}, values: number[] = [399, 412.5]) => {
  let triggered = { ...first, ...more }
  const power = { name: 'Power', unit: 'kW', kind: 'line', x: values.map((_, i) => atMs + i * 1000 - 1000), y: values }
  const asked = answerCalls({
    'GET /user/verify': () => ({ data: { user: { ...someUser(), userRole: role }, due: null } }),
    [`GET /client/alert/triggered/${_id}`]: () => ({ data: { triggered, graph: [power], simulated: true } }),
    [`POST /client/alert/triggered/${_id}/acknowledge`]: ({ body }: { body: unknown }) => {
      const acknowledged = { acknowledgedAt: '2026-11-20T12:40:00Z', acknowledgedBy: 'kim@nordhavn.example' }
      triggered = { ...triggered, ...acknowledged, ...(body as { comment: string }) } // what the form sends
      return { message: 'Alert acknowledged', data: { triggered } }
    },
    'GET /client/live': () => ({ status: 403 }),
  })
  await showAt(
    '/e3-Legacy/FCR-D-INC',
    <Verified>
      <main>
        <h1>Notification</h1>
        <TriggeredView triggerId={_id} />
      </main>
    </Verified>,
  )
  return () => asked.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)
}
const facts = () => page.getByRole('region', { name: 'Cold above 400' })

test('what was triggered, since when it lasts, and the power around it with its threshold', async () => {
  await open('auditor')
  for (const text of [
    'Cold store 1',
    'Greater Than 400,5 kW',
    '412,5 kW',
    '20.11.2026 13:34:00',
    '20.11.2026 13:24:00',
  ])
    await expect.element(facts().getByText(text, { exact: true })).toBeVisible()
  const chart = page.getByRole('region', { name: /^Power/ })
  await expect.element(chart.getByText('Simulated')).toBeVisible()
  await expect.element(chart.getByRole('group')).toBeVisible()
  await expectClean()
})

test('R1 an auditor sees who has acknowledged it and cannot; late data says that nobody was told', async () => {
  const acknowledged = { acknowledgedAt: '2026-11-20T12:40:00Z', acknowledgedBy: 'kim@nordhavn.example' }
  await open('auditor', { ...acknowledged, comment: 'Door was open', late: true }, [])
  await expect.element(facts().getByText('kim@nordhavn.example, 20.11.2026 13:40:00')).toBeVisible()
  await expect.element(facts().getByText('Door was open')).toBeVisible()
  await expect.element(facts().getByText('Its data came late: nobody was told.')).toBeVisible()
  await expect.element(page.getByText('There is no power stored for this time.')).toBeVisible()
  expect(page.getByRole('button', { name: 'Acknowledge' }).elements()).toHaveLength(0)
})

test('it is acknowledged with a comment, which can be changed afterwards', async () => {
  const sent = await open('expert')
  await userEvent.fill(page.getByRole('textbox', { name: 'Comment' }), 'Door was open')
  await userEvent.click(page.getByRole('button', { name: 'Acknowledge' }))
  await expect.element(facts().getByText('Door was open')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Save comment' })).toBeVisible()
  expect(sent()).toEqual([{ comment: 'Door was open' }])
  expect(toasts).toHaveLength(1)
  await expectClean()
})
