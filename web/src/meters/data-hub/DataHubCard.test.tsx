import { dataHubOverview } from '@gridmast/contract/meters/data-hub.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useUrlState } from '#lib/url-state.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { meterId, someDay, someTotals, sources } from './data-hub.fixture.ts'
import { DataHubOverview } from './DataHubOverview.tsx'
import { hubSearch } from './search.ts'

const date = '2026-11-19'
const day = someDay(date, { step: 'hour' })
const answer = {
  graph: day.graph,
  totals: someTotals(192),
  lastRead: '2026-11-20T23:00:00Z',
  sources,
  meters: [
    { id: meterId(1), name: 'Kølehal A', key: '31245807', totals: someTotals(96) },
    {
      id: meterId(2),
      name: 'Kølehal B',
      key: '31245807',
      totals: someTotals(96, { kwh: null, dkk: null, kgCo2: null, coverage: { read: 0, priced: 0, emission: 0 } }),
    },
  ],
}
const Overview = () => {
  const [search, onSearch] = useUrlState(hubSearch)
  return <DataHubOverview search={search} onSearch={onSearch} />
}
const open = (data: object, search = '') => {
  answerCalls({ [`GET ${dataHubOverview.path}`]: () => ({ data }) })
  const user = someUser({ customerId: { license: { dataHub: { enabled: true } } } })
  return showAt(
    '/e3-App/dataHub',
    <UserProvider value={user}>
      <main>
        <Overview />
      </main>
    </UserProvider>,
    'en',
    search,
  )
}
const requests = () => fetched().map((address) => Object.fromEntries(new URLSearchParams(address.split('?')[1])))
const zoomIn = async () => {
  const chart = page.getByRole('group', { name: /^Data Hub/ })
  await expect.element(chart).toBeVisible()
  ;(chart.element() as HTMLElement).focus() // a group is an HTML element
  await userEvent.keyboard('+')
}

test('all meters together as a chart of consumption and cost, and each with its sums; an unknown value is a dash', async () => {
  const { router } = await open(answer, `?date=${date}`)
  await expect.element(page.getByRole('region', { name: 'Data Hub 19.11.2026' })).toBeVisible()
  const rows = page.getByRole('table', { name: 'Meters' }).getByRole('row')
  await expect.element(rows.nth(1)).toHaveTextContent('Kølehal A31 24 58 074.874,84.798,64812,4100 % measured')
  await expect.element(rows.nth(2)).toHaveTextContent('Kølehal B31 24 58 07–––0 % measured, 100 % missing')
  await expectClean()
  await userEvent.click(page.getByRole('link', { name: 'Kølehal A' }))
  await expect.poll(() => router.state.location.href).toBe(`/insights/dataHub?device=${meterId(1)}`)
})

test('it starts with yesterday, and the month is requested when it is selected; the address has both', async () => {
  const { router } = await open(answer)
  const yesterday = addDays(today(Date.now()), -1)
  await expect.element(page.getByRole('button', { name: 'Next day' })).toBeDisabled()
  await userEvent.click(page.getByRole('radio', { name: 'Month' }))
  await expect.poll(() => requests().at(-1)).toEqual({ date: yesterday, view: 'month' })
  expect(requests()[0]).toEqual({ date: yesterday, view: 'day' })
  await expect
    .element(page.getByRole('region', { name: /^Data Hub / }).getByRole('button', { name: 'Download' }))
    .toHaveAttribute('data-export', `/client/data-hub/overview?date=${yesterday}&view=month`)
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: addDays(yesterday, -1), view: 'month' })
  await userEvent.click(page.getByRole('radio', { name: 'Day' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: addDays(yesterday, -1) })
})

test('a zoom is in the address, and another period drops it', async () => {
  const { router } = await open(answer, `?date=${date}`)
  await zoomIn()
  const reset = page.getByRole('button', { name: 'Reset zoom' })
  await expect.element(reset).toBeVisible()
  await expect.poll(() => router.state.location.search).toHaveProperty('zoom')
  await userEvent.click(page.getByRole('radio', { name: 'Month' }))
  await expect.element(page.getByRole('region', { name: 'Data Hub 11.2026' })).toBeVisible()
  await expect.element(reset).not.toBeInTheDocument()
  await expect.poll(() => router.state.location.search).toEqual({ date, view: 'month' })
})

test('a range replaces the period of the chart and the table; the same period returns, and the focus stays on it', async () => {
  const { router } = await open(answer, `?date=${date}&range=2026-11-18T23:00:00Z/2026-11-19T23:00:00Z`)
  await expect.element(page.getByRole('region', { name: 'Data Hub 19.11.2026 00:00–24:00' })).toBeVisible()
  expect(requests().filter(({ list }) => list === undefined)).toEqual([
    { start: '2026-11-18T23:00:00.000Z', end: '2026-11-19T23:00:00.000Z' },
  ])
  await zoomIn()
  await expect.poll(() => router.state.location.search).toHaveProperty('zoom')
  const day = page.getByRole('radio', { name: 'Day' })
  await expect.element(day).not.toBeChecked()
  await userEvent.click(day)
  await expect.poll(() => router.state.location.search).toEqual({ date })
  await expect.element(page.getByRole('region', { name: 'Data Hub 19.11.2026', exact: true })).toBeVisible()
  await expect.element(day).toBeChecked()
  await expect.element(day).toHaveFocus()
})

test('without an enabled meter it explains the next step', async () => {
  const none = someTotals(0, { kwh: null, dkk: null, kgCo2: null })
  await open({ ...answer, graph: [], meters: [], totals: none, lastRead: null })
  await expect.element(page.getByText('No meter is switched on')).toBeVisible()
  await expect.element(page.getByText('Last read: –')).toBeVisible()
})
