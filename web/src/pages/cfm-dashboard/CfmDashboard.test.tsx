import type { Data } from '@gridmast/contract/call.ts'
import type { fleetDashboard } from '@gridmast/contract/charge-fleet.ts'
import { atLocalTime } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import CfmDashboard from './CfmDashboard.tsx'

const idOf = (n: number) => `44444444-4444-4444-8444-44444444444${n}`
const chargerOf = (n: number, name: string, state: 'charging' | 'faulted' | 'available', isActive = true) => ({
  _id: idOf(n),
  name,
  description: '',
  meta: { isActive },
  connectors: [{ connectorId: 1, state }],
  sessions: n,
  energyKwh: n * 10.5,
  utilisation: n / 10,
})
const x = ['2026-11-19', '2026-11-20'].map((day) => atLocalTime(day, '00:00'))
const answer: Data<typeof fleetDashboard> = {
  chargers: [
    chargerOf(1, 'Rampe 1', 'charging'),
    chargerOf(2, 'Rampe 2', 'available'),
    chargerOf(3, 'Rampe 3', 'faulted'),
    chargerOf(4, 'Rampe 4', 'available', false),
  ],
  attention: [
    {
      chargerId: idOf(3),
      name: 'Rampe 3',
      connectorId: 1,
      reason: 'faulted',
      detail: 'GroundFailure',
      since: '2026-11-20T10:00:00.000Z',
    },
    {
      chargerId: idOf(4),
      name: 'Rampe 4',
      connectorId: null,
      reason: 'offline',
      detail: null,
      since: '2026-11-20T10:00:00.000Z',
    },
  ],
  running: 1,
  today: { sessions: 7, energyKwh: 84.25 },
  month: { sessions: 128, energyKwh: 2418.4 },
  costs: {
    sessions: 128,
    kwh: 2418.4,
    dkk: '1843.27',
    driverDkk: '5000.00',
    kgCo2: 240,
    kwhWithoutCost: 18.4,
    kwhWithoutCo2: 18.4,
  },
  sessionsData: [{ name: 'Sessions', unit: '', kind: 'column', x, y: [3, 7] }],
  energyData: [{ name: 'Energy', unit: 'kWh', kind: 'column', x, y: [40, 84.25] }],
  simulated: false,
}
const open = async (given: Partial<typeof answer> = {}, search = '', language: 'en' | 'da' = 'en', status = 200) => {
  answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/cfm/dashboard': () => ({ status, message: 'Not now', data: { ...answer, ...given } }),
  })
  const license = { CFM: { enabled: true }, evCharging: { enabled: true } }
  return showAt(
    '/cfmdashboard',
    <UserProvider value={someUser({ customerId: { license } })}>
      <h1>CFM</h1>
      <CfmDashboard />
    </UserProvider>,
    language,
    search,
  )
}

test('chargers by their state now, sessions and energy of today and this month', async () => {
  await open()
  const states = page.getByRole('list', { name: 'Chargers by state' }).getByRole('listitem')
  await expect
    .poll(() => states.elements().map(({ textContent }) => textContent))
    .toEqual(['1 Faulted', '1 Charging', '1 Available', '1 Offline'])
  const card = page.getByRole('region', { name: 'Chargers', exact: true }).element().textContent
  for (const words of [
    'Sessions today7',
    'Energy today84,3',
    'Sessions this month128',
    'Energy this month2.418,4',
    'Cost this month1.843',
    'CO2 per kWh100',
  ])
    expect(card).toContain(words)
  for (const name of ['Sessions by day', 'Energy by day (kWh)'])
    await expect.element(page.getByRole('region', { name })).toBeVisible()
  await expectClean()
})

test('how much each charger was used, and which ones need somebody, each a way to the charger', async () => {
  await open()
  const table = page.getByRole('table', { name: 'Utilisation of chargers' })
  await expect.element(table.getByText('Rampe 3')).toBeVisible()
  const row = table.getByRole('row').nth(3).element().textContent
  for (const words of ['Faulted', '3', '31,5', '30 %']) expect(row).toContain(words)
  const attention = page.getByRole('region', { name: 'Needs attention' })
  expect(attention.element().textContent).toContain('Connector 1 · GroundFailure · 20.11.2026 11:00:00')
  expect(attention.element().textContent).toContain('Offline since 20.11.2026 11:00:00')
  await expect
    .element(attention.getByRole('link', { name: 'Rampe 3' }))
    .toHaveAttribute('href', `/e3-App/evCharging?chargerId=${idOf(3)}`)
})

test('the days stand in the address, the usual thirty left out', async () => {
  const { router } = await open()
  await userEvent.click(page.getByRole('radio', { name: 'Last 7 days' }))
  await expect.poll(() => router.state.location.search).toEqual({ days: 7 })
  await expect.poll(() => fetched().at(-1)).toContain('/api/client/cfm/dashboard?days=7')
  await userEvent.click(page.getByRole('radio', { name: 'Last 30 days' }))
  await expect.poll(() => router.state.location.search).toEqual({})
})

test('nothing is wrong and nothing is there: both are said, in Danish too', async () => {
  await open({ chargers: [], attention: [] }, '', 'da')
  await expect.element(page.getByText('Alt er i orden')).toBeVisible()
  await expect.element(page.getByText('Din virksomhed har endnu ingen ladere.').first()).toBeVisible()
})

test('a failed read says why and offers another try', async () => {
  await open({}, '', 'en', 403)
  await expect.element(page.getByText('The charge fleet could not be loaded.').first()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Retry now' }).first()).toBeVisible()
})
