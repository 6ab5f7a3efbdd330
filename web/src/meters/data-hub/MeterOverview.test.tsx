import type { Data } from '@gridmast/contract/call.ts'
import {
  dearestHours,
  downloadMeters,
  meterFormula,
  meterGraph,
  type Quality,
} from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, dayBounds, formatDate, hourMs, today } from '@gridmast/contract/time.ts'
import { cleanup } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { meterId, priceSignal, someDay, someMeter, someTotals, sources } from './data-hub.fixture.ts'
import { MeterOverview } from './MeterOverview.tsx'
import type { HubSearch } from './search.ts'

const date = '2026-11-19'
const dk1 = '22222222-2222-4222-8222-222222222222'
const { fromMs } = dayBounds(date)
const iso = (ms: number) => new Date(ms).toISOString()
const path = (call: { method: string; path: string }) => `${call.method} ${call.path.replace('{meterId}', meterId(1))}`

const dearest = {
  hours: [
    {
      from: iso(fromMs + 17 * hourMs),
      to: iso(fromMs + 18 * hourMs),
      kwh: '210.200',
      dkk: '241.79',
      dkkPerMwh: '1150.29',
      savedDkk: '150.30',
      cheapest: { from: iso(fromMs + 3 * hourMs), dkkPerMwh: '435.25' },
    },
  ],
  savedDkk: '150.30',
  totals: someTotals(96),
}
const part = (name: string, dkkPerMwh: string, dkk: string, source: object | null) => ({
  part: name,
  dkkPerMwh,
  dkk,
  source,
  prices:
    name === 'spot'
      ? ['878.40', '884.40'].map((price, i) => ({
          from: iso(fromMs + i * 900_000),
          to: iso(fromMs + (i + 1) * 900_000),
          dkkPerMwh: price,
          fetchedAt: '2026-11-18T11:55:00Z',
        }))
      : [],
})
const formula = {
  from: iso(fromMs),
  to: iso(fromMs + hourMs),
  kwh: '169.800',
  quality: 'measured',
  version: 2,
  readAt: '2026-11-20T06:31:00Z',
  dkk: '169.86',
  unknown: null,
  readings: sources.readings,
  parts: [
    part('spot', '881.4', '149.66172', sources.spot),
    part('tariff', '0', '0', null),
    part('tax', '119', '20.2062', null),
  ],
}

const searched: Partial<HubSearch>[] = []
beforeEach(() => void searched.splice(0))

const open = async (
  data: object,
  search: HubSearch = { date },
  over: { dearest?: object; formula?: object; address?: string } = {},
) => {
  const requests = answerCalls({
    [path(meterGraph)]: () => ({ data }),
    [path(dearestHours)]: () => ({ data: { ...dearest, ...over.dearest } }),
    [path(meterFormula)]: () => ({ data: { ...formula, ...over.formula } }),
    [path(downloadMeters)]: () => ({ data: { devices: [] } }),
  })
  await draw(search, over.address)
  return requests
}

const draw = (search: HubSearch = { date }, address = '') => {
  const powerCost = [
    { _id: priceSignal, name: 'DK2', area: 'DK2' },
    { _id: dk1, name: 'DK1', area: 'DK1' },
  ]
  return showAt(
    '/insights/dataHub',
    <UserProvider value={someUser({ customerId: { powerCost } })}>
      <main>
        <MeterOverview
          meter={someMeter(1, 'Kølehal A')}
          search={search}
          onSearch={(change) => searched.push(change)}
          onDownload={() => {}}
        />
      </main>
    </UserProvider>,
    'en',
    address,
  )
}
const chart = () => page.getByRole('region', { name: /^Kølehal A / })
const dialog = (name: string) => page.getByRole('dialog', { name })
const contains = (whole: Locator, text: string) =>
  expect.poll(() => whole.elements()[0]?.textContent, { message: text }).toContain(text)
const graphsAsked = () =>
  fetched()
    .filter((address) => address.startsWith(`/api${path(meterGraph).slice(4)}?`))
    .map((address) => Object.fromEntries(new URLSearchParams(address.split('?')[1])))

test('a day: sums, average price, price signal and tax, last read, and the measured share', async () => {
  await open(someDay(date))
  for (const text of ['4.874,8kWh', '4.798,64DKK', '0,984DKK/kWh', '812,4kg CO₂', 'Price signalDK2', '119Kr/mwh'])
    await contains(chart(), text)
  await expect.element(chart().getByText('Last read: 21.11.2026 00:00:00')).toBeVisible()
  await expect.element(chart().getByText('96 of 96 quarters measured')).toBeVisible()
  expect(chart().getByText('Incomplete').elements()).toEqual([])
  await expectClean()
})

test('an hourly day of a meter that now reports quarters has hours', async () => {
  const totals = someTotals(24, { coverage: { read: 23, priced: 23 } })
  await open(someDay(date, { step: 'hour', totals, meter: someMeter(1, 'Kølehal A') }))
  await expect.element(chart().getByText('23 of 24 hours measured, 1 missing')).toBeVisible()
})

test('without a date it is yesterday, the newest day with readings', async () => {
  await open(someDay(date), {})
  const yesterday = addDays(today(Date.now()), -1)
  await expect.element(page.getByRole('textbox', { name: 'Date' })).toHaveValue(formatDate(yesterday))
  expect(graphsAsked()).toEqual([{ date: yesterday, view: 'day' }])
  await expect.element(page.getByRole('button', { name: 'Next day' })).toBeDisabled()
})

test('a gap and an estimate are distinct, in the words of the chart and in the table; neither is 0', async () => {
  const quality = (i: number) => (i === 12 ? 'missing' : i === 13 ? 'estimated' : 'measured')
  const totals = someTotals(96, { coverage: { read: 95, estimated: 1, priced: 95 } })
  await open(someDay(date, { quality, totals }))
  await expect.element(chart().getByText('94 of 96 quarters measured, 1 estimated, 1 missing')).toBeVisible()
  await expect.element(chart().getByText('Incomplete')).toBeVisible()
  await expect.element(chart().getByText('Estimated')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Readings' }).getByRole('row')
  await expect.element(rows.nth(13)).toHaveTextContent('03:00–03:15–Missing–')
  await expect.element(rows.nth(14)).toHaveTextContent('03:15–03:3014,000Estimated14,0000')
})

test('no readings: an unknown value is a dash everywhere, and the chart shows the reason', async () => {
  const totals = someTotals(96, { kwh: null, dkk: null, kgCo2: null, coverage: { read: 0, priced: 0, emission: 0 } })
  await open(someDay(date, { quality: () => 'missing', totals, lastRead: null }), { date }, { dearest: { hours: [] } })
  await expect.element(chart().getByText('No readings in this period')).toBeVisible()
  await expect.element(chart().getByText('Last read: –')).toBeVisible()
  await expect.element(page.getByText('No hour has both readings and prices.')).toBeVisible()
  for (const name of ['Consumption', 'Average price', 'Emission'])
    expect(chart().getByText(name, { exact: true }).first().element().parentElement?.textContent).toContain('–')
})

test('readings without a price: the cost states how many readings it covers, and there is no average', async () => {
  await open(someDay(date, { totals: someTotals(96, { coverage: { priced: 72 } }) }))
  await expect.element(chart().getByText('25 % of the readings have no price and no cost.')).toBeVisible()
  await contains(chart(), '4.798,64DKK')
  await contains(chart(), 'Average price–')
})

test('the sum opens its parts and their sources', async () => {
  await open(someDay(date))
  await userEvent.click(page.getByRole('button', { name: 'How the cost is calculated: 4.798,64 DKK' }))
  const opened = dialog('How the cost is calculated')
  await expect.element(opened.getByRole('row', { name: 'Spot price 4.218,54' })).toBeVisible()
  await expect.element(opened.getByRole('row', { name: 'Tax 580,10' })).toBeVisible()
  await expect.element(opened.getByText('Spot price: Source: Simulated (DayAheadPrices)')).toBeVisible()
  await expectClean()
})

test('each amount of a reading opens its formula: reading, version, parts, the prices of its mean, sources', async () => {
  await open(someDay(date))
  await userEvent.click(page.getByRole('button', { name: 'Cost of 00:00–00:15: 1,0000 DKK' }))
  const opened = dialog('How the cost is calculated')
  await expect.element(opened.getByText('169,800 kWh × (881,40 + 0,00 + 119,00) DKK/MWh = 169,86 DKK')).toBeVisible()
  await contains(opened, 'Mean of 00:00–00:15: 878,40 · 00:15–00:30: 884,40')
  await expect.element(opened.getByText(/Measured, version 2, read 20.11.2026 07:31:00/)).toBeVisible()
  expect(fetched().some((address) => address.includes(`at=${encodeURIComponent(iso(fromMs))}`))).toBe(true)
  await expectClean()
})

test('a formula without a spot price states it and has no amount', async () => {
  await open(someDay(date), { date }, { formula: { dkk: null, unknown: 'spot' } })
  await userEvent.click(page.getByRole('button', { name: 'Cost of 00:00–00:15: 1,0000 DKK' }))
  const opened = dialog('How the cost is calculated')
  await expect.element(opened.getByText('The cost is unknown: no spot price is published.')).toBeVisible()
  await expect.element(opened.getByText(/= –$/)).toBeVisible()
})

test('a late correction: each version with its changes, and a note on the chart', async () => {
  const readingOf = (kwh: string | null, quality: Quality) => ({ kwh, quality })
  const first = [
    {
      from: '2026-11-20T01:30:00Z',
      to: '2026-11-20T01:45:00Z',
      before: readingOf('1.000', 'estimated'),
      after: readingOf('3.000', 'measured'),
    },
    {
      from: '2026-11-19T23:00:00Z',
      to: '2026-11-19T23:15:00Z',
      before: readingOf('1.000', 'estimated'),
      after: readingOf('1.000', 'measured'),
    },
  ]
  const versions = [
    {
      version: 3,
      fetchedAt: '2026-11-23T06:31:00Z',
      change: 'corrected',
      kwh: '4874.800',
      changes: { count: 12, first },
    },
    { version: 2, fetchedAt: '2026-11-21T06:31:00Z', change: 'added', kwh: '4900.000', changes: null },
    { version: 1, fetchedAt: '2026-11-20T06:31:00Z', change: 'first', kwh: '2400.000', changes: null },
  ] satisfies Data<typeof meterGraph>['versions']
  await open(someDay(date, { versions }))
  await expect.element(chart().getByText('Corrected later')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row')
  const texts = () => rows.elements().map((row) => row.textContent)
  await expect
    .poll(texts)
    .toEqual([
      'VersionReadChangeConsumption (kWh)Current version',
      '323.11.2026 07:31:00Corrected values4.874,800Current version',
      '02:30–02:45 1,000 → 3,000 kWh, Estimated → Measured00:00–00:15 Estimated → Measuredand 10 more',
      '221.11.2026 07:31:00Added values4.900,000',
      'The resolution has changed: all intervals are new.',
      '120.11.2026 07:31:00First reading2.400,000',
    ])
})

test('the most expensive hours are listed with the cheapest hour of the day and the possible saving', async () => {
  await open(someDay(date))
  const row = page.getByRole('table', { name: 'The ten most expensive hours' }).getByRole('row').nth(1)
  await contains(row, '17–18210,21,150241,7903–04 · 0,435150,30 241,79 DKK − 210,2 kWh × 0,435 DKK/kWh')
  await expect.element(page.getByText(/would have cost 150,30 DKK less, 3,1 % of the total/)).toBeVisible()
})

test('compared with the day before, and with the average profile, which only a day has', async () => {
  const before = someTotals(96, { kwh: '4000.000', dkk: { total: '6000.00', spot: '0', tariff: '0', tax: '0' } })
  await open(someDay(date, { before }), { date, compare: 'before' })
  await expect.element(chart().getByText(/^The day before: 4.000,0 kWh \(\+21,9 %\)/)).toBeVisible()
  await userEvent.click(page.getByRole('combobox', { name: 'Compare with' }))
  await userEvent.click(page.getByRole('option', { name: 'Average hour profile' }))
  await userEvent.click(page.getByRole('radio', { name: 'Month' }))
  expect(searched).toStrictEqual([{ compare: 'profile' }, { view: 'month', range: undefined, zoom: undefined }])
})

test('a month: a profile in the address is not requested; a day is opened from the table', async () => {
  const { graph } = someDay(date)
  const x = [dayBounds('2026-11-01').fromMs, dayBounds('2026-11-02').fromMs]
  const month = {
    ...someDay(date),
    readings: null,
    versions: null,
    graph: graph.map((one) => ({ ...one, x, y: [96, 48] })),
  }
  await open(month, { date, view: 'month', compare: 'profile' })
  await userEvent.click(page.getByRole('table', { name: 'Days' }).getByRole('button', { name: 'Open 02.11.2026' }))
  expect(searched).toStrictEqual([{ view: undefined, date: '2026-11-02', range: undefined, zoom: undefined }])
  expect(graphsAsked()).toEqual([{ date, view: 'month' }])
  await userEvent.click(page.getByRole('button', { name: 'Previous month' }))
  expect(searched[1]).toEqual({ date: '2026-10-01' })
})

test('a preview of other prices applies to chart, hours and formulas, and can be ended', async () => {
  await open({ ...someDay(date), preview: true })
  await userEvent.click(page.getByRole('button', { name: 'Try other prices' }))
  const opened = dialog('Try other prices')
  const tax = opened.getByRole('textbox', { name: 'Tax value' })
  await expect.element(tax).toHaveValue('119')
  for (const [typed, message] of [
    ['', m.required],
    ['1e3', m.decimalOrInteger],
    ['-1', m.decimalOrInteger],
  ] as const) {
    await userEvent.fill(tax, typed)
    await userEvent.click(opened.getByRole('button', { name: 'Show' }))
    await expect.element(opened.getByText(message)).toBeVisible()
  }
  await userEvent.fill(tax, '8,5')
  await userEvent.click(opened.getByRole('combobox', { name: 'Price signal' }))
  await userEvent.click(page.getByRole('option', { name: 'DK1' }))
  await userEvent.click(opened.getByRole('button', { name: 'Show' }))
  await expect.element(page.getByText('Preview with DK1 and 8,5 Kr/mwh. The meter keeps its own prices.')).toBeVisible()
  const tried = { priceSignal: dk1, taxValue: '8.5' }
  await expect.poll(() => graphsAsked().at(-1)).toEqual({ date, view: 'day', ...tried })
  await userEvent.click(page.getByRole('button', { name: 'Cost of 00:00–00:15: 1,0000 DKK' }))
  await expect.element(dialog('How the cost is calculated')).toBeVisible()
  const requests = fetched().filter((address) => address.includes('taxValue=8.5') && address.includes(dk1))
  for (const name of ['/dearest?', '/formula?']) expect(requests.some((address) => address.includes(name))).toBe(true)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: 'End preview' }))
  await expect.poll(() => page.getByText(/^Preview with/).elements().length).toBe(0)
})

test('the file has this meter over the visible days, without future days', async () => {
  const requests = await open(someDay(date), { date, view: 'month' })
  await userEvent.click(page.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
  await expect
    .poll(() => requests.find(({ call }) => call === path(downloadMeters))?.body)
    .toEqual({
      devices: [meterId(1)],
      startDate: '2026-11-01',
      endDate: expect.stringMatching(/^2026-11-\d\d$/) as string,
    })
})

test('a failed read is reported and can be tried again', async () => {
  const requests = answerCalls({
    [path(meterGraph)]: () => ({ status: 409, message: m.configurationRequired }),
    [path(dearestHours)]: () => ({ status: 409, message: m.configurationRequired }),
  })
  await draw()
  const alert = page.getByRole('alert').filter({ hasText: 'The readings could not be loaded.' })
  await contains(alert, m.configurationRequired)
  await userEvent.click(alert.getByRole('button', { name: 'Retry now' }))
  await expect.poll(() => requests.filter(({ call }) => call === path(meterGraph)).length).toBe(2)
})

const rangeOf = (first: string, last: string) =>
  [dayBounds(first).fromMs, dayBounds(last).toMs].map((ms) => iso(ms).replace('.000', '')).join('/')

test('a range of days replaces the day of the chart, the hours, the table and the file; one of its days opens', async () => {
  const x = [date, '2026-11-20'].map((day) => dayBounds(day).fromMs)
  const graph = someDay(date).graph.map((one) => ({ ...one, x, y: [12, 13] }))
  const requests = await open(
    { ...someDay(date), graph, readings: null, versions: null },
    { date, compare: 'before' },
    {
      address: `?range=${rangeOf('2026-11-10', '2026-11-20')}`,
    },
  )
  const words = '10.11.2026 00:00 – 20.11.2026 24:00'
  await expect.element(page.getByRole('region', { name: `Kølehal A ${words}` })).toBeVisible()
  expect(graphsAsked()).toEqual([{ start: '2026-11-09T23:00:00.000Z', end: '2026-11-20T23:00:00.000Z' }])
  expect(fetched()).toContainEqual(expect.stringContaining('startDate=2026-11-10&endDate=2026-11-20'))
  await expect.element(page.getByRole('combobox', { name: 'Compare with' })).toBeDisabled()
  await userEvent.click(page.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
  await expect
    .poll(() => requests.find(({ call }) => call === path(downloadMeters))?.body)
    .toEqual({ devices: [meterId(1)], startDate: '2026-11-10', endDate: '2026-11-20' })
  await userEvent.click(page.getByRole('table', { name: 'Days' }).getByRole('button', { name: 'Open 20.11.2026' }))
  expect(searched).toStrictEqual([{ view: undefined, date: '2026-11-20', range: undefined, zoom: undefined }])
})

test('a range of hours has a table of hours, and a view replaces it', async () => {
  const day = someDay(date, { step: 'hour' })
  await open({ ...day, readings: null, versions: null }, { date }, { address: `?range=${rangeOf(date, date)}` })
  await expect
    .element(page.getByRole('table', { name: 'Hours' }).getByRole('row').nth(4))
    .toHaveTextContent('19.11.2026 03–044,04,002,0')
  await expect.element(page.getByRole('button', { name: `Time range: 19.11.2026 00:00–24:00` })).toBeVisible()
  await userEvent.click(page.getByRole('radio', { name: 'Month' }))
  await userEvent.click(page.getByRole('radio', { name: 'Day' }))
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  const none = { range: undefined, zoom: undefined }
  expect(searched).toStrictEqual([
    { view: 'month', ...none },
    { view: undefined, ...none },
    { date: '2026-11-18', ...none },
  ])
})

test('the most expensive hours of a range of hours name the days they are of', async () => {
  const data = { ...someDay(date, { step: 'hour' }), readings: null, versions: null }
  for (const [range, words] of [
    ['2026-11-19T09:00:00Z/2026-11-19T11:00:00Z', '19.11.2026'],
    ['2026-11-19T09:00:00Z/2026-11-20T11:00:00Z', '19.11.2026 – 20.11.2026'],
  ]) {
    await open(data, { date }, { address: `?range=${range}` })
    await expect.element(page.getByRole('heading', { name: `The ten most expensive hours ${words}` })).toBeVisible()
    cleanup()
  }
})

test('a link of the chart names the day, or the instants of the range, and the meter', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const data = { ...someDay(date, { step: 'hour' }), readings: null, versions: null }
  const range = '2026-11-19T09:30:00Z/2026-11-19T11:30:00Z'
  try {
    for (const address of ['', `?range=${range}`]) {
      await open(data, { date }, { address })
      await userEvent.click(
        chart()
          .getByRole('button', { name: /^(Tools of|Download$)/ })
          .first(),
      )
      await userEvent.click(page.getByRole('menuitem', { name: 'Copy link to this view' }))
      await expect.poll(() => writeText.mock.calls.length).toBe(address ? 2 : 1)
      cleanup()
    }
    const device = meterId(1)
    expect(writeText.mock.calls.map(([link]) => Object.fromEntries(new URL(link).searchParams))).toMatchObject([
      { date, device },
      { range, device },
    ])
  } finally {
    writeText.mockRestore()
  }
})
