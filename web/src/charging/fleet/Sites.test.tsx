import type { ChargingSite, SiteConnector } from '@gridmast/contract/charging/charging-sites.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { someService } from '#testing/fleet.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import CfmTools from './CfmTools.tsx'

const siteId = '55555555-5555-4555-8555-555555555551'
const [port, gate] = ['44444444-4444-4444-8444-444444444441', '44444444-4444-4444-8444-444444444442']
const groupId = '66666666-6666-4666-8666-666666666661'
const connector = (connectorId: number, over: Partial<SiteConnector> = {}): SiteConnector => ({
  connectorId,
  maxA: 31,
  heldA: 6,
  allowedA: null,
  toldA: null,
  measuredKw: null,
  charging: false,
  controlled: true,
  steerable: true,
  exceeds: false,
  refusal: null,
  plannedA: null,
  byHand: null,
  ...over,
})
const byHand = { limitA: 8, until: '2026-11-22T15:00:00.000Z', reason: 'Loose cable', by: 'Karen Holm' }
const site: ChargingSite = {
  _id: siteId,
  name: 'Yard',
  limitA: 50,
  reserveA: 10,
  fallbackA: 6,
  nowKw: 21.5,
  heldA: 40,
  chargers: [
    {
      chargerId: port,
      name: 'Port',
      phases: 'L1L2L3',
      isActive: true,
      connectors: [
        connector(1, { charging: true, allowedA: 20, toldA: 20, heldA: 20, measuredKw: 13.8 }),
        connector(2, { byHand, heldA: 8 }),
        connector(3, { steerable: false, refusal: 'NotSupported', heldA: 31 }),
      ],
    },
    { chargerId: gate, name: 'Gate', phases: 'L1', isActive: false, connectors: [connector(1)] },
  ],
}
const priorities = [{ groupId, name: 'Vans', priority: 3 }]
const chart = ['Limit', 'Total'].map((name) => ({ name, unit: 'kW', kind: 'line' as const, x: [], y: [] }))

const openSites = async (
  more: Parameters<typeof answerCalls>[0] = {},
  userRole: User['userRole'] = 'expert',
  search = '',
) => {
  const services = [port, gate].map((_id, i) => ({ ...someService, _id, name: i === 0 ? 'Port' : 'Gate' }))
  const requests = answerCalls({
    'GET /client/cfm/site': () => ({ data: { sites: [site], priorities } }),
    [`GET /client/cfm/site/${siteId}/chart`]: () => ({ data: { chart, simulated: false } }),
    'GET /client/data/annotation/site': () => ({ data: { annotations: [], isCut: false } }),
    'GET /client/cfm/charger': () => ({ data: { chargers: services } }),
    ...more,
  })
  const license = { CFM: { enabled: true }, evCharging: { enabled: true } }
  await showAt(
    '/cfm/tools',
    <UserProvider value={someUser({ userRole, allowed: { cfmTools: true }, customerId: { license } })}>
      <h1>CFM Tools</h1>
      <CfmTools />
    </UserProvider>,
    'en',
    `?tab=sites${search}`,
  )
  return requests
}

test('a site shows its limit, its reserve, its phases and its current power; each connector its allowed and measured current', async () => {
  await openSites()
  const sites = page.getByRole('table', { name: 'Sites' })
  await expect.element(sites.getByText('Yard')).toBeVisible()
  const row = sites.getByRole('row').nth(1).element().textContent
  for (const words of ['50 A, of which 10 A kept free', '27,6', 'L1 L2 L3', '4', '21,5']) expect(row).toContain(words)
  const of = (i: number) =>
    page.getByRole('table', { name: 'Connectors' }).getByRole('row').nth(i).element().textContent
  expect(of(1)).toMatch(/Port · 1.*Charging.*20 A.*20 A.*20 A.*13,8/)
  expect(of(2)).toContain('At most 8 A set manually until 22.11.2026 16:00Loose cable · Karen Holm')
  expect(of(3)).toContain('Not controllableNotSupported · Full 31 A reserved.')
  expect(of(4)).toContain('No contact6 A reserved; without contact it draws at most 6 A.')
  await expect.element(page.getByText('No contact: Gate.', { exact: false })).toBeVisible()
  await expectClean()
})

test('a session without allocated current shows what it waits for', async () => {
  const waits = { charging: true, allowedA: 0, measuredKw: 0 }
  const connectors = [
    connector(1, { ...waits, plannedA: 0 }),
    connector(2, waits),
    connector(3, { ...waits, allowedA: 9, plannedA: 9 }),
  ]
  const chargers = [{ chargerId: port, name: 'Port', phases: 'L1L2L3' as const, isActive: true, connectors }]
  await openSites({ 'GET /client/cfm/site': () => ({ data: { sites: [{ ...site, chargers }], priorities } }) })
  const states = page.getByRole('table', { name: 'Connectors' }).getByRole('row')
  await expect
    .element(states.nth(1))
    .toMatchTextContent(/Waiting for its planIts plan allows 0 A in this quarter-hour\./)
  await expect.element(states.nth(2)).toMatchTextContent(/Waiting for capacity/)
  await expect.element(states.nth(3)).toMatchTextContent(/ChargingIts plan allows 9 A/)
})

test('a connector gets a manual limit with a reason and an end, and the limit is ended', async () => {
  const requests = await openSites({
    [`POST /client/cfm/site/${siteId}/limit`]: () => ({ message: m.handLimitSet }),
    [`POST /client/cfm/site/${siteId}/limit/end`]: () => ({ message: m.handLimitEnded }),
  })
  await userEvent.click(page.getByRole('button', { name: 'Manual limit: Port · 1' }))
  const dialog = page.getByRole('dialog', { name: 'Limit Port · 1' })
  await userEvent.click(dialog.getByRole('button', { name: 'Set limit', exact: true }))
  await expect.element(dialog.getByText(m.required)).toBeVisible()
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Reason' }), 'Fuse')
  await expectClean()
  await userEvent.click(dialog.getByRole('button', { name: 'Set limit', exact: true }))
  await expect
    .poll(() => requests.find(({ call }) => call.endsWith('/limit'))?.body)
    .toEqual({
      chargerId: port,
      connectorId: 1,
      limitA: 6,
      hours: 4,
      reason: 'Fuse',
    })
  await userEvent.click(page.getByRole('button', { name: 'End the limit of Port · 2' }))
  await expect
    .poll(() => requests.find(({ call }) => call.endsWith('/end'))?.body)
    .toEqual({ chargerId: port, connectorId: 2 })
})

test('a site is created with a limit in kW; deleting one first lists what is lost', async () => {
  const requests = await openSites({
    'POST /client/cfm/site': () => ({ message: m.siteSaved, data: { _id: siteId } }),
    [`DELETE /client/cfm/site/${siteId}`]: () => ({ message: m.siteRemoved }),
  })
  await userEvent.click(page.getByRole('button', { name: 'Create site' }))
  const dialog = page.getByRole('dialog', { name: 'Create site' })
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Lot')
  await userEvent.click(dialog.getByText('kW', { exact: true }).first())
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Limit' }), '27,5')
  await expect.element(dialog.getByText('On three phases: 39 A per phase.')).toBeVisible()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Chargers' }))
  await userEvent.click(page.getByRole('option', { name: 'Gate (now in Yard)' }))
  await expectClean()
  await userEvent.click(dialog.getByRole('button', { name: 'Create site' }))
  await expect
    .poll(() => requests.find(({ call }) => call === 'POST /client/cfm/site')?.body)
    .toEqual({
      name: 'Lot',
      limitA: 39,
      reserveA: 0,
      fallbackA: 0,
      chargers: [{ chargerId: gate, phases: 'L1L2L3' }],
    })
  await userEvent.click(page.getByRole('button', { name: 'Delete Yard' }))
  const question = page.getByRole('dialog', { name: 'Delete this site?' })
  await expect.element(question.getByText('Its 2 chargers are kept', { exact: false })).toBeVisible()
  expect(requests.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Delete' }))
  await expect.poll(() => requests.filter(({ call }) => call.startsWith('DELETE')).length).toBe(1)
})

test('priorities: only changed ones are saved', async () => {
  const requests = await openSites({ 'PATCH /client/cfm/priority': () => ({ message: m.settingSaved }) })
  const save = page.getByRole('button', { name: 'Save priorities' })
  await expect.element(save).toBeDisabled()
  await userEvent.fill(page.getByRole('textbox', { name: 'Priority of Vans' }), '5')
  await userEvent.click(save)
  await expect
    .poll(() => requests.find(({ call }) => call === 'PATCH /client/cfm/priority')?.body)
    .toEqual({ priorities: [{ groupId, priority: 5 }] })
})

test('R1 a user with read access cannot change anything', async () => {
  await openSites({}, 'custom')
  await expect.element(page.getByRole('table', { name: 'Connectors' }).getByText('Port · 1')).toBeVisible()
  const changes = page.getByRole('button', { name: /Create|Edit|Delete|Limit|End|Save priorities/ }).elements()
  expect(changes.filter((button) => !button.closest('th'))).toEqual([]) // heads of columns sort
})

test('a range replaces the day of a site and of its connector', async () => {
  await openSites({}, 'expert', '&range=2026-11-18T23:00:00Z/2026-11-20T11:00:00Z')
  await expect.element(page.getByRole('region', { name: /^Yard \(kW\) 19.11.2026 00:00/ })).toBeVisible()
  const window = 'start=2026-11-18T23%3A00%3A00.000Z&end=2026-11-20T11%3A00%3A00.000Z'
  const charts = () => fetched().filter((url) => url.includes('/chart?') && url.includes(window))
  await expect.poll(() => charts().map((url) => url.includes('chargerId='))).toEqual([false, true])
  await userEvent.click(page.getByRole('button', { name: /^Time range: 19.11.2026 00:00/ }))
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '20.08.2026 00:00')
  await expect.element(page.getByText('At most 92 days')).toBeVisible()
})

test('notes of the company and plans of a site are marks on its chart; a plan opens', async () => {
  const from = new Date().toISOString()
  const plan = { kind: 'plan', _id: groupId, from, to: null, name: 'Night plan' }
  await openSites({ 'GET /client/data/annotation/site': () => ({ data: { annotations: [plan], isCut: false } }) })
  await userEvent.click(page.getByRole('button', { name: /^Load plan: Night plan/ }))
  await expect
    .element(page.getByRole('link', { name: 'Open the plan' }))
    .toHaveAttribute('href', `/insights/loadShifting?plan=${groupId}`)
  await expectClean()
})
