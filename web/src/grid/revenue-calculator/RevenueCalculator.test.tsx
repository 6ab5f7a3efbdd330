import { m } from '@gridmast/contract/messages.ts'
import { addMonths, localMonthOf } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, answerOnce } from '#testing/answers.ts'
import { someSource } from '#testing/samples.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import RevenueCalculator from './RevenueCalculator.tsx'

const days = Array.from({ length: 16 }, (_, i) => ({
  date: `2026-05-${String(i + 1).padStart(2, '0')}`,
  revenueDkk: '1234.5',
  revenueEuro: '165.5',
  coverage: i === 0 ? 0 : 100,
}))
const answer = {
  totalRevenueInDkk: '523412.1',
  totalRevenueInEuro: '70154.32',
  graphData: [],
  detailedRevenue: days,
  downloadData: [{ month: '2026-05', revenueDkk: '523412.1', revenueEuro: '70154.32', coverage: 93.8 }],
  coverage: 93.8,
  basis: {
    price: 'MW and block of 4 hours',
    auction: 'Total',
    dkk: 'rate of the day',
    dkkPerEur: { lowest: '7.4601', highest: '7.4745' },
    source: someSource('FcrDK1'),
  },
}
const at = (search = '') =>
  showAt(
    '/insights/revenuePotentialCalculator',
    <UserProvider value={someUser({ customerId: { areas: ['DK1', 'DK2'] } })}>
      <RevenueCalculator />
    </UserProvider>,
    'en',
    search,
  )
const answers = { 'GET /client/revenue-calculator': () => ({ data: answer }) }
const optionsOf = async (name: string) => {
  await userEvent.click(page.getByRole('combobox', { name }))
  return page
    .getByRole('option')
    .elements()
    .map((option) => option.textContent)
}

test('without exchange rates the foot of the chart begins with the source', async () => {
  answerCalls({
    'GET /client/revenue-calculator': () => ({
      data: { ...answer, basis: { ...answer.basis, dkk: 'dataset', dkkPerEur: null } },
    }),
  })
  await at()
  await expect.element(page.getByText(/^Source: .*FcrDK1/)).toBeVisible()
})

test('defaults: the last 6 months, 1 MW, DKK', async () => {
  answerCalls(answers)
  await at()
  const last = addMonths(localMonthOf(Date.now()), -1)
  const text = (month: string) => `${month.slice(5)}.${month.slice(0, 4)}`
  await expect.element(page.getByRole('textbox', { name: 'Start Month' })).toHaveValue(text(addMonths(last, -5)))
  await expect.element(page.getByRole('textbox', { name: 'End Month' })).toHaveValue(text(last))
  await expect.element(page.getByRole('textbox', { name: /Capacity/ })).toHaveValue('1')
  await expect.element(page.getByRole('combobox', { name: 'Select Currency' })).toHaveValue('DKK')
  expect(await optionsOf('Select Currency')).toEqual(['DKK', 'Euro'])
})

test('an area has its own markets, and another area takes its first one', async () => {
  answerCalls(answers)
  await at('?market=AFRR-DEC')
  expect(await optionsOf('Select Market')).toEqual(['FCR', 'AFRR-INC', 'AFRR-DEC'])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('combobox', { name: 'Select Area' }))
  await userEvent.click(page.getByRole('option', { name: 'DK2' }))
  await expect.element(page.getByRole('combobox', { name: 'Select Market' })).toHaveValue('FCR-D-INC')
  expect(await optionsOf('Select Market')).toEqual(['FCR-D-INC', 'FCR-D-DEC', 'FCR-D (LER)', 'AFRR-INC', 'AFRR-DEC'])
})

test('both totals, their basis, and 15 days a page; a day without a price has no sum', async () => {
  answerCalls(answers)
  await at()
  await expect
    .element(page.getByRole('region', { name: 'Revenue in DKK' }))
    .toHaveTextContent('Revenue in DKK523.412,10DKK')
  await expect
    .element(page.getByRole('region', { name: 'Revenue in euro' }))
    .toHaveTextContent('Revenue in euro70.154,32EUR')
  await expect
    .element(page.getByText('Price per MW per 4-hour block · auction: Total · DKK at each day’s exchange rate'))
    .toBeVisible()
  const table = page.getByRole('table', { name: 'Revenue Summary' })
  await expect.poll(() => table.getByRole('row').elements().length).toBe(16)
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent('01.05.2026––0 %')
})

test('the page does not move when the revenue arrives: the markets of an asset wait for the days', async () => {
  const revenue = Promise.withResolvers<void>()
  answerCalls({
    'GET /client/revenue-calculator': async () => {
      await revenue.promise
      return { data: answer }
    },
  })
  await at()
  const markets = page.getByRole('region', { name: 'Which markets can my asset join?' })
  await expect.element(page.getByRole('region', { name: 'Revenue Summary' })).toBeVisible()
  await expect.element(markets).not.toBeInTheDocument()
  const chart = page.getByRole('region', { name: 'Revenue by month (DKK)' })
  const { top } = chart.element().getBoundingClientRect()
  revenue.resolve()
  await expect.element(markets).toBeVisible()
  expect(chart.element().getBoundingClientRect().top).toBe(top)
})

test.each([
  ['0', m.positive],
  ['', m.required],
  ['x', m.number],
  ['10000,1', m.atMost(10_000)],
])('a capacity of "%s" is refused: %s', async (typed, message) => {
  answerCalls(answers)
  const { router } = await at()
  const capacity = page.getByRole('textbox', { name: /Capacity/ })
  await userEvent.clear(capacity)
  if (typed) await userEvent.type(capacity, typed)
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.element(page.getByText(message)).toBeVisible()
  expect(router.state.location.search).toEqual({})
})

test('Submit keeps the request in the address', async () => {
  answerCalls(answers)
  const { router } = await at()
  const capacity = page.getByRole('textbox', { name: /Capacity/ })
  await userEvent.clear(capacity)
  await userEvent.type(capacity, '2,5')
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.poll(() => router.state.location.search).toEqual({ capacity: 2.5 })
  await expect.element(page.getByRole('textbox', { name: /Capacity/ })).toHaveValue('2,5')
})

test('no prices: no export, and the chart shows the reason', async () => {
  const none = { ...answer, detailedRevenue: [], downloadData: [], coverage: 0 }
  answerCalls({ 'GET /client/revenue-calculator': () => ({ data: none }) })
  await at()
  await expect.element(page.getByText('No prices for this market in these months')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeDisabled()
})

test('the export menu has months and days', async () => {
  answerCalls(answers)
  await at()
  await userEvent.click(page.getByRole('button', { name: 'Export' }))
  expect(
    page
      .getByRole('menuitem')
      .elements()
      .map((item) => item.textContent),
  ).toEqual(['Months', 'Days'])
})

test('another capacity is loading: no revenue of the previous one is shown', async () => {
  const requests = answerCalls({ 'GET /client/revenue-calculator': answerOnce(answer) })
  await at()
  const total = page.getByText('523.412,10DKK')
  await expect.element(total.first()).toBeVisible()
  await userEvent.fill(page.getByRole('textbox', { name: /Capacity/ }), '2')
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.poll(() => requests.length).toBe(2)
  await expect.element(total).not.toBeInTheDocument()
  await expect.element(page.getByText('93,8%')).not.toBeInTheDocument()
})
