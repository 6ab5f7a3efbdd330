import { m } from '@gridmast/contract/messages.ts'
import { addDays, formatDate, hourMs, today } from '@gridmast/contract/time.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, answerOnce, fetched } from '#testing/answers.ts'
import { hourPrices, somePowerCost } from '#testing/samples.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import DayAhead from './DayAhead.tsx'

const dk2 = '11111111-1111-4111-8111-111111111111'
const dk1 = '22222222-2222-4222-8222-222222222222'

const powerCost = (date: string, prices: 'some' | 'none' = 'some') =>
  somePowerCost({ prices: prices === 'none' ? [] : hourPrices(date, (hour) => (hour < 4 ? -10 : 100.5)) })

const at = (search: string, who: Parameters<typeof someUser>[0] = {}, language: 'en' | 'da' = 'en') => {
  const user: User = someUser({
    ...who,
    customerId: {
      powerCost: [
        { _id: dk2, name: 'DK2', area: 'DK2' },
        { _id: dk1, name: 'DK1', area: 'DK1' },
      ],
    },
  })
  return showAt(
    '/insights/dayahead',
    <UserProvider value={user}>
      <DayAhead />
    </UserProvider>,
    language,
    search,
  )
}
const quiet = { 'GET /client/live': () => ({ status: 403 }) }
const prices = { ...quiet, 'GET /client/data/power-cost': () => ({ data: powerCost('2026-11-20') }) }

test('figures, bands and the tax in the table', async () => {
  answerCalls(prices)
  await at('?date=2026-11-20&resolution=hour')
  const card = page.getByRole('region', { name: /^Nordpool/ })
  await expect.element(card.getByText('(DKK/mW) Friday 20.11.2026 · 24 hours')).toBeVisible()
  await expect.element(card.getByText('00:00–04:00')).toBeVisible()
  await expect
    .element(page.getByRole('region', { name: 'Night 00–06' }))
    .toHaveTextContent('Night 00–0626,83Lowest −10,00Highest 100,50')
  await userEvent.click(card.getByRole('button', { name: 'Show as table' }))
  await expect.element(card.getByRole('row').nth(1)).toHaveTextContent('20.11.2026 23:00:00100,50119,00219,50')
})

test('in Danish an unreachable server has a Danish message', async () => {
  const message = 'Not available right now. Try again in a moment.'
  answerCalls({ ...quiet, 'GET /client/data/power-cost': () => ({ status: 409, message }) })
  await at('?date=2026-11-20', {}, 'da')
  await expect.element(page.getByText(/Ikke tilgængelig lige nu/)).toBeVisible()
})

test('more days are loading: no figure or report of the one day is shown', async () => {
  answerCalls({
    ...quiet,
    'GET /client/data/power-cost': answerOnce({ ...powerCost('2026-11-20'), lastReported: '2026-11-19T12:00:00Z' }),
  })
  const { router } = await at('?date=2026-11-20&resolution=hour')
  const lowest = page.getByText('00:00–04:00')
  await expect.element(lowest).toBeVisible()
  await expect.element(page.getByText(/^Last Reported: \d/)).toBeVisible()
  router.history.push(`${router.state.location.pathname}?date=2026-11-20&resolution=hour&days=3`)
  await expect.element(page.getByRole('region', { name: /20.11.2026 – 22.11.2026/ })).toBeVisible()
  await expect.element(lowest).not.toBeInTheDocument()
  await expect.element(page.getByText('26,83')).not.toBeInTheDocument()
  await expect.element(page.getByText('Last Reported: –')).toBeVisible()
})

test('one call for each day', async () => {
  const requests = answerCalls(prices)
  await at('?date=2026-11-20&days=3')
  await expect.poll(() => requests.filter(({ call }) => call.endsWith('/power-cost')).length).toBe(3)
})

test('several days are downloaded as one file', async () => {
  answerCalls(prices)
  await at('?date=2026-11-20&days=3')
  await userEvent.click(page.getByRole('button', { name: 'Download', exact: true }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
  const files = () => fetched().filter((address) => address.includes('format=csv'))
  await expect.poll(() => files().length).toBe(1)
  expect(files()[0]).toContain('date=2026-11-20&days=3')
})

test.each([
  ['3', false],
  ['4', true],
])('a span of %s days: the message is %s', async (days, refused) => {
  const requests = answerCalls(prices)
  await at(`?date=2026-11-20&days=${days}`)
  const message = page.getByText('Diffrence between start Date and End Date should not greater than 3 days')
  await expect.poll(() => message.elements().length > 0).toBe(refused)
  expect(requests.some(({ call }) => call.endsWith('/power-cost'))).toBe(!refused)
})

test('an unpublished day shows its expected publication', async () => {
  answerCalls({ ...quiet, 'GET /client/data/power-cost': () => ({ data: powerCost('2099-11-20', 'none') }) })
  await at('?date=2099-11-20')
  await expect.element(page.getByText('Not published yet, expected 19.11.2099 around 12:55')).toBeVisible()
})

test('an overdue day is marked as late', async () => {
  const date = today(Date.now())
  answerCalls({ ...quiet, 'GET /client/data/power-cost': () => ({ data: powerCost(date, 'none') }) })
  await at('')
  const words = `Prices are late. Prices for ${formatDate(date)} were expected ${formatDate(addDays(date, -1))} around 12:55.`
  await expect.element(page.getByRole('status')).toHaveTextContent(words)
})

test.each([
  ['today', 0, true],
  ['a past day', -60, false],
])('prices of %s that were read three days ago: stale is %s', async (_, days, isStale) => {
  const date = addDays(today(Date.now()), days)
  const lastReported = new Date(Date.now() - 3 * 24 * hourMs).toISOString()
  answerCalls({ ...quiet, 'GET /client/data/power-cost': () => ({ data: { ...powerCost(date), lastReported } }) })
  await at(`?date=${date}`)
  await expect.element(page.getByText(/^Last Reported: \d/)).toBeVisible()
  expect(page.getByText(/Last report 3 days ago\./).elements().length).toBe(isStale ? 1 : 0)
  expect(page.getByText(/· Stale, 3 days ago/).elements().length).toBe(isStale ? 1 : 0)
})

test('prices converted from EUR name their rate, and Energinet is not credited for data of others', async () => {
  const data = {
    ...powerCost('2026-11-20'),
    basis: 'derived',
    exchange: { dkkPerEur: '7.4604', day: '2026-11-19' },
    source: { name: 'ENTSO-E', dataset: 'A44', licence: null, simulated: false },
  }
  answerCalls({ ...quiet, 'GET /client/data/power-cost': () => ({ data }) })
  await at('?date=2026-11-20')
  await expect.element(page.getByText('1 EUR = 7,4604 DKK, 19.11.2026 · Source: ENTSO-E, A44')).toBeVisible()
})

test('Submit puts the selection into the address, defaults are omitted', async () => {
  answerCalls(prices)
  const { router } = await at('?date=2026-11-20')
  await userEvent.click(page.getByText('3', { exact: true }))
  expect(router.state.location.search).toEqual({ date: '2026-11-20' })
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-20', days: 3 })
})

test('another number of days drops the zoom of the day', async () => {
  answerCalls(prices)
  const { router } = await at('?date=2026-11-20&zoom=2026-11-20T00:00:00Z/2026-11-20T12:00:00Z')
  await userEvent.click(page.getByText('3', { exact: true }))
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-11-20', days: 3 })
})

test.each(['auditor', 'custom'] as const)('R2 a user with the role %s has no Update Tax', async (userRole) => {
  answerCalls(prices)
  await at('', { userRole })
  await expect.element(page.getByRole('button', { name: 'Download Price (Tax Included)' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Update Tax' }).elements()).toEqual([])
})

const openTax = async (answers: Parameters<typeof answerCalls>[0] = {}) => {
  const requests = answerCalls({ ...prices, ...answers })
  await at('', { userRole: 'expert' })
  await userEvent.click(page.getByRole('button', { name: 'Update Tax' }))
  const field = page.getByRole('textbox', { name: /Tax of DK2/ })
  await expect.element(field).toHaveValue('119')
  return { requests, field }
}

test.each([
  ['', m.required],
  ['-1', m.atLeast(0)],
])('R2 a tax of "%s" is refused under its field: %s', async (typed, message) => {
  const { requests, field } = await openTax()
  await userEvent.clear(field)
  if (typed) await userEvent.type(field, typed)
  await userEvent.click(page.getByRole('button', { name: 'Update', exact: true }))
  await expect.element(page.getByText(message)).toBeVisible()
  expect(requests.filter(({ call }) => call.startsWith('PATCH'))).toEqual([])
})

test('an invalid tax on another tab opens that tab', async () => {
  await openTax()
  await userEvent.click(page.getByRole('tab', { name: 'DK1' }))
  await userEvent.clear(page.getByRole('textbox', { name: /Tax of DK1/ }))
  await userEvent.click(page.getByRole('tab', { name: 'DK2' }))
  await userEvent.click(page.getByRole('button', { name: 'Update', exact: true }))
  await expect.element(page.getByText(m.required)).toBeVisible()
})

test('taxes are sent by price signal; zero is a tax; unsaved ones require a confirmation', async () => {
  const { requests, field } = await openTax({
    'PATCH /client/customer/update-tax': () => ({ message: m.updateSuccess }),
  })
  await userEvent.clear(field)
  await userEvent.type(field, '0')
  await userEvent.click(page.getByRole('dialog', { name: 'Update Tax' }).getByRole('button', { name: 'Close' }))
  await expect.element(page.getByText('Your changes have not been saved.')).toBeVisible()
  await userEvent.click(
    page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Keep editing' }),
  )
  await userEvent.click(page.getByRole('button', { name: 'Update', exact: true }))
  await expect
    .poll(() => requests.find(({ call }) => call.startsWith('PATCH'))?.body)
    .toEqual({ taxes: { [dk2]: 0, [dk1]: 119 } })
  await expect.poll(() => page.getByRole('dialog', { name: 'Update Tax' }).elements().length).toBe(0)
})

test('in Danish the words change, Nordpool stays', async () => {
  answerCalls(prices)
  await at('?date=2026-11-20&resolution=hour', {}, 'da')
  await expect.element(page.getByText('(DKK/mW) Fredag 20.11.2026 · 24 timer')).toBeVisible()
  await expect.element(page.getByText('Billigste 4 timer', { exact: false }).first()).toBeVisible()
})
