import type { Webhook, WebhookDelivery } from '@gridmast/contract/people/webhooks.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, fetched } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import Webhooks from './Webhooks.tsx'
import { toasts } from '#testing/toasts.ts'

const secret = 'whsec_b25seSBzaG93biBvbmNl'
const id = '01930000-0000-7000-8000-000000000001'
const hook: Webhook = {
  _id: id,
  name: 'Control room',
  url: 'https://hooks.example/gridmast',
  events: ['alert', 'bid-result'],
  enabled: true,
  createdAt: '2026-11-20T10:00:00Z',
  lastDelivery: { at: '2026-11-20T17:12:08Z', state: 'failed' },
}
const form = { name: hook.name, url: hook.url, events: hook.events, enabled: true }
const delivery: WebhookDelivery = {
  _id: '01930000-0000-7000-8000-000000000002',
  event: 'alert',
  test: true,
  createdAt: '2026-11-20T17:12:08Z',
  state: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  deliveredAt: '2026-11-20T17:12:09Z',
  status: 204,
  error: null,
  payload: '{"type":"alert","test":true}',
}
const waiting: WebhookDelivery = {
  ...delivery,
  _id: '01930000-0000-7000-8000-000000000003',
  state: 'waiting',
  attempts: 2,
  nextAttemptAt: '2026-11-20T17:14:08Z',
  deliveredAt: null,
  status: 503,
  error: 'The receiver answered 503',
}

type Start = { webhooks?: Webhook[]; deliveries?: () => WebhookDelivery[]; totalCount?: number }
const open = async ({ webhooks = [hook], deliveries = () => [delivery], totalCount }: Start = {}) => {
  let now = webhooks
  const log = () => ({ data: { deliveries: deliveries(), totalCount: totalCount ?? deliveries().length } })
  const requests = answerCalls({
    'GET /client/webhook': () => ({ data: { webhooks: now } }),
    'POST /client/webhook': () => {
      now = [hook]
      return { message: 'Webhook saved', data: { webhook: hook, secret } }
    },
    [`PATCH /client/webhook/${id}`]: ({ body }) => {
      now = [{ ...hook, ...(body as object) }]
      return { message: 'Webhook saved', data: { webhook: now[0] } }
    },
    [`DELETE /client/webhook/${id}`]: () => {
      now = []
      return { message: 'Webhook removed' }
    },
    [`POST /client/webhook/${id}/test`]: () => ({ message: 'On its way', data: { deliveryId: delivery._id } }),
    [`POST /client/webhook/${id}/delivery/${waiting._id}/retry`]: () => ({ message: 'On its way' }),
    [`GET /client/webhook/${id}/delivery`]: log,
  })
  await showAt('/webhooks', <Webhooks />)
  return requests
}
const changes = (requests: Awaited<ReturnType<typeof open>>) =>
  requests.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }))
const add = () => page.getByRole('button', { name: 'New webhook' })
const field = (name: string) => page.getByRole('textbox', { name })
const event = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}`) })
const submit = () => userEvent.click(page.getByRole('button', { name: 'Add webhook' }))
const menu = async (item: string) => {
  await userEvent.click(page.getByRole('button', { name: 'Actions for Control room' }))
  await userEvent.click(page.getByRole('menuitem', { name: item }))
}

test('a webhook shows its address, events and the result of the last delivery, in a word', async () => {
  await open()
  const row = page.getByRole('row', { name: /Control room/ })
  for (const text of ['https://hooks.example/gridmast', 'Alert', 'Bid result', 'Failed', '20.11.2026 18:12:08'])
    await expect.poll(() => row.element().textContent).toContain(text)
})

describe('each rule of the form shows its message, at both of its ends', () => {
  test('name, address and an event are required, and the first gets the focus', async () => {
    const requests = await open()
    await userEvent.click(add())
    await submit()
    expect(page.getByText('This field is required').elements()).toHaveLength(3)
    await expect.element(field('Name')).toHaveFocus()
    expect(changes(requests)).toEqual([])
  })

  test.each([
    ['Name', 'x'.repeat(101), 'Must be at most 100 characters'],
    ['URL', 'hooks.example', 'Must be an https address that can be reached from the internet'],
    ['URL', 'ftp://hooks.example', 'Must be an https address that can be reached from the internet'],
    ['URL', `https://hooks.example/${'x'.repeat(479)}`, 'Must be at most 500 characters'],
  ])('%s "%s"', async (name, value, message) => {
    const requests = await open()
    await userEvent.click(add())
    await userEvent.fill(field('Name'), 'Control room')
    await userEvent.fill(field('URL'), 'https://hooks.example')
    await userEvent.click(event('Activation'))
    await userEvent.fill(field(name), value)
    await submit()
    await expect.element(page.getByText(message)).toBeVisible()
    expect(changes(requests)).toEqual([])
  })

  test.each([
    ['x', 'https://h.dk'],
    ['x'.repeat(100), `https://hooks.example/${'x'.repeat(478)}`],
  ])('"%s" at "%s" is valid', async (name, url) => {
    const requests = await open()
    await userEvent.click(add())
    await userEvent.fill(field('Name'), name)
    await userEvent.fill(field('URL'), url)
    await userEvent.click(event('Activation'))
    await submit()
    await expect
      .poll(() => changes(requests))
      .toEqual([{ call: 'POST /client/webhook', body: { name, url, events: ['activation'], enabled: true } }])
  })

  test('the message of the server about the address is under the field', async () => {
    answerCalls({
      'GET /client/webhook': () => ({ data: { webhooks: [] } }),
      'POST /client/webhook': () => ({ status: 400, message: 'x', errors: { url: 'That address is private' } }),
    })
    await showAt('/webhooks', <Webhooks />)
    await userEvent.click(add())
    await userEvent.fill(field('Name'), 'Control room')
    await userEvent.fill(field('URL'), 'https://10.0.0.1')
    await userEvent.click(event('Alert'))
    await submit()
    await expect.element(page.getByText('That address is private')).toBeVisible()
    await expect.element(field('URL')).toHaveFocus()
  })
})

test('the secret is shown once, cannot be closed by accident, and is gone after', async () => {
  await open({ webhooks: [] })
  await userEvent.click(add())
  await userEvent.fill(field('Name'), 'Control room')
  await userEvent.fill(field('URL'), hook.url)
  await userEvent.click(event('Alert'))
  await submit()
  await expect.element(page.getByText(secret)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText(secret)).toBeVisible()
  await userEvent.click(page.getByRole('checkbox', { name: 'I have saved it' }))
  await userEvent.click(page.getByRole('button', { name: 'Done' }))
  await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull()
  expect(document.documentElement.outerHTML).not.toContain(secret)
  await expect.element(add()).toHaveFocus()
  await expect.element(page.getByRole('row', { name: /Control room/ })).toBeVisible()
})

test('editing starts from the stored values and sends all of them', async () => {
  const requests = await open()
  await menu('Edit')
  await expect.element(field('URL')).toHaveValue(hook.url)
  await expect.element(event('Alert')).toBeChecked()
  await userEvent.fill(field('Name'), 'Night shift')
  await userEvent.click(page.getByRole('button', { name: 'Save changes' }))
  await expect.element(page.getByRole('row', { name: /Night shift/ })).toBeVisible()
  expect(changes(requests)).toEqual([{ call: `PATCH /client/webhook/${id}`, body: { ...form, name: 'Night shift' } }])
})

test('the switch turns it off and changes nothing else', async () => {
  const requests = await open()
  const enabled = page.getByRole('switch', { name: 'Control room enabled' })
  await userEvent.click(enabled)
  await expect.element(enabled).not.toBeChecked()
  expect(changes(requests)).toEqual([{ call: `PATCH /client/webhook/${id}`, body: { ...form, enabled: false } }])
})

test('removing requires a confirmation', async () => {
  const requests = await open()
  await menu('Remove')
  await expect.element(page.getByRole('dialog', { name: 'Remove this webhook?' })).toBeVisible()
  expect(changes(requests)).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Remove', exact: true }))
  await expect.element(page.getByText('No Records To Display')).toBeVisible()
  await expect.element(add()).toHaveFocus()
})

test.each([
  ['Alert', 'alert'],
  ['Activation', 'activation'],
  ['Bid result', 'bid-result'],
  ['Sold capacity', 'sold-capacity'],
  ['Charging budget', 'charging-budget'],
])('a test of %s is sent, and the deliveries open', async (name, sent) => {
  const requests = await open()
  await menu(name)
  await expect.element(page.getByRole('dialog', { name: 'Deliveries of Control room' })).toBeVisible()
  expect(changes(requests)).toEqual([{ call: `POST /client/webhook/${id}/test`, body: { event: sent } }])
})

describe('deliveries', () => {
  const openLog = () => userEvent.click(page.getByRole('button', { name: 'Deliveries of Control room' }))
  const row = (name: RegExp) => page.getByRole('dialog').getByRole('row', { name })
  const press = (name: RegExp) => userEvent.click(row(name).getByRole('button'))

  test('each has event, time, answer and state; an opened one has the sent body and the result', async () => {
    await open({ deliveries: () => [delivery, { ...waiting, state: 'failed', nextAttemptAt: null }] })
    await openLog()
    await press(/Alert.*HTTP 503.*Failed/)
    for (const text of ['The receiver answered 503', '"type": "alert"'])
      await expect.element(page.getByText(text, { exact: false })).toBeVisible()
    await expect.element(row(/Alert.*Test.*20.11.2026 18:12:08.*HTTP 204.*Delivered/)).toBeVisible()
  })

  test('one can be sent again', async () => {
    const requests = await open({ deliveries: () => [{ ...waiting, state: 'failed' }] })
    await openLog()
    await press(/Failed/)
    await userEvent.click(page.getByRole('button', { name: 'Send again' }))
    await expect
      .poll(() => changes(requests).map(({ call }) => call))
      .toEqual([`POST /client/webhook/${id}/delivery/${waiting._id}/retry`])
    await expect.poll(() => toasts).toEqual(['On its way'])
  })

  test('the log is read again while a delivery waits, and not afterwards', async () => {
    let state: WebhookDelivery['state'] = 'waiting'
    const requests = await open({ deliveries: () => [{ ...waiting, state }] })
    const reads = () => requests.filter(({ call }) => call.endsWith('/delivery')).length
    await openLog()
    await expect.element(row(/Waiting/)).toBeVisible()
    await expect.poll(reads, { timeout: 10_000 }).toBeGreaterThan(1)
    state = 'delivered'
    await expect.element(row(/Delivered/)).toBeVisible()
  })

  test('more than a page is paged', async () => {
    await open({ totalCount: 31 })
    await openLog()
    await userEvent.click(page.getByRole('button', { name: 'Page 2' }))
    await expect.poll(fetched).toContain(`/api/client/webhook/${id}/delivery?limit=30&skip=30`)
  })

  test('an empty log explains the next step', async () => {
    await open({ deliveries: () => [] })
    await openLog()
    await expect.element(page.getByText('Send a test to see whether your receiver responds.')).toBeVisible()
  })
})
