import type { TriggeredAlert } from '@gridmast/contract/notifications/triggered.ts'
import type { PortalRole } from '@gridmast/contract/roles.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someTriggered } from '#testing/samples.ts'
import { someUser } from '#testing/user.ts'
import { TriggeredView } from './Notification.tsx'
import { toasts } from '#testing/toasts.ts'

const { _id } = someTriggered
const atMs = Date.parse('2026-11-20T12:34:00Z')
const open = async (
  role: PortalRole,
  more: Partial<TriggeredAlert> = {},
  values: number[] = [399, 412.5],
  language: 'en' | 'da' = 'en',
) => {
  let triggered = { ...someTriggered, ...more }
  const power = { name: 'Power', unit: 'kW', kind: 'line', x: values.map((_, i) => atMs + i * 1000 - 1000), y: values }
  const requests = answerCalls({
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
    language,
  )
  return () => requests.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)
}
const facts = () => page.getByRole('region', { name: 'Cold above 400' })

test('the triggered alert, its duration, and the power around it with its threshold', async () => {
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

test('R1 an auditor sees the user who acknowledged it and cannot acknowledge; late data has no notification, which is stated', async () => {
  const acknowledged = { acknowledgedAt: '2026-11-20T12:40:00Z', acknowledgedBy: 'kim@nordhavn.example' }
  await open('auditor', { ...acknowledged, comment: 'Door was open', late: true }, [])
  await expect.element(facts().getByText('kim@nordhavn.example, 20.11.2026 13:40:00')).toBeVisible()
  await expect.element(facts().getByText('Door was open')).toBeVisible()
  await expect.element(facts().getByText('Data arrived late; no notification was sent.')).toBeVisible()
  await expect.element(page.getByText('No power measurements in this period.')).toBeVisible()
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

test.for([
  ['power', 'Over', 'Over'],
  ['power', 'Pump $t(Delete)', 'Pump $t(Delete)'],
  ['sold-capacity', 'Sold capacity at risk', 'Solgt kapacitet i fare'],
] as const)('in Danish a %s alert named %s reads %s', async ([type, name, words]) => {
  await open('auditor', { type, name }, [], 'da')
  await expect.element(page.getByRole('region', { name: words, exact: true })).toBeVisible()
})
