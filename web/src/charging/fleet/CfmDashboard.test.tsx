import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { fleetId, someFleet } from '#testing/fleet.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import CfmDashboard from './CfmDashboard.tsx'

const open = async (given: Partial<typeof someFleet> = {}, search = '', language: 'en' | 'da' = 'en', status = 200) => {
  answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/cfm/dashboard': () => ({ status, message: 'Not now', data: { ...someFleet, ...given } }),
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
    'Cost this month, incomplete1.843',
    'Margin this month, incomplete3.157',
    'CO₂ per kWh100',
  ])
    expect(card).toContain(words)
  for (const name of ['Sessions by day', 'Energy by day (kWh)'])
    await expect.element(page.getByRole('region', { name })).toBeVisible()
  await expectClean()
})

test('this month and the previous one, up to the same day; the chargers as a file', async () => {
  await open()
  const rows = page.getByRole('table', { name: 'This month and last month' }).getByRole('row')
  await expect.element(rows.nth(0)).toMatchTextContent(/Last month to 24.10.2026/)
  await expect.element(rows.nth(1)).toMatchTextContent(/Charging sessions128100\+28 %/)
  await expect.element(rows.nth(3)).toMatchTextContent(/Cost, incomplete1.843,27 DKK2.000,00 DKK−8 %/)
  await expect
    .element(rows.nth(5))
    .toMatchTextContent(/Margin of sessions with a price, incomplete3.156,73 DKK2.000,00 DKK\+58 %/)
  await userEvent.click(page.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
  await expect.poll(fetched).toContainEqual(expect.stringContaining('/api/client/cfm/dashboard?days=30&format=xlsx'))
})

test('sessions that need a user: energy to confirm, and a refused one that charged; each links to its session', async () => {
  const one = { chargerId: fleetId(1), name: 'Rampe 1', connectorId: 1, since: '2026-11-20T10:00:00.000Z' }
  const of = (reason: 'energy-doubted' | 'charged-refused', detail: string, n: number) => ({
    ...one,
    reason,
    detail,
    transactionId: fleetId(n),
  })
  await open({
    attention: [of('energy-doubted', '300', 5), of('charged-refused', '42.86', 6)],
    uncounted: { doubted: { sessions: 1, kwh: 300 }, refused: { sessions: 1, kwh: 42.86 } },
  })
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect.element(attention.getByText('Energy to confirm')).toBeVisible()
  await expect.element(attention.getByText('Charged although refused')).toBeVisible()
  expect(attention.element().textContent).toContain('Connector 1 · 42,86 kWh · 20.11.2026 11:00:00')
  await expect
    .element(attention.getByRole('link', { name: 'Rampe 1' }).first())
    .toHaveAttribute('href', `/e3-App/evCharging?tab=transactions&session=${fleetId(5)}`)
  await expect.element(page.getByText(/energy to confirm this month, not in the totals: 1 \(300,0 kWh\)/)).toBeVisible()
  await expectClean()
})

test('the use of each charger, and the chargers that need attention, each with a link', async () => {
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
    .toHaveAttribute('href', `/e3-App/evCharging?chargerId=${fleetId(3)}`)
})

test('each chart is downloaded and sent by email with its own values as the days of the screen; a relative range stays one', async () => {
  await open({}, '?range=7d')
  const downloadOf = (name: string) => page.getByRole('region', { name }).getByRole('button', { name: 'Download' })
  await expect
    .element(downloadOf('Sessions by day'))
    .toHaveAttribute('data-export', '/client/cfm/dashboard?range=7d&chart=sessions')
  const download = downloadOf('Energy by day (kWh)')
  await expect.element(download).toHaveAttribute('data-export', '/client/cfm/dashboard?range=7d&chart=energy')
  await userEvent.click(download)
  await expect.element(page.getByRole('menuitem', { name: 'Send by email' })).toBeVisible()
  await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
  await expect.poll(fetched).toContainEqual(expect.stringContaining('/dashboard?range=7d&chart=energy&format=csv'))
  await expect
    .element(page.getByRole('button', { name: 'Export' }))
    .toHaveAttribute('data-export', '/client/cfm/dashboard?range=7d')
})

test('the days are in the address, the default thirty are omitted', async () => {
  const { router } = await open()
  await userEvent.click(page.getByRole('radio', { name: 'Last 7 days' }))
  await expect.poll(() => router.state.location.search).toEqual({ days: 7 })
  await expect.poll(fetched).toContainEqual(expect.stringContaining('/api/client/cfm/dashboard?days=7'))
  await userEvent.click(page.getByRole('radio', { name: 'Last 30 days' }))
  await expect.poll(() => router.state.location.search).toEqual({})
})

test('without problems and without chargers both are stated, in Danish too', async () => {
  await open({ chargers: [], attention: [] }, '', 'da')
  await expect.element(page.getByText('Alt er i orden')).toBeVisible()
  await expect.element(page.getByText('Jeres virksomhed har endnu ingen ladere.').first()).toBeVisible()
})

test('a failed read shows its reason and offers another try', async () => {
  await open({}, '', 'en', 403)
  await expect.element(page.getByText('The charge fleet could not be loaded.').first()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Retry now' }).first()).toBeVisible()
})

test('a range replaces the last days for charts, utilisation and file; a period drops it', async () => {
  const { router } = await open({}, '?range=2026-10-31T23:00:00Z/2026-11-20T11:00:00Z')
  const table = page.getByRole('region', { name: /^Utilisation of chargers/ })
  await expect.element(table.getByText('01.11.2026 00:00 – 20.11.2026 12:00')).toBeVisible()
  await expect.poll(fetched).toContainEqual(expect.stringMatching(/dashboard\?start=2026-10-31T23.*&end=2026-11-20T11/))
  await userEvent.click(page.getByRole('radio', { name: 'Last 7 days' }))
  await expect.poll(() => router.state.location.search).toEqual({ days: 7 })
})

test('the checked days return after a range', async () => {
  const { router } = await open({}, '?range=2026-10-31T23:00:00Z/2026-11-20T11:00:00Z')
  const days = page.getByRole('radio', { name: 'Last 30 days' })
  await expect.element(days).not.toBeChecked()
  await userEvent.click(days)
  await expect.poll(() => router.state.location.search).toEqual({})
  await expect.element(days).toBeChecked()
})

test.each([
  [1320, true],
  [920, false],
])('at a width of %i px what needs attention is next to the utilisation: %s', async (width, isBeside) => {
  await page.viewport(width, 900)
  await open()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect.element(attention.getByRole('link', { name: 'Rampe 3' })).toBeVisible()
  const utilisation = page.getByRole('region', { name: /^Utilisation of chargers/ })
  const boxOf = (card: typeof attention) => card.element().getBoundingClientRect()
  expect(boxOf(attention).top < boxOf(utilisation).bottom).toBe(isBeside)
  await page.viewport(1440, 900)
})
