import type { Data } from '@gridmast/contract/call.ts'
import type { energyNow } from '@gridmast/contract/grid/energy-now.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { liveStatus } from '#lib/live.ts'
import { tokenStore } from '#lib/session.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched, openStream } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { EnergyCard } from './EnergyCard.tsx'

type Now = Data<typeof energyNow>
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const instance = (n: number, part: 'site' | 'battery', kw: number, minutes = 0) => ({
  _id: `44444444-4444-4444-8444-44444444444${n}`,
  name: `Anlæg ${n}`,
  part,
  kw,
  lastReported: ago(minutes),
  simulated: true,
})
const full = (): Now => ({
  instances: [instance(1, 'site', 420), instance(2, 'battery', -500)],
  chargers: { kw: 11, charging: 1, silent: 0, simulated: false },
  soc: 64,
  reserve: [{ direction: 'up', soldKw: 800, heldKw: 750, silent: 1 }],
})

afterEach(() => {
  vi.useRealTimers()
  tokenStore.set(null)
})

const open = async (now: Now, language: 'en' | 'da' = 'en', answers: Parameters<typeof answerCalls>[0] = {}) => {
  const requests = answerCalls({ 'GET /client/data/energy-now': () => ({ data: now }), ...answers })
  await showAt(
    '/',
    <UserProvider value={someUser()}>
      <main>
        <EnergyCard />
      </main>
    </UserProvider>,
    language,
  )
  await expect
    .element(page.getByRole('region', { name: language === 'en' ? 'Energy now' : 'Energi lige nu' }))
    .toBeVisible()
  return () => requests.filter(({ call }) => call === 'GET /client/data/energy-now').length
}
const texts = () => [...document.querySelectorAll('[data-part]')].map((node) => node.textContent)

test('the picture is downloaded as a table, and can be sent by email', async () => {
  await open(full())
  const button = page.getByRole('button', { name: 'Download the current power' })
  await expect.element(button).toHaveAttribute('data-export', '/client/data/energy-now')
  await userEvent.click(button)
  await expect.element(page.getByRole('menuitem', { name: 'Send by email' })).toBeVisible()
  await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
  await expect.poll(fetched).toContainEqual(expect.stringContaining('/client/data/energy-now?format=csv'))
})

test('kW and direction of each part as words, reserve sold and held, and the part that is simulated', async () => {
  await open(full())
  await expect.element(page.getByText('Partly simulated')).toBeVisible()
  expect(texts()).toEqual([
    'GridTo the grid · Calculated69,0kW',
    'SiteConsumption420,0kW',
    'BatteryDischarges · 64 % charged500,0kW',
    'ChargersConsumption · 1 charging11,0kW',
  ])
  const reserve = page.getByRole('region', { name: 'Reserve now' })
  await expect.element(reserve.getByText('Short 50,0 kW')).toBeVisible()
  await expect.element(reserve.getByText('1 instance without a report')).toBeVisible()
  await expectClean()
})

test('a company without a battery and chargers has no such part, and one without bids no reserve', async () => {
  await open({ instances: [instance(1, 'site', 420)], chargers: null, soc: null, reserve: null })
  await expect.element(page.getByText('From the grid · Calculated')).toBeVisible()
  expect(texts()).toHaveLength(2)
  expect(page.getByRole('region', { name: 'Reserve now' }).elements()).toEqual([])
})

test('a value of some minutes has its age; after 15 minutes it is unknown and the total incomplete', async () => {
  await open({ ...full(), instances: [instance(1, 'site', 420, 5), instance(2, 'battery', -500, 20)], soc: null })
  await expect.element(page.getByText('Consumption · Stale, 5 min ago')).toBeVisible()
  expect(texts()).toEqual([
    'GridFrom the grid · Stale, 5 min ago · Incomplete431,0kW',
    'SiteConsumption · Stale, 5 min ago420,0kW',
    'BatteryUnknown · No report: Anlæg 2–',
    'ChargersConsumption · 1 charging11,0kW',
  ])
})

test('without any report the card says so; in Danish', async () => {
  await open({ instances: [], chargers: null, soc: null, reserve: [] }, 'da')
  await expect.element(page.getByText('Ingen effekt rapporteret endnu')).toBeVisible()
})

test('many chargers that report at once are one more request in three seconds', async () => {
  const { stream, tell } = openStream()
  tokenStore.set('gmp_energy')
  const reads = await open(full(), 'en', { 'GET /client/live': () => ({ stream }) })
  await expect.poll(() => liveStatus.get()).toBe('open')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  for (let i = 0; i < 20; i++) {
    tell('charger', {})
    await new Promise(requestAnimationFrame)
  }
  expect(reads()).toBe(2)
  await vi.advanceTimersByTimeAsync(3000)
  expect(reads()).toBe(3)
})
