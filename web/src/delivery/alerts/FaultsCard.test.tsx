import type { Fault } from '@gridmast/contract/notifications/faults.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someTriggered } from '#testing/samples.ts'
import { someUser } from '#testing/user.ts'
import { FaultsCard } from './FaultsCard.tsx'

const id = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`
const since = '2026-11-20T12:34:00Z'
const alert = (n: number): Fault => ({
  kind: 'alert',
  _id: id(n),
  name: `Alert ${n}`,
  source: 'FCR',
  instanceName: 'Cold store',
  type: 'power',
  criteria: 'gt',
  threshold: 400,
  value: 412.54,
  count: n,
  isAcknowledged: n === 3,
  since,
})
const some: Fault[] = [
  { kind: 'charger', chargerId: id(1), name: 'NF-04', connectorId: 1, error: 'GroundFailure', since },
  { kind: 'edge', name: 'edge-esb-01', instances: ['Esbjerg'], since: null },
  {
    kind: 'slots',
    market: 'FCR-D-INC',
    instanceId: id(2),
    instanceName: 'Cold store',
    count: 2,
    start: '2026-11-20T17:00:00Z',
    shortKw: 20,
    since,
  },
  { kind: 'meters', names: ['North', 'South'], count: 3, since },
  alert(1),
  alert(2),
  alert(3),
]

const open = async (faults: Fault[] | null, role: 'sudoer' | 'auditor' = 'sudoer', language: 'en' | 'da' = 'en') => {
  const requests = answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/alert/fault': () => (faults ? { data: { faults } } : { status: 403, message: 'Not now' }),
    [`POST /client/alert/triggered/${id(1)}/acknowledge`]: () => ({
      message: 'Acknowledged',
      data: { triggered: { ...someTriggered, _id: id(1) } },
    }),
  })
  await showAt(
    '/',
    <UserProvider value={someUser({ userRole: role })}>
      <main>
        <h1>Home</h1>
        <FaultsCard />
      </main>
    </UserProvider>,
    language,
  )
  return requests
}
const card = page.getByRole('region', { name: 'Faults and alerts' })
const lines = () =>
  card
    .getByRole('listitem')
    .elements()
    .map((one) => one.textContent)

test('the list is downloaded and sent also on a day without faults', async () => {
  await open([])
  const button = card.getByRole('button', { name: 'Download faults and alerts' })
  await expect.element(button).toHaveAttribute('data-export', '/client/alert/fault')
  await userEvent.click(button)
  await expect.element(page.getByRole('menuitem', { name: 'Send by email' })).toBeVisible()
  await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
  await expect.poll(fetched).toContainEqual(expect.stringContaining('/client/alert/fault?format=xlsx'))
})

test('six lines with the fault, its place and its start; all of them on demand', async () => {
  await open(some)
  await expect.element(card.getByText('4 faults')).toBeVisible()
  expect(lines()).toHaveLength(6)
  expect(lines()[0]).toContain('Charger NF-04 faultedConnector 1 · GroundFailure')
  expect(lines()[1]).toContain('Edge edge-esb-01 never reportedEsbjerg')
  expect(lines()[2]).toContain('Sold capacity at riskFCR-D-INC Cold store · 2 slots from 20.11. 18:00 · Short 20,0 kW')
  expect(lines()[3]).toContain('3 meters without new readingsNorth, South …')
  expect(lines()[5]).toContain('Alert 2Cold store · 412,5 kW, above 400 kW · 2 times today')
  await expectClean()
  await userEvent.click(card.getByRole('button', { name: 'View all 7' }))
  await expect.element(page.getByRole('dialog').getByText('Alert 3')).toBeVisible()
})

test('an alert is acknowledged on its line, together with the earlier ones of the day', async () => {
  const requests = await open(some)
  await userEvent.click(card.getByRole('button', { name: 'Acknowledge Alert 1' }))
  const posts = () => requests.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)
  await expect.poll(posts).toEqual([{ comment: '', earlier: true }])
  await expect.poll(() => requests.filter(({ call }) => call.endsWith('/fault')).length).toBeGreaterThan(1)
})

test('R1 an auditor cannot acknowledge', async () => {
  await open(some, 'auditor')
  await expect.element(card.getByText('Alert 1')).toBeVisible()
  expect(card.getByRole('button', { name: /^Acknowledge/ }).elements()).toEqual([])
})

test('no fault is stated once the answer has arrived, and a failed read is reported', async () => {
  await open([])
  await expect.element(card.getByText('No faults and no alerts today')).toBeVisible()
})

test('a failed read is not shown as no fault', async () => {
  await open(null)
  await expect.element(card.getByText('Faults and alerts could not be loaded.')).toBeVisible()
  await expect.element(card.getByText('No faults and no alerts today')).not.toBeInTheDocument()
})

test('in Danish', async () => {
  await open(some, 'sudoer', 'da')
  await expect.element(page.getByText('Edge edge-esb-01 har aldrig rapporteret')).toBeVisible()
})

test('in Danish an alert keeps the name that the company entered', async () => {
  const names = ['Over', 'Pump $t(Delete)']
  await open(
    names.map((name, i) => ({ ...alert(i + 1), name })),
    'sudoer',
    'da',
  )
  const danish = page.getByRole('region', { name: 'Fejl og alarmer' })
  for (const name of names) {
    await expect.element(danish.getByText(name, { exact: true })).toBeVisible()
    await expect.element(danish.getByRole('button', { name: `Kvittér ${name}` })).toBeVisible()
  }
})
