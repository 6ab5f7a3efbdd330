import type { AddressInfo } from 'node:net'
import { revokeSession, sessions, verify } from '@gridmast/contract/people/auth.ts'
import { addWall, openWall } from '@gridmast/contract/people/wall.ts'
import { edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { connectAsync } from 'mqtt'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { endSessionsOf } from '#access/sessions.ts'
import { findViewer } from '#access/viewer.ts'
import { revokeKey } from '#people/api-keys/queries.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import { hashMachineSecret, newToken, tokenSha256 } from '#platform/security/token.ts'
import type { Tx } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { erasePerson } from '#operator/people-data/erase-person.ts'
import { exportTenant } from '#operator/tenant-exit/export-tenant.ts'
import { prepareConfigs } from '#trading/sold/edge-config.ts'
import { openEdges } from '#roles/edges.ts'

/** Changes that must reach open connections. Sockets, local lists and limits of chargers: `charging/tags/revocations.test.ts`. */

const app = await openTestApp({ MQTT_PORT: '0', HOST: '127.0.0.1' })
app.setNow(new Date().toISOString()) // the clock stops, so caches never expire; not before the people were provisioned
await prepareConfigs(app)
const edges = await openEdges(app)
await app.http.listen({ port: 0, host: '127.0.0.1' })
const base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` // a TCP server's address is never a pipe's name
afterAll(async () => {
  await edges.close()
  await app.close()
})

const change = (work: (tx: Tx) => Promise<unknown>) => app.records.system(work)
const provision = async (tx: Tx, change: { execute: () => Promise<unknown> }) => {
  await change.execute()
  rowChanged(tx, 'resync')
}

const expert = 'expert@north.example'
const person = (tx: Tx) => tx.selectFrom('app_user').select(['customer_id', 'user_id']).where('email', '=', expert)

const keyOf = async (): Promise<string> => {
  const token = newToken('apiKey')
  await app.records.system(async (tx) => {
    const key = { key_id: newId(), name: 'Key', token_sha256: tokenSha256(token), ending: token.slice(-4) }
    const owner = await person(tx).executeTakeFirstOrThrow()
    await tx
      .insertInto('api_key')
      .values({ ...owner, ...key, scopes: ['live.read', 'power.read'], created_at: new Date(app.clock.now()) })
      .execute()
  })
  return token
}

const stream = async (token: string) => {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { status, body } = await fetch(`${base}/api/client/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  })
  expect(status).toBe(200)
  const opened = { isOpen: true }
  void (async () => {
    for await (const _ of body ?? []);
    opened.isOpen = false
  })().catch(() => {})
  return opened
}

type Change = {
  by: (tx: Tx) => Promise<unknown>
  back?: (tx: Tx) => Promise<unknown>
  ends: ('session' | 'key')[]
  isByTime?: true
}
const user = (tx: Tx, set: object) => provision(tx, tx.updateTable('app_user').set(set).where('email', '=', expert))
const company = (tx: Tx, set: object) => provision(tx, tx.updateTable('customer').set(set).where('key', '=', 'north'))
const licence = (tx: Tx, enabled: boolean) =>
  provision(
    tx,
    tx
      .updateTable('licence')
      .set({ enabled })
      .where('type', '=', 'dataHub')
      .where('customer_id', 'in', person(tx).clearSelect().select('customer_id')),
  )
const now = () => new Date(app.clock.now())

const changes: Record<string, Change> = {
  'a session is ended': {
    by: async (tx) => endSessionsOf(tx, await person(tx).executeTakeFirstOrThrow(), app.clock.now()),
    ends: ['session'],
  },
  'a key is revoked': {
    by: async (tx) => {
      const keys = await tx.selectFrom('api_key').select(['customer_id', 'key_id']).execute()
      for (const { customer_id, key_id } of keys) await revokeKey(tx, customer_id, key_id, now())
    },
    ends: ['key'],
  },
  'a key expires': {
    by: (tx) => tx.updateTable('api_key').set({ expires_at: now() }).execute(),
    ends: ['key'],
    isByTime: true,
  },
  'a user is disabled': {
    by: (tx) => user(tx, { enabled: false }),
    back: (tx) => user(tx, { enabled: true }),
    ends: ['session', 'key'],
  },
  'a user has another role': {
    by: (tx) => user(tx, { role: 'auditor' }),
    back: (tx) => user(tx, { role: 'expert' }),
    ends: ['session', 'key'],
  },
  'a user may open other apps': { by: (tx) => user(tx, { allowed: { dashboard: true } }), ends: ['session', 'key'] },
  'a feature is switched off': {
    by: (tx) => company(tx, { true_green: false }),
    back: (tx) => company(tx, { true_green: true }),
    ends: ['session', 'key'],
  },
  'a market is removed': { by: (tx) => company(tx, { bidding_markets: ['FCR-D-INC'] }), ends: ['session', 'key'] },
  'a licence is switched off': {
    by: (tx) => licence(tx, false),
    back: (tx) => licence(tx, true),
    ends: ['session', 'key'],
  },
  'a second factor is required': {
    by: (tx) => company(tx, { second_factor_required: true }),
    back: (tx) => company(tx, { second_factor_required: false }),
    ends: ['session'],
  },
}

test.each(Object.entries(changes))(
  'S1 T5 %s: its streams and calls end',
  async (_name, { by, back, ends, isByTime }) => {
    const tokens = { session: await app.tokenOf(expert), key: await keyOf() }
    const believed = (token: string) => findViewer(app.records, token, app.clock.now())
    const other = await stream(await app.tokenOf('sudoer@west.example'))
    const before = { session: await believed(tokens.session), key: await believed(tokens.key) }
    const open = { session: await stream(tokens.session), key: await stream(tokens.key) }
    await change(by)
    for (const kind of ['session', 'key'] as const) {
      const isReached = ends.includes(kind)
      if (isReached) {
        await expect.poll(() => open[kind].isOpen, { message: `stream of the ${kind}` }).toBe(false)
        if (!isByTime)
          await expect.poll(() => believed(tokens[kind]), { message: `calls of the ${kind}` }).not.toEqual(before[kind])
      } else expect(open[kind].isOpen).toBe(true)
    }
    expect(other.isOpen).toBe(true)
    if (back) await change(back)
  },
)

const edge = (tx: Tx, set: object) => provision(tx, tx.updateTable('edge').set(set).where('key', '=', 'north-edge'))
const connectEdge = async (password: string) => {
  const topics: string[] = []
  const client = await connectAsync({
    host: '127.0.0.1',
    port: edges.port ?? 0,
    protocolVersion: 4,
    clientId: newId(),
    username: 'north-edge',
    password,
    reconnectPeriod: 0,
  })
  onTestFinished(() => void client.end(true))
  client.on('error', () => {})
  const closed = new Promise<boolean>((resolve) => client.once('close', () => resolve(true)))
  client.on('message', (topic) => topics.push(topic))
  await client.subscribeAsync(edgeTopic.config('north-edge'), { qos: 1 })
  return { client, closed, topics }
}

const ofEdge: Record<string, { set: object; secrets: [before: string, after: string] }> = {
  'an edge has another secret': {
    set: { password_hash: hashMachineSecret('another secret') },
    secrets: ['gridmast-demo', 'another secret'],
  },
  'an edge is disabled': { set: { enabled: false }, secrets: ['another secret', 'another secret'] },
}
test.each(Object.entries(ofEdge))('D1 %s: its connection ends', async (_name, { set, secrets: [before, after] }) => {
  const first = await connectEdge(before)
  // Sent again when the test before synchronised late.
  await expect.poll(() => [...new Set(first.topics)]).toEqual([edgeTopic.config('north-edge')])
  await change((tx) => edge(tx, { name: 'Another name' }))
  await first.client.publishAsync(edgeTopic.status('north-edge'), '{}', { qos: 1 })
  await change((tx) => edge(tx, set))
  expect(await first.closed).toBe(true)
  await expect(connectEdge(before)).rejects.toThrow('Not authorized')
  await change((tx) => edge(tx, { enabled: true }))
  // On a server the notification arrives after the commit's answer.
  const second = await vi.waitFor(() => connectEdge(after), 5000)
  await expect.poll(() => [...new Set(second.topics)]).toEqual([edgeTopic.config('north-edge')])
})

test('S1 a wall screen: its stream continues until it is signed out in the list of sessions', async () => {
  const token = await app.tokenOf(expert)
  const { id } = await app.data(addWall, { token, body: { name: 'Control room' } })
  const wall = (await app.data(openWall, { body: { id } })).token
  const [open, own] = [await stream(wall), await stream(token)]
  await change((tx) => company(tx, { second_factor_required: true }))
  await expect.poll(() => own.isOpen).toBe(false)
  expect(open.isOpen).toBe(true)
  await change((tx) => company(tx, { second_factor_required: false }))
  const listed = (await app.data(sessions, { token })).sessions.find((one) => one.wall !== null)
  await app.ask(revokeSession, { token, params: { sessionId: listed?._id ?? '' } })
  await expect.poll(() => open.isOpen).toBe(false)
  expect((await app.ask(verify, { token: wall })).status).toBe(401)
})

test('S1 a person is erased: stream and calls of the session and of the key end', async () => {
  const tokens = { session: await app.tokenOf(expert), key: await keyOf() }
  const open = { session: await stream(tokens.session), key: await stream(tokens.key) }
  const other = await stream(await app.tokenOf('sudoer@north.example'))
  for await (const _ of erasePerson(app, expert, { dryRun: false }));
  for (const kind of ['session', 'key'] as const) {
    await expect.poll(() => open[kind].isOpen, { message: `stream of the ${kind}` }).toBe(false)
    expect(await findViewer(app.records, tokens[kind], app.clock.now())).toBeNull()
  }
  expect(other.isOpen).toBe(true)
})

test('S1 D1 a customer leaves: its streams and the connections of its edges end at once, and those of others stay', async () => {
  await change((tx) => edge(tx, { enabled: true, password_hash: hashMachineSecret('gridmast-demo') }))
  const own = await stream(await app.tokenOf('sudoer@north.example'))
  const other = await stream(await app.tokenOf('sudoer@west.example'))
  const { closed } = await connectEdge('gridmast-demo')
  for await (const _ of exportTenant(app, 'north', true));
  expect(await closed).toBe(true)
  await expect.poll(() => own.isOpen).toBe(false)
  expect(other.isOpen).toBe(true)
  await expect(connectEdge('gridmast-demo')).rejects.toThrow()
})
