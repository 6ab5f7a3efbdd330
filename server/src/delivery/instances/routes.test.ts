import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  addEdge,
  addEdgeInstance,
  edgeConnection,
  findEdges,
  renewEdgeSecret,
  setEdgeEnabled,
} from '@gridmast/contract/delivery/edges.ts'
import { firstMessageCommands } from '@gridmast/contract/delivery/edge-commands.ts'
import { edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import { connect as connectNow, connectAsync, type IClientOptions } from 'mqtt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { openEdges } from '#roles/edges.ts'
import { openTestApp } from '#testing/app.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'
import { northOnly } from '#testing/factories.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'
import { newId } from '#platform/records/ids.ts'
import { brokerAddress } from './broker-address.ts'

const app = await openTestApp({ MQTT_PORT: '0', HOST: '127.0.0.1' })
const ingest = await openEdges(app)
let sudoer: string
beforeAll(async () => {
  sudoer = await app.tokenOf('sudoer@north.example')
})
afterAll(async () => {
  await ingest.close()
  await app.close()
})

const newEdge = async (name = 'Køl nord') => app.data(addEdge, { token: sudoer, body: { name, area: 'DK2' } })
const instanceBody = {
  name: 'Kompressor 1–4',
  area: 'DK2',
  kind: 'cold-store',
  markets: ['FCR-D-INC'],
  flexibleKw: 400,
}
const addTo = (edgeId: string, body: object = {}, token = sudoer) =>
  app.ask(addEdgeInstance, { token, params: { id: edgeId }, body: { ...instanceBody, ...body } })
const connectionOf = (edgeId: string) => app.data(edgeConnection, { token: sudoer, params: { id: edgeId } })
const reasonsOf = async (edgeId: string) => (await connectionOf(edgeId)).problems.map(({ reason }) => reason)

const connect = async (username: string, password: string, options: IClientOptions = {}) => {
  const client = await connectAsync({
    host: '127.0.0.1',
    port: ingest.port ?? 0,
    protocolVersion: 4,
    reconnectPeriod: 0,
    username,
    password,
    ...options,
  })
  onTestFinished(() => void client.end(true))
  client.on('error', () => {})
  return client
}

test('D1 a new edge gateway signs in with its secret, which is stored as a hash and is not on the audit trail', async () => {
  const { _id, key, secret } = await newEdge()
  expect(key).toMatch(/^north-koel-nord-[0-9a-f]{8}$/)
  expect(secret).toMatch(/^[0-9a-f]{40}$/)
  const client = await connect(key, secret)
  expect(client.connected).toBe(true)
  const { edges } = await app.data(findEdges, { token: sudoer })
  expect(edges.find((edge) => edge._id === _id)).toMatchObject({ key, name: 'Køl nord', isOwn: true, instances: [] })
  expect(edges.find((edge) => edge.key === 'north-edge')).toMatchObject({ isOwn: false })
  const [entry] = await app.trail('edge.add')
  expect(entry).toMatchObject({ who: 'sudoer@north.example', subject: 'Køl nord' })
  expect(JSON.stringify(entry)).not.toContain(secret)
  const row = await app.records.system((tx) =>
    tx.selectFrom('edge').select('password_hash').where('key', '=', key).executeTakeFirstOrThrow(),
  )
  expect(row.password_hash).not.toContain(secret)
})

describe('an instance', () => {
  test('its first message is stored within the connection that was open before', async () => {
    const { _id, key, secret } = await newEdge()
    const client = await connect(key, secret)
    const added = await addTo(_id)
    expect(added.body).toMatchObject({ success: true, message: m.instanceAdded })
    const groupKey = added.body.data.key
    expect((await connectionOf(_id)).samples).toMatchObject([{ instanceId: added.body.data._id, lastSampleAt: null }])
    const t0 = new Date(app.clock.now()).toISOString()
    const message = JSON.stringify({ v: 1, seq: 1, t0, dtMs: 1000, p: [412.5] })
    await expect
      .poll(async () => {
        await client.publishAsync(edgeTopic.telemetry(key, groupKey), message, { qos: 1 })
        return (await connectionOf(_id)).samples
      })
      .toMatchObject([{ instanceId: added.body.data._id, lastSampleAt: t0 }])
    expect(await app.trail('instance.add')).toMatchObject([{ subject: instanceBody.name }])
  })

  test('lacks a contract and a frequency until it has them; markets with a set point need no frequency', async () => {
    const { _id } = await newEdge()
    const { _id: instance_id } = (await addTo(_id, { area: 'DK1' })).body.data
    const second = (await addTo(_id, { name: 'Kedel' })).body.data
    await changeRows(app.records, 'instance', { instance_id: second._id }, { markets: ['aFRR'] })
    const lacksNow = async () => (await connectionOf(_id)).samples.map(({ lacks }) => lacks)
    expect(await lacksNow()).toEqual([['contract', 'frequency', 'frequencySignal'], ['contract']])
    const signals = await storedRows(app.records, 'signal', { instance_id })
    const { customer_id, signal_id, no } = signals.find(({ kind }) => kind === 'frequency') ?? { no: 0 }
    await app.readings.insert([{ signalNo: no, t0Ms: app.clock.now(), dtMs: 1000, values: [50] }])
    expect((await lacksNow())[0]).toEqual(['contract', 'frequencySignal'])
    const [listed] = await storedRows(app.records, 'frequency_signal', { customer_id })
    await addRows(app.records, 'frequency_signal', {
      ...listed,
      frequency_id: newId(),
      key: 'added',
      area: 'DK1',
      signal_id,
    } as never) // a copy
    const shares = { customer_percent: '70', partner_percent: '15', sc_percent: '15' }
    const contract = {
      customer_id: listed?.customer_id ?? '',
      instance_id,
      ...shares,
      auctions: [],
      default_price_eur: '10',
      penalty_to: 'shares',
    }
    const from = (valid_from: string, valid_to: string | null = null) =>
      addRows(app.records, 'instance_contract', { ...contract, valid_from, valid_to })
    const day = today(app.clock.now())
    await from(addDays(day, -9), day)
    await from(addDays(day, 1))
    expect((await lacksNow())[0]).toEqual(['contract'])
    await from(day)
    expect((await lacksNow())[0]).toEqual([])
    await app.byHand(async (tx) => {
      await tx.deleteFrom('instance_contract').where('instance_id', '=', instance_id).execute()
      await tx.deleteFrom('frequency_signal').where('key', '=', 'added').execute()
    })
  })

  test('a second one of the same name has its own key', async () => {
    const { _id } = await newEdge()
    const keys = [
      (await addTo(_id, { name: 'Samme' })).body.data.key,
      (await addTo(_id, { name: 'Samme' })).body.data.key,
    ]
    expect(keys).toEqual(['samme', 'samme-2'])
    expect((await addTo(_id, { name: '—' })).body.data.key).toBe('instance')
  })

  test.each([
    ['no market', { markets: [] }, m.required],
    ['a market without license', { markets: ['FCR-N'] }, m.marketNotLicensed],
    ['no power', { flexibleKw: 0 }, m.positive],
    ['an unknown area', { area: 'DE' }, m.required],
  ])('%s is refused with one sentence', async (_what, over, sentence) => {
    const { _id } = await newEdge()
    const answer = await addTo(_id, over)
    expect(answer.status).toBe(400)
    expect(Object.values(answer.body.errors ?? {})).toEqual([sentence])
  })

  test('T1 not on an edge of another customer', async () => {
    const { _id } = await newEdge()
    const west = await app.tokenOf('sudoer@west.example')
    for (const answer of [
      await addTo(_id, {}, west),
      await app.ask(edgeConnection, { token: west, params: { id: _id } }),
      await app.ask(renewEdgeSecret, { token: west, params: { id: _id } }),
      await app.ask(setEdgeEnabled, { token: west, params: { id: _id }, body: { enabled: false } }),
    ])
      expect(answer.status).toBe(404)
  })

  test('a disabled edge gateway, one of the operator’s file, and too many instances are refused', async () => {
    const { edges } = await app.data(findEdges, { token: sudoer })
    const provisioned = edges.find(({ key }) => key === 'north-edge')?._id ?? ''
    expect((await addTo(provisioned)).body.message).toBe(m.edgeProvisioned)
    const { _id } = await newEdge()
    await app.ask(setEdgeEnabled, { token: sudoer, params: { id: _id }, body: { enabled: false } })
    expect((await addTo(_id)).body.message).toBe(m.edgeDisabled)
  })
})

describe('D1 revocation', () => {
  test('a renewed secret ends the open connection, and only the new one is accepted', async () => {
    const { _id, key, secret } = await newEdge()
    const client = await connect(key, secret)
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    const renewed = await app.data(renewEdgeSecret, { token: sudoer, params: { id: _id } })
    await closed
    await expect(connect(key, secret)).rejects.toThrow('Not authorized')
    expect((await connect(key, renewed.secret)).connected).toBe(true)
    await expect.poll(() => reasonsOf(_id)).toEqual(['credentials'])
    expect(await app.trail('edge.secret')).toHaveLength(1)
  })

  test('a disabled edge gateway is disconnected and refused, and accepted again once it is enabled', async () => {
    const { _id, key, secret } = await newEdge()
    const client = await connect(key, secret)
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    const set = (enabled: boolean) => app.ask(setEdgeEnabled, { token: sudoer, params: { id: _id }, body: { enabled } })
    await set(false)
    await closed
    await expect(connect(key, secret)).rejects.toThrow('Not authorized')
    await set(true)
    expect((await connect(key, secret)).connected).toBe(true)
    await set(true)
    expect(await app.trail('edge.enabled')).toMatchObject([
      { after: { enabled: false } },
      { after: { enabled: false } },
      { after: { enabled: true } },
    ])
  })

  test('edges of the operator’s file are changed by the operator only', async () => {
    const { edges } = await app.data(findEdges, { token: sudoer })
    const params = { id: edges.find(({ key }) => key === 'north-edge')?._id ?? '' }
    for (const answer of [
      await app.ask(renewEdgeSecret, { token: sudoer, params }),
      await app.ask(setEdgeEnabled, { token: sudoer, params, body: { enabled: false } }),
    ])
      expect(answer.body).toMatchObject({ success: false, message: m.edgeProvisioned })
  })
})

test('what was refused is listed with its cause: topic, protocol, payload, instance, clock', async () => {
  const { _id, key, secret } = await newEdge()
  const { key: groupKey } = (await addTo(_id)).body.data
  // A refused protocol gets no answer, which `connectAsync` would wait for.
  const newer = connectNow({
    port: ingest.port ?? 0,
    protocolVersion: 5,
    reconnectPeriod: 0,
    username: key,
    password: secret,
  })
  newer.on('error', () => {})
  await new Promise<void>((resolve) => newer.once('close', () => resolve()))
  const foreign = await connect(key, secret)
  const closed = new Promise<void>((resolve) => foreign.once('close', () => resolve()))
  foreign.publish('gm/v1/another-edge/telemetry/lab', '{}', { qos: 1 })
  await closed
  const client = await connect(key, secret)
  const send = (group: string, message: string) =>
    client.publishAsync(edgeTopic.telemetry(key, group), message, { qos: 1 })
  const ahead = new Date(app.clock.now() + 3_600_000).toISOString()
  await send('unknown', '{}')
  await send(groupKey, 'no JSON')
  await send(groupKey, 'no JSON')
  await send(groupKey, JSON.stringify({ v: 1, seq: 1, t0: ahead, dtMs: 1000, p: [1] }))
  await expect
    .poll(async () => (await reasonsOf(_id)).toSorted())
    .toEqual(['clock ahead', 'foreign topic', 'not JSON', 'protocol', 'unknown group'])
  const { problems } = await connectionOf(_id)
  expect(problems.find(({ reason }) => reason === 'foreign topic')).toMatchObject({
    from: 'connection',
    topic: 'gm/v1/another-edge/telemetry/lab',
    count: 1,
  })
  expect(problems.find(({ reason }) => reason === 'not JSON')).toMatchObject({
    from: 'message',
    topic: edgeTopic.telemetry(key, groupKey),
    count: 2,
  })
})

const run = promisify(execFile)
const hasProgram = (name: string) =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)))
const paho = process.env['PAHO_PYTHON'] ?? ''
const programs = [
  { name: 'mosquitto', missing: !hasProgram('mosquitto_pub'), start: (code: string) => run('sh', ['-c', code], env) },
  {
    name: 'node',
    missing: false,
    start: (code: string) => run(process.execPath, ['--input-type=module', '-e', code], env),
  },
  { name: 'python', missing: paho === '', start: (code: string) => run(paho, ['-c', code], env) },
] as const
const env = { env: { ...process.env, EDGE_SECRET: '' } }

for (const { name, missing, start } of programs)
  test.skipIf(missing)(`the command for ${name} sends a message that is stored`, async () => {
    const { _id, key, secret } = await newEdge()
    const { key: groupKey } = (await addTo(_id)).body.data
    env.env.EDGE_SECRET = secret
    const target = { host: '127.0.0.1', port: ingest.port ?? 0, tls: false, edgeKey: key, groupKey }
    await start(firstMessageCommands(target)[name])
    await expect.poll(async () => (await connectionOf(_id)).samples[0]?.lastSampleAt).toEqual(expect.any(String))
    expect(await reasonsOf(_id)).toEqual([])
  })

test('a provisioning run keeps edges and instances of the portal, and one that lists their keys manages them', async () => {
  const { _id, key } = await newEdge()
  const instance = (await addTo(_id, { name: 'Bevaret' })).body.data
  const file = readProvisioning(northOnly('{}'))
  expect(await applyProvisioning(app.records, file, { dryRun: true })).toEqual([])
  const north = file.customers.find((customer) => customer.key === 'north')
  if (!north) throw new Error('the world has no north')
  const [edge, listed] = [north.edges[0], north.instances[0]]
  if (!edge || !listed) throw new Error('north has no edge')
  north.edges.push({ ...edge, key, name: 'Køl nord', area: 'DK2', site: undefined })
  north.instances.push({ ...listed, key: instance.key, name: 'Bevaret', edge: key, contracts: [] })
  const changes = await applyProvisioning(app.records, file, { dryRun: false })
  expect(changes.filter(({ sign }) => sign !== '~')).toEqual([])
  const { edges } = await app.data(findEdges, { token: sudoer })
  expect(edges.find((one) => one._id === _id)).toMatchObject({ isOwn: false, instances: [{ _id: instance._id }] })
})

test('the number of edge gateways is limited', async () => {
  const { edges } = await app.data(findEdges, { token: sudoer })
  await app.byHand(async (tx) => {
    const { customer_id } = await tx
      .selectFrom('customer')
      .select('customer_id')
      .where('key', '=', 'north')
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: limits.edges - edges.length }, (_, i) => ({
      customer_id,
      edge_id: `01930000-0000-7000-8000-${String(i).padStart(12, '0')}`,
      key: `many-${i}`,
      name: 'Many',
      password_hash: '',
    }))
    await tx.insertInto('edge').values(rows).execute()
  })
  const refused = await app.ask(addEdge, { token: sudoer, body: { name: 'One more', area: 'DK2' } })
  expect(refused.body).toMatchObject({ success: false, message: m.tooManyEdges(limits.edges) })
})

test.each([
  [{}, { host: null, port: 1883, tls: false }],
  [{ PUBLIC_URL: 'https://portal.example' }, { host: 'portal.example', port: 1883, tls: false }],
  [{ MQTT_URL: 'mqtt://user:secret@broker.example:1884' }, { host: 'broker.example', port: 1884, tls: false }],
  [
    { MQTT_URL: 'mqtt://10.0.0.1', MQTT_PUBLIC_URL: 'mqtts://edges.example' },
    { host: 'edges.example', port: 8883, tls: true },
  ],
])('the address of the broker for %j', (settings, address) => {
  const { MQTT_URL, MQTT_PUBLIC_URL, PUBLIC_URL } = {
    MQTT_URL: undefined,
    MQTT_PUBLIC_URL: undefined,
    PUBLIC_URL: undefined,
    ...settings,
  }
  expect(brokerAddress({ MQTT_PORT: 1883, MQTT_URL, MQTT_PUBLIC_URL, PUBLIC_URL })).toEqual(address)
})
