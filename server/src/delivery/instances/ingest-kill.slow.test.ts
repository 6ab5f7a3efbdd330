import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, start } from '#testing/scripts.ts'
import { batch, iso } from './broker.fixture.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-killed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const script = join(import.meta.dirname, 'ingest.process.ts')
const startIngest = async (): Promise<[ChildProcess, number]> => {
  const { child } = start(script, folder)
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
  return [child, port]
}

const connect = async (username: string, port: number) => {
  const client = await connectAsync({
    host: '127.0.0.1',
    port,
    protocolVersion: 4,
    username,
    password: 'key',
    reconnectPeriod: 0,
  })
  client.on('error', () => {})
  return client
}

test('D1: every acknowledged sample is stored after kill -9', async () => {
  const acknowledged = new Map<number, number>()
  let seq = 0
  for (const killAfter of [40, 90]) {
    const [child, port] = await startIngest()
    const edges = await Promise.all([1, 2, 3, 4].map((n) => connect(`edge-${n}`, port)))
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
      edges.forEach((edge, i) => [1, 2, 3, 4, 5].forEach(() => publish(edge, i + 1)))
    })
    edges.forEach((edge) => edge.end(true))
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(130)
  // A process has one store, and earlier test files have opened theirs in this one.
  for (const no of new Set(acknowledged.values())) {
    const { said } = await run(join(import.meta.dirname, 'stored.process.ts'), folder, String(no))
    const stored = new Set(JSON.parse(said))
    expect([...acknowledged].filter(([at, signalNo]) => signalNo === no && !stored.has(at))).toEqual([])
  }
})
