import { DeliveryDetails } from '#people/webhooks/DeliveryDrawer.tsx'
import type { ChargerTag } from '@gridmast/contract/charging/tags.ts'
import type { Webhook } from '@gridmast/contract/people/webhooks.ts'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FaultsCard } from '#delivery/alerts/FaultsCard.tsx'
import { UnknownChargers } from '#charging/fleet/UnknownChargers.tsx'
import { SecondFactorPolicy } from '#people/customer/Company.tsx'
import { AllMetersTab } from '#meters/data-hub/AllMetersTab.tsx'
import { groupId, meterId, someGroup as someKey, someMeter, source } from '#meters/data-hub/data-hub.fixture.ts'
import { SubscriptionList } from '#people/email-subscriptions/SubscriptionList.tsx'
import { GroupList } from '#charging/chargers/GroupList.tsx'
import { TagList } from '#charging/chargers/TagsTab.tsx'
import Webhooks from '#people/webhooks/Webhooks.tsx'
import { UserProvider } from '#lib/user.tsx'
import { Preferences } from '#shell/Preferences.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someGroup, someTag, someTriggered } from '#testing/samples.ts'
import { someUser } from '#testing/user.ts'

const id = '01930000-0000-7000-8000-000000000001'
const at = '2026-11-20T10:00:00.000Z'
const nothing = () => {}
const license = { evCharging: { enabled: true }, CFM: { enabled: true } }

const webhook: Webhook = {
  _id: id,
  name: 'Control room',
  url: 'https://hooks.example/gridmast',
  events: ['alert'],
  enabled: true,
  createdAt: at,
  lastDelivery: null,
}
const subscription = {
  _id: id,
  email: 'ops@plant.example',
  eventType: 'fcr_based' as const,
  instanceId: id,
  instanceName: 'Nordhavn Køl 1',
  activation: true,
  bidResult: true,
}
const tags = (tag: ChargerTag) => ({
  'GET /client/evc/tag': [{ tags: [tag], totalCount: 1 }],
  'GET /client/evc/group': { groups: [someGroup] },
  'GET /client/evc/choice': { oneSession: true },
})
const tagList = <TagList search={{}} onSearch={nothing} />
const subscriptionList = <SubscriptionList eventType="fcr_based" tools={null} filter="" onFilter={nothing} />

type Action = {
  screen: ReactNode
  reads: Record<string, unknown>
  call: string
  answer?: unknown
}

/** Answers to the call arrive on command of the test; later reads are not answered. */
const open = async ({ screen, reads, call, answer }: Action) => {
  const waiting: (() => void)[] = []
  const isRead = new Set<string>()
  const once = (read: string, data: unknown) => () => {
    if (isRead.has(read)) return new Promise<never>(nothing)
    isRead.add(read)
    return { data }
  }
  const requests = answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    ...Object.fromEntries(Object.entries(reads).map(([read, data]) => [read, once(read, data)])),
    [call]: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { data: answer }
    },
  })
  const { unmount } = await showAt(
    '/here',
    <UserProvider value={someUser({ customerId: { license } })}>{screen}</UserProvider>,
  )
  return {
    leave: unmount,
    sent: () => requests.filter((one) => one.call === call).map(({ body }) => body),
    release: async () => {
      await expect.poll(() => waiting.length).toBe(1)
      waiting.shift()?.()
    },
  }
}
const click = (locator: ReturnType<typeof page.getByRole>) => (locator.element() as HTMLElement).click()

describe('each switch that saves at once', () => {
  type Toggle = Action & {
    body: (isOn: boolean) => object
    name: string | { on: string; off: string }
  }
  const toggles: Record<string, Toggle> = {
    'a tag': {
      screen: tagList,
      reads: tags(someTag),
      call: `PATCH /client/evc/tag/${someTag._id}`,
      answer: { tag: someTag, running: 0 },
      name: 'Lene Ravn active',
      body: (action) => ({ action }),
    },
    'a group of tags': {
      screen: <GroupList onOpen={nothing} />,
      reads: tags(someTag),
      call: `PATCH /client/evc/group/${someGroup._id}`,
      answer: { group: someGroup, running: 0 },
      name: 'Vans active',
      body: (action) => ({ action }),
    },
    'one session for each tag': {
      screen: tagList,
      reads: tags(someTag),
      call: 'PATCH /client/evc/choice',
      name: 'One session for each tag',
      body: (oneSession) => ({ oneSession }),
    },
    'a meter': {
      screen: <AllMetersTab search={{}} onSearch={nothing} onConfigure={nothing} />,
      reads: {
        'GET /client/data-hub/all': { groups: [someKey(1, '31245807', null, [someMeter(1, 'Kølehal A')])], source },
      },
      call: `PATCH /client/data-hub/meterStatus/${groupId(1)}/${meterId(1)}`,
      answer: { meter: someMeter(1, 'Kølehal A') },
      name: 'Kølehal A enabled',
      body: (enabled) => ({ dataHub: { enabled } }),
    },
    'a mail of activations': {
      screen: subscriptionList,
      reads: { 'GET /client/email-subscription': { subscriptions: [subscription], totalCount: 1 } },
      call: 'PUT /client/email-subscription/activation-bidResult',
      answer: { subscription },
      name: 'Activation to ops@plant.example about Nordhavn Køl 1',
      body: (value) => ({ _id: id, type: 'activation', value }),
    },
    'a mail of bid results': {
      screen: subscriptionList,
      reads: { 'GET /client/email-subscription': { subscriptions: [subscription], totalCount: 1 } },
      call: 'PUT /client/email-subscription/activation-bidResult',
      answer: { subscription },
      name: 'Bid Result to ops@plant.example about Nordhavn Køl 1',
      body: (value) => ({ _id: id, type: 'bidResult', value }),
    },
    'a webhook': {
      screen: <Webhooks />,
      reads: { 'GET /client/webhook': { webhooks: [webhook] } },
      call: `PATCH /client/webhook/${id}`,
      answer: { webhook },
      name: 'Control room enabled',
      body: (enabled) => ({ name: webhook.name, url: webhook.url, events: webhook.events, enabled }),
    },
    'the language of the mails': {
      screen: <Preferences onChoose={() => {}} />,
      reads: {},
      call: 'PUT /user/language',
      name: { on: 'English', off: 'Dansk' },
      body: (isOn) => ({ language: isOn ? 'en' : 'da' }),
    },
  }
  const controls = ({ name }: Toggle) => {
    const control = (isOn: boolean) =>
      typeof name === 'string'
        ? page.getByRole('switch', { name })
        : page.getByRole('radio', { name: isOn ? name.on : name.off })
    return {
      choose: (isOn: boolean) => click(control(isOn)),
      shows: async (isOn: boolean) => {
        if (isOn) await expect.element(control(true)).toBeChecked()
        else await expect.element(control(true)).not.toBeChecked()
      },
    }
  }

  test.each(Object.entries(toggles))('%s: two quick toggles end in the last choice', async (_, toggle) => {
    const { sent, release } = await open(toggle)
    const { choose, shows } = controls(toggle)
    await shows(true)
    choose(false)
    choose(true)
    await shows(true)
    await expect.poll(sent).toEqual([toggle.body(false)])
    await release()
    await expect.poll(sent).toEqual([toggle.body(false), toggle.body(true)])
    await release()
    await shows(true)
    choose(false)
    await expect.poll(sent).toEqual([false, true, false].map(toggle.body))
    await shows(false)
  })

  test.each(Object.entries(toggles))('%s: the last of two is sent where its screen is left', async (_, toggle) => {
    const { sent, release, leave } = await open(toggle)
    const { choose, shows } = controls(toggle)
    await shows(true)
    choose(false)
    choose(true)
    leave()
    await release()
    await expect.poll(sent).toEqual([toggle.body(false), toggle.body(true)])
  })

  test.each(Object.entries(toggles))(
    '%s: three quick toggles are sent once, and the choice stays until the list is read again',
    async (_, toggle) => {
      const { sent, release } = await open(toggle)
      const { choose, shows } = controls(toggle)
      await shows(true)
      choose(false)
      choose(true)
      choose(false)
      await shows(false)
      await release()
      await shows(false)
      expect(sent()).toEqual([toggle.body(false)])
    },
  )
})

describe('an action that is pressed twice while its answer is pending is sent once', () => {
  const delivery = {
    _id: id,
    event: 'alert' as const,
    test: true,
    createdAt: at,
    state: 'failed' as const,
    attempts: 1,
    nextAttemptAt: null,
    deliveredAt: null,
    status: 503,
    error: null,
    payload: '{}',
  }
  const fault = {
    kind: 'alert',
    _id: id,
    name: 'Cold store',
    source: 'FCR',
    instanceName: 'Cold store',
    type: 'power',
    criteria: 'gt',
    threshold: 400,
    value: 412,
    count: 1,
    isAcknowledged: false,
    since: at,
  }
  const actions: Record<string, Action & { presses: readonly [string, ...string[]] }> = {
    'an unknown charger is dismissed': {
      screen: <UnknownChargers />,
      reads: {
        'GET /client/cfm/unknown': {
          unknown: [{ identity: 'CP-9', firstSeen: at, lastSeen: at, tries: 2 }],
          path: '/ocpp/{identity}',
        },
      },
      call: 'DELETE /client/cfm/unknown/CP-9',
      presses: ['Dismiss CP-9'],
    },
    'a delivery is sent again': {
      screen: <DeliveryDetails webhookId={id} delivery={delivery} />,
      reads: {},
      call: `POST /client/webhook/${id}/delivery/${id}/retry`,
      presses: ['Send again'],
    },
    'an alert is acknowledged': {
      screen: <FaultsCard />,
      reads: { 'GET /client/alert/fault': { faults: [fault] } },
      call: `POST /client/alert/triggered/${id}/acknowledge`,
      answer: { triggered: { ...someTriggered, _id: id } },
      presses: ['Acknowledge Cold store'],
    },
    'two-step sign-in is required': {
      screen: (
        <Verified>
          <SecondFactorPolicy />
        </Verified>
      ),
      reads: { 'GET /user/verify': { user: someUser(), due: null } },
      call: 'PATCH /client/customer/second-factor',
      presses: ['Require'],
    },
  }
  test.each(Object.entries(actions))('%s', async (name, action) => {
    const { sent, release } = await open(action)
    if (name === 'two-step sign-in is required') {
      const policy = page.getByRole('switch', { name: /^Require two-step/ })
      await expect.element(policy).toBeVisible()
      click(policy)
    }
    const last = page.getByRole('button', { name: action.presses.at(-1) ?? '', exact: true })
    for (const press of action.presses.slice(0, -1)) {
      const button = page.getByRole('button', { name: press })
      await expect.element(button).toBeVisible()
      click(button)
    }
    await expect.element(last).toBeVisible()
    const button = last.element() as HTMLElement
    button.click()
    button.click()
    await expect.poll(sent).toHaveLength(1)
    button.click()
    await release()
    expect(sent()).toHaveLength(1)
  })

  test('a closing confirmation is not answered again', async () => {
    const { sent, release } = await open(actions['two-step sign-in is required'] as Action)
    const policy = page.getByRole('switch', { name: /^Require two-step/ })
    await expect.element(policy).not.toBeChecked()
    click(policy)
    const require = page.getByRole('button', { name: 'Require', exact: true })
    await expect.element(require).toBeVisible()
    const button = require.element() as HTMLElement
    button.click()
    await release()
    await expect.element(policy).toBeChecked()
    button.click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(sent()).toEqual([{ required: true }])
  })
})
