import { limits } from '@gridmast/contract/limits.ts'
import { verify } from '@gridmast/contract/people/auth.ts'
import { findEvents } from '@gridmast/contract/delivery/events.ts'
import { eventTypes } from '@gridmast/contract/markets.ts'
import type { Instance } from '@gridmast/contract/people/instances.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, today } from '@gridmast/contract/time.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { NavProvider } from '#shell/nav.ts'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { someUser } from '#testing/user.ts'
import { clickSeriesMs } from '#ui/useConfirm.tsx'
import LicenceApp from './LicenceApp.tsx'
import { appSearch } from './search.ts'

const licenceId = '55555555-5555-4555-8555-555555555555'
const [cold, battery, lab] = [1, 2, 3].map((n) => `44444444-4444-4444-8444-44444444444${n}`) as [string, string, string]
const longText = 'Ammonia plant with four compressors and an ice water store'
const instanceOf = (_id: string, name: string, over: Partial<Instance> = {}): Instance => ({
  _id,
  name,
  description: '',
  licenseId: licenceId,
  market: ['FCR-D-INC'],
  bidActive: true,
  enabled: true,
  simulated: false,
  edgeLastReported: new Date().toISOString(),
  edgeDetails: {
    _id: '66666666-6666-4666-8666-666666666666',
    deviceId: 'edge-nord-01',
    market: ['FCR-D-INC'],
    properties: { codeVersion: 'v4.4.2' },
  },
  signalData: [{ _id: '77777777-7777-4777-8777-777777777777', kind: 'power', unit: 'kW' }],
  properties: { frequencySignal: null, fcr: { enabled: true, decreased: false, increased: true } },
  ...over,
})
const all = [
  instanceOf(cold, 'Nordhavn Køl 1', { description: longText }),
  instanceOf(battery, 'Nordhavn Batteri', {
    market: ['FFR', 'FCR-D-INC'],
    bidActive: false,
    edgeLastReported: new Date(Date.now() - 16 * 60_000).toISOString(),
  }),
  instanceOf(lab, 'Lab', { edgeLastReported: null }),
]
const on = { overview: true, alerts: true, events: true, details: true }
const licence = { _id: licenceId, licenseId: licenceId, name: 'FCR-D-INC', settings: on, groups: all }
const start = dayBounds('2026-11-20').fromMs
const overview = {
  powerData: [{ name: 'Power', unit: 'kW', kind: 'line', x: [start, start + 60_000], y: [400, 420] }],
  consumptionData: [{ name: 'Consumption', unit: 'kWh', kind: 'column', x: [start], y: [410] }],
  group: { _id: cold, name: 'Nordhavn Køl 1' },
  simulated: false,
  lastReported: new Date(start + 60_000).toISOString(),
}
const user = (userRole: User['userRole'], type = 'FCR-D-INC') =>
  someUser({
    userRole,
    allowed: { e3App: true },
    customerId: { enabledLicense: { [licenceId]: { licenseType: { name: type, icon: '' }, enabled: true } } },
  })

const open = (who: User['userRole'] = 'sudoer', search = '', given: Partial<typeof licence> = {}, byId = false) => {
  const answers = {
    'GET /client/live': () => ({ status: 403 }),
    [`GET /client/license/v2/${licenceId}`]: () => ({ data: { license: { ...licence, ...given } } }),
    [`GET /client/license/licenseType/${licenceId}`]: () => ({ data: { groups: given.groups ?? all } }),
    'GET /client/instance-data-logs/overview': () => ({ data: overview }),
    'GET /client/data/annotation': () => ({ data: { annotations: [], isCut: false } }),
    [`GET ${findEvents.path}`]: () => ({
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
        eventTypes: [],
        startDate: '2026-11-14',
        endDate: '2026-11-20',
      },
    }),
    [`PATCH /client/instance/${cold}`]: () => ({ message: m.detailsUpdated, data: { instance: all[0] } }),
    [`${verify.method} ${verify.path}`]: () => ({ status: 403 }),
  }
  const requests = answerCalls(answers)
  const name = given.name ?? 'FCR-D-INC'
  const rendered = showAt(
    byId ? `/e3/${licenceId}` : `/e3-App/${name}`,
    <UserProvider value={user(who, name)}>
      <NavProvider value={{ sidebar: [], profile: [], home: { to: '/' } }}>
        {/* In the top bar. */}
        <h1>FCR-D-INC</h1>
        <LicenceApp />
      </NavProvider>
    </UserProvider>,
    'en',
    search,
    byId ? '/e3/$licenseId' : '/e3-App/$name',
  )
  return rendered.then(({ router }) => ({ router, requests }))
}
const tabs = () =>
  page
    .getByRole('tab')
    .elements()
    .map((tab) => tab.textContent)

test.each([
  [{ overview: true, alerts: true, events: true, details: true }, ['Overview', 'Alerts', 'Details']],
  [{ overview: false, alerts: true, events: true, details: false }, ['Alerts']],
  [{ overview: false, alerts: false, events: true, details: true }, ['Details']],
  [{ overview: true, alerts: false, events: false, details: false }, ['Overview']],
])('a tab is shown where the settings of the licence enable it: %j', async (settings, expected) => {
  await open('sudoer', '', { settings })
  await expect.element(page.getByRole('tab').first()).toBeVisible()
  expect(tabs()).toEqual(expected)
})

test('the page of a licence by its id has its events too, where its settings enable them', async () => {
  await open('sudoer', '', {}, true)
  await expect.element(page.getByRole('tab').first()).toBeVisible()
  expect(tabs()).toEqual(['Overview', 'Alerts', 'Events', 'Details'])
})

test.each([
  [['FCR-D-INC', 'aFRR'], true],
  [['FCR-D-INC', 'FFR'], false],
])('events of a licence sold on %j: FCR and FRR markets have a switch only with both: %s', async (market, both) => {
  await open('sudoer', '?tab=events', { groups: [instanceOf(cold, 'Nordhavn Køl 1', { market })] }, true)
  const table = page.getByRole('table', { name: 'Activation Events (Nordhavn Køl 1)' })
  await expect.element(table.getByRole('columnheader', { name: 'Market', exact: true })).toBeVisible()
  const sent = () =>
    fetched()
      .filter((path) => path.startsWith(`/api${findEvents.path}?`))
      .map((path) => new URLSearchParams(path.split('?')[1]))
  expect(sent()[0]?.get('licenseId')).toBe(licenceId)
  expect(page.getByRole('radio', { name: 'FRR Markets' }).elements()).toHaveLength(both ? 1 : 0)
  if (!both) return
  await userEvent.click(page.getByRole('radio', { name: 'FRR Markets' }))
  await expect.element(table.getByRole('columnheader', { name: 'Max Setpoint (%)' })).toBeVisible()
  await expect.poll(() => sent().map((query) => query.get('eventType'))).toEqual([...eventTypes])
})

test('the first instance is selected; instance, day and sub-tab are in the address, default values are omitted', async () => {
  const { router } = await open()
  const list = page.getByRole('navigation', { name: 'Instances' })
  await expect.element(list.getByRole('button', { name: /Nordhavn Køl 1/ })).toHaveAttribute('aria-current', 'true')
  await userEvent.click(list.getByRole('button', { name: /Nordhavn Batteri/ }))
  await expect.poll(() => router.state.location.search).toEqual({ instance: battery })
  await userEvent.click(page.getByRole('radio', { name: 'Consumption (kWh)' }))
  await expect.poll(() => router.state.location.search).toEqual({ instance: battery, subTab: 'consumption' })
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  await expect.poll(() => router.state.location.search).toHaveProperty('date')
  await userEvent.click(page.getByRole('button', { name: 'Next day' }))
  await userEvent.click(page.getByRole('radio', { name: 'Power (kW)' }))
  await userEvent.click(list.getByRole('button', { name: /Nordhavn Køl 1/ }))
  await expect.poll(() => router.state.location.search).toEqual({})
})

const asked = () =>
  fetched()
    .filter((path) => path.startsWith('/api/client/instance-data-logs/overview?'))
    .map((path) => Object.fromEntries(new URLSearchParams(path.split('?')[1])))

test('a time range replaces the day: from a list, typed, by zoom; a day drops it', async () => {
  const { router } = await open()
  const search = () => router.state.location.search
  await userEvent.click(page.getByRole('button', { name: 'Time range' }))
  await userEvent.click(page.getByRole('button', { name: 'Last 6 hours' }))
  await expect.poll(search).toEqual({ range: '6h' })
  await expect.poll(() => asked().at(-1)).toHaveProperty('start')
  await expect.element(page.getByRole('group', { name: /Last 6 hours/ })).toBeVisible()

  await userEvent.click(page.getByRole('button', { name: 'Time range: Last 6 hours' }))
  const from = page.getByRole('textbox', { name: 'From' })
  await userEvent.fill(from, '32.11.2026')
  await userEvent.click(page.getByRole('button', { name: 'Apply' }))
  await expect.element(page.getByText('Write a date and a time, 20.11.2026 10:00')).toBeVisible()
  await userEvent.fill(from, '20.11.2026 10:00')
  await userEvent.fill(page.getByRole('textbox', { name: 'To' }), '20.11.2026 12:00')
  await expectClean()
  await userEvent.keyboard('{Enter}')
  const range = '2026-11-20T09:00:00Z/2026-11-20T11:00:00Z'
  await expect.poll(search).toEqual({ range })
  await expect
    .poll(() => asked().at(-1))
    .toMatchObject({ start: '2026-11-20T09:00:00.000Z', end: '2026-11-20T11:00:00.000Z' })

  const chart = page.getByRole('group', { name: /20.11.2026 10:00–12:00/ })
  await expect.element(chart).toBeVisible()
  ;(chart.element() as HTMLElement).focus() // a group is an HTML element
  await userEvent.keyboard('+')
  await expect.poll(search).toEqual({ range, zoom: '2026-11-20T09:24:00Z/2026-11-20T11:00:00Z' })
  await expect.poll(() => asked().at(-1)).toMatchObject({ start: '2026-11-20T09:24:00.000Z' })
  await userEvent.click(page.getByRole('button', { name: 'Reset zoom' }))
  await expect.poll(search).toEqual({ range })
  await userEvent.click(page.getByRole('button', { name: 'Previous day' }))
  await expect.poll(() => Object.keys(search())).toEqual(['date'])
})

test('a day is compared with the week before at the same local times, or with another instance', async () => {
  const { router } = await open('auditor', '?date=2026-10-27')
  await userEvent.click(page.getByRole('combobox', { name: 'Compare with' }))
  await userEvent.click(page.getByRole('option', { name: 'Previous week' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-10-27', compare: 'week' })
  // Seven days before are 169 hours: the clock changed on 25 October.
  await expect
    .poll(() => asked().at(-1))
    .toEqual({
      groupId: cold,
      start: '2026-10-19T22:00:00.000Z',
      end: '2026-10-20T22:00:00.000Z',
    })
  await expect
    .element(page.getByRole('group', { name: /Nordhavn Køl 1/ }))
    .toHaveAccessibleDescription(/Previous week: latest 420,0 kW/)
  await userEvent.click(page.getByRole('combobox', { name: 'Compare with' }))
  await userEvent.click(page.getByRole('option', { name: 'Nordhavn Batteri' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-10-27', compare: battery })
  await expect.poll(() => asked().at(-1)).toMatchObject({ groupId: battery, start: '2026-10-26T23:00:00.000Z' })
})

test('a day is compared with any other day, also a later one, but not with a day to come', async () => {
  const { router } = await open('auditor', '?date=2026-10-25')
  await userEvent.click(page.getByRole('combobox', { name: 'Compare with' }))
  await userEvent.click(page.getByRole('option', { name: 'Another day' }))
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-10-25', compare: '2026-10-24' })
  const field = page.getByRole('textbox', { name: 'Compared day' })
  await userEvent.fill(field, '27.10.2026')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.search).toEqual({ date: '2026-10-25', compare: '2026-10-27' })
  // The 25 hours of 25 October, at the local times of 27 October.
  await expect
    .poll(() => asked().at(-1))
    .toEqual({ groupId: cold, start: '2026-10-26T23:00:00.000Z', end: '2026-10-27T23:00:00.000Z' })
  await expect
    .element(page.getByRole('group', { name: /Nordhavn Køl 1/ }))
    .toHaveAccessibleDescription(/27\.10\.2026: latest 420,0 kW/)
  await userEvent.fill(field, '01.01.2099')
  await expect.element(page.getByText('This date cannot be chosen')).toBeVisible()
  await expectClean()
})

test.each([
  ['a day to come', '2099-01-01', 'Another day'],
  ['a plan where none applies', 'plan', ''],
  ['an instance outside of the licence', licenceId, ''],
])('%s is no comparison', async (_, compare, shown) => {
  await open('auditor', `?compare=${compare}&date=2026-10-27`)
  await expect
    .element(page.getByRole('group', { name: /Nordhavn Køl 1/ }))
    .toHaveAccessibleDescription(/Power: latest 420,0 kW/)
  expect(asked().every(({ date }) => date === '2026-10-27')).toBe(true)
  const field = page.getByRole('combobox', { name: 'Compare with' })
  await expect.element(field).toHaveValue(shown)
  await userEvent.click(field)
  await expect.element(page.getByRole('option', { name: 'Previous week' })).toBeVisible()
  expect(page.getByRole('option', { name: 'Load plan' }).elements()).toEqual([])
})

test('the compared instance can be opened from the list, without a comparison with itself', async () => {
  await open('auditor', `?compare=${battery}&date=2026-10-27`)
  const field = page.getByRole('combobox', { name: 'Compare with' })
  await expect.element(field).toHaveValue('Nordhavn Batteri')
  await userEvent.click(page.getByRole('navigation', { name: 'Instances' }).getByRole('button', { name: /Batteri/ }))
  await expect
    .element(page.getByRole('group', { name: /Nordhavn Batteri/ }))
    .toHaveAccessibleDescription(/Power: latest 420,0 kW/)
  await expect.element(field).toHaveValue('')
})

test('the first zoom of a day keeps its chart and the focus', async () => {
  const { router } = await open('auditor', '?date=2026-11-20')
  const chart = page.getByRole('group', { name: /Nordhavn Køl 1/ })
  await expect.element(chart).toBeVisible()
  ;(chart.element() as HTMLElement).focus() // a group is an HTML element
  await userEvent.keyboard('+')
  await expect.poll(() => router.state.location.search).toHaveProperty('zoom')
  await expect.poll(() => asked().at(-1)).toHaveProperty('start')
  await expect.element(page.getByRole('button', { name: 'Reset zoom' })).toBeVisible()
  await expect.element(chart).toHaveFocus()
})

test('a link to the view has its span instead of today, and full screen ends with Escape', async () => {
  const { router } = await open('auditor', '?range=24h')
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const tools = page.getByRole('button', { name: 'Tools of Nordhavn Køl 1' })
  await userEvent.click(tools)
  await userEvent.click(page.getByRole('menuitem', { name: 'Copy link to this view' }))
  await expect.poll(() => toasts).toEqual(['Link copied'])
  expect(new URL(writeText.mock.calls[0]?.[0] ?? '').searchParams.get('range')).toMatch(/^20\d\d-.*Z\/20\d\d-.*Z$/)
  writeText.mockRestore()
  expect(router.state.location.search).toEqual({ range: '24h' })

  await userEvent.click(tools)
  await userEvent.click(page.getByRole('menuitem', { name: 'Full screen' }))
  const card = page.getByRole('region', { name: /Nordhavn Køl 1/ })
  await expect.poll(() => card.element().getBoundingClientRect().width).toBe(window.innerWidth)
  await expect.poll(() => document.fullscreenElement).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => card.element().getBoundingClientRect().width).toBeLessThan(window.innerWidth)
})

test('the list is collapsed and opened again', async () => {
  await open()
  const list = page.getByRole('navigation', { name: 'Instances' })
  await userEvent.click(page.getByRole('button', { name: 'Hide the instances' }))
  expect(list.getByRole('listitem').elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Show the instances' }))
  expect(list.getByRole('listitem').elements()).toHaveLength(3)
})

test('a tab is a history entry: parameters of the previous tab are omitted, the licence stays, and back returns to it', async () => {
  const search = `?licenseTypeId=${licenceId}&date=2026-11-20&subTab=consumption`
  const { router } = await open('auditor', search)
  await userEvent.click(page.getByRole('tab', { name: 'Details' }))
  await expect.poll(() => router.state.location.search).toEqual({ licenseTypeId: licenceId, tab: 'details' })
  router.history.back()
  await expect.poll(() => router.state.location.search).toHaveProperty('subTab', 'consumption')
})

test('All Instances: every column, ticks with words, and a long description cut at 40 with the full text on focus', async () => {
  await open('sudoer', '?tab=details')
  const table = page.getByRole('table', { name: 'All Instances' })
  await expect.element(table.getByText('Nordhavn Køl 1')).toBeVisible()
  expect(
    table
      .getByRole('columnheader')
      .elements()
      .map((head) => head.textContent),
  ).toEqual(['S.No', 'Name', 'Description', 'License Type', 'Market', 'Market Status', 'Edge Status', 'Action'])
  const cells = (row: number) =>
    [...table.getByRole('row').nth(row).element().querySelectorAll('td')].map((cell) => cell.textContent)
  expect(cells(1).slice(0, 7)).toEqual([
    '1',
    'Nordhavn Køl 1',
    `${longText.slice(0, 40).trimEnd()}…`,
    'FCR-D-INC',
    'FCR-D-INC',
    'Active',
    'Reporting',
  ])
  expect(cells(2).slice(4, 7)).toEqual(['FFR, FCR-D-INC', 'Inactive', 'Not reporting'])
  expect(cells(3)[6]).toBe('Never reported')
  const lastHead = table.getByRole('button', { name: 'Edge Status' }).element() as HTMLElement // a button is an HTML element
  lastHead.focus()
  await userEvent.tab()
  await expect.element(page.getByRole('tooltip')).toHaveTextContent(longText)
  await expectClean()
})

test('instances are filtered by name, description and market', async () => {
  await open('auditor', '?tab=details')
  const table = page.getByRole('table', { name: 'All Instances' })
  await expect.element(table.getByText('Lab')).toBeVisible()
  await userEvent.type(page.getByRole('searchbox', { name: 'Find an instance' }), 'ffr')
  await expect.poll(() => table.getByRole('row').elements().length).toBe(2)
  await expect.element(table.getByText('Nordhavn Batteri')).toBeVisible()
})

test.each(['sudoer', 'expert'] as const)('R1 the %s opens the edit with a double click, and saves it', async (who) => {
  const { requests } = await open(who, '?tab=details')
  await userEvent.dblClick(page.getByRole('table').getByText('Nordhavn Køl 1'))
  const dialog = page.getByRole('dialog', { name: 'Edit instance' })
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await userEvent.clear(name)
  await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
  await expect.element(dialog.getByText(m.required)).toBeVisible()
  await userEvent.type(name, 'Køl')
  await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
  await expect.poll(() => toasts).toEqual(['Details Updated!'])
  expect(requests.find(({ call }) => call.startsWith('PATCH'))?.body).toEqual({ name: 'Køl', description: longText })
})

test('edit has a button for the keyboard', async () => {
  await open('expert', '?tab=details')
  const edit = page.getByRole('button', { name: 'Edit Lab' })
  await expect.element(edit).toBeVisible()
  ;(edit.element() as HTMLElement).focus() // a button is an HTML element
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Edit instance' })).toBeVisible()
})

test('a double click on an instance of the list edits it too; two slow clicks do not', async () => {
  await open('expert')
  const item = page.getByRole('navigation', { name: 'Instances' }).getByRole('button', { name: /Lab/ })
  await userEvent.click(item)
  await new Promise((resolve) => setTimeout(resolve, limits.doubleClickMs))
  await userEvent.click(item)
  expect(page.getByRole('dialog').elements()).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, limits.doubleClickMs))
  await userEvent.dblClick(item)
  await expect.element(page.getByRole('dialog', { name: 'Edit instance' })).toBeVisible()
})

test('the third click of a series does not close the dialog that the second one opened; a later click does', async () => {
  await open('expert')
  const item = page.getByRole('navigation', { name: 'Instances' }).getByRole('button', { name: /Lab/ })
  const openedMs = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(openedMs)
  await userEvent.dblClick(item)
  const dialog = page.getByRole('dialog', { name: 'Edit instance' })
  await expect.element(dialog).toBeVisible()
  const clickOverlay = () => document.querySelector<HTMLElement>('.mantine-Modal-overlay')?.click()
  clock.mockReturnValue(openedMs + clickSeriesMs)
  clickOverlay()
  await expect.element(dialog).toBeVisible()
  clock.mockReturnValue(openedMs + clickSeriesMs + 1)
  clickOverlay()
  clock.mockRestore()
  await expect.element(dialog).not.toBeInTheDocument()
})

test.each(['auditor', 'custom'] as const)('R1 the %s neither edits nor tests', async (who) => {
  await open(who, '?tab=details')
  await userEvent.dblClick(page.getByRole('table').getByText('Nordhavn Køl 1'))
  expect(page.getByRole('dialog').elements()).toEqual([])
  expect(page.getByRole('button', { name: /^Edit |Equipment Testing/ }).elements()).toEqual([])
})

test('R1 Equipment Testing is offered to the sudoer only', async () => {
  await open('expert', '?tab=details')
  await expect.element(page.getByRole('button', { name: 'Edit Lab' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Equipment Testing' }).elements()).toEqual([])
})

test('a licence without its own app is described so', async () => {
  const off = { overview: false, alerts: false, events: false, details: false }
  await open('sudoer', '', { name: 'CFM', settings: off, groups: [] })
  await expect.element(page.getByText('This license has no app of its own')).toBeVisible()
  expect(tabs()).toEqual([])
})

test('a licence without instances is described so', async () => {
  await open('sudoer', '', { groups: [] })
  await expect.element(page.getByText('This license has no instances yet.')).toBeVisible()
})

test.each([
  [403, m.licenseNotActive],
  [404, m.licenseNotFound],
])('an answer %i is the page "%s" with a link home', async (status, sentence) => {
  answerCalls({ [`GET /client/license/v2/${licenceId}`]: () => ({ status, message: sentence }) })
  await showAt(
    '/e3-App/FCR-D-INC',
    <UserProvider value={user('sudoer')}>
      <NavProvider value={{ sidebar: [], profile: [], home: { to: '/' } }}>
        <LicenceApp />
      </NavProvider>
    </UserProvider>,
    'en',
    '',
    '/e3-App/$name',
  )
  await expect.element(page.getByRole('heading', { name: sentence })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Home' })).toBeVisible()
})

test('valid parameters of the address are kept, others are dropped', () => {
  const full = { licenseTypeId: licenceId, tab: 'details', subTab: 'consumption', instance: cold, date: today(start) }
  expect(appSearch.parse(full)).toEqual(full)
  const alerts = { tab: 'alerts', subTab: 'triggered', limit: 15, createAlertModal: true }
  expect(appSearch.parse(alerts)).toEqual(alerts)
  expect(appSearch.parse({ ...alerts, limit: 101, createAlertModal: 'yes' })).toEqual({
    tab: 'alerts',
    subTab: 'triggered',
  })
  expect(appSearch.parse({ tab: 'bids', subTab: 'x', instance: 'y', date: '2026-02-30', other: 1 })).toEqual({})
})
