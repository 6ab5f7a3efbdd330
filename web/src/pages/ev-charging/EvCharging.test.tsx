import type { ChargerTransaction } from '@gridmast/contract/ev-charging.ts'
import { m } from '@gridmast/contract/messages.ts'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { chargerOf, idOf, licenceId, overviewOf, sessionId, sessionOf } from './ev-charging.fixture.ts'
import { all, button, dialog, open, tag, toasts } from './open-ev-charging.tsx'
import { evSearch } from './search.ts'

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
