import type { EdgeGateway, EdgeProblem, InstanceLack } from '@gridmast/contract/delivery/edges.ts'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { toasts } from '#testing/toasts.ts'
import { currentMs } from '#lib/clock.ts'
import { closeLive } from '#lib/live.ts'
import { tokenStore } from '#lib/session.ts'
import Edges from './Edges.tsx'

const secret = '0123456789abcdef0123456789abcdef01234567'
const idOf = (no: number) => `01930000-0000-7000-8000-00000000000${no}`
const instance = {
  _id: idOf(3),
  key: 'koel-1',
  name: 'Køl 1',
  area: 'DK2',
  markets: ['FCR-D-INC'],
  flexibleKw: 400,
}
const own: EdgeGateway = {
  _id: idOf(1),
  key: 'nordhavn-koel-1a2b3c4d',
  name: 'Køl nord',
  site: null,
  area: 'DK2',
  enabled: true,
  isOwn: true,
  lastReported: null,
  codeVersion: null,
  instances: [],
}
const provisioned: EdgeGateway = { ...own, _id: idOf(2), key: 'edge-nord-01', name: 'Nordhavn', isOwn: false }
const user = someUser({
  customerId: {
    areas: ['DK1', 'DK2'],
    biddingMarkets: ['FCR-D-INC', 'aFRR', 'mFRR'],
    license: { 'FCR-D-INC': { enabled: true }, aFRR: { enabled: false } },
  },
})

type World = { edges: EdgeGateway[]; lastSampleAt?: string | null; lacks?: InstanceLack[]; problems?: EdgeProblem[] }

const open = async (world: World, search = '', language: 'en' | 'da' = 'en') => {
  tokenStore.set('gmp_edges')
  onTestFinished(() => {
    closeLive()
    tokenStore.set(null)
  })
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const stream = () => new ReadableStream<Uint8Array>({ start: (controller) => void streams.add(controller) })
  const send = (event: string, data: unknown) => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const controller of streams) controller.enqueue(new TextEncoder().encode(text))
  }
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null } }),
    'GET /client/live': () => ({ stream: stream() }),
    'GET /client/edge': () => ({
      data: { edges: world.edges, broker: { host: 'edges.example', port: 8883, tls: true } },
    }),
    'POST /client/edge': () => {
      world.edges = [own]
      return { message: 'Edge gateway added.', data: { _id: own._id, key: own.key, secret } }
    },
    [`POST /client/edge/${own._id}/secret`]: () => ({ data: { _id: own._id, key: own.key, secret } }),
    [`PATCH /client/edge/${own._id}`]: ({ body }) => {
      world.edges = [{ ...own, ...(body as { enabled: boolean }) }] // the body of the call
      return { message: 'Edge gateway saved' }
    },
    [`POST /client/edge/${own._id}/instance`]: () => {
      world.edges = [{ ...own, instances: [instance] }]
      return { message: 'Instance added', data: { _id: instance._id, key: instance.key } }
    },
    [`GET /client/edge/${own._id}/connection`]: () => ({
      data: {
        samples: world.edges.flatMap(({ instances }) =>
          instances.map(({ _id }) => ({
            instanceId: _id,
            lastSampleAt: world.lastSampleAt ?? null,
            lacks: world.lacks ?? [],
          })),
        ),
        problems: world.problems ?? [],
      },
    }),
  })
  await showAt(
    '/edges',
    <Verified>
      <Edges />
    </Verified>,
    language,
    search,
  )
  return { send, streams, changes: () => requests.filter(({ call }) => !call.startsWith('GET')) }
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const waiting = () => page.getByText('Waiting for the first message …')

test('an instance shows what it lacks, with the consequence and who adds it, until it has it', async () => {
  const world: World = {
    edges: [{ ...own, instances: [instance] }],
    lacks: ['contract', 'frequency', 'frequencySignal'],
  }
  await open(world)
  for (const lack of [/^No contract: .*Your operator adds it/, /^No frequency measured: /, /^No frequency signal /])
    await expect.element(page.getByText(lack)).toBeVisible()
  await expectClean()
  world.lacks = []
  await expect.element(page.getByText(/^No contract/), { timeout: 5000 }).not.toBeInTheDocument()
})

test('the first edge gateway: its secret once, its instance, the command, and its first message by the live stream', async () => {
  const { changes, send, streams } = await open({ edges: [] })
  await expect.element(page.getByText('Add the first edge gateway of your company.')).toBeVisible()
  await userEvent.click(button('New edge gateway'))
  await userEvent.click(button('Add edge gateway'))
  await expect.element(page.getByText('This field is required').first()).toBeVisible()
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Køl nord')
  await userEvent.click(page.getByRole('combobox', { name: 'Area' }))
  await userEvent.click(page.getByRole('option', { name: 'DK2' }))
  await userEvent.click(button('Add edge gateway'))
  await expect.element(page.getByText(secret, { exact: true })).toBeVisible()
  await expect.element(button('Done')).toBeDisabled()
  await userEvent.click(page.getByRole('checkbox', { name: 'I have saved it' }))
  await userEvent.click(button('Done'))
  await expect.element(page.getByText('No instances yet')).toBeVisible()
  expect(document.documentElement.outerHTML).not.toContain(secret)

  await userEvent.click(button('New instance'))
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Køl 1')
  await userEvent.click(page.getByRole('combobox', { name: 'Type' }))
  await userEvent.click(page.getByRole('option', { name: 'Cold store' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Flexible power' }), '400')
  expect(page.getByRole('checkbox', { name: 'aFRR' }).elements()).toEqual([])
  await userEvent.click(page.getByRole('checkbox', { name: 'FCR-D-INC' }))
  await userEvent.click(button('Add instance'))
  await expect.element(waiting()).toBeVisible()
  expect(changes().map(({ body }) => body)).toEqual([
    { name: 'Køl nord', area: 'DK2' },
    { name: 'Køl 1', description: '', area: 'DK2', kind: 'cold-store', markets: ['FCR-D-INC'], flexibleKw: 400 },
  ])

  const command = page.getByRole('region', { name: 'Command for mosquitto_pub' })
  await expect
    .poll(() => command.element().textContent)
    .toContain('mosquitto_pub -h edges.example -p 8883 --tls-use-os-certs')
  await expect
    .poll(() => command.element().textContent)
    .toContain(`-u ${own.key} -P "$EDGE_SECRET" -t gm/v1/${own.key}/telemetry/koel-1`)
  await userEvent.click(page.getByText('Python', { exact: true }))
  await expect.element(page.getByRole('region', { name: 'Command for Python' })).toBeVisible()

  await expect.poll(() => streams.size).toBeGreaterThan(0)
  send('readings', { instanceId: instance._id, signals: { power: { x: [currentMs()], y: [412.5] } } })
  await expect.element(page.getByText(/^Last Reported:/)).toBeVisible()
  expect(waiting().elements()).toEqual([])
})

test('what was refused is listed in plain words, with its topic', async () => {
  await open(
    {
      edges: [{ ...own, instances: [instance] }],
      problems: [
        { from: 'connection', reason: 'credentials', topic: null, count: 3, lastAt: '2026-11-20T17:12:08Z' },
        {
          from: 'message',
          reason: 'clock ahead',
          topic: 'gm/v1/a/telemetry/b',
          count: 1,
          lastAt: '2026-11-20T17:12:07Z',
        },
        {
          from: 'message',
          reason: 'p is out of range',
          topic: 'gm/v1/a/telemetry/b',
          count: 1,
          lastAt: '2026-11-20T17:12:06Z',
        },
      ],
    },
    `?edge=${own._id}`,
  )
  const rows = page.getByRole('table', { name: 'Refused in the last hour' })
  await expect.poll(() => rows.element().textContent).toContain('Wrong secret. Use the newest secret')
  await expect.poll(() => rows.element().textContent).toContain('more than 5 minutes ahead')
  await expect.poll(() => rows.element().textContent).toContain('Invalid message: p is out of range')
  await expect.element(waiting()).toBeVisible()
  await expectClean()
})

test('a renewal asks first and shows the new secret once', async () => {
  const { changes } = await open({ edges: [own] })
  await userEvent.click(button('Renew secret of Køl nord'))
  expect(changes()).toEqual([])
  await userEvent.click(button('Renew secret').last())
  await expect.element(page.getByText(secret, { exact: true })).toBeVisible()
  await userEvent.click(page.getByRole('checkbox', { name: 'I have saved it' }))
  await userEvent.click(button('Done'))
  await expect.poll(() => document.documentElement.outerHTML).not.toContain(secret)
})

test('disabling asks first; a disabled edge gateway gets no instance, and is enabled at once', async () => {
  const { changes } = await open({ edges: [own] })
  await userEvent.click(button('Disable Køl nord'))
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }))
  await expect.poll(() => toasts).toEqual(['Edge gateway saved'])
  await expect.element(button('Enable Køl nord')).toBeVisible()
  expect(button('New instance').elements()).toEqual([])
  await userEvent.click(button('Enable Køl nord'))
  await expect.element(button('Disable Køl nord')).toBeVisible()
  expect(changes().map(({ body }) => body)).toEqual([{ enabled: false }, { enabled: true }])
})

test('an edge gateway of the operator has no actions', async () => {
  await open({ edges: [provisioned, own] })
  await expect.element(page.getByRole('row', { name: /edge-nord-01/ })).toBeVisible()
  expect(button('Disable Nordhavn').elements()).toEqual([])
})

test('in Danish', async () => {
  await open({ edges: [{ ...own, instances: [instance] }] }, `?edge=${own._id}`, 'da')
  await expect.element(page.getByText('Venter på den første besked …')).toBeVisible()
})
