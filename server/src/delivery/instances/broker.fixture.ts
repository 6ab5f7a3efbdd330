import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EdgeStatus } from '@gridmast/contract/delivery/edge.ts'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Broker, startBroker } from '#protocols/mqtt/broker.ts'
import type { Readings } from '#readings/readings.ts'
import { openTestReadings } from '#testing/readings.ts'
import { edgeSignIn } from './edge-sign-in.ts'
import { testDirectory } from './ingest.fixture.ts'
import { type Committed, openIngest } from './ingest.ts'

export const noon = Date.UTC(2026, 10, 20, 12)
export const iso = (ms: number) => new Date(ms).toISOString()
export const batch = (over: object = {}) => ({ v: 1, seq: 1, t0: iso(noon), dtMs: 1000, p: [1, 2, 3], ...over })
export const gone = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))
export const send = (client: MqttClient, topic: string, payload: unknown) =>
  client.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), { qos: 1 })

const newState = () => ({
  refused: [] as string[],
  quarantined: [] as string[],
  logged: [] as string[],
  reported: [] as EdgeStatus[],
  committed: [] as Committed[],
  failing: null as Error | null,
  nowMs: noon + 60_000,
})

export const ingestForTests = () => {
  const at = newState()
  const clients: MqttClient[] = []
  let folder: string
  let readings: Readings
  let broker: Broker

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gridmast-ingest-'))
    readings = await openTestReadings({ dataDir: join(folder, 'readings') })
  })
  afterAll(async () => {
    await readings.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    Object.assign(at, newState())
    const directory = testDirectory()
    const ingest = openIngest({
      readings: {
        insert: (runs) => (at.failing ? Promise.reject(at.failing) : readings.insert(runs)),
        quarantine: readings.quarantine,
      },
      directory,
      counters: { message: () => {}, samples: () => {}, quarantined: (reason) => at.quarantined.push(reason) },
      onCommitted: (what) => at.committed.push(what),
      onReported: (_edge, _atMs, status) => void (status && at.reported.push(status)),
      onLog: async (_edge, _instance, { command }) => {
        if (command === 'too much') throw Object.assign(new Error('value too long'), { code: '22001' })
        if (command === 'too early') throw Object.assign(new Error('the store is away'), { code: '57P03' })
      },
      now: () => at.nowMs,
    })
    broker = await startBroker({
      port: 0,
      host: '127.0.0.1',
      authenticate: edgeSignIn({ directory, saveHash: async () => {}, now: () => at.nowMs, refusalMs: 0 }),
      onMessage: ingest,
      onRefused: (why) => at.refused.push(why),
      limits: { messageBurst: 200, messagesPerSecond: 1, payloadBytes: 8192, connectionsPerEdge: 3 },
      log: { info: (details, text) => at.logged.push(`${JSON.stringify(details)} ${text}`), warn: () => {} },
    })
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.end(true)
    await broker.close()
  })

  return {
    at,
    broker: () => broker,
    connect: async (user: string, options: IClientOptions = {}) => {
      const client = await connectAsync({
        host: '127.0.0.1',
        port: broker.port,
        protocolVersion: 4,
        username: user,
        password: 'key',
        reconnectPeriod: 0,
        ...options,
      })
      clients.push(client)
      client.on('error', () => {})
      return client
    },
    stored: async (signalNo: number) => {
      const rows: [number, number | null | undefined][] = []
      for await (const row of readings.exportRows({ signalNos: [signalNo], fromMs: 0, toMs: noon + 1e9 }))
        rows.push([row.tMs, row.values[0]])
      return rows
    },
  }
}
