import { dayBounds, hourMs, localDateOf } from '@gridmast/contract/time.ts'
import { cleanup } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { readyInstance, someCapacity, someSource } from '#testing/samples.ts'
import { showAt, watchShifts } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import Market from './Market.tsx'
import { marketSearch } from './search.ts'

afterEach(() => page.viewport(1440, 900))

const frequency = '33333333-3333-4333-8333-333333333333'
const continental = '33333333-3333-4333-8333-333333333334'
const instance = '44444444-4444-4444-8444-444444444444'
const second = '44444444-4444-4444-8444-444444444445'
const user = someUser({
  customerId: {
    areas: ['DK1', 'DK2'],
    biddingMarkets: ['FCR', 'FCR-D-INC', 'aFRR', 'FFR'],
    frequency: [
      { _id: frequency, name: 'DK2 · Nordic', area: 'DK2', instanceId: instance },
      { _id: continental, name: 'DK1 · Continental', area: 'DK1', instanceId: instance },
    ],
    instances: [
      { _id: instance, name: 'Esbjerg Varmepumpe', licenseId: 'l', market: ['aFRR', 'FFR'], area: 'DK1' },
      { _id: second, name: 'Nordhavn Batteri', licenseId: 'l', market: ['FFR'], area: 'DK2' },
    ],
    properties: {
      enableLineMin: true,
      lineMin: 49.9,
      enableLineMax: true,
      lineMax: 50.1,
      lowVisible: 49.8,
      highVisible: 50.2,
    },
  },
})
const start = dayBounds('2026-11-20').fromMs
const iso = (ms: number) => new Date(ms).toISOString()
const pricing = {
  graph: [],
  prices: [0, 1].map((hour) => ({
    start_time: iso(start + hour * hourMs),
    end_time: iso(start + (hour + 1) * hourMs),
    price: hour === 0 ? '100' : '50.5',
    priceEur: hour === 0 ? '13.4' : '6.77',
    volumeMw: '44',
    auction: 'Total',
  })),
  unit: 'DKK/MW',
  market: 'FCR-D-INC',
  area: 'DK2',
  basis: 'derived',
  exchange: null,
  lastReported: null,
  source: someSource('FcrNdDK2'),
}
const frequencies = {
  graph: [{ name: 'f', unit: 'Hz', kind: 'line', x: [start, start + 1000], y: [49.98, 50.02] }],
  lastReported: iso(start + 1000),
  source: null,
  simulated: false,
}
const capacity = (kw: number | null) =>
  someCapacity({
    graph: [
      { name: 'FFR', unit: 'kW', kind: 'line', x: [start, start + 10_000], y: [300, kw === null ? 300 : 300 + kw] },
    ],
    soldKw: 520,
  })

const answers = {
  'GET /client/live': () => ({ status: 403 }),
  'GET /client/data/event/running': () => ({ data: { running: [] } }),
  'GET /client/data/event': () => ({
    data: {
      events: [],
      totalCount: 0,
      minDuration: null,
      avgDuration: null,
      maxDuration: null,
      totalConsumption: null,
      hiddenCount: 0,
      disturbances: null,
      rowCount: 0,
      eventTypes: ['fcr_based'],
      startDate: '2026-11-14',
      endDate: '2026-11-20',
    },
  }),
  'GET /client/data/pricing/FCR-D-INC%3ADK2': () => ({ data: pricing }),
  'GET /client/data/pricing/FCR%3ADK1': () => ({ data: { ...pricing, market: 'FCR' } }),
  [`GET /client/data/frequency/${frequency}`]: () => ({ data: frequencies }),
  [`GET /client/data/frequency/${continental}`]: () => ({ data: frequencies }),
  'GET /client/data/set-point': () => ({
    data: { graph: [], instance: { _id: instance, name: 'Esbjerg Varmepumpe' }, simulated: false, lastReported: null },
  }),
  'GET /client/data/powercapacity': () => ({ status: 404, message: 'Not found' }),
  'GET /client/data/pricing/FFR%3ADK2': () => ({ data: { ...pricing, market: 'FFR' } }),
}
const at = (market: string, search = '') =>
  showAt(
    `/demandResponse/${market}`,
    <UserProvider value={user}>
      <Market />
    </UserProvider>,
    'en',
    search,
    '/demandResponse/$market',
  )

test('tabs Events, Market, Signal, Request Bid and Sold Capacity; changing the tab resets the other parameters, and back returns to them', async () => {
  answerCalls(answers)
  const { router } = await at('FCR-D-INC', '?tab=market&date=2026-11-20&priceType=D-1')
  await userEvent.click(page.getByRole('tab', { name: 'Signal' }))
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'signal' })
  expect(
    page
      .getByRole('tab')
      .elements()
      .map((tab) => tab.textContent),
  ).toEqual(['Events', 'Market', 'Signal', 'Request Bid', 'Sold Capacity (kW)'])
  router.history.back()
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'market', date: '2026-11-20', priceType: 'D-1' })
})

test('a market without requests has no Request Bid tab: its address leads to the first', async () => {
  answerCalls(answers)
  await at('DC-PLANNER', '?tab=requestBid')
  await expect.element(page.getByRole('tab', { name: 'Events' })).toHaveAttribute('aria-selected', 'true')
  expect(page.getByRole('tab', { name: 'Request Bid' }).elements()).toEqual([])
  await expect.element(page.getByRole('tab', { name: 'Sold Capacity (kW)' })).toBeVisible()
})

test('Events is the first tab: another tab omits its parameters from the address', async () => {
  answerCalls(answers)
  const { router } = await at('FFR', `?direction=increased&deltaLoad=60&duration=1-5&instance=${second}`)
  await expect.element(page.getByRole('heading', { name: /^Activation Events \(Nordhavn Batteri\)/ })).toBeVisible()
  expect(page.getByRole('combobox', { name: 'Percentage' }).element()).toHaveProperty('value', 'From 60 %')
  await userEvent.click(page.getByRole('navigation', { name: 'Group' }).getByRole('button', { name: 'All instances' }))
  await expect
    .poll(() => router.state.location.search)
    .toEqual({ direction: 'increased', deltaLoad: 60, duration: '1-5' })
  await userEvent.click(page.getByRole('tab', { name: 'Market' }))
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'market' })
})

test('prices of a day, with their euro and volume in the table', async () => {
  answerCalls(answers)
  await at('FCR-D-INC', '?tab=market&date=2026-11-20')
  const card = page.getByRole('region', { name: /^FCR-D-INC Pricing \(DKK\/MW\)/ })
  await expect.element(card.getByText('75,25')).toBeVisible()
  await userEvent.click(card.getByRole('button', { name: 'Show as table' }))
  await expect.element(card.getByRole('row').nth(1)).toHaveTextContent('20.11.2026 01:00:0050,506,7744,00')
})

test('a range replaces the day of the prices; a date ends it', async () => {
  answerCalls(answers)
  const { router } = await at(
    'FCR-D-INC',
    '?tab=market&date=2026-11-18&range=2026-11-18T23:00:00Z/2026-11-20T00:00:00Z',
  )
  const words = /^FCR-D-INC Pricing \(DKK\/MW\) 19.11.2026 00:00 – 20.11.2026 01:00/
  const card = page.getByRole('region', { name: words })
  await expect.element(card.getByText('100,00').first()).toBeVisible()
  // The second hour of the answer is after the range.
  await expect.element(card.getByText(/^Lowest 20.11. 00–\u206001/)).toBeVisible()
  const window = 'start=2026-11-18T23%3A00%3A00.000Z&end=2026-11-20T00%3A00%3A00.000Z'
  expect(fetched()).toContainEqual(expect.stringContaining(window))
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'market', date: '2026-11-17' })
})

test('prices of a day stay while its zoom loads, but not under the heading of a range from that day', async () => {
  answerCalls({
    ...answers,
    'GET /client/data/pricing/FCR-D-INC%3ADK2': ({ query }) =>
      query['date'] ? { data: pricing } : new Promise(() => {}),
  })
  const { router } = await at('FCR-D-INC', '?tab=market&date=2026-11-20')
  const card = page.getByRole('region', { name: /^FCR-D-INC Pricing/ })
  await expect.element(card.getByText('75,25')).toBeVisible()
  const search = { tab: 'market' as const, date: '2026-11-20' }
  await router.navigate({ to: '.', search: { ...search, zoom: '2026-11-19T23:00:00Z/2026-11-20T00:00:00Z' } })
  await expect.element(card.getByText('100,00').first()).toBeVisible()
  await router.navigate({ to: '.', search: { ...search, range: '2026-11-19T23:00:00Z/2026-11-21T23:00:00Z' } })
  await expect.element(card.getByText(/20.11.2026 00:00 – 21.11.2026 24:00/)).toBeVisible()
  expect(card.getByText(/75,25|100,00/).elements()).toEqual([])
})

test('a range of days fits on the smallest phone', async () => {
  await page.viewport(320, 640)
  answerCalls(answers)
  await at('FCR-D-INC', '?tab=market&range=2026-11-18T23:00:00Z/2026-11-20T00:00:00Z')
  const clear = page.getByRole('button', { name: 'Clear time range' })
  await expect.poll(() => clear.element().getBoundingClientRect().right).toBeLessThanOrEqual(320)
})

test('FFR without demand has no prices, not a price of zero', async () => {
  const zero = pricing.prices.map((slot) => ({ ...slot, price: '0', priceEur: '0', volumeMw: '0' }))
  answerCalls({ ...answers, 'GET /client/data/pricing/FFR%3ADK2': () => ({ data: { ...pricing, prices: zero } }) })
  await at('FFR', '?tab=market&date=2026-11-20')
  await expect.element(page.getByText('FFR was not bought in this period')).toBeVisible()
  expect(page.getByText('0,00').elements()).toEqual([])
})

test('the type is available for FCR-D markets only, and kept in the address', async () => {
  answerCalls(answers)
  const { router } = await at('FCR-D-INC', '?tab=market&date=2026-11-20')
  await userEvent.click(page.getByRole('combobox', { name: 'Type' }))
  expect(
    page
      .getByRole('option')
      .elements()
      .map((option) => option.textContent),
  ).toEqual(['Total', 'D-1', 'D-2'])
  await userEvent.click(page.getByRole('option', { name: 'D-2' }))
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'market', date: '2026-11-20', priceType: 'D-2' })
})

test('FCR has no type', async () => {
  answerCalls(answers)
  await at('FCR', '?tab=market&date=2026-11-20')
  await expect.element(page.getByRole('combobox', { name: 'Signal' })).toHaveValue('FCR DK1')
  expect(page.getByRole('combobox', { name: 'Type' }).elements()).toEqual([])
})

test('the default window of the frequency is the last 15 minutes; only a market that is activated by a set point has one', async () => {
  answerCalls(answers)
  await at('aFRR', '?tab=signal')
  await expect.element(page.getByRole('region', { name: /^Frequency \(Hz\)/ })).toBeVisible()
  await expect.element(page.getByRole('region', { name: /^Set Point \(%\)/ })).toBeVisible()
  const minutes = ['Start time', 'End time'].map((name) => {
    const field = page.getByRole('textbox', { name }).element() as HTMLInputElement // a text field
    const [hour, minute] = field.value.split(':').map(Number)
    return (hour ?? 0) * 60 + (minute ?? 0)
  })
  expect((minutes[1] ?? 0) - (minutes[0] ?? 0)).toBeLessThanOrEqual(15)
})

test('a market sold in both grids opens on the signal of its instance', async () => {
  answerCalls(answers)
  await at('aFRR', '?tab=signal')
  await expect.element(page.getByRole('combobox', { name: 'Signal' })).toHaveValue('DK1 · Continental')
})

test('a market that follows the frequency has no set point chart', async () => {
  answerCalls(answers)
  await at('FCR', '?tab=signal')
  await expect.element(page.getByRole('region', { name: /^Frequency \(Hz\)/ })).toBeVisible()
  expect(page.getByRole('region', { name: /^Set Point/ }).elements()).toEqual([])
})

test('reversed times are not sent; valid ones are kept in the address', async () => {
  answerCalls(answers)
  const { router } = await at('FCR', '?tab=signal&date=2026-11-20&startTime=10:00&endTime=10:15')
  const end = page.getByRole('textbox', { name: 'End time' })
  await userEvent.clear(end)
  await userEvent.type(end, '10:00')
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.element(page.getByText('Must be after the start')).toBeVisible()
  expect(router.state.location.search).toMatchObject({ endTime: '10:15' })
  await userEvent.clear(end)
  await userEvent.type(end, '10:01')
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.poll(() => router.state.location.search).toMatchObject({ startTime: '10:00', endTime: '10:01' })
})

test.each(['derived', 'dataset'])(
  'the page does not move while prices (%s), capacity and a running activation arrive on a phone',
  async (basis) => {
    await page.viewport(390, 844)
    const late = (data: unknown) => async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return { data }
    }
    answerCalls({
      ...answers,
      'GET /client/data/pricing/FFR%3ADK2': late({ ...pricing, market: 'FFR', basis }),
      'GET /client/data/powercapacity/sum': late(capacity(200)),
      'GET /client/data/event/running': late({
        running: [
          {
            _id: second,
            market: 'FFR',
            instanceId: second,
            instanceName: 'Nordhavn Batteri',
            direction: 'increased',
            startTime: iso(start),
            seconds: 12,
            deltaLoad: 70,
            requiredKw: 294,
            deliveredKw: 261,
            score: 91,
            capacityKw: 420,
            simulated: true,
          },
        ],
      }),
    })
    const shift = watchShifts()
    await at('FFR', '?tab=market&date=2026-11-20')
    await expect.element(page.getByRole('region', { name: 'Activation in progress' })).toBeVisible()
    await expect.element(page.getByText('75,25')).toBeVisible()
    await expect.element(page.getByText('Sold now 520,0 kW')).toBeVisible()
    expect(shift()).toBeLessThanOrEqual(0.02)
  },
)

test('auto refresh shows its countdown, requests a window that ends a minute ahead and shows it; the chart stays meanwhile', async () => {
  const path = `GET /client/data/frequency/${continental}`
  let isAnswered = true
  const requests = answerCalls({
    ...answers,
    [path]: () => (isAnswered ? { data: frequencies } : new Promise(() => {})),
  })
  const day = localDateOf(Date.now())
  await at('FCR', `?tab=signal&date=${day}&startTime=00:00&endTime=00:01`)
  const card = page.getByRole('region', { name: /^Frequency \(Hz\)/ })
  await expect.element(card.getByText('49,980Hz')).toBeVisible()
  const before = requests.length
  isAnswered = false
  await userEvent.click(page.getByRole('switch', { name: 'Auto refresh' }))
  await expect.element(page.getByText(/in (30|2\d) s/)).toBeVisible()
  await expect.poll(() => requests.length).toBeGreaterThan(before)
  await expect.element(page.getByRole('textbox', { name: 'End time' })).not.toHaveValue('00:01')
  await expect.element(card.getByText('49,980Hz')).toBeVisible()
})

test('valid parameters of the address are kept, others are dropped', () => {
  const all = {
    tab: 'signal',
    subTab: 'a',
    dateRange: '2026-11-14..2026-11-20',
    direction: 'increased',
    deltaLoad: 60,
    duration: '1-5',
    signal: 'FCR-D-INC:DK2',
    priceType: 'D-1',
    date: '2026-11-20',
    startTime: '00:00',
    endTime: '24:00',
    frequency,
    license: frequency,
    filter: 'current',
  }
  expect(marketSearch.parse(all)).toEqual(all)
  const wrong = {
    tab: 'bids',
    date: '2026-02-30',
    startTime: '24:01',
    frequency: 'x',
    other: 1,
    page: 0,
    dateRange: '2026-11-20..2026-11-14',
    direction: 'sideways',
    deltaLoad: 50,
    duration: '60',
  }
  expect(marketSearch.parse(wrong)).toEqual({})
})

test('the frequency opens on the grid of the market: FCR on the continental one, FCR-D on the Nordic one', async () => {
  answerCalls(answers)
  await at('FCR', '?tab=signal')
  await expect.element(page.getByRole('combobox', { name: 'Signal' })).toHaveValue('DK1 · Continental')
  cleanup()
  await at('FCR-D-INC', '?tab=signal')
  await expect.element(page.getByRole('combobox', { name: 'Signal' })).toHaveValue('DK2 · Nordic')
})

test('the capacity names its instance; the total can be selected, and a silent instance is named', async () => {
  const now = Date.now()
  const requests = answerCalls({
    ...answers,
    'GET /client/data/powercapacity/sum': () => ({
      data: {
        ...capacity(200),
        graph: [{ name: 'FFR', unit: 'kW', kind: 'line', x: [now - 10_000, now], y: [500, 505] }],
        instances: [
          readyInstance(instance, 'Esbjerg Varmepumpe', 505),
          readyInstance(second, 'Nordhavn Batteri', null),
        ],
      },
    }),
    'GET /client/data/powercapacity': () => ({
      data: { ...capacity(null), instance: { _id: second, name: 'Nordhavn Batteri' } },
    }),
  })
  const { router } = await at('FFR', '?tab=market')
  const card = page.getByRole('region', { name: 'FFR Power capacity' })
  await expect.element(card.getByText('505,0kW')).toBeVisible()
  await expect.element(card.getByText('Sold now 520,0 kW')).toBeVisible()
  await expect.element(card.getByText('Short 15,0 kW')).toBeVisible()
  await expect.element(card.getByText(/Sold now: required by won bids/)).toBeVisible()
  await expect.element(card.getByText('Silent for 15 min, not included: Nordhavn Batteri')).toBeVisible()
  await userEvent.click(card.getByRole('button', { name: 'All 2 instances, Choose an instance' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Nordhavn Batteri' }))
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'market', instance: second })
  await expect.element(card.getByRole('button', { name: 'Nordhavn Batteri, Choose an instance' })).toBeVisible()
  expect(requests.some(({ call }) => call === 'GET /client/data/powercapacity')).toBe(true)
  // Reported long ago: what it has now is unknown.
  await expect.element(card.getByText('–', { exact: true })).toBeVisible()
})
