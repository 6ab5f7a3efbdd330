import { addDays, atLocalTime, minuteMs, today } from '@gridmast/contract/time.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import type { WallShow } from '@gridmast/contract/people/wall.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serverAheadMs } from '#lib/clock.ts'
import { tokenStore } from '#lib/session.ts'
import { answerCalls, openStream } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { hourPrices, somePowerCost } from '#testing/samples.ts'
import { someUser } from '#testing/user.ts'
import Wall from './Wall.tsx'

const instance = '44444444-4444-4444-8444-444444444444'
const signal = '55555555-5555-4555-8555-555555555555'
const nowMs = Date.now()
const frequency = {
  graph: [
    {
      name: 'Frequency',
      unit: 'Hz',
      kind: 'line',
      x: [40, 20, 5].map((minutes) => nowMs - minutes * minuteMs),
      y: [49.7, 49.95, 50.05],
    },
  ],
  lastReported: null,
  source: { name: 'Fingrid', dataset: '177', licence: null, simulated: false, area: 'Finland' },
  simulated: false,
}
const userWith = (powerCost: User['customerId']['powerCost'] = []) =>
  someUser({
    name: 'Control room',
    email: '',
    customerId: {
      powerCost,
      frequency: [{ _id: signal, name: 'DK2', area: 'DK2', instanceId: instance }],
      instances: [{ _id: instance, name: 'Køl 1', licenseId: instance, market: [], area: 'DK2' }],
    },
  })
afterEach(() => {
  tokenStore.set(null)
  serverAheadMs.set(0)
})

const risk = {
  product: 'FCR-D up',
  market: 'FCR-D',
  start: '2026-11-20T12:00:00Z',
  end: '2026-11-20T13:00:00Z',
  state: 'short',
  soldKw: 800,
  expectedKw: 500,
  usualErrorKw: 20,
  shortKw: 300,
  lossEur: null,
  atStakeEur: null,
  groupId: instance,
  groupName: 'Køl 1',
  raisedAt: '2026-11-20T11:00:00Z',
  spare: [],
}
const noRisks = { risks: [] as (typeof risk)[], soldCount: 6, unknownCount: 0 }

let stream = openStream()
let router: Awaited<ReturnType<typeof showAt>>['router']
const open = async (
  search = '',
  wall: { wall?: string; wallShow?: WallShow } = { wall: 'Control room' },
  risks = noRisks,
  user = userWith(),
  reload = () => {},
) => {
  stream = openStream()
  answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null, ...wall } }),
    'GET /client/live': () => ({ stream: stream.stream }),
    'GET /client/data/event/running': () => ({ data: { running: [] } }),
    'GET /client/alert/fault': () => ({ data: { faults: [] } }),
    'GET /client/data/sold-capacity/risk': () => ({
      data: { ...risks, support: { name: '', phone: null, email: '' } },
    }),
    [`GET /client/data/frequency/${signal}`]: () => ({ data: frequency }),
    'GET /client/data/power-cost': ({ query }) => ({
      data: somePowerCost({ prices: hourPrices(query['date'] ?? '', (hour) => (hour % 2) * 300 + 300) }),
    }),
    'GET /client/data/energy-now': () => ({
      data: {
        instances: [
          {
            _id: instance,
            name: 'Køl 1',
            part: 'site',
            kw: 1234.4,
            lastReported: new Date().toISOString(),
            simulated: true,
          },
        ],
        chargers: null,
        soc: null,
        reserve: [{ direction: 'up', soldKw: 800, heldKw: 750, silent: 0 }],
      },
    }),
  })
  tokenStore.set('gmw_x')
  router = (await showAt('/wall', <Wall reload={reload} />, 'en', search)).router
}
const card = (name: string) => page.getByRole('region', { name })

test('cards by the keyboard; a wall screen has its name and no way into the portal', async () => {
  await open()
  await expect.element(card('Energy now')).toBeVisible()
  await expect.poll(() => card('Energy now').element().textContent).toContain('1.234kWFrom the grid')
  await expect.element(page.getByText('Nordhavn Frost A/S · Control room')).toBeVisible()
  expect(page.getByRole('link').elements()).toEqual([])
  await expectClean()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(card('Reserve now').getByText('of 800,0 kW sold')).toBeVisible()
  await expect.element(card('Reserve now').getByText('6 sold slots ahead, none at risk')).toBeVisible()
  expect(card('Reserve now').element().innerHTML).toContain('circle-check')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}')
  await expect.element(card('Faults and alerts').getByText('Nothing is open')).toBeVisible()
})

test('frequency: the bounds are of the last 30 minutes, and a public measurement is named', async () => {
  await open('?cards=frequency')
  const text = () => card('Frequency · DK2').element().textContent
  await expect.element(card('Frequency · DK2').getByText('Public measurement, Finland: Fingrid, 177')).toBeVisible()
  await expect.poll(text).toContain('Deviation from 50 Hz+50mHzLowest, 30 min49,950HzHighest, 30 min50,050Hz')
  expect(card('Frequency · DK2').element().querySelectorAll('[data-stale]')).toHaveLength(4)
})

test.each([
  [{ ...noRisks, unknownCount: 2 }, '4 sold slots ahead, none at risk', 'Sold slots without a forecast: 2'],
  [{ ...noRisks, unknownCount: 6 }, '', 'Sold slots without a forecast: 6'],
  [{ ...noRisks, risks: [risk], unknownCount: 2 }, '1 of 6 sold slots at risk', 'Sold slots without a forecast: 2'],
])('slots without a forecast are not counted as safe: %#', async (risks, counted, unknown) => {
  await open('?cards=reserve', undefined, risks)
  await expect.element(card('Reserve now').getByText(unknown)).toBeVisible()
  const { textContent, innerHTML } = card('Reserve now').element()
  expect(textContent).toContain(`${counted}${unknown}`)
  expect(textContent.includes('none at risk')).toBe(counted.includes('none at risk'))
  expect(innerHTML).not.toContain('circle-check')
})

test('a wake lock released by the system is requested again, but not after a refusal', async () => {
  const locks: WakeLockSentinel[] = []
  const request = vi.spyOn(navigator.wakeLock, 'request').mockImplementation(async () => {
    if (locks.length === 2) throw new DOMException('low battery', 'NotAllowedError')
    const lock = Object.assign(new EventTarget(), { released: false, type: 'screen', release: async () => {} })
    locks.push(lock as never)
    return lock as never
  })
  const releaseNewest = () => {
    const lock = locks.at(-1)
    Object.assign(lock ?? {}, { released: true })
    lock?.dispatchEvent(new Event('release'))
  }
  await open()
  await expect.poll(() => locks.length).toBe(1)
  releaseNewest()
  await expect.poll(() => locks.length, { timeout: 3000 }).toBe(2)
  releaseNewest()
  await expect.element(page.getByText('This device may turn its screen off.')).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(request).toHaveBeenCalledTimes(3)
})

test('the address chooses cards; an own session has the way to a wall screen', async () => {
  await open('?cards=alerts,nothing&seconds=5', {})
  await expect.element(card('Faults and alerts')).toBeVisible()
  expect(page.getByRole('region').elements()).toHaveLength(1)
  await expect.element(page.getByRole('link', { name: 'Make a wall screen without your sign-in' })).toBeVisible()
})

test('a session that ends leaves one sentence and no data', async () => {
  await open()
  await expect.element(card('Energy now')).toBeVisible()
  tokenStore.set(null)
  await expect.element(page.getByText('This screen is signed out and shows no data.')).toBeVisible()
  expect(document.body.textContent).not.toMatch(/Control room|Nordhavn|1\.234/)
})

test('price: the columns of the next hours are as high as their prices', async () => {
  await open('?cards=price', undefined, undefined, userWith([{ _id: signal, name: 'DK2', area: 'DK2' }]))
  const columns = card('Power cost · DK2').getByRole('listitem')
  await expect.element(columns.first()).toBeVisible()
  const heightOf = (n: number) => columns.elements()[n]?.querySelector('i')?.getBoundingClientRect().height ?? 0
  const [first, second] = [heightOf(1), heightOf(2)].toSorted((a, b) => a - b)
  expect((second ?? 0) / (first ?? 1)).toBeCloseTo(2, 1)
})

const other = '66666666-6666-4666-8666-666666666666'
const twoPrices = userWith([
  { _id: signal, name: 'DK2', area: 'DK2' },
  { _id: other, name: 'DK1', area: 'DK1' },
])

test('the cards of the link are shown in their order, with each area, and follow a change at once', async () => {
  const wall: { wall: string; wallShow: WallShow } = {
    wall: 'Control room',
    wallShow: {
      cards: [
        { card: 'price', priceSignalId: other },
        { card: 'price', priceSignalId: signal },
        { card: 'frequency', frequencyId: other }, // a signal that is gone
      ],
      seconds: 3600,
    },
  }
  await open('', wall, undefined, twoPrices)
  await expect.element(card('Power cost · DK1')).toBeVisible()
  expect(page.getByRole('button', { name: /^Card/ }).elements()).toHaveLength(2)
  await userEvent.click(page.getByRole('button', { name: 'Next card' }))
  await expect.element(card('Power cost · DK2')).toBeVisible()
  wall.wallShow = { cards: [{ card: 'alerts' }], seconds: 10 }
  stream.tell('profile', {})
  await expect.element(card('Faults and alerts')).toBeVisible()
  expect(page.getByRole('button', { name: /^Card/ }).elements()).toHaveLength(1)
})

test('a new release is loaded at night, also on a screen that is stopped on a card, which stays', async () => {
  const reload = vi.fn<() => void>()
  await open('', undefined, undefined, undefined, reload)
  await expect.element(card('Energy now')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Next card' }))
  await userEvent.click(page.getByRole('button', { name: 'Stop on this card' }))
  await expect.element(page.getByText('Stopped on this card')).toBeVisible()
  expect(router.state.location.search).toEqual({ stopped: `frequency${signal}` })
  expect(reload).not.toHaveBeenCalled()
  const nightMs = atLocalTime(addDays(today(nowMs), 1), '03:00')
  serverAheadMs.set(nightMs - Date.now() - 5 * minuteMs)
  await expect.poll(() => page.getByRole('timer').element().textContent).toMatch(/02:5\d/)
  expect(reload).not.toHaveBeenCalled()
  serverAheadMs.set(nightMs - Date.now() + minuteMs)
  await expect.poll(() => reload.mock.calls.length).toBe(1)
})

test('a screen that was stopped on a card is stopped on it after a reload', async () => {
  await open('?stopped=reserve')
  await expect.element(card('Reserve now')).toBeVisible()
  await expect.element(page.getByText('Stopped on this card')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Previous card' }))
  await expect.element(card('Frequency · DK2')).toBeVisible()
  await expect.element(page.getByText('Stopped on this card')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Rotate the cards' }))
  await expect.element(page.getByText('Stopped on this card')).not.toBeInTheDocument()
  await expect.element(card('Frequency · DK2')).toBeVisible()
})
