import { addDays, dayBounds, formatDate, hourMs, today } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { someSource } from '#testing/samples.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import CarbonEmission from './CarbonEmission.tsx'

const instance = '44444444-4444-4444-8444-444444444444'
const { fromMs } = dayBounds('2026-11-20')
const emission = {
  graph: [{ name: 'DK1', unit: 'g/kWh', kind: 'step', x: [fromMs, fromMs + 300_000], y: [90, 110] }],
  mean: 100,
  lowest: { at: new Date(fromMs).toISOString(), value: 90 },
  highest: { at: new Date(fromMs + 300_000).toISOString(), value: 110 },
  source: someSource('CO2Emis'),
}
const ownCarbon = {
  kwh: 1000,
  kgCo2: 120.5,
  coverage: 83.2,
  measured: 100,
  simulated: false,
  graph: [{ name: 'CO₂', unit: 'kg', kind: 'column', x: [fromMs, fromMs + hourMs], y: [60, 60.5] }],
  instances: [{ _id: instance, name: 'Fryselager', kwh: 1000, kgCo2: 120.5, measured: 100 }],
}
const answers = {
  'GET /client/data/carbon-emission': () => ({ data: emission }),
  'GET /client/data/carbon-emission/last-reported': () => ({ data: { carbon: { timestamp: '2026-11-20T17:10:00Z' } } }),
  'GET /client/data/carbon-emission/own': () => ({ data: ownCarbon }),
}
const at = (search = '', areas = ['DK2', 'DK1'], powerCost = someUser().customerId.powerCost) =>
  showAt(
    '/insights/carbonemission',
    <UserProvider value={someUser({ customerId: { areas, powerCost } })}>
      <CarbonEmission />
    </UserProvider>,
    'en',
    search,
  )
const date = () => page.getByRole('textbox', { name: 'Date' })

test('Emission: the first area of the customer is preselected, the date is yesterday', async () => {
  answerCalls(answers)
  await at()
  await expect.element(page.getByRole('combobox', { name: 'Area' })).toHaveValue('DK2')
  await expect.element(date()).toHaveValue(formatDate(addDays(today(Date.now()), -1)))
  await expect.element(page.getByText('Last Reported: 20.11.2026 18:10:00', { exact: false })).toBeVisible()
  await userEvent.click(page.getByRole('combobox', { name: 'Area' }))
  expect(
    page
      .getByRole('option')
      .elements()
      .map((option) => option.textContent),
  ).toEqual(['DK2', 'DK1'])
})

test('the area of the price signal of the company is the first one', async () => {
  answerCalls(answers)
  await at('', ['DK1', 'DK2'], [{ _id: 'dk2', name: 'DK2', area: 'DK2' }])
  await expect.element(page.getByRole('combobox', { name: 'Area' })).toHaveValue('DK2')
})

test('Emission Prognosis: the date is today; the date of the other tab does not apply', async () => {
  answerCalls(answers)
  const { router } = await at('?date=2026-11-20&area=DK1')
  await userEvent.click(page.getByRole('tab', { name: 'Emission Prognosis' }))
  await expect.poll(() => router.state.location.search).toEqual({ tab: 'prognosis', area: 'DK1' })
  await expect.element(date()).toHaveValue(formatDate(today(Date.now())))
  await expect.element(page.getByText('Estimated')).toBeVisible()
})

test('own emission with its coverage and each instance', async () => {
  answerCalls(answers)
  await at('?date=2026-11-20')
  await expect.element(page.getByText('83,2 % covered')).toBeVisible()
  await expect
    .element(page.getByText('The emission of 83,2 % of the consumption is known. The rest is not included.'))
    .toBeVisible()
  const table = page.getByRole('table', { name: 'Own emission by instance' })
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent('Fryselager1.000,0120,5')
})

test('a zoom of one chart is the zoom of the other, in the address; another day drops it', async () => {
  answerCalls(answers)
  const { router } = await at('?date=2026-11-20&zoom=2026-11-20T00:00:00Z/2026-11-20T12:00:00Z')
  const charts = page.getByRole('group', { name: /g\/kWh|kg/ })
  await expect.poll(() => page.getByRole('button', { name: 'Reset zoom' }).elements()).toHaveLength(2)
  ;(charts.first().element() as HTMLElement).focus() // a group is an HTML element
  await userEvent.keyboard('+')
  await expect
    .poll(() => router.state.location.search)
    .toEqual({ date: '2026-11-20', zoom: expect.not.stringContaining('T00:00:00Z') })
  await userEvent.click(page.getByRole('button', { name: 'Reset zoom' }).nth(1))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-20' })
  await expect.poll(() => page.getByRole('button', { name: 'Reset zoom' }).elements()).toHaveLength(0)
  await router.navigate({ to: '.', search: { date: '2026-11-20', zoom: '2026-11-20T00:00:00Z/2026-11-20T12:00:00Z' } })
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-19' })
})

test('a company without an area gets a message', async () => {
  answerCalls(answers)
  await at('', [])
  await expect.element(page.getByText('No price area')).toBeVisible()
})

test('a silent source makes the current day stale, not the days before it', async () => {
  const timestamp = new Date(Date.now() - 2 * hourMs).toISOString()
  answerCalls({
    ...answers,
    'GET /client/data/carbon-emission/last-reported': () => ({ data: { carbon: { timestamp } } }),
  })
  await at(`?date=${today(Date.now())}`)
  await expect.element(page.getByText(/Last report 2 h ago\./)).toBeVisible()
  await userEvent.fill(date(), '20.11.2025')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => page.getByText(/Last report 2 h ago\./).elements().length).toBe(0)
})

test('no consumption reported: the sums are unknown, not zero', async () => {
  const none = { ...ownCarbon, kwh: 0, kgCo2: 0, coverage: null, measured: 0, graph: [], instances: [] }
  answerCalls({ ...answers, 'GET /client/data/carbon-emission/own': () => ({ data: none }) })
  await at('?date=2026-11-20')
  await expect
    .poll(() => page.getByRole('region', { name: /^Own emission \(/ }).element().textContent)
    .toContain('Emission–Consumption–')
})

test('a range replaces the day for the emission and the own emission; a day drops it', async () => {
  answerCalls(answers)
  const { router } = await at('?date=2026-11-20&range=2026-11-18T23:00:00Z/2026-11-20T11:00:00Z')
  await expect.element(page.getByRole('button', { name: /^Time range: 19.11.2026 00:00/ })).toBeVisible()
  for (const path of ['carbon-emission', 'carbon-emission/own'])
    await expect
      .poll(() => fetched().find((url) => url.includes(`/data/${path}?`)))
      .toMatch(/start=2026-11-18T23%3A00%3A00.000Z&end=2026-11-20T11%3A00%3A00.000Z/)
  await userEvent.click(page.getByRole('button', { name: /^Time range: 19.11.2026 00:00/ }))
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '20.10.2026 00:00')
  await expect.element(page.getByText('At most 31 days')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-19' })
})

test('emissions of a day are not shown under the heading of a range from that day', async () => {
  const ofDay =
    (data: object) =>
    ({ query }: { query: Record<string, string> }) =>
      query['date'] ? { data } : new Promise<never>(() => {})
  answerCalls({
    ...answers,
    'GET /client/data/carbon-emission': ofDay(emission),
    'GET /client/data/carbon-emission/own': ofDay(ownCarbon),
  })
  const { router } = await at('?date=2026-11-20')
  const texts = () =>
    page
      .getByRole('region', { name: /^(Emission|Own emission) \(/ })
      .elements()
      .map(({ textContent }) => textContent)
  const range = '20.11.2026 00:00 – 21.11.2026 24:00'
  const figures = [expect.stringMatching(/100/), expect.stringContaining('120,5')]
  await expect.poll(texts).toEqual(figures)
  await router.navigate({ to: '.', search: { date: '2026-11-20', range: '2026-11-19T23:00:00Z/2026-11-21T23:00:00Z' } })
  await expect.poll(texts).toEqual([expect.stringContaining(range), expect.stringContaining(range)])
  for (const figure of figures) expect(texts()).not.toContainEqual(figure)
})

test('the emission is compared with its prognosis where one is stored, in the address', async () => {
  answerCalls(answers)
  const { router } = await at('?date=2026-11-20')
  await userEvent.click(page.getByRole('combobox', { name: 'Compare with' }))
  await userEvent.click(page.getByRole('option', { name: 'Emission Prognosis' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-20', compare: 'prognosis' })
  const legend = page.getByRole('region', { name: /^Emission \(g/ }).getByText('Emission prognosis')
  await expect.element(legend).toBeVisible()
  expect(fetched()).toContainEqual(expect.stringMatching(/carbon-emission\?.*type=future/))
})

test('no prognosis is offered for comparison where none was ever published', async () => {
  answerCalls({
    ...answers,
    'GET /client/data/carbon-emission/last-reported': () => ({ data: { carbon: { timestamp: null } } }),
  })
  await at('?date=2026-11-20&compare=prognosis')
  await expect.element(page.getByText('83,2 % covered')).toBeVisible()
  await expect.poll(() => page.getByRole('combobox', { name: 'Compare with' }).elements()).toEqual([])
  expect(fetched().filter((url) => /carbon-emission\?.*type=future/.test(url))).toEqual([])
})
