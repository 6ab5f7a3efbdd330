import type { BidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { PortalRole } from '@gridmast/contract/roles.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { type ComponentProps, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { cleanup } from '@testing-library/react'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, answerOnce } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { RequestBidTab } from './RequestBidTab.tsx'

const [instance, licence] = ['01930000-0000-7000-8000-000000000011', '01930000-0000-7000-8000-000000000010']
const list = (value: number, length = 24) => Array.from({ length }, () => value)
const pending: BidRequest = {
  _id: '01930000-0000-7000-8000-000000000001',
  licenseId: licence,
  groupId: instance,
  groupName: 'Cold store 1',
  biddingMarket: 'FCR-D-INC',
  startDate: '2026-11-23',
  endDate: '2026-11-30',
  note: 'Intake 06–16',
  capacity: list(0.42),
  price: list(31.03),
  regulationPrice: null,
  customBidding: true,
  status: 'pending',
  excludedDays: [{ date: '2026-11-25', reason: 'Planned defrost' }],
  bids: { sent: 0, won: 0, lost: 0 },
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T11:30:00.000Z',
}
const placed: BidRequest = {
  ...pending,
  _id: '01930000-0000-7000-8000-000000000002',
  status: 'placed',
  startDate: '2026-11-21',
  groupName: 'Cold store 2',
  bids: { sent: 24, won: 21, lost: 3 },
}
const gates = {
  slots: 24,
  firstOpenDay: '2026-11-22',
  gates: [{ auction: 'D-1 late', day: '2026-11-22', cutOffAt: '2099-11-21T15:00:00Z', gateAt: '2099-11-21T17:00:00Z' }],
}

const days = ['13', '14', '15', '16', '17', '18', '19'].map((day) => `2026-11-${day}`)
const none = list(0).map(() => null)
const basis = {
  flexibleMw: 0.412,
  minimumMw: 0.1,
  freeDay: '2026-11-22',
  contract: null,
  prices: ['D-1 early', 'D-1 late'].map((auction, i) => ({
    product: 'FCR-D-INC',
    auction,
    meanEur: ['3.25', ...none.slice(1)],
    days: days.map((day, at) => ({ day, eur: [at === 6 ? String(3 + i) : null, ...none.slice(1)] })),
  })),
  available: days.map((day, at) => ({ day, kw: [at > 3 ? 400 + at : null, ...none.slice(1)] })),
  forecastKw: [404, ...none.slice(1)],
}
const earned = [
  { product: 'FCR-D-INC', auction: 'D-1 early', eur: '7', won: 1, lost: 2, unpriced: 27 },
  { product: 'FCR-D-INC', auction: 'D-1 late', eur: null, won: 0, lost: 0, unpriced: 3 },
]
const preview = {
  earned,
  overlap: null,
  warnings: [
    { kind: 'above-flexible', slots: [3, 4], offered: 0.42, limit: 0.412 },
    { kind: 'price-below-market', slots: [3], offered: 1.5, limit: 80 },
  ],
  days: days.map((day) => ({ day, earned })),
}
const bid = {
  slot: 2,
  product: 'FCR-D-INC',
  auction: 'D-1 early',
  capacityMw: '0.42',
  priceEur: '31.03',
  start: '2026-11-21T01:00:00Z',
  end: '2026-11-21T02:00:00Z',
}
const outcomes = {
  day: '2026-11-21',
  days: ['2026-11-21'],
  bids: [
    { ...bid, won: true, wonMw: '0.2', marginalPriceEur: '33.1', decidedBy: 'result-file' },
    { ...bid, auction: 'D-1 late', won: null, wonMw: null, marginalPriceEur: null, decidedBy: null },
  ],
  files: [{ auction: 'D-1 early', name: 'bids-FCR-D-INC.csv', sentAt: '2026-11-19T21:30:00Z' }],
}

type Search = ComponentProps<typeof RequestBidTab>['search']
const Tab = ({ customer, market, start }: { customer: Customer; market: string; start: Search }) => {
  const [search, setSearch] = useState(start)
  return (
    <main>
      <h1>{market}</h1>
      <RequestBidTab {...{ market, customer, search }} onSearch={(part) => setSearch({ ...search, ...part })} />
    </main>
  )
}

const open = async (
  role: PortalRole = 'expert',
  more: Parameters<typeof answerCalls>[0] = {},
  market = 'FCR-D-INC',
  start: Search = {},
) => {
  const instances = [{ _id: instance, name: 'Cold store 1', licenseId: licence, market: [market], area: 'DK2' }]
  const user = someUser({ userRole: role, customerId: { instances, biddingMarkets: [market] } })
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null } }),
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/data/market': () => ({ data: { licenses: [{ _id: licence, name: market, market: [market] }] } }),
    'GET /client/data/bid-request/gate': () => ({ data: gates }),
    'GET /client/data/bid-request': ({ query }) => ({
      data:
        query['filterType'] === 'past'
          ? { bidRequests: [], totalCount: 0 }
          : { bidRequests: [pending, placed], totalCount: 2 },
    }),
    'GET /client/data/bid-request/basis': () => ({ data: basis }),
    'POST /client/data/bid-request/preview': () => ({ data: preview }),
    [`GET /client/data/bid-request/${placed._id}/bid`]: () => ({ data: outcomes }),
    'POST /client/data/bid-request': () => ({
      data: { bidRequest: pending, warnings: [] },
      message: m.bidRequestCreated,
    }),
    [`DELETE /client/data/bid-request/${pending._id}`]: () => ({ message: m.bidRequestDeleted }),
    ...more,
  })
  await showAt(
    '/demandResponse/x',
    <Verified>
      <Tab customer={user.customerId} market={market} start={start} />
    </Verified>,
  )
  await expect.element(page.getByRole('table', { name: 'Bid requests' })).toBeVisible()
  return () =>
    requests
      .filter(({ call }) => !call.startsWith('GET') && !call.endsWith('preview'))
      .map(({ call, body }) => ({ call, body }))
}

const openForm = async (...options: Parameters<typeof open>) => {
  const sent = await open(...options)
  await userEvent.click(page.getByRole('button', { name: 'Create Request' }))
  return sent
}
const submit = () => userEvent.click(page.getByRole('button', { name: 'Submit request' }))
const openBids = async (more: Parameters<typeof open>[1] = {}) => {
  await open('auditor', more)
  await userEvent.click(row('Cold store 2').getByRole('button', { name: /^View/ }))
  await userEvent.click(page.getByRole('dialog').getByRole('tab', { name: 'Bids' }))
  return page.getByRole('table', { name: 'Bids' }).getByRole('row')
}

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const cell = (name: string) => page.getByRole('textbox', { name, exact: true })

test('the list has the columns of the specification, its total, and the won bids; a placed request has no edit, with the reason', async () => {
  await open()
  const heads = page.getByRole('columnheader').elements()
  expect(heads.map((head) => head.textContent)).toEqual([
    '',
    'Start Date',
    'End Date',
    'Excluded Count',
    'Created At',
    'Updated At',
    'Instance',
    'Offer',
    'Market',
    'Status',
    'Action',
  ])
  await expect.element(page.getByText('Total Count 2')).toBeVisible()
  await expect
    .element(row('Cold store 1'))
    .toHaveTextContent(
      '23.11.202630.11.2026120.11.2026 11:0020.11.2026 12:30Cold store 10,420 MW · 31,03 EUR/MWFCR-D-INCPending',
    )
  await expect.element(row('Cold store 2').getByText('won 21 of 24')).toBeVisible()
  await expect.element(row('Cold store 2').getByRole('img', { name: m.bidRequestPlaced })).toBeVisible()
  expect(
    row('Cold store 2')
      .getByRole('button', { name: /Edit|Delete/ })
      .elements(),
  ).toEqual([])
  await expectClean()
})

test('the address opens a request, the form of a new one, and states why a request cannot be loaded', async () => {
  const linked = { [`GET /client/data/bid-request/${placed._id}`]: () => ({ data: placed }) }
  const dialogs = () => page.getByRole('dialog').elements().length
  await open('expert', linked, 'FCR-D-INC', { request: placed._id })
  await expect.element(page.getByRole('dialog', { name: /Cold store 2/ })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(dialogs).toBe(0)
  cleanup()
  await open('expert', {}, 'FCR-D-INC', { request: 'new', instance })
  await expect.element(page.getByRole('dialog', { name: /Create Request/ })).toBeVisible()
  cleanup()
  const gone = { [`GET /client/data/bid-request/${placed._id}`]: () => ({ status: 404, message: m.notFound }) }
  await open('expert', gone, 'FCR-D-INC', { request: placed._id })
  await expect.element(page.getByText('The bid request could not be loaded.')).toBeVisible()
})

test('R1 an auditor reads only', async () => {
  await open('auditor')
  expect(page.getByRole('button', { name: /Edit|Delete|Create Request/ }).elements()).toEqual([])
  await expect.element(row('Cold store 1').getByRole('button', { name: /^View/ })).toBeVisible()
})

test('the view shows 24 slots in groups of 8, the note, and the excluded days numbered', async () => {
  await open('auditor')
  await userEvent.click(row('Cold store 1').getByRole('button', { name: /^View/ }))
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('table').first()).toBeVisible()
  const tables = dialog.getByRole('table').elements()
  expect(tables.map((table) => table.querySelectorAll('tbody tr').length)).toEqual([8, 8, 8])
  expect(tables[0]?.textContent).toContain('00–010,42031,03')
  await expect.element(dialog.getByText('Intake 06–16')).toBeVisible()
  await expectClean()
  await userEvent.click(dialog.getByRole('tab', { name: /Excluded Days/ }))
  await expect
    .element(dialog.getByRole('row', { name: /Planned defrost/ }))
    .toHaveTextContent('125.11.2026Planned defrost')
})

test('the grid is one stop of Tab with the figure under its slot; Home, End, Page Up and Down move in it, and F2 edits a value', async () => {
  await openForm()
  await expect.element(page.getByRole('button', { name: /^00–01, 7-day mean/ })).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Capacity/Price' })
  await expect.element(grid).toBeVisible()
  expect(grid.getByRole('row').elements()).toHaveLength(6)
  const stops = () =>
    [...grid.element().querySelectorAll('input, button')].filter(
      (one) => one instanceof HTMLElement && one.tabIndex === 0,
    )
  expect(stops()).toHaveLength(2)
  await userEvent.click(cell('09–10 MW'))
  const moves = [
    ['{Home}', '08–09 MW'],
    ['{End}', '11–12 EUR/MW'],
    ['{PageDown}', '23–24 EUR/MW'],
    ['{PageUp}', '03–04 EUR/MW'],
    ['{Control>}{Home}{/Control}', '00–01 MW'],
    ['{Control>}{End}{/Control}', '23–24 EUR/MW'],
  ] as const
  for (const [keys, name] of moves) {
    await userEvent.keyboard(keys)
    await expect.element(cell(name)).toHaveFocus()
  }
  await userEvent.keyboard('12{F2}{ArrowLeft}3{ArrowUp}')
  await expect.element(cell('23–24 EUR/MW')).toHaveValue('132,00')
  await expect.element(cell('19–20 EUR/MW')).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: /^19–20, 7-day mean/ })).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  expect(grid.element().contains(document.activeElement)).toBe(false)
  await userEvent.keyboard('{Shift>}{Tab}{Tab}{/Shift}')
  await expect.element(cell('19–20 EUR/MW')).toHaveFocus()
  expect(stops()).toHaveLength(2)
  await expectClean()
})

test('a grid is filled by the keyboard alone and sent with an empty slot as 0', async () => {
  const sent = await openForm()
  await userEvent.fill(cell('00–01 MW'), '0,42')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(cell('04–05 MW')).toHaveFocus()
  await expect.element(cell('00–01 MW')).toHaveValue('0,420')
  await userEvent.keyboard('0.3{ArrowRight}')
  await expect.element(cell('04–05 EUR/MW')).toHaveFocus()
  await userEvent.keyboard('12{Control>}d{/Control}{ArrowUp}31,03')
  await userEvent.fill(page.getByRole('textbox', { name: 'Note' }), 'Nights')
  await submit()
  await expect.poll(() => sent().length).toBe(1)
  const capacity = list(0).map((_, slot) => ({ 0: 0.42, 4: 0.3 })[slot] ?? 0)
  const price = list(12).map((_, slot) => (slot === 0 ? 31.03 : slot < 4 ? 0 : 12))
  expect(sent()[0]?.body).toEqual({
    licenseId: licence,
    biddingMarket: 'FCR-D-INC',
    groupId: instance,
    note: 'Nights',
    customBidding: true,
    startDate: '2026-11-22',
    endDate: '2026-11-22',
    excludedDays: [],
    capacity,
    price,
    regulationPrice: null,
  })
})

test('a wrong number is reported under its cell and the typed values are kept', async () => {
  const sent = await openForm()
  await userEvent.fill(cell('13–14 MW'), 'two')
  await userEvent.fill(cell('14–15 MW'), '0,1234')
  await userEvent.fill(page.getByRole('textbox', { name: 'Note' }), 'Nights')
  await submit()
  await expect.element(page.getByText(m.number)).toBeVisible()
  await expect.element(cell('13–14 MW')).toHaveFocus()
  await expect.element(cell('14–15 MW')).toHaveValue('0,1234')
  expect(cell('14–15 MW').element().getAttribute('aria-invalid')).toBe('true')
  expect(sent()).toEqual([])
  await expectClean()
})

test('FCR has six blocks; a market with an energy price has a third column; without custom bidding it is not sent', async () => {
  const sent = await openForm('expert', {}, 'aFRR')
  await expect.element(cell('00–01 EUR/MWh')).toBeVisible()
  await userEvent.fill(cell('00–01 MW'), '2')
  await userEvent.click(page.getByRole('switch', { name: 'Custom bidding' }))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(
      'This instance has no contract, so no bid is placed. Ask your operator or turn on custom bidding.',
    )
  await userEvent.fill(page.getByRole('textbox', { name: 'Note' }), 'As agreed')
  await submit()
  await expect
    .poll(() => sent()[0]?.body)
    .toMatchObject({ customBidding: false, capacity: [], price: [], regulationPrice: null })
})

test('one figure under each slot: the mean, the price of yesterday or the expected capacity, with its days; an unknown one is a dash', async () => {
  await openForm()
  await expect.element(page.getByRole('button', { name: /^01–02, 7-day mean: ?–$/ })).toBeVisible()
  await userEvent.click(page.getByRole('radio', { name: 'Expected kW' }))
  await expect.element(page.getByRole('button', { name: /^00–01, Expected kW: ?404$/ })).toBeVisible()
  await userEvent.click(page.getByRole('radio', { name: '7-day mean' }))
  await userEvent.click(page.getByRole('button', { name: /^00–01, 7-day mean: ?3,25$/ }))
  const table = page.getByRole('table', { name: 'The last 7 days' })
  await expect.element(table.getByRole('row').nth(7)).toHaveTextContent('19.11.20263,004,00406')
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent('13.11.2026–––')
  await expectClean()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('radio', { name: 'D-1 late' }))
  await userEvent.click(page.getByRole('radio', { name: 'Price yesterday' }))
  await expect.element(page.getByRole('button', { name: /^00–01, Price yesterday: ?4,00$/ })).toBeVisible()
})

test('the earnings of the bids, per auction and day, and the objections', async () => {
  await openForm()
  await userEvent.fill(cell('03–04 MW'), '0,42')
  await expect
    .element(page.getByText('0,420 MW exceeds the registered flexible capacity (0,412 MW) in 2 slots'))
    .toBeVisible()
  expect([...document.querySelectorAll('[data-questioned]')].map((one) => one.getAttribute('data-cell'))).toEqual([
    '3',
    '4',
  ])
  await userEvent.click(page.getByRole('button', { name: '1 more' }))
  await expect
    .element(page.getByText('Price 1,50 EUR/MW is far below the 7-day mean of 80,00 EUR/MW in 03–04'))
    .toBeVisible()
  await expect.element(page.getByText('won 1 of 3 · 27 without a price')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'How this is calculated' }))
  await expect.element(page.getByRole('row', { name: /19.11.2026/ })).toHaveTextContent('19.11.20267,001 / 3––')
})

test('a placed request: each bid of a day, won, lost or undecided, and its sent file', async () => {
  const rows = await openBids()
  await expect
    .element(rows.nth(1))
    .toHaveTextContent('02:00–03:00D-1 early0,42031,0333,100,200Wonby the operator’s file')
  await expect.element(rows.nth(2)).toHaveTextContent('02:00–03:00D-1 late0,42031,03––Not decided')
  await expect.element(page.getByText('bids-FCR-D-INC.csv, sent 19.11.2026 22:30:00')).toBeVisible()
  await expectClean()
})

test('a bid of 0 that lost by a price of 0 is explained: nothing was bought', async () => {
  const lost = { ...bid, priceEur: '0', marginalPriceEur: '0', won: false, wonMw: null, decidedBy: 'price' }
  const bids = [lost, { ...lost, auction: 'D-1 late', priceEur: '2' }]
  const rows = await openBids({
    [`GET /client/data/bid-request/${placed._id}/bid`]: () => ({ data: { ...outcomes, bids } }),
  })
  await expect.element(rows.nth(1)).toHaveTextContent('02:00–03:00D-1 early0,4200,000,00–Lostnothing was bought')
  await expect.element(rows.nth(2)).toHaveTextContent('02:00–03:00D-1 late0,4202,000,00–Lost')
})

test('on the day of a clock change the two hours with one name are distinct', async () => {
  const hour = (start: string, end: string) => ({ ...bid, start, end, won: null, wonMw: null })
  const october = [
    hour('2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'),
    hour('2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z'),
  ].map((one) => ({ ...one, marginalPriceEur: null, decidedBy: null }))
  const rows = await openBids({
    [`GET /client/data/bid-request/${placed._id}/bid`]: () => ({ data: { ...outcomes, bids: october } }),
  })
  await expect.element(rows.nth(1)).toMatchTextContent(/^02:00 CEST–02:00 CET/)
  await expect.element(rows.nth(2)).toMatchTextContent(/^02:00–03:00 CET/)
})

test('the missing hour of a day in March is reported while the grid is filled', async () => {
  const warnings = [{ kind: 'skipped-hour', slots: [2], offered: null, limit: null }]
  await openForm('expert', { 'POST /client/data/bid-request/preview': () => ({ data: { ...preview, warnings } }) })
  await userEvent.fill(cell('02–03 MW'), '0,2')
  await expect.element(page.getByText('02–03 does not exist on the day in March: no bid is placed')).toBeVisible()
})

test('the cut-off passes while the form is open: it is reported under the day, and the typed values are kept', async () => {
  const startedMs = Date.now()
  const now = vi.spyOn(Date, 'now').mockImplementation(() => startedMs)
  const cutOffMs = startedMs + 3_600_000
  await openForm('expert', {
    'GET /client/data/bid-request/gate': () => ({
      data:
        Date.now() < cutOffMs
          ? { ...gates, gates: [{ ...gates.gates[0], cutOffAt: new Date(cutOffMs).toISOString() }] }
          : { ...gates, firstOpenDay: '2026-11-23' },
    }),
  })
  await userEvent.fill(cell('02–03 MW'), '0,2')
  expect(page.getByText(m.bidsClosed).elements()).toEqual([])
  now.mockImplementation(() => cutOffMs)
  await expect.element(page.getByText(m.bidsClosed)).toBeVisible()
  await expect.element(cell('02–03 MW')).toHaveValue('0,2')
  await expect.element(page.getByRole('textbox', { name: /^Start Date/ })).toHaveValue('22.11.2026')
  await expectClean()
})

test('a device whose clock is three minutes slow sees the gate closed on time', async () => {
  const serverMs = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(serverMs - 180_000)
  await open('expert', {
    'GET /client/data/bid-request/gate': () => ({
      atMs: serverMs,
      data: { ...gates, gates: [{ ...gates.gates[0], cutOffAt: new Date(serverMs - 2000).toISOString() }] },
    }),
  })
  await expect.element(page.getByText('in 0:00:00')).toBeInTheDocument()
})

test('an excluded day needs a date and a reason', async () => {
  const sent = await openForm()
  await userEvent.click(page.getByRole('button', { name: 'Add day' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Note' }), 'Nights')
  await submit()
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus()
  expect(sent()).toEqual([])
})

test('a new request starts on the first free day, until other days are chosen', async () => {
  await openForm('expert', {
    'GET /client/data/bid-request/basis': () => ({ data: { ...basis, freeDay: '2026-12-01' } }),
  })
  await expect.element(page.getByRole('textbox', { name: /^Start Date/ })).toHaveValue('01.12.2026')
  await expect.element(page.getByRole('textbox', { name: /^End Date/ })).toHaveValue('01.12.2026')
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a request that overlaps another is warned of with a link to it, and its refusal stays', async () => {
  const overlap = { requestId: placed._id, startDate: '2026-11-21', endDate: '2026-11-30' }
  await openForm('expert', {
    'POST /client/data/bid-request/preview': () => ({ data: { ...preview, overlap } }),
    'POST /client/data/bid-request': () => ({ status: 409, message: m.bidsOverlap }),
  })
  await userEvent.fill(cell('00–01 MW'), '1')
  const link = page.getByRole('link', { name: 'Open the request of 21.11.2026 – 30.11.2026' })
  await expect.element(link).toBeVisible()
  expect(link.element().getAttribute('href')).toContain(placed._id)
  await userEvent.fill(page.getByRole('textbox', { name: 'Note' }), 'As agreed')
  await submit()
  await expect.element(page.getByRole('alert').getByRole('link')).toBeVisible()
  await expect.element(page.getByRole('alert').getByText(m.bidsOverlap)).toBeVisible()
  await expectClean()
})

test('closing a form with changes requires a confirmation', async () => {
  await openForm()
  await userEvent.fill(cell('00–01 MW'), '1')
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  await expect.element(page.getByText('Leave without saving?')).toBeVisible()
})

test('another user has changed it: the typed values are kept, and the request can be loaded again', async () => {
  let newest = pending
  await open('expert', {
    // The list is behind.
    'GET /client/data/bid-request': () => ({ data: { bidRequests: [pending], totalCount: 1 } }),
    [`GET /client/data/bid-request/${pending._id}`]: () => ({ data: newest }),
    [`PATCH /client/data/bid-request/${pending._id}`]: () => ({ status: 409, message: m.bidRequestChanged }),
  })
  await userEvent.click(page.getByRole('button', { name: /^Edit/ }))
  await userEvent.fill(cell('00–01 MW'), '0,5')
  newest = { ...pending, capacity: list(0.9), updatedAt: '2026-11-20T12:00:00.000Z' }
  await submit()
  await expect.element(page.getByRole('alert').getByText(m.bidRequestChanged)).toBeVisible()
  await expect.element(cell('00–01 MW')).toHaveValue('0,500')
  await userEvent.click(page.getByRole('button', { name: 'Load again' }))
  await expect.element(cell('00–01 MW')).toHaveValue('0,900')
})

test('an earlier request is copied', async () => {
  let reads = 0
  const all = { bidRequests: [pending, placed], totalCount: 2 }
  // The list, then the current and the past requests of the menu.
  await openForm('expert', {
    'GET /client/data/bid-request': () => ({ data: ++reads < 3 ? all : { bidRequests: [], totalCount: 0 } }),
  })
  await userEvent.click(page.getByRole('button', { name: 'Copy an earlier request' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Cold store 1 · 23.11.2026 – 30.11.2026' }).first())
  await expect.element(cell('23–24 EUR/MW')).toHaveValue('31,03')
})

test('while earlier requests load none is reported as missing', async () => {
  await openForm('expert', {
    'GET /client/data/bid-request': answerOnce({ bidRequests: [pending, placed], totalCount: 2 }),
  })
  await userEvent.click(page.getByRole('button', { name: 'Copy an earlier request' }))
  await expect.element(page.getByRole('menuitem', { name: 'Loading' })).toBeVisible()
  await expect.element(page.getByText('No earlier request with slots')).not.toBeInTheDocument()
})

test('it is deleted after a confirmation', async () => {
  const sent = await open()
  await userEvent.click(page.getByRole('button', { name: /^Delete/ }))
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect.poll(sent).toEqual([{ call: `DELETE /client/data/bid-request/${pending._id}`, body: null }])
})

test('a drag from the corner of a cell fills the cells that it passes', async () => {
  await openForm()
  await userEvent.fill(cell('00–01 MW'), '0,4')
  await userEvent.click(cell('00–01 MW'))
  const handle = cell('00–01 MW').element().nextElementSibling
  const target = cell('03–04 MW').element().getBoundingClientRect()
  const at = { bubbles: true, pointerId: 1, clientX: target.x + 4, clientY: target.y + 4 }
  Object.assign(handle ?? {}, { setPointerCapture: () => {} })
  handle?.dispatchEvent(new PointerEvent('pointerdown', at))
  await expect.poll(() => document.querySelectorAll('[data-dragged]').length).toBe(1)
  handle?.dispatchEvent(new PointerEvent('pointermove', at))
  await expect.poll(() => document.querySelectorAll('[data-dragged]').length).toBe(4)
  handle?.dispatchEvent(new PointerEvent('pointerup', at))
  await expect.element(cell('03–04 MW')).toHaveValue('0,400')
  await expect.element(cell('04–05 MW')).toHaveValue('')
})
