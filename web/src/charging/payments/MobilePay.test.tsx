import { m } from '@gridmast/contract/messages.ts'
import type { Payment } from '@gridmast/contract/charging/payments.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { fleetCharger, someFleet } from '#testing/fleet.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import MobilePay from './MobilePay.tsx'

const idOf = (n: number) => `44444444-4444-4444-8444-44444444444${n}`
const paymentOf = (n: number, over: Partial<Payment> = {}): Payment => ({
  _id: idOf(n),
  state: 'captured',
  chargerId: idOf(9),
  chargerName: 'Rampe 1',
  connectorId: 1,
  transactionId: idOf(8),
  kwh: 12.346,
  reserved: '250.00',
  cost: '30.87',
  captured: '30.87',
  refunded: '0.00',
  isOpen: false,
  failure: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  changedAt: '2026-11-20T11:00:00.000Z',
  simulated: true,
  ...over,
})
const failed = paymentOf(2, { state: 'capture-failed', captured: null, failure: 'Bad Request: The card was refused' })
const history = [
  { at: '2026-11-20T10:00:00.000Z', event: 'reserve', amount: '250.00', who: 'lone@vestkyst.example', words: null },
  { at: '2026-11-20T11:00:00.000Z', event: 'captured', amount: '30.87', who: null, words: null },
]

const open = async (
  userRole: User['userRole'] = 'sudoer',
  { shown = paymentOf(1), ready = true, search = '' }: { shown?: Payment; ready?: boolean; search?: string } = {},
) => {
  const requests = answerCalls({
    'GET /client/cfm/dashboard': () => ({
      data: { ...someFleet, chargers: [fleetCharger(9, 'Rampe 1', 'available')] },
    }),
    'GET /client/payment': () => ({
      data: {
        payments: ready ? [shown, ...(shown === failed ? [paymentOf(1)] : [failed])] : [],
        totalCount: ready ? 2 : 0,
        totals: { reserved: '500.00', captured: '30.87', refunded: '0.00', net: '30.87' },
        simulated: true,
        isReady: ready,
      },
    }),
    [`GET /client/payment/${shown._id}`]: () => ({
      data: {
        payment: shown,
        approveUrl: shown.state === 'waiting' ? 'https://landing.example/?token=1' : null,
        history,
      },
    }),
    [`POST /client/payment/${shown._id}/refund`]: () => ({ data: { payment: shown }, message: m.refundAsked }),
    [`POST /client/payment/${shown._id}/capture`]: () => ({ data: { payment: shown }, message: m.captureAsked }),
    'POST /client/payment': () => ({ data: { payment: shown }, message: m.paymentAsked }),
    'GET /client/payment-account': () => ({ data: { account: null } }),
  })
  const license = { CFM: { enabled: true, mobilepay: true }, evCharging: { enabled: true } }
  await showAt(
    '/cfm/mobilepay',
    <UserProvider value={someUser({ userRole, customerId: { license } })}>
      <h1>MobilePay</h1>
      <MobilePay />
    </UserProvider>,
    'en',
    search,
  )
  return { changes: () => requests.filter(({ call }) => !call.startsWith('GET')) }
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = page.getByRole('dialog').last()

test('payments with their states, totals of all that match, and a mark on simulated ones', async () => {
  await open()
  await expect.element(page.getByRole('table', { name: 'Payments' }).getByText('Capture failed')).toBeVisible()
  const totals = page.getByRole('group', { name: 'Totals of all matching payments' })
  await expect.poll(() => totals.element().textContent).toContain('30,87')
  await expect.element(page.getByText('Simulated')).toBeVisible()
  await expectClean()
})

test('filters are sent together', async () => {
  await open()
  await userEvent.click(page.getByRole('combobox', { name: 'State' }))
  await userEvent.click(page.getByRole('option', { name: 'Refunded', exact: true }))
  await userEvent.click(button('Submit'))
  await expect.poll(() => fetched().some((url) => url.includes('state=refunded'))).toBe(true)
})

test('a refund: an amount within the remainder, a confirmation, and then the request', async () => {
  const { changes } = await open()
  await userEvent.click(button(/^Open the payment of/).first())
  await expect.element(dialog.getByText(/^Captured/)).toBeVisible()
  await expect.element(dialog.getByText(/lone@vestkyst/)).toBeVisible()
  await expect.element(page.getByRole('dialog', { name: /^Payment/ })).toBeVisible() // Mantine names it a render later
  await expectClean()
  await userEvent.click(dialog.getByRole('button', { name: 'Refund' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Amount' }), '0')
  await userEvent.click(page.getByRole('button', { name: 'Refund' }).last())
  await expect.element(page.getByText(m.aboveZero)).toBeVisible()
  await userEvent.fill(page.getByRole('textbox', { name: 'Amount' }), '4,50')
  await userEvent.click(page.getByRole('button', { name: 'Refund' }).last())
  await expect.element(page.getByText('Refund 4,50 DKK?')).toBeVisible()
  expect(changes()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Refund' }).last())
  await expect.poll(() => changes()).toMatchObject([{ body: { amount: '4.5', note: '' } }])
})

test('a failed capture shows its reason and is captured again', async () => {
  const { changes } = await open('expert', { shown: failed, search: `?payment=${failed._id}` })
  await expect.element(dialog.getByText(/The card was refused/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Retry capture' }))
  await expect.poll(() => changes().map(({ call }) => call)).toEqual([`POST /client/payment/${failed._id}/capture`])
})

test('a new payment: its driver gets a QR code', async () => {
  const waiting = paymentOf(3, { state: 'waiting', captured: null, cost: null, transactionId: null, kwh: null })
  const { changes } = await open('expert', { shown: waiting })
  await userEvent.click(button('New payment'))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Charger' }))
  await userEvent.click(page.getByRole('option', { name: 'Rampe 1' }).last())
  await userEvent.click(button('Request payment'))
  await expect.poll(() => changes()).toMatchObject([{ body: { chargerId: idOf(9), connectorId: 1 } }])
  await expect.element(page.getByRole('img', { name: 'QR code that opens the payment in MobilePay' })).toBeVisible()
  await expect.element(page.getByRole('dialog', { name: /^Payment/ })).toBeVisible() // Mantine names it a render later
  await expectClean()
})

test('R1 an auditor reads, and cannot request a payment', async () => {
  await open('auditor', { search: `?payment=${idOf(1)}` })
  await expect.element(dialog.getByText('History')).toBeVisible()
  for (const name of ['Refund', 'Release', 'Retry capture', 'New payment', 'Sales unit'])
    expect(button(name).elements()).toEqual([])
})

test('without a sales unit the page lists what is missing', async () => {
  await open('sudoer', { ready: false })
  await expect.element(page.getByText(/MobilePay is not set up yet/)).toBeVisible()
  await userEvent.click(button('Sales unit'))
  await userEvent.click(button('Save changes'))
  await expect.element(page.getByText(m.merchantSerialNumber)).toBeVisible()
  await expectClean()
})
