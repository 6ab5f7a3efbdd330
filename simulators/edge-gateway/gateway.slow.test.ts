import { createServer, type Server, type Socket } from 'node:net'
import { edgeAckName, edgeCommandResult, edgeTelemetry } from '@gridmast/contract/delivery/edge.ts'
import { Aedes } from 'aedes'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openGateway, type Gateway } from './gateway.ts'
import { openState } from './state.ts'
import { readWorld } from './world-file.ts'

const [edge] = readWorld(join(import.meta.dirname, '../../demo/world.yaml'), ['edge-lab'])
if (!edge) throw new Error('the demo world has no edge')

const folders: string[] = []
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** `refusals`: connections that are refused as 'Server unavailable' at first. */
const openBroker = async (refusals = 0) => {
  const heard: { topic: string; payload: string; retain: boolean }[] = []
  const sockets = new Set<Socket>()
  const broker = await Aedes.createBroker({
    authenticate: (_client, name, password, done) => {
      if (refusals-- > 0) done(Object.assign(new Error('unavailable'), { returnCode: 3 }), false)
      else done(null, name === edge.key && password?.toString() === edge.password)
    },
    authorizePublish: (_client, packet, done) => {
      heard.push({ topic: packet.topic, payload: packet.payload.toString(), retain: packet.retain })
      done(null)
    },
  })
  let server: Server
  const open = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer((socket) => {
        sockets.add(socket)
        broker.handle(socket)
      })
      server.listen(port, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
  const goAway = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    })
  const port = await open(0)
  closers.push(async () => {
    await goAway()
    await new Promise<void>((resolve) => broker.close(() => resolve()))
  })
  const command = (body: object) =>
    broker.publish(
      {
        cmd: 'publish',
        topic: `gm/v1/${edge.key}/cmd/req`,
        payload: JSON.stringify(body),
        qos: 1,
        retain: false,
        dup: false,
      },
      () => {},
    )
  const ack = (groupId: string, stored: object[]) =>
    broker.publish(
      {
        cmd: 'publish',
        topic: `gm/v1/${edge.key}/ack`,
        payload: JSON.stringify({ v: 1, groupId, stored }),
        qos: 1,
        retain: false,
        dup: false,
      },
      () => {},
    )
  return { url: `mqtt://127.0.0.1:${port}`, heard, goAway, comeBack: () => open(port), command, ack }
}

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-edge-'))
  folders.push(folder)
  return folder
}

const run = (url: string, folder: string, historyS: number, settledS = 30, ackPatienceMs?: number) => {
  const faultsFile = join(folder, 'faults.json')
  const said: string[] = []
  const state = openState(join(folder, 'edge.json'), Math.floor(Date.now() / 1000) - historyS)
  const gateway: Gateway = openGateway({
    edge,
    url,
    state,
    replayPerS: 500,
    settledS,
    ackPatienceMs,
    faultsFile,
    log: (text) => said.push(text),
  })
  const timer = setInterval(() => gateway.tick(Date.now()), 200)
  const stop = async () => {
    clearInterval(timer)
    await gateway.stop()
    state.save()
  }
  closers.push(stop)
  return { gateway, state, stop, said }
}

const secondsHeard = (heard: { topic: string; payload: string }[], group: string) => {
  const seconds = heard
    .filter(({ topic }) => topic === `gm/v1/${edge.key}/telemetry/${group}`)
    .flatMap(({ payload }) => {
      const { t0, p = [] } = edgeTelemetry.parse(JSON.parse(payload))
      return p.map((_, i) => Date.parse(t0) / 1000 + i)
    })
  return new Set(seconds)
}

const untilNothingIsOwed = (gateway: Gateway) =>
  vi.waitFor(() => expect(gateway.owedS(Date.now())).toBe(0), { timeout: 20_000, interval: 100 })

test('live samples, status and a history are delivered once, also across a restart', async () => {
  const { url, heard } = await openBroker()
  const folder = newFolder()
  const historyS = 2 * 3600
  const sinceS = Math.floor(Date.now() / 1000) - historyS
  const first = run(url, folder, historyS, 3)
  const untilS = Math.floor(Date.now() / 1000) - 30
  await untilNothingIsOwed(first.gateway)
  await vi.waitFor(
    () => expect(secondsHeard(heard, 'koel-1').has(Math.floor(Date.now() / 1000) - 1)).toBe(true),
    20_000,
  )
  for (const group of ['koel-1', 'koel-2']) {
    const seconds = secondsHeard(heard, group)
    for (let second = sinceS + 1; second < untilS; second++) expect(seconds.has(second)).toBe(true)
  }
  const status = heard.filter(({ topic }) => topic.endsWith('/status'))
  expect(status[0]).toMatchObject({ retain: true })
  await first.stop()
  expect(JSON.parse(heard.findLast(({ topic }) => topic.endsWith('/status'))?.payload ?? '')).toMatchObject({
    online: false,
  })

  heard.length = 0
  const second = run(url, folder, historyS, 3)
  await untilNothingIsOwed(second.gateway)
  await vi.waitFor(() => expect(secondsHeard(heard, 'koel-1').size).toBeGreaterThan(2), 20_000)
  expect(Math.min(...secondsHeard(heard, 'koel-1'))).toBeGreaterThan(Math.floor(Date.now() / 1000) - 300)
})

test('samples of a broker outage are sent later with their own times', async () => {
  const { url, heard, goAway, comeBack } = await openBroker()
  const { gateway } = run(url, newFolder(), 0, 3)
  await vi.waitFor(() => expect(secondsHeard(heard, 'koel-2').size).toBeGreaterThan(0), 20_000)
  await goAway()
  const awayS = Math.floor(Date.now() / 1000)
  await vi.waitFor(() => expect(gateway.isConnected()).toBe(false), 20_000)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await comeBack()
  const backS = Math.floor(Date.now() / 1000)
  expect(backS - awayS).toBeGreaterThanOrEqual(2)
  for (const group of ['koel-1', 'koel-2']) expect(secondsHeard(heard, group).has(awayS + 1)).toBe(false)
  for (const group of ['koel-1', 'koel-2'])
    await vi.waitFor(
      () => {
        const seconds = secondsHeard(heard, group)
        for (let second = awayS; second <= backS; second++) expect(seconds.has(second)).toBe(true)
      },
      { timeout: 20_000, interval: 200 },
    )
})

test('a broker that refuses the first connections is tried again', async () => {
  const { url, heard } = await openBroker(2)
  run(url, newFolder(), 0, 3)
  await vi.waitFor(() => expect(secondsHeard(heard, 'koel-2').size).toBeGreaterThan(0), 20_000)
})

test('behind a broker, data of a group is pending and repeated until the server acknowledges it', async () => {
  const { url, heard, ack } = await openBroker()
  const { gateway } = run(url, newFolder(), 400, 3, 500)
  const kinds = Object.keys(edgeAckName) as (keyof typeof edgeAckName)[] // the keys of a literal
  const of = (kind: (typeof kinds)[number]) => heard.filter(({ topic }) => topic.split('/')[3] === kind)
  const isRepeated = (kind: (typeof kinds)[number]) =>
    new Set(of(kind).map(({ payload }) => payload)).size < of(kind).length
  const answer = (named: typeof kinds) => {
    const answering = setInterval(() => {
      for (const kind of named)
        for (const { topic, payload } of of(kind))
          ack(topic.split('/').at(-1) ?? '', [edgeAckName[kind].parse({ ...JSON.parse(payload), kind })])
    }, 50)
    closers.push(async () => clearInterval(answering))
  }
  await vi.waitFor(() => expect(isRepeated('telemetry')).toBe(true), 10_000)
  const owedS = gateway.owedS(Date.now())
  expect(owedS).toBeGreaterThan(100)
  answer(kinds.filter((kind) => kind !== 'meter'))
  await vi.waitFor(() => expect(gateway.owedS(Date.now())).toBeLessThan(owedS - 60), 20_000)
  heard.length = 0
  await vi.waitFor(() => expect(isRepeated('meter')).toBe(true), 10_000)
  expect(gateway.owedS(Date.now())).toBeGreaterThan(0)
  answer(kinds)
  await untilNothingIsOwed(gateway)
})

test('a command is answered, executed once and released after its hold time', async () => {
  const { url, heard, command } = await openBroker()
  const { gateway, state } = run(url, newFolder(), 0)
  await vi.waitFor(() => expect(gateway.isConnected()).toBe(true), 20_000)
  await vi.waitFor(() => expect(secondsHeard(heard, 'koel-1').size).toBeGreaterThan(0), 20_000)
  const request = {
    v: 1,
    id: randomUUID(),
    action: 'manual-control',
    testType: 'control',
    groupId: 'koel-1',
    profiles: [{ setPoint: 40 }],
    issuedAt: new Date().toISOString(),
    ttlS: 15,
    maxHoldS: 2,
    by: 'test',
  }
  command(request)
  command(request)
  const replies = () =>
    heard
      .filter(({ topic }) => topic.endsWith('/cmd/res'))
      .map(({ payload }) => edgeCommandResult.parse(JSON.parse(payload)))
  await vi.waitFor(() => expect(replies()).toHaveLength(2), 20_000)
  const [reply, again] = replies()
  expect(again).toEqual(reply)
  expect(reply?.id).toBe(request.id)
  if (reply?.status === 'REJECTED: MARKET ACTIVE') return expect(state.manual(`${edge.key}/koel-1`)).toEqual([])
  expect(reply?.status).toBe('APPLIED')
  await vi.waitFor(() => expect(state.manual(`${edge.key}/koel-1`).map(({ setPoint }) => setPoint)).toEqual([40, 0]), {
    timeout: 20_000,
    interval: 100,
  })
  const logged = heard
    .filter(({ topic }) => topic.endsWith('/log/koel-1'))
    .map(({ payload }) => JSON.parse(payload).command)
  expect(logged.filter((text: string) => text === 'setPoint=40')).toHaveLength(1)
})

test('faults on request: the edge refuses with the given text, delays, is silent, and resumes without the file', async () => {
  const { url, heard, command } = await openBroker()
  const folder = newFolder()
  const { gateway, state, said } = run(url, folder, 0)
  await vi.waitFor(() => expect(secondsHeard(heard, 'koel-1').size).toBeGreaterThan(0), 20_000)
  expect(gateway.isConnected()).toBe(true)
  const release = () => {
    const id = randomUUID()
    const base = { v: 1, id, action: 'manual-control', testType: 'control', groupId: 'koel-1' }
    command({
      ...base,
      profiles: [{ setPoint: 0 }],
      issuedAt: new Date().toISOString(),
      ttlS: 15,
      maxHoldS: 2,
      by: 'test',
    })
    return id
  }
  const replies = () =>
    heard
      .filter(({ topic }) => topic.endsWith('/cmd/res'))
      .map(({ payload }) => edgeCommandResult.parse(JSON.parse(payload)))
  const faults = (fault: unknown) => writeFileSync(join(folder, 'faults.json'), JSON.stringify({ [edge.key]: fault }))
  const answered = (id: string) => vi.waitFor(() => expect(replies().at(-1)?.id).toBe(id), 20_000)

  faults({ refuse: 'REJECTED: LOCAL MODE' })
  await answered(release())
  expect(replies().at(-1)).toMatchObject({ status: 'REJECTED: LOCAL MODE', setPoint: null })
  faults({ delayS: 1 })
  const sentMs = Date.now()
  await answered(release())
  expect(Date.now() - sentMs).toBeGreaterThanOrEqual(1000)
  faults('silent')
  const silent = release()
  await vi.waitFor(() => expect(said).toContain(`${edge.key}: silent on request`), 20_000)
  rmSync(join(folder, 'faults.json'))
  await answered(release())
  expect(replies().map(({ status }) => status)).toEqual(['REJECTED: LOCAL MODE', 'APPLIED', 'APPLIED'])
  expect(replies().map(({ id }) => id)).not.toContain(silent)
  expect(state.manual(`${edge.key}/koel-1`)).toEqual([])
})

test('wrong credentials never connect and lose no data', async () => {
  const { url, heard } = await openBroker()
  const state = openState(undefined, Math.floor(Date.now() / 1000) - 60)
  const gateway = openGateway({ edge: { ...edge, password: 'wrong' }, url, state, replayPerS: 10, log: () => {} })
  closers.push(gateway.stop)
  for (let i = 0; i < 10; i++) {
    gateway.tick(Date.now())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(gateway.isConnected()).toBe(false)
  expect(heard).toEqual([])
  expect(gateway.owedS(Date.now())).toBeGreaterThan(0)
})
