import { findEvents, type ActivationEvent } from '@gridmast/contract/delivery/events.ts'
import { addDays, formatDate, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, answerOnce, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { Events } from './Events.tsx'
import { aList, aLog, anEvent, batteri, instances, koel } from './events.fixture.ts'
import { type EventSearch, dateRangeOf, daysOf } from './filter.ts'

const list = `GET ${findEvents.path}`
const id = anEvent()._id

const user = someUser()

const Page = ({ market, first }: { market: string; first: EventSearch }) => {
  const [search, setSearch] = useState(first)
  return (
    <UserProvider value={user}>
      <main>
        {/* The top bar has it. */}
        <h1>{market}</h1>
        <Events
          of={{ market }}
          instances={instances}
          search={search}
          onSearch={(part) => setSearch((before) => ({ ...before, ...part }))}
        />
      </main>
    </UserProvider>
  )
}
const open = (first: EventSearch = {}, market = 'FCR-D-INC') => showAt('/', <Page market={market} first={first} />)

const table = page.getByRole('table', { name: /^Activation Events/ })
const heads = () =>
  table
    .getByRole('columnheader')
    .elements()
    .map((head) => head.firstChild?.firstChild?.textContent ?? head.textContent)
const cells = (row: number) =>
  [...table.getByRole('row').nth(row).element().querySelectorAll('td')].map((cell) => cell.textContent)
const requests = () => fetched().filter((path) => path.startsWith(`/api${findEvents.path}?`))
const lastQuery = () => Object.fromEntries(new URL(requests().at(-1) ?? '', location.origin).searchParams)

const some: ActivationEvent[] = [
  anEvent(),
  anEvent({
    _id: '88888888-8888-4888-8888-888888888883',
    direction: 'decreased',
    deltaLoad: 8.2,
    consumption: 0.41,
    isConsumptionEstimated: true,
    score: null,
    verdict: 'too small',
  }),
]

test('each row has direction, delta load, frequency, duration and consumption; the totals cover all rows', async () => {
  answerCalls({ [list]: () => ({ data: aList(some, { totalCount: 1013 }) }) })
  await open({ instance: batteri })
  await expect.element(page.getByRole('heading', { name: /^Activation Events \(Nordhavn Batteri\)/ })).toBeVisible()
  await expect.element(page.getByText('1.013 events · 89,07 kWh')).toBeVisible()
  expect(heads().slice(0, 8)).toEqual([
    'S.No',
    'Start time',
    'Direction',
    'Delta Load (%)',
    'Max frequency (Hz)',
    'Duration',
    'Consumption (kWh)',
    'Score',
  ])
  await expect
    .poll(() => cells(1).slice(0, 8))
    .toEqual(['1', '20.11.2026 14:59:58', 'Increased', '70,0', '49,62', '00:01:09', '13,65', 'Partly delivered 93,5'])
  expect(cells(2).slice(2, 8)).toEqual([
    'Decreased',
    '8,2',
    '49,62',
    '00:01:09',
    '0,41 Estimated Consumption',
    '– Too small to judge',
  ])
  for (const figure of ['Minimum duration0:09 min', 'Average duration2:07 min', 'Maximum duration12:04 min'])
    expect(document.body.textContent).toContain(figure)
  await expect.element(page.getByText('Simulated')).toBeVisible()
  await vi.waitFor(expectClean, 5000)
})

test('delta load is green when increased and red otherwise', async () => {
  answerCalls({ [list]: () => ({ data: aList(some) }) })
  await open()
  const deltaLoad = (text: string) =>
    table.getByRole('cell', { name: text, exact: true }).getByText(new RegExp(`^${text}`))
  await expect.element(deltaLoad('70,0')).toHaveStyle({ color: 'rgb(19, 101, 59)' })
  await expect.element(deltaLoad('8,2')).toHaveStyle({ color: 'rgb(180, 35, 24)' })
})

test('the hint of an estimated consumption is reachable by keyboard; so is the explanation of Max frequency', async () => {
  answerCalls({ [list]: () => ({ data: aList(some) }) })
  await open()
  const estimated = table.getByText(/^0,41/)
  await expect.element(estimated).toBeVisible()
  const focus = (element: Element) => (element as HTMLElement).focus() // both are spans
  await userEvent.keyboard('{Tab}')
  focus(estimated.element())
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Estimated Consumption')
  focus(table.getByText(/^Max frequency \(Hz\)/).element())
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Lowest for increased, highest for decreased.')
})

test('an unknown value is a dash; running, late and unmeasured events are marked', async () => {
  const running = anEvent({
    endTime: null,
    duration: null,
    consumption: null,
    maxFrequency: null,
    score: null,
    verdict: null,
    late: true,
    source: 'edge',
  })
  answerCalls({
    [list]: () => ({ data: aList([running], { minDuration: null, avgDuration: null, maxDuration: null }) }),
  })
  await open()
  await expect.element(table.getByText('Running')).toBeVisible()
  await expect.element(table.getByRole('img', { name: 'Late' })).toBeVisible()
  await expect.element(table.getByText('No telemetry')).toBeVisible()
  expect(cells(1).slice(5, 8)).toEqual(['–', '–', '–'])
  expect(cells(1)[8]).toContain('No telemetry')
  expect(document.body.textContent).toContain('Minimum duration–')
})

test('the filters are sent together, and no data of the previous answer is shown while they load', async () => {
  answerCalls({ [list]: answerOnce(aList(some)) })
  await open()
  await expect.element(table.getByText('13,65')).toBeVisible()
  const now = today(Date.now())
  const { start } = daysOf(undefined, now)
  expect(lastQuery()).toEqual({
    market: 'FCR-D-INC',
    startDate: start,
    endDate: now,
    leastDeltaLoad: '10',
    by: 'disturbance',
    limit: '30',
    skip: '0',
  })
  const choose = async (label: string, option: string) => {
    await userEvent.click(page.getByRole('combobox', { name: label }))
    await userEvent.click(page.getByRole('option', { name: option, exact: true }))
  }
  await choose('Direction', 'Increased')
  await choose('Percentage', 'From 60 %')
  await choose('Duration', '1–5 min')
  expect(requests()).toHaveLength(1)
  await userEvent.click(page.getByRole('button', { name: 'Submit' }))
  await expect.poll(() => requests().length).toBe(2)
  expect(lastQuery()).toMatchObject({ direction: 'increased', deltaLoad: '60', duration: '1-5' })
  expect(lastQuery()).not.toHaveProperty('leastDeltaLoad')
  await expect.element(table.getByText('13,65')).not.toBeInTheDocument()
  expect(document.body.textContent).toContain('Minimum duration–')
})

test('one row per disturbance: its sums, the lowest score, and its instances when it is opened; hidden rows are shown on demand', async () => {
  const first = anEvent({ capacityKw: 300, deltaLoad: 40, consumption: 3, score: 90, verdict: 'delivered' })
  const second = anEvent({
    _id: '88888888-8888-4888-8888-888888888899',
    instanceId: batteri,
    instanceName: 'Nordhavn Batteri',
    capacityKw: 100,
    deltaLoad: 60,
    consumption: 1.5,
    score: 55,
    verdict: 'not delivered',
  })
  const disturbances = [[first._id, second._id]]
  answerCalls({
    [list]: () => ({ data: aList([first, second], { disturbances, rowCount: 1, totalCount: 2, hiddenCount: 1234 }) }),
  })
  await open()
  await expect.element(page.getByText('1 disturbance · 2 events', { exact: false })).toBeVisible()
  const row = table.getByRole('row', { name: /2 instances/ })
  await expect.element(row).toMatchTextContent(/45,0/)
  await expect.element(row).toMatchTextContent(/4,50/)
  await expect.element(row).toMatchTextContent(/55,0/)
  expect(row.getByRole('button', { name: /^Data Log/ }).elements()).toEqual([])
  await userEvent.click(row.getByRole('button', { name: /^2 instances/ }))
  const parts = page.getByRole('table', { name: 'Instances' })
  await expect.element(parts.getByRole('row', { name: /Nordhavn Batteri/ })).toMatchTextContent(/60,0/)
  await expect.element(parts.getByRole('button', { name: /^Data Log/ }).first()).toBeVisible()
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: '1.234 below 10 % hidden' }))
  await expect.poll(() => lastQuery()).not.toHaveProperty('leastDeltaLoad')
})

test('a group is selected at the left: its name is in the title, and no data of other groups is shown', async () => {
  answerCalls({ [list]: answerOnce(aList(some)) })
  await open()
  await expect.element(page.getByRole('heading', { name: /^Activation Events \(All instances\)/ })).toBeVisible()
  expect(heads()).toContain('Instance')
  const groups = page.getByRole('navigation', { name: 'Group' })
  await userEvent.click(groups.getByRole('button', { name: /Nordhavn Batteri/ }))
  await expect.element(page.getByRole('heading', { name: /^Activation Events \(Nordhavn Batteri\)/ })).toBeVisible()
  await expect.element(table.getByText('13,65')).not.toBeInTheDocument()
  expect(lastQuery()).toMatchObject({ instanceId: batteri })
})

test('the group list shows the sold capacity of each group on the market', async () => {
  const soldNow = [{ _id: koel, product: 'FCR-D-INC', kw: 420 }]
  const data = { slots: [], instances: [], soldNow, simulated: false, lastReported: null }
  answerCalls({ [list]: () => ({ data: aList(some) }), 'GET /client/data/sold-capacity': () => ({ data }) })
  await open()
  const groups = page.getByRole('navigation', { name: 'Group' })
  await expect.element(groups.getByRole('button', { name: /Nordhavn Køl 1/ })).toMatchTextContent(/DK2 · 420,0 kW sold/)
  await expect.element(groups.getByRole('button', { name: /Nordhavn Batteri/ })).toMatchTextContent(/DK2 · Not sold/)
  await expectClean()
})

test('columns that are hidden at first are chosen in the settings', async () => {
  answerCalls({ [list]: () => ({ data: aList(some) }) })
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Columns of the table' }))
  const dialog = page.getByRole('dialog', { name: 'Columns of the table' })
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Capacity used (kW)' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Duration' }))
  await vi.waitFor(expectClean, 5000)
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
  const expected = ['Delta Load (%)', 'Max frequency (Hz)', 'Consumption (kWh)', 'Score', 'Capacity used (kW)']
  await expect.poll(() => heads().slice(-6, -1)).toEqual(expected)
  expect(cells(1)).toContain('420,0')
})

test('a market that is activated by a set point shows the largest set point', async () => {
  answerCalls({ [list]: () => ({ data: aList([anEvent({ maxSetPoint: 62.5, maxFrequency: null })]) }) })
  await open({}, 'aFRR')
  await expect.element(table.getByText('62,5')).toBeVisible()
  expect(heads()).toContain('Max Setpoint (%)')
})

test('an empty list names its days, and the filter as a possible reason', async () => {
  answerCalls({ [list]: () => ({ data: aList([], { totalConsumption: null }) }) })
  await open({ dateRange: '2026-11-14..2026-11-20' })
  await expect.element(page.getByText('No activation from 14.11.2026 to 20.11.2026.')).toBeVisible()
  await expect.element(page.getByText('0 events', { exact: true })).toBeVisible()
})

test('an empty list says that the history of its days may still be imported', async () => {
  answerCalls({
    [list]: () => ({ data: aList([], { totalConsumption: null }) }),
    'GET /client/customer/history': () => ({ data: { telemetry: 0.6, marketData: null } }),
  })
  await open({ dateRange: '2026-11-14..2026-11-20' })
  await expect
    .element(page.getByText('No activation from 14.11.2026 to 20.11.2026. History is still being imported.'))
    .toBeVisible()
})

test('a failed read shows its reason and is tried again', async () => {
  let fails = true
  answerCalls({ [list]: () => (fails ? { status: 403, message: 'Not allowed' } : { data: aList(some) }) })
  await open()
  await expect.element(page.getByRole('alert').getByText('The events could not be loaded.')).toBeVisible()
  fails = false
  await userEvent.click(page.getByRole('button', { name: 'Retry now' }))
  await expect.element(table.getByText('13,65')).toBeVisible()
})

const downloads: [RegExp, RegExp, string, RegExp | null][] = [
  [/^Export/, /Download Excel/, findEvents.path, /[?&]market=FCR-D-INC&.*direction=increased.*format=xlsx$/],
  [/^Download event/, /Download CSV/, `${findEvents.path}/${id}/export`, /format=csv$/],
]
test.each(downloads)('%s is a file of the server', async (button, item, path, query) => {
  answerCalls({
    [list]: () => ({ data: aList([anEvent()]) }),
    [`GET ${path}`]: () => ({ data: aList([anEvent()]) }),
  })
  await open({ direction: 'increased' })
  await userEvent.click(page.getByRole('button', { name: button }))
  await vi.waitFor(expectClean, 5000)
  await userEvent.click(page.getByRole('menuitem', { name: item }))
  await vi.waitFor(() => {
    const last = fetched().findLast((url) => url.includes('/event')) ?? ''
    expect(last.split('?')[0]).toBe(`/api${path}`)
    if (query) expect(last).toMatch(query)
    expect(last).not.toContain('limit')
  })
})

test('the command log lists command, device and time, and exports them', async () => {
  answerCalls({
    [list]: () => ({ data: aList([anEvent()]) }),
    [`GET ${findEvents.path}/${id}/command-log`]: () => ({
      data: {
        commandLog: [{ command: 'setPoint=70', deviceId: 'compressor-2', timestamp: '2026-11-20T13:59:59.000Z' }],
      },
    }),
  })
  await open()
  await userEvent.click(page.getByRole('button', { name: /^Command Log/ }))
  const dialog = page.getByRole('dialog', { name: 'Command Log' })
  await expect.element(dialog.getByRole('row').nth(1)).toHaveTextContent('120.11.2026 14:59:59compressor-2setPoint=70')
  await vi.waitFor(expectClean, 5000)
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
  await expect.poll(fetched).toContainEqual(expect.stringMatching(/command-log\?format=csv$/))
})

test('the control sheet names instance and days, and refuses more than its maximum', async () => {
  answerCalls({ [list]: () => ({ data: aList([anEvent()]) }) })
  await open({ instance: batteri })
  await userEvent.click(page.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Control sheet …' }))
  const dialog = page.getByRole('dialog', { name: 'Control sheet' })
  await expect.element(dialog.getByRole('combobox', { name: 'Instance' })).toHaveValue('Nordhavn Batteri')
  await vi.waitFor(expectClean, 5000)
  const download = dialog.getByRole('button', { name: 'Download' })
  const now = today(Date.now())
  const choose = async (days: number) => {
    await userEvent.click(dialog.getByRole('textbox', { name: 'Start and end date' }))
    const calendar = page.getByRole('dialog', { name: 'Start and end date' })
    await userEvent.fill(calendar.getByRole('textbox', { name: 'From' }), formatDate(addDays(now, 1 - days)))
    await userEvent.fill(calendar.getByRole('textbox', { name: 'To' }), formatDate(now))
    await userEvent.click(calendar.getByRole('button', { name: 'Apply' }))
  }
  await choose(13)
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('A file covers at most 12 days')
  await expect.element(download).toBeDisabled()
  await choose(12)
  await userEvent.click(download)
  await expect
    .poll(fetched)
    .toContainEqual(
      expect.stringMatching(
        new RegExp(`control-sheet\\?market=FCR-D-INC&instanceId=${batteri}&startDate=.*&endDate=.*&format=xlsx$`),
      ),
    )
})

test('the days of the address; the default seven are omitted', () => {
  expect(daysOf(undefined, '2026-11-20')).toEqual({ start: '2026-11-14', end: '2026-11-20' })
  expect(dateRangeOf({ start: '2026-11-14', end: '2026-11-20' }, '2026-11-20')).toBeUndefined()
  const days = { start: '2026-11-01', end: '2026-11-20' }
  expect(daysOf(dateRangeOf(days, '2026-11-20'), '2026-11-25')).toEqual(days)
})

test('the data log opens from its row, and the focus returns there', async () => {
  answerCalls({
    [list]: () => ({ data: aList([anEvent()]) }),
    [`GET ${findEvents.path}/${id}/data-log`]: () => ({ data: aLog() }),
  })
  await open()
  const button = page.getByRole('button', { name: /^Data Log/ })
  await userEvent.click(button)
  await expect.element(page.getByRole('dialog', { name: 'Data Log' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(button).toHaveFocus()
})
