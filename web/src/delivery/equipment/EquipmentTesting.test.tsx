import type { EquipmentCommand } from '@gridmast/contract/delivery/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectToasts, type Toast } from '#lib/toast.ts'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { clickSeriesMs } from '#ui/useConfirm.tsx'
import { EquipmentTesting } from './EquipmentTesting.tsx'

const series = 'GET /client/signals/data-test-setpoint'
const control = 'POST /client/iot-device/control'
const onClose = vi.fn()
let toasts: Toast[]

beforeEach(() => {
  toasts = []
  onClose.mockReset()
  connectToasts((toast) => toasts.push(toast))
})
afterEach(() => vi.useRealTimers())

const answered = (setPoint: number, status: string | null, more: Partial<EquipmentCommand> = {}): EquipmentCommand => {
  const issuedMs = Date.now()
  return {
    _id: crypto.randomUUID(),
    setPoint,
    status,
    detail: null,
    issuedAt: new Date(issuedMs).toISOString(),
    answeredAt: status === m.noResponseFromEdge ? null : new Date(issuedMs + 420).toISOString(),
    heldUntil: new Date(issuedMs + 1_800_000).toISOString(),
    ...more,
  }
}
const curves = (command: EquipmentCommand | null = null) => {
  const x = [Date.now() - 60_000, Date.now() - 30_000]
  return {
    downloadable: true,
    simulated: false,
    command,
    lastReported: new Date().toISOString(),
    power: [{ name: 'Power', unit: 'kW', kind: 'line', x, y: [400, 240] }],
    setPoint: [{ name: 'Set point', unit: '%', kind: 'step', x, y: [0, 40] }],
  }
}
const open = (language: 'en' | 'da' = 'en') =>
  showAt(
    '/e3-App',
    <EquipmentTesting
      opened
      instance={{ _id: 'koel', name: 'Nordhavn Køl 1', signalId: 'power' }}
      edge={{ _id: 'edge', name: 'edge-nord-01', codeVersion: 'v4.4.2' }}
      onClose={onClose}
    />,
    language,
  )
const load = page.getByRole('textbox', { name: /^Load \(%\)/ })
const send = page.getByRole('button', { name: 'Send', exact: true })
const closeButton = page.getByRole('button', { name: 'Close' }).last()
const confirm = page.getByRole('dialog', { name: /^Send set point/ }).getByRole('button', { name: 'Send' })

/** Types a set point and sends it, by keyboard; above 0 the question is answered. */
const command = async (setPoint: number) => {
  await userEvent.fill(load, String(setPoint))
  await userEvent.keyboard('{Enter}')
  if (setPoint === 0) return
  await userEvent.click(confirm)
  await expect.element(confirm).not.toBeInTheDocument()
}

test('the target is in the head; the charts are drawn; a set point is sent once, as the call defines it, and shows the answer of the edge', async () => {
  let answer = (_: object) => {}
  const requests = answerCalls({
    [series]: () => ({ data: curves() }),
    [control]: () => new Promise((resolve) => (answer = resolve)),
  })
  await open()
  await expect.element(page.getByText('Nordhavn Køl 1 · edge-nord-01 · v4.4.2')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Set Point (%)' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Power (kW)' })).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: '40', exact: true }))
  await userEvent.click(send)
  await expect.element(page.getByText('Nordhavn Køl 1 (edge-nord-01) responds at once', { exact: false })).toBeVisible()
  await vi.waitFor(expectClean, 5000)
  expect(requests.filter(({ call }) => call === control)).toEqual([])
  await userEvent.click(confirm)
  await expect.element(page.getByText('Set point 40 % sent. Waiting for the edge, 10 s at most.')).toBeVisible()
  expect(requests.filter(({ call }) => call === control).map(({ body }) => body)).toEqual([
    {
      profiles: [40],
      edgeId: 'edge',
      groupId: 'koel',
      action: 'manual-control',
      testType: 'control',
      edgeVersionValue: 40_402,
    },
  ])
  answer({ data: answered(40, 'APPLIED', { detail: 'relay 2' }) })
  await expect.element(page.getByText('APPLIED', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Set point 40 % · relay 2 · answered by the edge in 0,42 s')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Audit trail' }))
    .toHaveAttribute('href', '/audit?action=equipment')
  await expect.poll(() => toasts).toEqual([{ kind: 'success', message: 'APPLIED' }])
  await expect.element(page.getByRole('switch', { name: /Auto refresh/ })).toBeChecked()
  await vi.waitFor(expectClean, 5000)
})

test.each([
  ['', 'This field is required'],
  ['-10', 'Must be greater than or equal to 0'],
  ['110', 'Must be lesser than or equal to 100'],
  ['45', 'Number must be a multiple of 10'],
])('a load of "%s" is refused under the field: %s', async (typed, message) => {
  const requests = answerCalls({ [series]: () => ({ data: curves() }) })
  await open()
  await userEvent.fill(load, typed)
  await userEvent.click(send)
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(load).toHaveFocus()
  expect(requests.filter(({ call }) => call === control)).toEqual([])
})

describe('the answer of the edge', () => {
  test('no answer: an error toast, and the dialog still requires a 0', async () => {
    answerCalls({
      [series]: () => ({ data: curves() }),
      [control]: () => ({ data: answered(20, m.noResponseFromEdge) }),
    })
    await open()
    await command(20)
    await expect.poll(() => toasts).toEqual([{ kind: 'error', message: 'NO RESPONSE FROM EDGE' }])
    await expect.element(page.getByRole('status').getByText('NO RESPONSE FROM EDGE')).toBeVisible()
    await expect.element(page.getByText(m.closeNeedsZero)).toBeVisible()
  })

  test('any other answer is a success toast with its text', async () => {
    answerCalls({
      [series]: () => ({ data: curves() }),
      [control]: () => ({ data: answered(20, 'REJECTED: LOCAL MODE') }),
    })
    await open()
    await command(20)
    await expect.poll(() => toasts).toEqual([{ kind: 'success', message: 'REJECTED: LOCAL MODE' }])
  })

  test('a refusal of the server is its message as an error toast; nothing was sent, so the dialog closes', async () => {
    answerCalls({
      [series]: () => ({ data: curves() }),
      [control]: () => ({ status: 409, message: m.marketActive }),
    })
    await open()
    await command(20)
    await expect.poll(() => toasts).toEqual([{ kind: 'error', message: m.marketActive }])
    await userEvent.click(closeButton)
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe('the dialog closes only when the last set point sent was 0', () => {
  const sent: number[] = []
  beforeEach(() => {
    sent.length = 0
    answerCalls({
      [series]: () => ({ data: curves() }),
      [control]: ({ body }) => {
        const { profiles } = body as { profiles: [number] } // what the form sends
        sent.push(profiles[0])
        return { data: answered(profiles[0], 'APPLIED') }
      },
    })
  })

  test('Close, the cross, Escape and a click outside it warn after 40 and close after 0', async () => {
    await open()
    await command(40)
    await expect.element(page.getByText(m.closeNeedsZero)).toBeVisible()
    toasts.length = 0
    await userEvent.click(closeButton)
    await userEvent.click(page.getByRole('button', { name: 'Close' }).first())
    await userEvent.keyboard('{Escape}')
    await new Promise((resolve) => setTimeout(resolve, clickSeriesMs))
    await userEvent.click(page.elementLocator(document.querySelector('.mantine-Modal-overlay') ?? document.body), {
      position: { x: 4, y: 4 },
    })
    await expect.poll(() => toasts).toEqual(toasts.map(() => ({ kind: 'error', message: m.closeNeedsZero })))
    expect(toasts.length).toBe(4)
    expect(onClose).not.toHaveBeenCalled()
    await command(0)
    expect(sent).toEqual([40, 0])
    await expect.element(page.getByText(m.closeNeedsZero)).not.toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => onClose.mock.calls.length).toBe(1)
  })

  test('leaving the page requires a confirmation, with the time at which the edge releases by itself', async () => {
    const { router } = await open()
    await command(40)
    await expect.element(page.getByText(m.closeNeedsZero)).toBeVisible()
    void router.navigate({ to: '/elsewhere' as never }) // a place of the test's own router
    const question = page.getByRole('dialog', { name: 'Leave without releasing the set point?' })
    await expect
      .element(question.getByText(/^The set point stays at 40 % until you send 0, .* at \d\d:\d\d\.$/))
      .toBeVisible()
    expect(router.state.location.pathname).toBe('/e3-App')
    await userEvent.click(question.getByRole('button', { name: 'Leave' }))
    await expect.poll(() => router.state.location.pathname).toBe('/elsewhere')
  })
})

test('opened during a set point of another user: it is reported and a 0 is required first', async () => {
  answerCalls({ [series]: () => ({ data: curves(answered(70, 'APPLIED')) }) })
  await open()
  await expect.element(page.getByText('Set point 70 %', { exact: false })).toBeVisible()
  await userEvent.click(closeButton)
  expect(onClose).not.toHaveBeenCalled()
})

test('auto refresh: on, the end is the current time; after 30 s it reads again with the end a minute ahead', async () => {
  answerCalls({ [series]: () => ({ data: curves() }) })
  await open()
  await expect.element(page.getByRole('region', { name: 'Power (kW)' })).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] })
  const startMs = Date.now()
  page
    .getByRole('switch', { name: /Auto refresh/ })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))
  const ends = () =>
    fetched()
      .filter((path) => path.includes('data-test-setpoint'))
      .map((path) => Date.parse(new URL(path, location.origin).searchParams.get('end') ?? ''))
  await vi.advanceTimersByTimeAsync(100)
  expect(ends().at(-1)).toBe(startMs)
  const before = ends().length
  await vi.advanceTimersByTimeAsync(29_000)
  expect(ends()).toHaveLength(before)
  await vi.advanceTimersByTimeAsync(2000)
  const last = ends().at(-1) ?? 0
  expect(last - startMs).toBeGreaterThanOrEqual(90_000)
  expect(last - startMs).toBeLessThan(92_000)
})

test('the file has the visible time range; without data there is none', async () => {
  answerCalls({ [series]: () => ({ data: { ...curves(), downloadable: false } }) })
  await open()
  await expect.element(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled()
})

test('in Danish', async () => {
  answerCalls({ [series]: () => ({ data: curves() }) })
  await open('da')
  await expect.element(page.getByRole('dialog', { name: 'Test af udstyr' })).toBeVisible()
  await expect.element(page.getByText('Der er ikke sendt nogen kommando.')).toBeVisible()
})
