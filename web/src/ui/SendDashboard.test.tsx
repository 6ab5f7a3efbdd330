import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dashboardOf } from '@gridmast/contract/people/report-sources.ts'
import { UserProvider } from '#lib/user.tsx'
import { showAt } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { someUser } from '#testing/user.ts'
import type { FileExport } from '#lib/download.ts'
import { ExportButton } from './ExportButton.tsx'
import { Panel } from './Panel.tsx'
import SendDashboard from './SendDashboard.tsx'

const exportOf = (address: string): FileExport => Object.assign(async () => {}, { address })
const shown = (addresses: readonly string[], userRole: 'sudoer' | 'auditor' = 'sudoer') => (
  <UserProvider value={someUser({ userRole })}>
    {addresses.map((address) => (
      <ExportButton key={address} onExport={exportOf(address)} />
    ))}
    <SendDashboard />
  </UserProvider>
)

test('a dashboard is sent with the exports of its cards, each once, without those that cannot be sent daily', async () => {
  const [events, points] = ['/client/data/event?eventType=fcr_based', '/client/data/set-point?instanceId=1']
  const { router } = await showAt('/home', shown([events, points, '/client/webhook', '/client/evc/statement?type=1']))
  await userEvent.click(page.getByRole('button', { name: 'Send dashboard by email' }))
  await expect.element(page.getByText('at /reports')).toBeVisible()
  expect(router.state.location.search).toEqual({ add: dashboardOf([events, points]) })
})

test('the report names the cards that it does not include: without an export, or with one that is not daily', async () => {
  const cards = (
    <main>
      <Panel title="Events">
        <ExportButton onExport={exportOf('/client/data/event')} />
      </Panel>
      <Panel title="Power" note="(kW) 19.11.2026" label="Power (kW) 19.11.2026" />
      <div data-print="no">
        <Panel title="First steps" />
      </div>
      <Panel title="Statement" tools={<ExportButton onExport={exportOf('/client/evc/statement?type=1')} />} />
      {shown([])}
    </main>
  )
  const { router } = await showAt('/home', <UserProvider value={someUser()}>{cards}</UserProvider>)
  await userEvent.click(page.getByRole('button', { name: 'Send dashboard by email' }))
  await expect.element(page.getByText('at /reports')).toBeVisible()
  expect(router.state.location.search).toEqual({
    add: dashboardOf(['/client/data/event']),
    without: 'Power, Statement',
  })
})

test('too many names end after the last that fits', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `Power of ${i + 10}`)
  const cards = (
    <main>
      {names.map((name) => (
        <Panel key={name} title={name} />
      ))}
      {shown(['/client/data/event'])}
    </main>
  )
  const { router } = await showAt('/home', <UserProvider value={someUser()}>{cards}</UserProvider>)
  await userEvent.click(page.getByRole('button', { name: 'Send dashboard by email' }))
  await expect.element(page.getByText('at /reports')).toBeVisible()
  expect(router.state.location.search).toMatchObject({ without: `${names.slice(0, 23).join(', ')} …` })
})

test('a screen without a card that can be sent says so', async () => {
  const { router } = await showAt('/home', shown(['/client/webhook']))
  await userEvent.click(page.getByRole('button', { name: 'Send dashboard by email' }))
  expect(toasts).toEqual(['No card of this screen can be sent daily.'])
  expect(router.state.location.pathname).toBe('/home')
})

test('its parts have the order of the screen, also when a card above another was loaded last', async () => {
  const [first, second] = ['/client/data/event?eventType=fcr_based', '/client/data/set-point?instanceId=1']
  const Cards = () => {
    const [isLoaded, setIsLoaded] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setIsLoaded(true)}>
          Load
        </button>
        {shown(isLoaded ? [first, second] : [second])}
      </>
    )
  }
  const { router } = await showAt('/home', <Cards />)
  await userEvent.click(page.getByRole('button', { name: 'Load' }))
  await userEvent.click(page.getByRole('button', { name: 'Send dashboard by email' }))
  await expect.element(page.getByText('at /reports')).toBeVisible()
  expect(router.state.location.search).toEqual({ add: dashboardOf([first, second]) })
})
