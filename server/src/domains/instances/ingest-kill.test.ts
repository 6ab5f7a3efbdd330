import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batch, iso } from './broker.fixture.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-killed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const script = join(import.meta.dirname, 'ingest.process.ts')
const start = async (): Promise<[ChildProcess, number]> => {
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => child.stdout?.once('data', (text) => resolve(Number(text))))
  return [child, port]
}

const connect = async (username: string, port: number) => {
  const client = await connectAsync({
    ...{ host: '127.0.0.1', port, protocolVersion: 4, username, password: 'key', reconnectPeriod: 0 },
  })
  client.on('error', () => {})
  return client
}

test('D1: every acknowledged sample is there afterwards', async () => {
  const acknowledged = new Map<number, number>()
  let seq = 0
  for (const killAfter of [40, 90]) {
    const [child, port] = await start()
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
      // Several on their way for each edge, so that the kill comes amid inserts.
      edges.forEach((edge, i) => [1, 2, 3, 4, 5].forEach(() => publish(edge, i + 1)))
    })
    edges.forEach((edge) => edge.end(true))
  }
  const found = await readInChild(acknowledged)
  expect(acknowledged.size).toBeGreaterThanOrEqual(130)
  expect(found).toBe(acknowledged.size)
})

/** There is one store to a process, and the files before this one had theirs open in it. */
const readInChild = async (wanted: Map<number, number>): Promise<number> => {
  const code = `
    import { openReadings } from ${JSON.stringify(join(import.meta.dirname, '../../readings/readings.ts'))}
    const readings = await openReadings({ dataDir: ${JSON.stringify(folder)} })
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
