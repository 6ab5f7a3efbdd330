import { type LiveActivation, runningEvents } from '@gridmast/contract/delivery/events.ts'
import { live } from '@gridmast/contract/live.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { closeLive } from '#lib/live.ts'
import { tokenStore } from '#lib/session.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { ActivationBanner } from './ActivationBanner.tsx'
import { aRunning } from './events.fixture.ts'

let running: unknown[]
let streams: { query: URLSearchParams; tell: (activation: LiveActivation) => void }[]
let reads: string[]

beforeEach(() => {
  running = []
  streams = []
  reads = []
  tokenStore.set('gmp_live')
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    const { pathname, searchParams } = new URL(new Request(url instanceof URL ? url.href : url).url)
    if (pathname !== `/api${live.path}`) {
      reads.push(pathname)
      return Response.json({ success: true, data: { running } })
    }
    const body = new ReadableStream({
      start: (to) => {
        streams.push({
          query: searchParams,
          tell: (activation) =>
            to.enqueue(new TextEncoder().encode(`event: activation\ndata: ${JSON.stringify(activation)}\n\n`)),
        })
        init?.signal?.addEventListener('abort', () => to.error(new Error('aborted')))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
})
afterEach(() => {
  closeLive()
  tokenStore.set(null)
})

const open = (market?: string) =>
  showAt(
    '/',
    <main>
      <h1>E3 Dashboard</h1>
      <ActivationBanner {...(market ? { market } : {})} />
    </main>,
  )
const banner = page.getByRole('region', { name: 'Activation in progress' })
const bannerText = () => banner.elements()[0]?.textContent
const tell = async (over: Partial<LiveActivation>) => {
  await expect.poll(() => streams.length).toBeGreaterThan(0)
  streams.at(-1)?.tell({ ...aRunning(), ended: false, ...over })
}

test('nothing without an activation; a live one appears, advances each second, and ends by itself; the tables are read again', async () => {
  await open()
  await expect.poll(() => reads).toEqual([`/api${runningEvents.path}`])
  expect(banner.elements()).toEqual([])
  await tell({ seconds: 12 })
  await expect
    .poll(bannerText)
    .toBe(
      'Activation in progressFCR-D-INC · Nordhavn Køl 1IncreasedSimulatedRequired 294,0 kWDelivered 261,3 kWScore so far 91,2Duration 0:12',
    )
  expect(streams[0]?.query.getAll('kinds')).toContain('activation')
  await expectClean()
  await tell({ seconds: 13, deliveredKw: 280, score: 92 })
  await expect.poll(bannerText).toContain('Delivered 280,0 kWScore so far 92,0Duration 0:13')
  await tell({ seconds: 60, requiredKw: 0 })
  await expect.poll(bannerText).toContain('Activation endingFCR-D-INC')
  await tell({ seconds: 69, ended: true })
  await expect.element(banner).not.toBeInTheDocument()
})

test('an activation from before the page was opened is shown at once, with dashes for unknown values', async () => {
  running = [aRunning({ requiredKw: null, deliveredKw: null, score: null, seconds: 75 })]
  await open()
  await expect.poll(bannerText).toContain('Required –Delivered –Score so far –Duration 1:15')
  await expect
    .element(banner.getByRole('link', { name: 'FCR-D-INC · Nordhavn Køl 1' }))
    .toHaveAttribute('href', `/demandResponse/FCR-D-INC?instance=${aRunning().instanceId}`)
})

test('a market shows its own activations only', async () => {
  await open('FFR')
  await tell({})
  await tell({ _id: '88888888-8888-4888-8888-888888888887', market: 'FFR', instanceName: 'Nordhavn Batteri' })
  await expect.poll(bannerText).toContain('FFR · Nordhavn Batteri')
  expect(bannerText()).not.toContain('FCR-D-INC')
})

test('a screen reader announces its beginning, not each second', async () => {
  await open()
  await tell({})
  const status = page.getByRole('status')
  await expect.element(status).toHaveTextContent('Activation in progress: FCR-D-INC Nordhavn Køl 1')
  const changes = vi.fn()
  new MutationObserver(changes).observe(status.element(), { subtree: true, childList: true, characterData: true })
  await tell({ seconds: 20 })
  await expect.poll(bannerText).toContain('Duration 0:20')
  expect(changes).not.toHaveBeenCalled()
})

test('more than three are counted', async () => {
  running = Array.from({ length: 6 }, (_, n) => aRunning({ _id: `88888888-8888-4888-8888-88888888888${n}` }))
  await open()
  await expect.element(banner.getByText('and 3 more')).toBeVisible()
  expect(banner.getByRole('listitem').elements()).toHaveLength(3)
})
