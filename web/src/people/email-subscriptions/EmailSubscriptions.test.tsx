import { type EmailSubscription, reportLink } from '@gridmast/contract/people/email-subscriptions.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { keepLink } from '#lib/one-time-link.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { ConfirmAddress, UndoEmail, Unsubscribe } from '#people/sign-in/MailLinks.tsx'
import EmailSubscriptions from './EmailSubscriptions.tsx'

const [cold, gone] = ['44444444-4444-4444-8444-444444444441', '44444444-4444-4444-8444-444444444449'] as const
const one: EmailSubscription = {
  _id: '88888888-8888-4888-8888-888888888881',
  email: 'ops@plant.example',
  eventType: 'fcr_based',
  instanceId: cold,
  instanceName: 'Nordhavn Køl 1',
  activation: true,
  bidResult: false,
}
const orphan = { ...one, _id: '88888888-8888-4888-8888-888888888882', instanceId: gone, instanceName: null }
const licenseId = '55555555-5555-4555-8555-555555555555'
const instances = [
  { _id: cold, name: 'Nordhavn Køl 1', licenseId, market: ['FCR-D-INC'], area: 'DK2' },
  { _id: '44444444-4444-4444-8444-444444444442', name: 'Varmepumpe', licenseId, market: ['aFRR'], area: 'DK1' },
  { _id: '44444444-4444-4444-8444-444444444443', name: 'Nordhavn Batteri', licenseId, market: ['FFR'], area: 'DK2' },
]

type Answers = Parameters<typeof answerCalls>[0]
const open = async (userRole: User['userRole'] = 'expert', search = '', answers: Answers = {}) => {
  const requests = answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/email-subscription': () => ({ data: { subscriptions: [one, orphan], totalCount: 2 } }),
    ...answers,
  })
  const user = someUser({ userRole, allowed: { emailSubscriptions: true }, customerId: { instances } })
  await showAt(
    '/emailSubscriptions',
    <UserProvider value={user}>
      <EmailSubscriptions />
    </UserProvider>,
    'en',
    search,
  )
  return requests
}
const rows = () => page.getByRole('table', { name: 'Emails' }).getByRole('row')
const heads = () => [...document.querySelectorAll('th')].map(({ textContent }) => textContent)
const change = 'PUT /client/email-subscription/activation-bidResult'

test('the table has the columns of the specification; a subscription without its instance is marked', async () => {
  await open()
  await expect.element(page.getByText(`Details for Instance ${gone} is not available`)).toBeVisible()
  expect(heads()).toEqual(['S.No', 'Email', 'Instance', 'Activation', 'Bid Result', 'Actions'])
  await expectClean()
})

test('a switch saves at once', async () => {
  const requests = await open('expert', '', { [change]: () => ({ data: { subscription: one } }) })
  await userEvent.click(
    rows()
      .nth(1)
      .getByRole('switch', { name: /^Bid Result/ }),
  )
  await expect
    .poll(() => requests.find(({ call }) => call === change)?.body)
    .toEqual({ _id: one._id, type: 'bidResult', value: true })
})

test.each(['auditor', 'custom'] as const)(
  'R1 the role %s reads On and Off, and has neither Actions nor Add Emails',
  async (role) => {
    await open(role)
    await expect.poll(() => rows().nth(1).element().textContent).toBe('1ops@plant.exampleNordhavn Køl 1OnOff')
    expect(heads()).toEqual(['S.No', 'Email', 'Instance', 'Activation', 'Bid Result'])
    expect(document.querySelectorAll('[role=tab], [role=switch]')).toHaveLength(0)
  },
)

test('markets, filter and page send a request', async () => {
  await open()
  await userEvent.click(page.getByText('FRR Markets'))
  await userEvent.fill(page.getByRole('textbox', { name: 'Filter' }), ' ops ')
  await expect.poll(fetched).toContain('/api/client/email-subscription?eventType=frr_based&filter=ops&limit=30&skip=0')
})

test('several addresses are pasted at once; an error is next to its address and the typed text is kept', async () => {
  const add = 'POST /client/email-subscription'
  const requests = await open('sudoer', '?tab=add', {
    [add]: () => ({ status: 409, message: m.alreadySubscribed, errors: { 'emails.1': m.alreadySubscribed } }),
  })
  const field = page.getByRole('combobox', { name: 'Emails' })
  await userEvent.click(page.getByRole('button', { name: 'Add Emails' }))
  await expect.element(page.getByText('This field is required').first()).toBeVisible()
  await userEvent.click(field)
  await userEvent.keyboard('a@plant.example,nobody ')
  await userEvent.click(page.getByRole('combobox', { name: 'Instance' }))
  // Only those that have events of these markets.
  await expect
    .poll(() => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent))
    .toEqual(['Nordhavn Køl 1', 'Nordhavn Batteri'])
  await userEvent.click(page.getByRole('option', { name: 'Nordhavn Køl 1' }))
  await userEvent.click(page.getByRole('button', { name: 'Add Emails' }))
  await expect.element(page.getByText('nobody: Value must be a valid email')).toBeVisible()
  await userEvent.click(field)
  await userEvent.keyboard('{Backspace}b@plant.example{Enter}')
  await userEvent.click(page.getByRole('button', { name: 'Add Emails' }))
  await expect.element(page.getByText(`b@plant.example: ${m.alreadySubscribed}`)).toBeVisible()
  expect(requests.find(({ call }) => call === add)?.body).toEqual({
    emails: ['a@plant.example', 'b@plant.example'],
    instanceId: cold,
    eventType: 'fcr_based',
    activation: true,
    bidResult: true,
  })
  await expectClean()
})

test('S5 a page without a link sends no request, and states what to do', async () => {
  const requests = answerCalls({})
  await showAt('/auth/unsubscribe', <Unsubscribe />)
  await expect.element(page.getByText('This link has expired or was used')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Manage recipients' }))
    .toHaveAttribute('href', '/emailSubscriptions')
  expect(page.getByRole('button', { name: 'Stop these emails' }).elements()).toEqual([])
  expect(requests).toEqual([])
})

test('the link of a report names the report and does not lead to the recipients of activations', async () => {
  let status = 200
  answerCalls({ 'POST /client/email-subscription/unsubscribe': () => ({ status, message: m.undoExpired }) })
  for (const [language, stop, words] of [
    ['en', 'Stop these emails', 'You no longer receive this report.'],
    ['da', 'Stop disse mails', 'Du får ikke længere denne rapport.'],
  ] as const) {
    keepLink('unsubscribe', `${reportLink}a-token`)
    const { unmount } = await showAt('/auth/unsubscribe', <Unsubscribe />, language)
    await userEvent.click(page.getByRole('button', { name: stop }))
    await expect.element(page.getByText(words)).toBeVisible()
    expect(page.getByRole('link', { name: /recipients|modtagere/ }).elements()).toEqual([])
    unmount()
  }
  status = 401
  keepLink('unsubscribe', `${reportLink}a-token`)
  await showAt('/auth/unsubscribe', <Unsubscribe />)
  await expect
    .element(page.getByText('You will no longer receive this report. Other recipients still do.'))
    .toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Stop these emails' }))
  await expect.element(page.getByText(/use the link in the newest one/)).toBeVisible()
  expect(page.getByRole('link', { name: 'Manage recipients' }).elements()).toEqual([])
})

test('S5 a used link states what to do; with a server that is busy the button stays', async () => {
  let status = 503
  answerCalls({ 'POST /user/undo-email': () => ({ status, message: status === 401 ? m.undoExpired : m.unavailable }) })
  keepLink('undo-email', 'a-token')
  await showAt('/auth/undo-email', <UndoEmail />)
  const restore = page.getByRole('button', { name: 'Restore my email' })
  await userEvent.click(restore)
  await expect.element(page.getByRole('alert')).toHaveTextContent(m.unavailable)
  status = 401
  await userEvent.click(restore)
  await expect.element(page.getByRole('alert')).toHaveTextContent(m.undoExpired)
  await expect
    .element(page.getByRole('link', { name: 'Choose a new password' }))
    .toHaveAttribute('href', '/auth/forgot-password')
  await expect.element(restore).not.toBeInTheDocument()
  await expectClean()
})

test('an address that its owner has not confirmed is marked in the list', async () => {
  const subscriptions = [{ ...one, unconfirmed: true }, orphan]
  await open('expert', '', {
    'GET /client/email-subscription': () => ({ data: { subscriptions, totalCount: 2 } }),
  })
  await expect.element(rows().nth(1).getByText('Not confirmed')).toBeVisible()
  expect(rows().nth(2).getByText('Not confirmed').elements()).toEqual([])
  await expectClean()
})

test('S5 the link of a confirmation mail confirms with a click; a used one is reported', async () => {
  keepLink('confirm-address', 'a-token')
  const requests = answerCalls({ 'POST /client/email-subscription/confirm': () => ({ message: m.addressConfirmed }) })
  await showAt('/auth/confirm-address', <ConfirmAddress />)
  await userEvent.click(page.getByRole('button', { name: 'Confirm address' }))
  await expect.element(page.getByText('Email address confirmed')).toBeVisible()
  expect(requests.map(({ body }) => body)).toEqual([{ id: 'a-token' }])
  await expectClean()
})
