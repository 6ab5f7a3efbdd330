import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EdgeStatus, edgeTelemetry } from '@gridmast/contract/edge.ts'
import fc from 'fast-check'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Broker, startBroker } from '#protocols/mqtt/broker.ts'
import { openReadings, type Readings } from '#readings/readings.ts'
import { edgeSignIn } from './edge-sign-in.ts'
import { testDirectory } from './ingest.fixture.ts'
import { type Committed, liveReadingsOf, openIngest } from './ingest.ts'
import { checkTelemetry } from './ingest-check.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const iso = (ms: number) => new Date(ms).toISOString()

let folder: string
let readings: Readings
let broker: Broker
let refused: string[]
let quarantined: string[]
let said: string[]
let reported: EdgeStatus[]
let committed: Committed[]
let failing: Error | null
let nowMs: number
const clients: MqttClient[] = []

const connect = async (user: string, options: IClientOptions = {}) => {
  const client = await connectAsync({
    ...{
      host: '127.0.0.1',
      port: broker.port,
      protocolVersion: 4,
      username: user,
      password: 'key',
      reconnectPeriod: 0,
    },
    ...options,
  })
  clients.push(client)
  client.on('error', () => {})
  return client
}
const gone = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))
const send = (client: MqttClient, topic: string, payload: unknown) =>
  client.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), { qos: 1 })
const batch = (over: object = {}) => ({ v: 1, seq: 1, t0: iso(noon), dtMs: 1000, p: [1, 2, 3], ...over })
const stored = async (signalNo: number) => {
  const rows: [number, number | null | undefined][] = []
  for await (const row of readings.exportRows({ signalNos: [signalNo], fromMs: 0, toMs: noon + 1e9 }))
    rows.push([row.tMs, row.values[0]])
  return rows
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-ingest-'))
  readings = await openReadings({ dataDir: join(folder, 'readings') })
})
afterAll(async () => {
  await readings.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  ;[refused, quarantined, said, reported, committed, failing, nowMs] = [[], [], [], [], [], null, noon + 60_000]
  const directory = testDirectory()
  const ingest = openIngest({
    readings: {
      insert: (runs) => (failing ? Promise.reject(failing) : readings.insert(runs)),
      quarantine: readings.quarantine,
    },
    directory,
    counters: { message: () => {}, samples: () => {}, quarantined: (reason) => quarantined.push(reason) },
    onCommitted: (what) => committed.push(what),
    onReported: (_edge, _atMs, status) => void (status && reported.push(status)),
    onLog: async (_edge, _instance, { command }) => {
      if (command === 'too much') throw Object.assign(new Error('value too long'), { code: '22001' })
      if (command === 'too early') throw Object.assign(new Error('the store is away'), { code: '57P03' })
    },
    now: () => nowMs,
  })
  broker = await startBroker({
    port: 0,
    host: '127.0.0.1',
    authenticate: edgeSignIn({ directory, saveHash: async () => {}, now: () => nowMs, refusalMs: 0 }),
    onMessage: ingest,
    onRefused: (why) => refused.push(why),
    limits: { messageBurst: 200, messagesPerSecond: 1, payloadBytes: 8192, connectionsPerEdge: 3 },
    log: { info: (details, text) => said.push(`${JSON.stringify(details)} ${text}`), warn: () => {} },
  })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  await broker.close()
})

describe('telemetry', () => {
  test('D1: what is acknowledged is on disk, by kind, nulls left out, one value for the batch at its start', async () => {
    const edge = await connect('edge-1')
    const payload = batch({
      f: [49.9, null, 50.1],
      p: [1, 2, 3],
      sp: [0, 0, 40],
      capUp: 400,
      capDn: [1, 2, 3],
      soc: null,
    })
    await send(edge, 'gm/v1/edge-1/telemetry/lab', payload)
    expect(await stored(10)).toEqual([
      [noon, 49.9],
      [noon + 2000, 50.1],
    ])
    expect(await stored(12)).toEqual([
      [noon, 0],
      [noon + 1000, 0],
      [noon + 2000, 40],
    ])
    expect(await stored(13)).toEqual([[noon, 400]])
    expect(await stored(14)).toHaveLength(3)
    expect(await stored(15)).toEqual([])
    expect(committed).toHaveLength(1)
    const live = committed[0] && liveReadingsOf(committed[0])
    expect(live).toMatchObject({
      instanceId: 'instance-1',
      signals: { power: { x: [noon, noon + 1000, noon + 2000], y: [1, 2, 3] } },
    })
    expect(quarantined).toEqual([])
  })

  test('D1: nothing is acknowledged before the commit, and a store that refuses ends the connection', async () => {
    failing = new Error('disk full')
    const edge = await connect('edge-2')
    const closed = gone(edge)
    let acknowledged = false
    edge.publish('gm/v1/edge-2/telemetry/lab', JSON.stringify(batch()), { qos: 1 }, (error) => (acknowledged = !error))
    await closed
    expect(acknowledged).toBe(false)
    expect(refused).toEqual(['not stored'])
    failing = null
    const again = await connect('edge-2')
    await send(again, 'gm/v1/edge-2/telemetry/lab', batch())
    expect(await stored(21)).toHaveLength(3)
  })

  test('D3: duplicates, disorder and overlaps with changed values end in the newest value of each instant', async () => {
    const edge = await connect('edge-3')
    const late = batch({ t0: iso(noon - 100_000), p: [7, 8] })
    for (const payload of [batch(), batch(), late, batch({ seq: 2, t0: iso(noon + 2000), p: [30, 40] }), late])
      await send(edge, 'gm/v1/edge-3/telemetry/instance-3', payload)
    expect(await stored(31)).toEqual([
      ...[
        [noon - 100_000, 7],
        [noon - 99_000, 8],
        [noon, 1],
        [noon + 1000, 2],
        [noon + 2000, 30],
        [noon + 3000, 40],
      ],
    ])
  })

  test('meter readings land in the energy series', async () => {
    const edge = await connect('edge-4')
    await send(edge, 'gm/v1/edge-4/meter/lab', { v: 1, ts: iso(noon), kWh: 18233.412, quality: 'measured' })
    expect(await stored(46)).toEqual([[noon, 18233.412]])
  })
})

describe('quarantine', () => {
  const year = 366 * 24 * 3_600_000
  test.each([
    ['not JSON', '{"v":1,'],
    ['not JSON', '{"v":1,"seq":1,"t0":"2026-11-20T12:00:00Z","dtMs":1000,"p":[NaN]}'],
    ['not an object', '[]'],
    ['v is not 1', batch({ v: 2 })],
    ['t0 is not an instant', batch({ t0: '2026-02-31T00:00:00Z' })],
    ['dtMs is out of range', batch({ dtMs: 0 })],
    ['p holds no number', batch({ p: [1, '2'] })],
    ['p has 0 or too many samples', batch({ p: Array.from({ length: 61 }, () => 1) })],
    ['lists of different length', batch({ f: [50] })],
    ['no signal of this group', batch({ p: undefined })],
    ['clock ahead', batch({ t0: iso(noon + 60_000 + 300_000 - 1000) })],
    ['clock behind', batch({ t0: iso(noon - 1.2 * year) })],
    ['unknown group', batch()],
  ])('D3: %s: kept with its reason, acknowledged, and nothing stored', async (reason, payload) => {
    const edge = await connect('edge-5')
    await send(edge, `gm/v1/edge-5/telemetry/${reason === 'unknown group' ? 'other' : 'lab'}`, payload)
    expect(quarantined).toEqual([reason])
    expect(committed).toEqual([])
    await send(edge, 'gm/v1/edge-5/status', { v: 1, online: true })
    expect(quarantined).toHaveLength(1)
  })

  test.each([
    ['a NUL', 'v4.4.0\u0000', 'codeVersion is not valid'],
    ['half a surrogate pair', 'v4.4.0\ud800', 'codeVersion is not valid'],
    ['a mark that reorders the line', 'v4.4.0\u202e', 'codeVersion is not valid'],
  ])('T5: a status whose text holds %s never reaches the records', async (_what, codeVersion, reason) => {
    const edge = await connect('edge-5')
    await send(edge, 'gm/v1/edge-5/status', JSON.stringify({ v: 1, online: true, codeVersion }))
    expect(quarantined).toEqual([reason])
    expect(reported).toEqual([])
  })

  test('D3: what the records store will never take is put aside; while it is away the edge is to send again', async () => {
    const edge = await connect('edge-5')
    const entry = (command: string) => ({ v: 1, ts: iso(noon), deviceId: 'pump', command })
    await send(edge, 'gm/v1/edge-5/log/lab', entry('too much'))
    expect(quarantined).toEqual(['not storable'])
    await send(edge, 'gm/v1/edge-5/log/lab', entry('fine'))
    expect(refused).toEqual([])
    const closed = gone(edge)
    edge.publish('gm/v1/edge-5/log/lab', JSON.stringify(entry('too early')), { qos: 1 })
    await closed
    expect(refused).toEqual(['not stored'])
  })

  test('D3: just inside the limits of the clock is stored', async () => {
    const edge = await connect('edge-6')
    await send(edge, 'gm/v1/edge-6/telemetry/lab', batch({ t0: iso(nowMs + 300_000 - 2000) }))
    await send(edge, 'gm/v1/edge-6/telemetry/lab', batch({ t0: iso(nowMs - 400 * 24 * 3_600_000) }))
    expect(await stored(61)).toHaveLength(6)
  })

  test('D3: a sample older than the store keeps is put aside: the roll-up of its minute would be computed from it alone', async () => {
    const kept: number[] = []
    const ingest = openIngest({
      readings: { insert: async ([run]) => void kept.push(run?.t0Ms ?? 0), quarantine: async () => {} },
      ...{ directory: testDirectory(1), now: () => noon, retentionDays: 31 },
      counters: { message: () => {}, samples: () => {}, quarantined: (reason) => quarantined.push(reason) },
    })
    const day = 24 * 3_600_000
    for (const t0 of [noon - 31 * day, noon - 31 * day - 1])
      await ingest({
        ...{ edgeKey: 'edge-1', kind: 'telemetry', groupId: 'lab', topic: '', receivedAtMs: noon },
        payload: Buffer.from(JSON.stringify(batch({ t0: iso(t0) }))),
      })
    expect([kept, quarantined]).toEqual([[noon - 31 * day], ['clock behind']])
  })

  test('the quick check and the schema of the contract agree', () => {
    const odd = fc.oneof(fc.constantFrom(undefined, null, 1, -1, 1.5, '1', [], [null], [1, 'x'], {}, true), fc.double())
    const list = fc.oneof(
      fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 70 }),
      odd,
    )
    const t0 = fc.oneof(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((d) => d.toISOString()),
      odd,
    )
    const message = fc.record(
      {
        ...{ v: fc.oneof(fc.constant(1), odd), seq: fc.oneof(fc.nat(), odd), t0, dtMs: fc.oneof(fc.nat(), odd) },
        ...{ f: list, p: list, sp: list, capUp: list, capDn: list, soc: list },
      },
      { requiredKeys: ['v'] },
    )
    fc.assert(
      fc.property(message, (raw) => {
        let isUsable = true
        try {
          checkTelemetry(raw)
        } catch {
          isUsable = false
        }
        expect(isUsable).toBe(edgeTelemetry.safeParse(raw).success)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what is refused', () => {
  test('D1: wrong key, unknown edge, no name', async () => {
    for (const options of [{ username: 'edge-1', password: 'wrong' }, { username: 'nobody' }, { username: 'a/b' }])
      await expect(connect(options.username, options)).rejects.toThrow()
    expect(refused).toEqual(['credentials', 'credentials', 'credentials'])
  })

  test('D1: more connections of one edge than anyone needs; others are not touched', async () => {
    const open = await Promise.all([1, 2, 3].map(() => connect('edge-12')))
    await expect(connect('edge-12')).rejects.toThrow()
    expect(refused).toEqual(['connections'])
    await connect('edge-1')
    const closed = gone(open[0] ?? (await connect('edge-1')))
    open[0]?.end(true)
    await closed
    await expect.poll(() => said.filter((text) => /"edge-12".* edge disconnected$/.test(text)).length).toBe(1)
    await connect('edge-12')
  })

  test('edges coming, going and refused are logged, and a flood of them is not', async () => {
    const edge = await connect('edge-13')
    await edge.endAsync()
    const ofEdge = () => said.filter((text) => text.includes('"edge":"edge-13","address":"127.0.0.1"'))
    await expect
      .poll(ofEdge)
      .toEqual([expect.stringMatching(/ edge connected$/), expect.stringMatching(/ edge disconnected$/)])
    for (let i = 0; i < 30; i++) await expect(connect('nobody')).rejects.toThrow()
    expect(refused.filter((why) => why === 'credentials' || why === 'tries')).toHaveLength(30)
    expect(said.filter((text) => text.endsWith('edge refused: credentials')).length).toBeLessThanOrEqual(20)
    expect(said.filter((text) => text.endsWith('edge refused: tries')).length).toBeLessThanOrEqual(20)
  })

  test.each([
    ['gm/v1/edge-8/telemetry/lab', 'foreign topic'],
    ['gm/v1/edge-7/config', 'foreign topic'],
    ['gm/v1/edge-7/cmd/req', 'foreign topic'],
    ['$SYS/x', 'foreign topic'],
    ['gm/v1/edge-7/telemetry/lab/more', 'foreign topic'],
  ])('D1: publishing to %s ends the connection', async (topic, why) => {
    const edge = await connect('edge-7')
    const closed = gone(edge)
    edge.publish(topic, JSON.stringify(batch()), { qos: 1 })
    await closed
    expect(refused).toEqual([why])
    expect(committed).toEqual([])
  })

  test('D1: subscribing is possible below the own name only', async () => {
    const edge = await connect('edge-7')
    const grants = await new Promise<number[]>((resolve) => {
      const topics = ['gm/v1/edge-7/#', 'gm/v1/edge-8/#', 'gm/v1/+/cmd/req', '#', '$SYS/#']
      edge.subscribe(topics, { qos: 1 }, (_error, _granted, packet) => resolve((packet?.granted ?? []).map(Number)))
    })
    expect(grants).toEqual([1, 128, 128, 128, 128])
    const received: string[] = []
    edge.on('message', (topic) => received.push(topic))
    const other = await connect('edge-8')
    await send(other, 'gm/v1/edge-8/telemetry/lab', batch())
    await send(edge, 'gm/v1/edge-7/telemetry/lab', batch())
    await broker.publish('gm/v1/edge-8/config', { v: 1 })
    const config = new Promise((resolve) => edge.once('message', resolve))
    await broker.publish('gm/v1/edge-7/config', { v: 1 })
    await config
    expect(received).toEqual(['gm/v1/edge-7/config'])
  })

  test('D1: a client id of another edge takes over nothing', async () => {
    const first = await connect('edge-1', { clientId: 'gateway' })
    await connect('edge-2', { clientId: 'gateway' })
    await send(first, 'gm/v1/edge-1/status', { v: 1, online: true })
    expect(broker.isConnected('edge-1') && broker.isConnected('edge-2')).toBe(true)
  })

  test.each([0, 2] as const)('D1: quality of service %d', async (qos) => {
    const edge = await connect('edge-7')
    const closed = gone(edge)
    edge.publish('gm/v1/edge-7/telemetry/lab', JSON.stringify(batch()), { qos })
    await closed
    expect(refused).toEqual(['qos'])
  })

  test('D1: a payload too large, and a packet that announces more than it may, before it is sent', async () => {
    const edge = await connect('edge-7')
    const closed = gone(edge)
    edge.publish('gm/v1/edge-7/telemetry/lab', ' '.repeat(8500), { qos: 1 })
    await closed
    const stranger = createConnection(broker.port, '127.0.0.1')
    const ended = new Promise((resolve) => stranger.once('close', resolve))
    stranger.on('error', () => {})
    stranger.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0x00])) // CONNECT of 256 MB
    await ended
    expect(refused).toEqual(['oversize', 'oversize'])
  })

  test('D1: too many messages, and reconnecting does not help', async () => {
    const edge = await connect('edge-9')
    const closed = gone(edge)
    for (let i = 0; i < 250; i++) edge.publish('gm/v1/edge-9/status', '{"v":1,"online":true}', { qos: 1 })
    await closed
    const again = await connect('edge-9')
    const closedAgain = gone(again)
    for (let i = 0; i < 5; i++) again.publish('gm/v1/edge-9/status', '{"v":1,"online":true}', { qos: 1 })
    await closedAgain
    expect(new Set(refused)).toEqual(new Set(['rate']))
  })

  test('D1: an edge that does not read holds up nobody', async () => {
    const stalled = await connect('edge-10')
    await stalled.subscribeAsync('gm/v1/edge-10/#', { qos: 0 })
    stalled.stream.pause()
    const big = { v: 1, text: 'x'.repeat(100_000) }
    const pushed = Array.from({ length: 300 }, () => broker.publish('gm/v1/edge-10/config', big).catch(() => {}))
    const edge = await connect('edge-11')
    for (const seq of [1, 2, 3]) await send(edge, 'gm/v1/edge-11/telemetry/lab', batch({ seq }))
    expect(await stored(111)).toHaveLength(3)
    stalled.end(true)
    await Promise.all(pushed)
  })
})

describe('kill -9', () => {
  const script = join(import.meta.dirname, 'ingest.process.ts')
  const start = async (data: string): Promise<[ChildProcess, number]> => {
    const child = spawn(process.execPath, [script, data], { stdio: ['ignore', 'pipe', 'inherit'] })
    const port = await new Promise<number>((resolve) => child.stdout?.once('data', (text) => resolve(Number(text))))
    return [child, port]
  }

  test('D1: every acknowledged sample is there afterwards', async () => {
    const data = join(folder, 'killed')
    const acknowledged = new Map<number, number>()
    let seq = 0
    for (const killAfter of [40, 90]) {
      const [child, port] = await start(data)
      const edges = await Promise.all([1, 2, 3, 4].map((n) => connect(`edge-${n}`, { port })))
      const before = acknowledged.size
      await new Promise<void>((resolve) => {
        const publish = (edge: MqttClient, n: number) => {
          const at = Date.now() - 3_600_000 - 1000 * seq++
          edge.publish(
            `gm/v1/edge-${n}/telemetry/lab`,
            JSON.stringify(batch({ seq, t0: iso(at), p: [seq] })),
            { qos: 1 },
            (error) => {
              if (error) return
              acknowledged.set(at, 10 * n + 1)
              if (acknowledged.size - before === killAfter) {
                child.kill('SIGKILL')
                child.once('exit', () => resolve())
              }
              publish(edge, n)
            },
          )
        }
        // Several on their way for each edge, so that the kill comes amid inserts.
        edges.forEach((edge, i) => [1, 2, 3, 4, 5].forEach(() => publish(edge, i + 1)))
      })
      edges.forEach((edge) => edge.end(true))
    }
    const found = await readInChild(data, acknowledged)
    expect(acknowledged.size).toBeGreaterThanOrEqual(130)
    expect(found).toBe(acknowledged.size)
  })

  /** This process has its store open already, and there is one to a process. */
  const readInChild = async (data: string, wanted: Map<number, number>): Promise<number> => {
    const code = `
      import { openReadings } from ${JSON.stringify(join(import.meta.dirname, '../../readings/readings.ts'))}
      const readings = await openReadings({ dataDir: ${JSON.stringify(data)} })
      let found = 0
      for (const [tMs, signalNo] of ${JSON.stringify([...wanted])})
        found += (await readings.buckets({ signalNo, edgesMs: [tMs, tMs + 1] }))[0].count
      process.stdout.write(String(found))
      await readings.close()`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (part) => (text += String(part)))
    await new Promise((resolve) => child.once('exit', resolve))
    return Number(text)
  }
})
