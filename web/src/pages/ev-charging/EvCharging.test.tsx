import type { Charger, ChargerTag, ChargerTransaction } from '@gridmast/contract/ev-charging.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/user.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { connectToasts } from '#lib/toast.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { chargerOf, connectorOf, idOf, licenceId, overviewOf, sessionId, sessionOf } from './ev-charging.fixture.ts'
import EvCharging from './EvCharging.tsx'
import { evSearch } from './search.ts'

const charging = connectorOf(1, { state: 'charging', transactionId: sessionId, powerKw: 17.4, soc: 64 })
const all: Charger[] = [
  chargerOf(1, 'Port 1', { connectors: [charging, connectorOf(2)] }),
  chargerOf(2, 'Port 2', {
    connectors: [connectorOf(1, { state: 'faulted', error: 'GroundFailure' }), connectorOf(2)],
  }),
  chargerOf(3, 'Lynlader', { meta: { ...chargerOf(3, '').meta, isActive: false } }),
]
const group = {
  _id: idOf(70),
  name: 'Vans',
  action: true,
  tagCount: 1,
  budget: null,
  createdAt: '2026-11-01T10:00:00.000Z',
}
const tag: ChargerTag = {
  ...{ _id: idOf(80), name: 'Lene Ravn', tagID: '04A219B7', action: true, groupId: group._id },
  ...{ groupData: { name: 'Vans', action: true }, properties: { chargingType: 'tagId' } },
  budget: null,
  createdAt: '2026-11-01T10:00:00.000Z',
}

const toasts: string[] = []
connectToasts(({ message }) => toasts.push(message))
beforeEach(() => tokenStore.set('t'))
afterEach(() => {
  toasts.length = 0
  tokenStore.set(null)
})

type Given = {
  who?: User['userRole']
  chargers?: () => Charger[]
  transactions?: ChargerTransaction[]
  total?: number
  overview?: ReturnType<typeof overviewOf>
  remote?: () => { status?: number; message?: string; data?: unknown } | Promise<{ data: unknown }>
  live?: ReadableStream<Uint8Array>
  language?: 'en' | 'da'
  more?: Parameters<typeof answerCalls>[0]
}

const open = async (search = '', given: Given = {}) => {
  const { who = 'sudoer', chargers = () => all, transactions = [sessionOf()], remote, language = 'en' } = given
  const answer = remote ?? (() => ({ data: { status: 'Accepted', accepted: true } }))
  const asked = answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    [`GET /client/evc/connector/${licenceId}`]: () => ({ data: { chargers: chargers() } }),
    'GET /client/evc/overview': () => ({ data: given.overview ?? overviewOf() }),
    [`GET /client/evc/transaction/${sessionId}`]: () => ({ data: { transaction: sessionOf() } }),
    'GET /client/evc/transaction': () => ({
      data: { transactions, overallConsumption: 2418.37, totalCount: given.total ?? transactions.length },
    }),
    'GET /client/evc/tag': () => ({ data: [{ tags: [tag], totalCount: given.total ?? 1 }] }),
    'GET /client/evc/group': () => ({ data: { groups: [group] } }),
    'GET /client/evc/choice': () => ({ data: { oneSession: false } }),
    'GET /client/evc/price': () => ({ data: { chargers: [], tariffs: [] } }),
    'POST /client/evc/remote/start': answer,
    'POST /client/evc/remote/stop': answer,
    ...given.more,
  })
  const user = someUser({
    userRole: who,
    allowed: { e3App: true },
    customerId: {
      enabledLicense: { [licenceId]: { licenseType: { name: 'evCharging', icon: '' }, enabled: true } },
      license: { evCharging: { enabled: true } },
    },
  })
  const { router } = await showAt(
    '/e3-App/evCharging',
    <UserProvider value={user}>
      <h1>EV Charging</h1>
      <EvCharging />
    </UserProvider>,
    language,
    search,
  )
  return { router, asked, changes: () => asked.filter(({ call }) => !call.startsWith('GET')) }
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = page.getByRole('dialog')

describe('Chargers', () => {
  test('all chargers with the state of each connector; the description is cut at 40 characters; one that is offline says so', async () => {
    await open('?tab=chargers')
    const table = page.getByRole('table', { name: 'All Chargers' })
    await expect.element(table.getByText('Port 1')).toBeVisible()
    const rows = table.getByRole('row')
    const text = (i: number) => rows.nth(i).element().textContent
    expect(text(1)).toContain('Vans at port 3, beside the ice water sto…')
    for (const words of ['Charging', 'Available', 'Online', 'SN-1', 'AC', '22', '01.11.2026'])
      expect(text(1)).toContain(words)
    expect(text(2)).toContain('Faulted')
    expect(text(3)).toContain('Offline since 20.11.2026 18:12:05')
    expect(text(3)).not.toContain('Available')
    await userEvent.type(page.getByRole('searchbox', { name: 'Find a charger' }), 'lyn')
    await expect.poll(() => rows.elements().length).toBe(2)
    await expectClean()
  })

  test('a state that a charger tells is shown without a reload', async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const stream = new ReadableStream<Uint8Array>({ start: (opened) => void (controller = opened) })
    let now = all
    await open('?tab=chargers', { chargers: () => now })
    const answered = vi.mocked(window.fetch).getMockImplementation()
    vi.mocked(window.fetch).mockImplementation(async (url, init) =>
      new Request(url instanceof URL ? url.href : url).url.includes('/client/live')
        ? new Response(stream)
        : (answered?.(url, init) ?? Response.error()),
    )
    tokenStore.set('another')
    await expect.element(page.getByText('Faulted')).toBeVisible()
    await expect
      .poll(() => fetched().some((path) => path.includes('/client/live') && path.includes('kinds=charger')))
      .toBe(true)
    now = [chargerOf(2, 'Port 2')]
    controller?.enqueue(new TextEncoder().encode(`event: charger\ndata: {"chargerId":"${idOf(2)}"}\n\n`))
    await expect.poll(() => page.getByText('Faulted').elements().length).toBe(0)
  })

  test.each([
    ['Accepted', true, 'Waiting for the session to begin'],
    ['Rejected', false, null],
    [m.chargerSilent, false, null],
  ])('a remote start says what the charger answers: %s', async (status, accepted, then) => {
    const { changes } = await open('?tab=chargers', { remote: () => ({ data: { status, accepted } }) })
    await userEvent.click(button('Remote start/stop of Port 2'))
    await userEvent.click(dialog.getByRole('radio', { name: /^Connector 2/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Start' }))
    const answer = dialog.getByRole('status', { name: 'Answer of the charger' })
    await expect.element(answer.getByText(status)).toBeVisible()
    expect(toasts).toEqual([status])
    expect(changes()).toMatchObject([
      { call: 'POST /client/evc/remote/start', body: { chargerId: idOf(2), connectorId: 2 } },
    ])
    if (then) await expect.element(answer.getByText(then)).toBeVisible()
    await expectClean()
  })

  test('a running session can only be stopped, an idle connector only be started', async () => {
    const { changes } = await open('?tab=chargers')
    await userEvent.click(button('Remote start/stop of Port 1'))
    await expect.element(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
    await userEvent.click(dialog.getByRole('radio', { name: /^Connector 2/ }))
    await expect.element(dialog.getByRole('button', { name: 'Stop' })).toBeDisabled()
    await userEvent.click(dialog.getByRole('radio', { name: /^Connector 1/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Stop' }))
    await expect.poll(changes).toMatchObject([{ call: 'POST /client/evc/remote/stop', body: { connectorId: 1 } }])
  })

  test('an offline charger is not asked', async () => {
    await open('?tab=chargers')
    await userEvent.click(button('Remote start/stop of Lynlader'))
    await expect.element(dialog.getByText(m.chargerOffline)).toBeVisible()
    for (const name of ['Start', 'Stop']) await expect.element(dialog.getByRole('button', { name })).toBeDisabled()
  })

  test('a refusal of the server is its sentence', async () => {
    await open('?tab=chargers', { remote: () => ({ status: 409, message: m.chargerOffline }) })
    await userEvent.click(button('Remote start/stop of Port 2'))
    await userEvent.click(dialog.getByRole('button', { name: 'Start' }))
    await expect.poll(() => toasts).toEqual([m.chargerOffline])
  })

  test.each(['auditor', 'custom'] as const)('R1 the %s starts and stops nothing', async (who) => {
    await open('?tab=chargers', { who })
    await expect.element(page.getByText('Port 1')).toBeVisible()
    expect(button(/Remote/).elements()).toEqual([])
  })
})

describe('Details', () => {
  test('the first charger is chosen; its connectors show power, session, duration and state of charge', async () => {
    await open()
    const list = page.getByRole('navigation', { name: 'Instances' })
    await expect.element(list.getByRole('button', { name: /Port 1/ })).toHaveAttribute('aria-current', 'true')
    const card = page.getByRole('region', { name: 'Connector 1' })
    await expect.element(card.getByText('Lene Ravn')).toBeVisible()
    for (const words of ['17,4', '18,42', '01:12', '64']) expect(card.element().textContent).toContain(words)
    expect(page.getByRole('region', { name: 'Connector 2' }).element().textContent).toContain('No session')
    for (const name of ['Power (kW)', 'Consumption (kWh)', 'State of charge (%)'])
      await expect.element(page.getByRole('region', { name })).toBeVisible()
    await expectClean()
  })

  test('charger, connector and day stand in the address, usual values left out', async () => {
    const { router } = await open()
    const list = page.getByRole('navigation', { name: 'Instances' })
    await userEvent.click(list.getByRole('button', { name: /Port 2/ }))
    await userEvent.click(page.getByRole('radio', { name: 'Connector 2' }))
    await userEvent.click(button('Previous day'))
    await expect
      .poll(() => router.state.location.search)
      .toMatchObject({ chargerId: idOf(2), connectorId: 2, date: expect.any(String) })
    expect(fetched().at(-1)).toContain(`/api/client/evc/overview?chargerId=${idOf(2)}&connectorId=2&date=`)
    await userEvent.click(button('Next day'))
    await userEvent.click(list.getByRole('button', { name: /Port 1/ }))
    await expect.poll(() => router.state.location.search).toEqual({})
  })

  test('where the charger does not send it, the state of charge is not reported', async () => {
    const noSoc = all.map((one) => ({ ...one, connectors: one.connectors.map((each) => ({ ...each, soc: null })) }))
    await open('', { chargers: () => noSoc, overview: overviewOf({ SocData: [] }) })
    await expect.element(page.getByRole('region', { name: 'Connector 1' }).getByText('Not reported')).toBeVisible()
    const chart = page.getByRole('region', { name: 'State of charge (%)' })
    await expect.element(chart.getByText('This charger does not say how full the battery of the car is.')).toBeVisible()
  })

  test('a charger that tells its phases shows each beside the total', async () => {
    const at = overviewOf().powerData[0]
    const phase = (name: string, kw: number) => ({
      ...at,
      name,
      unit: 'kW',
      kind: 'line' as const,
      x: at?.x ?? [],
      y: [kw, kw],
    })
    const powerData = [phase('Power', 11), phase('L1', 3.7), phase('L2', 3.6), phase('L3', 3.7)]
    await open('', { overview: overviewOf({ powerData }) })
    const chart = page.getByRole('region', { name: 'Power (kW)' })
    for (const name of ['L1', 'L2', 'L3']) await expect.element(chart.getByText(name, { exact: true })).toBeVisible()
    await userEvent.click(chart.getByRole('button', { name: 'Show as table' }))
    await expect.element(chart.getByRole('row').nth(1)).toMatchTextContent(/11,03,73,63,7$/)
    await expectClean()
  })

  test('each chart downloads its own samples', async () => {
    await open()
    const chart = page.getByRole('region', { name: 'State of charge (%)' })
    await userEvent.click(chart.getByRole('button', { name: 'Download' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
    await expect.poll(() => fetched().at(-1)).toContain('format=csv&chart=soc')
  })
})

describe('Tag', () => {
  test('the active flag saves at once', async () => {
    const { changes } = await open('?tab=tag', {
      more: { [`PATCH /client/evc/tag/${tag._id}`]: () => ({ message: m.tagUpdated, data: { tag } }) },
    })
    await userEvent.click(page.getByRole('switch', { name: 'Lene Ravn active' }))
    await expect.poll(changes).toMatchObject([{ body: { action: false } }])
    await expect.poll(() => toasts).toEqual(['Tag Updated Successfully'])
    await expectClean()
  })

  test('C3 switched off while sessions run: stopping them is offered, and each charger answers for itself', async () => {
    const stops = [
      { chargerName: 'Port 1', connectorId: 2, status: 'Accepted', accepted: true },
      { chargerName: 'Port 2', connectorId: 1, status: m.chargerOffline, accepted: false },
    ]
    const { changes } = await open('?tab=tag', {
      more: {
        [`PATCH /client/evc/tag/${tag._id}`]: () => ({ message: m.tagUpdated, data: { tag, running: 2 } }),
        [`POST /client/evc/tag/${tag._id}/stop`]: () => ({ data: { stops } }),
      },
    })
    await userEvent.click(page.getByRole('switch', { name: 'Lene Ravn active' }))
    const question = page.getByRole('dialog', { name: 'Stop 2 running sessions too?' })
    await expect.element(question.getByRole('button', { name: 'Let them run' })).toBeVisible()
    expect(changes()).toHaveLength(1)
    await expectClean()
    await userEvent.click(question.getByRole('button', { name: 'Stop them' }))
    await expect.element(question.getByText('Port 2 · 1')).toBeVisible()
    await expect.element(question.getByText(m.chargerOffline)).toBeVisible()
  })

  test('C3 the form that switches a tag off offers it too; one that was off before does not', async () => {
    await open('?tab=tag', {
      more: { [`PATCH /client/evc/tag/${tag._id}`]: () => ({ message: m.tagUpdated, data: { tag, running: 2 } }) },
    })
    const edit = async () => {
      await userEvent.click(button('Edit Lene Ravn'))
      await userEvent.click(dialog.getByRole('switch', { name: /^Active/ }))
      await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
    }
    await edit()
    const question = page.getByRole('dialog', { name: 'Stop 2 running sessions too?' })
    await userEvent.click(question.getByRole('button', { name: 'Let them run' }))
    await expect.element(question).not.toBeInTheDocument()
    await userEvent.click(button('Edit Lene Ravn'))
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Lene')
    await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
    await expect.poll(() => dialog.elements().length).toBe(0)
  })

  test('one session for each tag is a switch of the company', async () => {
    const { changes } = await open('?tab=tag', {
      more: { 'PATCH /client/evc/choice': () => ({ message: m.settingSaved }) },
    })
    await userEvent.click(page.getByRole('switch', { name: 'One session for each tag' }))
    await expect.poll(changes).toMatchObject([{ call: 'PATCH /client/evc/choice', body: { oneSession: true } }])
  })

  test('name and ID are required; a new tag is sent, and closing takes the parameter out of the address', async () => {
    const { changes, router } = await open('?tab=tag&createTagModal=true', {
      more: { 'POST /client/evc/tag': () => ({ message: m.tagCreated, data: { tag } }) },
    })
    await userEvent.click(dialog.getByRole('button', { name: 'Create tag' }))
    await expect.poll(() => dialog.getByText(m.required).elements().length).toBe(2)
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Ny bil')
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Tag ID' }), '0123456789012345678901')
    await expect
      .element(dialog.getByText('More than 20 characters: only chargers of OCPP 2.0.1 can read it.'))
      .toBeVisible()
    await expectClean()
    await userEvent.click(dialog.getByRole('button', { name: 'Create tag' }))
    await expect.poll(changes).toMatchObject([
      {
        call: 'POST /client/evc/tag',
        body: {
          ...{ name: 'Ny bil', tagID: '0123456789012345678901', action: true, groupId: null },
          properties: { chargingType: 'tagId' },
        },
      },
    ])
    await expect.poll(() => toasts).toEqual(['Tag Created Successfully'])
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'tag' })
  })

  test('a refused ID is said at its field', async () => {
    await open('?tab=tag&createTagModal=true', {
      more: { 'POST /client/evc/tag': () => ({ status: 409, message: m.tagTaken, errors: { tagID: m.tagTaken } }) },
    })
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Ny bil')
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Tag ID' }), '04A219B7')
    await userEvent.click(dialog.getByRole('button', { name: 'Create tag' }))
    await expect.element(dialog.getByText(m.tagTaken)).toBeVisible()
    expect(toasts).toEqual([])
  })

  test('a tag is deleted after a question', async () => {
    const { changes } = await open('?tab=tag', {
      more: { [`DELETE /client/evc/tag/${tag._id}`]: () => ({ message: m.tagDeleted }) },
    })
    await userEvent.click(button('Delete Lene Ravn'))
    expect(changes()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await expect.poll(() => toasts).toEqual(['Tag Deleted!'])
  })

  test('groups: a sub-tab in the address, the flag saves at once, and a group leads to its tags', async () => {
    const { router, changes } = await open('?tab=tag', {
      more: { [`PATCH /client/evc/group/${group._id}`]: () => ({ message: m.tagGroupUpdated, data: { group } }) },
    })
    await userEvent.click(page.getByRole('radio', { name: 'Group' }))
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'tag', subTab: 'group' })
    await userEvent.click(page.getByRole('switch', { name: 'Vans active' }))
    await expect.poll(changes).toMatchObject([{ body: { action: false } }])
    await expect.poll(() => toasts).toEqual(['Tag Group Updated Successfully'])
    await userEvent.click(button('Tags of Vans: 1'))
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'tag', groupId: group._id })
    await expect
      .poll(() => fetched().some((path) => path.includes(`/evc/tag?limit=15&skip=0&groupId=${group._id}`)))
      .toBe(true)
  })

  test.each(['auditor', 'custom'] as const)('R1 the %s changes no tag', async (who) => {
    await open('?tab=tag', { who })
    await expect.element(page.getByText('Lene Ravn')).toBeVisible()
    expect(page.getByRole('switch').elements()).toEqual([])
    expect(button(/Create|Edit|Delete/).elements()).toEqual([])
  })
})

describe('Transactions', () => {
  const states: [Partial<ChargerTransaction>, string][] = [
    [{}, 'Charging'],
    [{ status: 'ended', endTime: '2026-11-20T18:00:00.000Z' }, 'Completed'],
    [{ status: 'abandoned', estimated: true }, 'No stop was told'],
    [{ status: 'orphan', endTime: '2026-11-20T18:00:00.000Z' }, 'No start was told'],
    [{ status: 'ended', refused: true }, 'Refused'],
  ]
  test('each state in words, the estimate says so, and the sum is that of all', async () => {
    const rows = states.map(([over], i) => sessionOf({ _id: sessionId.replace(/1$/, String(i + 1)), ...over }))
    await open('?tab=transactions', { transactions: rows, total: 128 })
    const table = page.getByRole('table', { name: 'Transactions' })
    await expect.element(table.getByText('No stop was told')).toBeVisible()
    states.forEach(([, words], i) =>
      expect(
        table
          .getByRole('row')
          .nth(i + 1)
          .element().textContent,
      ).toContain(words),
    )
    expect(table.getByRole('row').nth(3).element().textContent).toContain('Estimated')
    expect(table.getByRole('row').nth(1).element().textContent).toContain('Ongoing')
    await expect.element(page.getByText('2.418,37')).toBeVisible()
    await expect.element(page.getByText('Total Count 128')).toBeVisible()
    await expectClean()
  })

  test('filters are sent together; pages of 15; the export asks for all of them', async () => {
    const { router } = await open('?tab=transactions&startDate=2026-11-01&endDate=2026-11-20', { total: 128 })
    await userEvent.click(page.getByRole('combobox', { name: 'Charger', exact: true }))
    await userEvent.click(page.getByRole('option', { name: 'Port 2' }))
    await userEvent.click(page.getByRole('combobox', { name: 'Connector', exact: true }))
    await userEvent.click(page.getByRole('option', { name: '2' }))
    await userEvent.click(page.getByRole('combobox', { name: 'Tag', exact: true }))
    await userEvent.click(page.getByRole('option', { name: /Lene Ravn/ }))
    await userEvent.click(button('Submit'))
    await expect
      .poll(() => router.state.location.search)
      .toMatchObject({ chargerId: idOf(2), connectorId: 2, tagId: tag._id })
    const filter = `chargerId=${idOf(2)}&connectorId=2&tagId=${tag._id}&startDate=2026-11-01&endDate=2026-11-20`
    await expect.poll(() => fetched()).toContain(`/api/client/evc/transaction?${filter}&limit=15&skip=0`)
    await userEvent.click(button('Page 2'))
    await expect.poll(() => fetched()).toContain(`/api/client/evc/transaction?${filter}&limit=15&skip=15`)
    await userEvent.click(button('Export'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
    await expect.poll(() => fetched()).toContain(`/api/client/evc/transaction?${filter}&format=xlsx`)
  })
})

test('a tab is a place: what belonged to the one before is left out, the licence stays', async () => {
  const { router } = await open(`?licenseTypeId=${licenceId}&date=2026-11-20&chargerId=${idOf(2)}`)
  await userEvent.click(page.getByRole('tab', { name: 'Transactions' }))
  await expect.poll(() => router.state.location.search).toEqual({ licenseTypeId: licenceId, tab: 'transactions' })
})

test('in Danish', async () => {
  await open('', { language: 'da' })
  await expect.element(page.getByRole('tab', { name: 'Ladere' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Ladetilstand (%)' })).toBeVisible()
})

test('a failed read says why and offers another try', async () => {
  await open('', { more: { [`GET /client/evc/connector/${licenceId}`]: () => ({ status: 403, message: 'Not now' }) } })
  await expect.element(page.getByText('The chargers could not be loaded.')).toBeVisible()
  await expect.element(button('Retry now')).toBeVisible()
})

test('what the address may hold, and what is dropped', () => {
  const full = { tab: 'tag', subTab: 'group', date: '2026-11-20', createTagModal: true, limit: 30 }
  expect(evSearch.parse(full)).toEqual(full)
  expect(evSearch.parse({ tab: 'bids', subTab: 'x', date: '2026-02-30', limit: 101, createTagModal: 'yes' })).toEqual(
    {},
  )
})
