import type { ChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { describe, expect, test, vi } from 'vitest'
import { cleanup } from '@testing-library/react'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { someSource, someTag as tag } from '#testing/samples.ts'
import { fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { chargerOf, idOf, licenceId, overviewOf, sessionId, sessionOf } from './ev-charging.fixture.ts'
import { all, button, dialog, open } from './open-ev-charging.tsx'
import { toasts } from '#testing/toasts.ts'
import { evSearch } from './search.ts'

describe('Chargers', () => {
  test('all chargers with the state of each connector; the description is cut at 40 characters; an offline charger is marked', async () => {
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

  test('the address opens the form of a charger, for users who may start it only', async () => {
    await open('?remote=true')
    const form = page.getByRole('dialog', { name: /Remote start/ })
    await expect.element(form).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
    cleanup()
    await open('?remote=true', { who: 'auditor' })
    await expect.element(page.getByRole('heading', { name: /Port 1/ })).toBeVisible()
    expect(page.getByRole('dialog').elements()).toEqual([])
  })

  test('a state reported by a charger is shown without a reload', async () => {
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
    ['Accepted', true, 'Waiting for the session to start'],
    ['Rejected', false, null],
    [m.chargerSilent, false, null],
  ])('a remote start shows the answer of the charger: %s', async (status, accepted, then) => {
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

  test('a start uses the selected tag, and is not sent again while its session is pending', async () => {
    const { changes } = await open('?tab=chargers')
    await userEvent.click(button('Remote start/stop of Port 2'))
    await userEvent.click(dialog.getByRole('combobox', { name: 'Tag' }))
    await userEvent.click(page.getByRole('option', { name: 'Lene Ravn · 04A219B7' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Start' }))
    await expect.element(dialog.getByText('Waiting for the session to start')).toBeVisible()
    await expect.element(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
    await expectClean()
    expect(changes()).toMatchObject([{ body: { chargerId: idOf(2), connectorId: 1, tagId: tag._id } }])
  })

  test('a session that is still loading is not shown as none', async () => {
    const answer = Promise.withResolvers<{ data: unknown }>()
    await open('', { more: { [`GET /client/evc/transaction/${sessionId}`]: () => answer.promise } })
    const card = page.getByRole('region', { name: 'Connector 1' })
    await expect.element(card).toMatchTextContent(/17,4kW/)
    expect(card.element().textContent).not.toContain('No session')
    await expect.element(card.getByRole('status', { name: 'Loading' })).toBeInTheDocument()
    answer.resolve({ data: { transaction: sessionOf() } })
    await expect.element(card.getByText('Lene Ravn')).toBeVisible()
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

  test('no command is sent to an offline charger', async () => {
    await open('?tab=chargers')
    await userEvent.click(button('Remote start/stop of Lynlader'))
    await expect.element(dialog.getByText(m.chargerOffline)).toBeVisible()
    for (const name of ['Start', 'Stop']) await expect.element(dialog.getByRole('button', { name })).toBeDisabled()
  })

  test('a refusal of the server is shown as its message', async () => {
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
    const list = page.getByRole('navigation', { name: 'Chargers' })
    await expect.element(list.getByRole('button', { name: /Port 1/ })).toHaveAttribute('aria-current', 'true')
    const card = page.getByRole('region', { name: 'Connector 1' })
    await expect.element(card.getByText('Lene Ravn')).toBeVisible()
    for (const words of ['17,4', '18,42', '01:12', '64']) expect(card.element().textContent).toContain(words)
    expect(page.getByRole('region', { name: 'Connector 2' }).element().textContent).toContain('No session')
    for (const name of ['Power (kW)', 'Consumption (kWh)', 'State of charge (%)'])
      await expect.element(page.getByRole('region', { name })).toBeVisible()
    await expectClean()
  })

  test('charger, connector and day are in the address, default values are omitted', async () => {
    const { router } = await open()
    const list = page.getByRole('navigation', { name: 'Chargers' })
    await userEvent.click(list.getByRole('button', { name: /Port 2/ }))
    await userEvent.click(page.getByRole('radio', { name: 'Connector 2' }))
    await userEvent.click(button('Previous day'))
    await expect
      .poll(() => router.state.location.search)
      .toMatchObject({ chargerId: idOf(2), connectorId: 2, date: expect.any(String) })
    expect(fetched().findLast((url) => url.includes('/evc/overview'))).toContain(
      `/api/client/evc/overview?chargerId=${idOf(2)}&connectorId=2&date=`,
    )
    await userEvent.click(button('Next day'))
    await userEvent.click(list.getByRole('button', { name: /Port 1/ }))
    await expect.poll(() => router.state.location.search).toEqual({})
  })

  test('a time range or a zoom replaces the day for all charts of a connector; a day drops it', async () => {
    const { router } = await open()
    await userEvent.click(button('Time range'))
    await userEvent.click(button('Last 7 days'))
    await expect.poll(() => router.state.location.search).toEqual({ range: '7d' })
    const asked = () =>
      new URLSearchParams(
        fetched()
          .findLast((url) => url.includes('/evc/overview?'))
          ?.split('?')[1],
      )
    await expect
      .poll(() => Date.parse(asked().get('end') ?? '') - Date.parse(asked().get('start') ?? ''))
      .toBe(7 * dayMs)
    expect(asked().has('date')).toBe(false)
    const chart = page.getByRole('group', { name: /^Power \(kW\) Last 7 days/ })
    await expect.element(chart).toBeVisible()
    ;(chart.element() as HTMLElement).focus() // a group is an HTML element
    await userEvent.keyboard('+')
    await expect.poll(() => router.state.location.search).toMatchObject({ range: '7d', zoom: expect.any(String) })
    await userEvent.click(button(/^Time range: /))
    await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '01.01.2026 00:00')
    await expect.element(page.getByText('At most 92 days')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await userEvent.click(button('Previous day'))
    await expect.poll(() => Object.keys(router.state.location.search)).toEqual(['date'])
  })

  test('the first zoom of a day keeps the charts and the focus', async () => {
    const { router } = await open()
    const chart = page.getByRole('group', { name: /^Power \(kW\)/ })
    await expect.element(chart).toBeVisible()
    ;(chart.element() as HTMLElement).focus() // a group is an HTML element
    await userEvent.keyboard('+')
    await expect.poll(() => Object.keys(router.state.location.search)).toEqual(['zoom'])
    await expect.poll(() => fetched().some((url) => /\/evc\/overview\?.*start=/.test(url))).toBe(true)
    await expect.element(chart).toHaveFocus()
  })

  test('a charger that does not send its state of charge has it as not reported', async () => {
    const noSoc = all.map((one) => ({ ...one, connectors: one.connectors.map((each) => ({ ...each, soc: null })) }))
    await open('', { chargers: () => noSoc, overview: overviewOf({ SocData: [] }) })
    await expect.element(page.getByRole('region', { name: 'Connector 1' }).getByText('Not reported')).toBeVisible()
    const chart = page.getByRole('region', { name: 'State of charge (%)' })
    await expect.element(chart.getByText('This charger does not report the state of charge.')).toBeVisible()
  })

  test('a charger that reports its phases has a curve for each next to the total', async () => {
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
    await expect.poll(() => fetched().at(-1)).toContain('chart=soc&format=csv')
  })
})

describe('Transactions', () => {
  const states: [Partial<ChargerTransaction>, string][] = [
    [{}, 'Charging'],
    [{ status: 'ended', endTime: '2026-11-20T18:00:00.000Z' }, 'Completed'],
    [{ status: 'abandoned', estimated: true }, 'Stop not reported'],
    [{ status: 'orphan', endTime: '2026-11-20T18:00:00.000Z' }, 'Start not reported'],
    [{ status: 'ended', refused: true, consumption: 0 }, 'Refused'],
    [{ status: 'ended', refused: true, consumption: 42.86 }, 'Charged although refused'],
    [{ status: 'ended', consumption: null, doubtedKwh: 300 }, 'Energy to confirm'],
  ]
  test('each state in words, an estimate is marked, and the sum covers all sessions', async () => {
    const rows = states.map(([over], i) => sessionOf({ _id: sessionId.replace(/1$/, String(i + 1)), ...over }))
    await open('?tab=transactions', { transactions: rows, total: 128 })
    const table = page.getByRole('table', { name: 'Transactions' })
    await expect.element(table.getByText('Stop not reported')).toBeVisible()
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

  const doubted = sessionOf({
    status: 'ended',
    consumption: null,
    doubtedKwh: 300,
    startTime: '2026-11-20T09:00:00.000Z',
    endTime: '2026-11-20T09:00:36.000Z',
  })
  const refused = sessionOf({ _id: idOf(9), status: 'ended', refused: true, consumption: 42.86, tagName: null })
  const cost = { total: null, parts: null, driver: null, kgCo2: null, spread: false, unknown: 'doubted' }
  const more = {
    [`GET /client/evc/transaction/${sessionId}/cost`]: () => ({
      data: {
        cost,
        quarters: [],
        price: null,
        sources: { spot: null, tariff: null, emission: someSource('CO2Emis') },
        simulated: false,
      },
    }),
    [`POST /client/evc/transaction/${sessionId}/energy`]: () => ({
      message: m.energyReviewed,
      data: { transaction: doubted },
    }),
    [`POST /client/evc/transaction/${sessionId}/end`]: () => ({
      message: m.sessionEndedByUser,
      data: { transaction: doubted },
    }),
  }

  test('implausible energy is listed, explained, and confirmed or corrected with a reason', async () => {
    const { changes } = await open('?tab=transactions', {
      attention: [doubted, refused],
      transactions: [doubted],
      more,
    })
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await expect.element(attention.getByText('Energy to confirm')).toBeVisible()
    await expect.element(attention.getByText('Charged although refused')).toBeVisible()
    await expect.element(attention.getByText(/42,86 kWh/)).toBeVisible()
    await expectClean()
    await userEvent.click(attention.getByRole('button', { name: /Review the session/ }).first())
    await expect
      .element(
        dialog.getByText(/The charger reported 300,0 kWh, on average 30.000 kW; its connector delivers at most 22 kW/),
      )
      .toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Confirm or correct' }))
    const form = page.getByRole('dialog', { name: 'Confirm or correct the energy' })
    await userEvent.click(form.getByRole('button', { name: 'Save energy' }))
    await expect.element(form.getByText(m.required)).toBeVisible()
    await userEvent.fill(form.getByRole('textbox', { name: 'Energy' }), '0,3')
    await userEvent.fill(form.getByRole('textbox', { name: 'Reason' }), 'Counts Wh')
    await expectClean()
    await userEvent.click(form.getByRole('button', { name: 'Save energy' }))
    await expect.poll(changes).toMatchObject([{ body: { kwh: '0.3', reason: 'Counts Wh' } }])
    await expect.poll(() => toasts).toEqual([m.energyReviewed])
  })

  test('a session that its charger left open is ended with a reason', async () => {
    const { changes } = await open(`?tab=transactions&session=${sessionId}`, { transactions: [], more })
    await userEvent.click(dialog.getByRole('button', { name: 'End session' }))
    const form = page.getByRole('dialog', { name: 'End this session?' })
    await userEvent.fill(form.getByRole('textbox', { name: 'Reason' }), 'Car has left')
    await userEvent.click(form.getByRole('button', { name: 'End session' }))
    await expect.poll(changes).toMatchObject([{ body: { reason: 'Car has left' } }])
  })

  test('R1 an auditor reads what needs attention, in Danish too, and cannot decide it', async () => {
    await open(`?tab=transactions&session=${sessionId}`, {
      who: 'auditor',
      transactions: [doubted],
      attention: [doubted],
      more,
      language: 'da',
    })
    await expect.element(dialog.getByText(/Laderen oplyste 300,0 kWh, i snit 30.000 kW/)).toBeVisible()
    expect(button(/Bekræft eller ret|Afslut opladning/).elements()).toEqual([])
  })

  test('filters are sent together; pages of 15; the export contains all pages', async () => {
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

test('a tab is a history entry: parameters of the previous tab are omitted, the licence stays', async () => {
  const { router } = await open(`?licenseTypeId=${licenceId}&date=2026-11-20&chargerId=${idOf(2)}`)
  await userEvent.click(page.getByRole('tab', { name: 'Transactions' }))
  await expect.poll(() => router.state.location.search).toEqual({ licenseTypeId: licenceId, tab: 'transactions' })
})

test('in Danish', async () => {
  await open('', { language: 'da' })
  await expect.element(page.getByRole('tab', { name: 'Ladere' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Ladetilstand (%)' })).toBeVisible()
})

test('a failed read shows its reason and offers another try', async () => {
  await open('', { more: { [`GET /client/evc/connector/${licenceId}`]: () => ({ status: 403, message: 'Not now' }) } })
  await expect.element(page.getByText('The chargers could not be loaded.')).toBeVisible()
  await expect.element(button('Retry now')).toBeVisible()
})

test('valid parameters of the address are kept, others are dropped', () => {
  const full = { tab: 'tag', subTab: 'group', date: '2026-11-20', createTagModal: true, limit: 30 }
  expect(evSearch.parse(full)).toEqual(full)
  expect(evSearch.parse({ tab: 'bids', subTab: 'x', date: '2026-02-30', limit: 101, createTagModal: 'yes' })).toEqual(
    {},
  )
})
