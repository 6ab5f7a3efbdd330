import { m } from '@gridmast/contract/messages.ts'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeLive, liveStatus, useLive, useLiveResume } from './live.ts'
import { tokenStore } from './session.ts'

const [lab, store] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002']

type Opened = { query: string; tell: (event: string, data: unknown) => void; ended: () => boolean }
let opened: Opened[]

beforeEach(() => {
  opened = []
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    let tell: Opened['tell'] = () => {}
    const body = new ReadableStream({
      start: (to) => {
        tell = (event, data) =>
          to.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        init?.signal?.addEventListener('abort', () => to.error(new Error('aborted')))
      },
    })
    const ended = () => init?.signal?.aborted ?? false
    opened.push({
      query: new URL(new Request(url instanceof URL ? url.href : url).url).search.slice(1),
      tell: (...told) => tell(...told),
      ended,
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  tokenStore.set('gmp_live')
})
afterEach(() => {
  closeLive()
  tokenStore.set(null)
  vi.restoreAllMocks()
})

const Chart = ({
  of,
  onValue,
  onResume,
}: {
  of: string
  onValue: (y: number | null | undefined) => void
  onResume?: () => void
}) => {
  useLive(of, 'power', ({ y }) => onValue(y.at(-1)))
  useLiveResume(() => onResume?.())
  return null
}
const power = (instanceId: string, y: number) => ({ instanceId, signals: { power: { x: [1], y: [y] } } })

test('a tab requests the data of its charts; another chart gets a new stream, open before the old one ends', async () => {
  const [first, second] = [vi.fn(), vi.fn()]
  const page = render(<Chart of={lab} onValue={first} />)
  await expect.poll(() => opened.length).toBe(1)
  expect(opened[0]?.query).toBe(`instanceIds=${lab}&kinds=power&kinds=prices&kinds=alerts&kinds=activation`)
  opened[0]?.tell('readings', power(lab, 1))
  opened[0]?.tell('readings', power(store, 2))
  await expect.poll(() => first.mock.calls).toEqual([[1]])
  expect(liveStatus.get()).toBe('open')

  page.rerender(
    <>
      <Chart of={lab} onValue={first} />
      <Chart of={store} onValue={second} />
    </>,
  )
  await expect.poll(() => opened.length).toBe(2)
  expect(opened[1]?.query).toBe(
    `instanceIds=${lab}&instanceIds=${store}&kinds=power&kinds=prices&kinds=alerts&kinds=activation`,
  )
  await expect.poll(() => opened[0]?.ended()).toBe(true)
  expect(opened[1]?.ended()).toBe(false)
  opened[1]?.tell('readings', power(store, 3))
  await expect.poll(() => second.mock.calls).toEqual([[3]])
  expect(liveStatus.get()).toBe('open')
})

test('data that the server may have missed is read again', async () => {
  const onResume = vi.fn()
  render(<Chart of={lab} onValue={() => {}} onResume={onResume} />)
  await expect.poll(() => opened.length).toBe(1)
  expect(onResume).not.toHaveBeenCalled()
  opened[0]?.tell('resync', {})
  await expect.poll(() => onResume.mock.calls.length, { timeout: 5000 }).toBe(1)
})

test('one of 200 tabs has no stream while the others have all of its user, retries, and is live once there is room', async () => {
  const answer = vi.mocked(window.fetch).getMockImplementation()
  const times: number[] = []
  vi.mocked(window.fetch).mockImplementation(async (...request) => {
    times.push(performance.now())
    if (times.length > 2 && answer) return answer(...request)
    return Response.json({ success: false, message: m.tooManyStreams }, { status: 429 })
  })
  const value = vi.fn()
  render(<Chart of={lab} onValue={value} />)
  await expect.poll(() => times.length).toBe(1)
  expect(liveStatus.get()).toBe('connecting')
  await expect.poll(() => liveStatus.get(), { timeout: 10_000 }).toBe('open')
  expect(times).toHaveLength(3)
  const [first = 0, second = 0, third = 0] = times
  expect(second - first).toBeGreaterThan(700)
  expect(third - second).toBeGreaterThan(1400)
  opened[0]?.tell('readings', power(lab, 5))
  await expect.poll(() => value.mock.calls).toEqual([[5]])
})
