import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { edgeAck } from '@gridmast/contract/delivery/edge.ts'
import { connect, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#testing/whole-server.ts'

const program = 'mosquitto'
const isInstalled = spawnSync(program, ['-h']).error === undefined

const start = Date.now() - 86_400_000
const t0Of = (second: number) => new Date(start + second * 1000).toISOString()

const patiently = { timeout: 40_000, interval: 20 }

let folder: string
let port: number
const children = new Set<ChildProcess>()
const clients: MqttClient[] = []

const run = (command: string, args: string[]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}
const broker = () => run(program, ['-c', join(folder, 'mosquitto.conf')])
const server = async () => {
  const script = join(import.meta.dirname, 'ingest.process.ts')
  const child = run(process.execPath, [script, join(folder, 'readings'), `mqtt://127.0.0.1:${port}`])
  let said = ''
  child.stdout.on('data', (text) => (said += String(text)))
  await expect.poll(() => said, patiently).toMatch('joined the MQTT broker')
  return child
}
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** An edge that follows the protocol: it keeps each message until `ack` names it; `repeats` resends the kept ones at each connection and each second. */
const openEdge = (key: string, { repeats }: { repeats: boolean }) => {
  const kept = new Map<string, string>()
  const acked: { seq: number; t0: string }[] = []
  let closed = false
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    clientId: key,
    clean: false,
    protocolVersion: 4,
    reconnectPeriod: 200,
  })
  clients.push(client)
  client.on('error', () => {})
  client.on('message', (_topic, payload) => {
    for (const name of edgeAck.parse(JSON.parse(payload.toString())).stored) {
      if (!('seq' in name)) continue
      acked.push(name)
      kept.delete(`${name.seq} ${name.t0}`)
    }
  })
  const publish = (payload: string) =>
    new Promise<void>((resolve) => {
      client.publish(`gm/v1/${key}/telemetry/lab`, payload, { qos: 1 }, () => resolve())
    })
  const repeating = setInterval(() => {
    if (repeats && client.connected) for (const payload of kept.values()) void publish(payload)
  }, 1000)
  client.once('close', () => closed && clearInterval(repeating))
  return {
    ready: async () => {
      await expect.poll(() => client.connected, patiently).toBe(true)
      await client.subscribeAsync(`gm/v1/${key}/ack`, { qos: 1 })
    },
    send: (seq: number, t0: string) => {
      const payload = JSON.stringify({ v: 1, seq, t0, dtMs: 1000, p: [seq] })
      kept.set(`${seq} ${t0}`, payload)
      return publish(payload)
    },
    acked: () => acked,
    kept: () => kept.size,
    stop: () => {
      closed = true
      clearInterval(repeating)
      client.end(true)
    },
  }
}

const stored = async (): Promise<number[]> => {
  const script = join(import.meta.dirname, 'stored.process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, join(folder, 'readings'), '11'])
  return JSON.parse(stdout)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-outside-'))
  port = await freePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence true',
    `persistence_location ${folder}/`,
    'user root',
    'autosave_interval 1',
    'log_type none',
  ]
  await writeFile(join(folder, 'mosquitto.conf'), settings.join('\n'))
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  for (const child of children) await kill(child)
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(!isInstalled)('an outside Mosquitto (requires its program)', () => {
  test('D1: messages sent while the server was down are stored after its start and only then acknowledged', async () => {
    broker()
    const edge = openEdge('edge-1', { repeats: false })
    await edge.ready()
    const first = await server()
    await edge.send(1, t0Of(1))
    await expect.poll(() => edge.acked().length, patiently).toBe(1)
    await kill(first)
    for (const seq of [3, 4, 5]) await edge.send(seq, t0Of(seq))
    expect(edge.kept()).toBe(3)
    const second = await server()
    await edge.send(6, t0Of(6))
    await expect.poll(edge.kept, patiently).toBe(0)
    await kill(second)
    expect(await stored()).toEqual([1, 3, 4, 5, 6].map((second) => start + second * 1000))
  })

  test('D1: kill -9 during a stream: acknowledged messages are stored, others are sent again', async () => {
    broker()
    const edge = openEdge('edge-1', { repeats: true })
    await edge.ready()
    let seq = 0
    for (const killAfter of [30, 60]) {
      const running = await server()
      const before = edge.acked().length
      while (edge.acked().length < before + killAfter) {
        seq++
        await edge.send(seq, t0Of(seq))
      }
      await kill(running)
    }
    const namedBefore = edge.acked().map(({ t0 }) => Date.parse(t0))
    expect(await stored()).toEqual(expect.arrayContaining(namedBefore))
    const last = await server()
    await expect.poll(edge.kept, patiently).toBe(0)
    await kill(last)
    expect(await stored()).toEqual(Array.from({ length: seq }, (_, i) => start + (i + 1) * 1000))
  })

  test('D1: after a crash of the broker the server reconnects and the edge repeats unacknowledged messages', async () => {
    const dying = broker()
    const edge = openEdge('edge-1', { repeats: true })
    await edge.ready()
    const running = await server()
    for (let seq = 1; seq <= 20; seq++) await edge.send(seq, t0Of(seq))
    await kill(dying)
    const sent = [21, 22, 23].map((seq) => edge.send(seq, t0Of(seq)))
    broker()
    await Promise.all(sent)
    await edge.ready()
    await expect.poll(edge.kept, patiently).toBe(0)
    await kill(running)
    expect(await stored()).toHaveLength(23)
  })

  test('D1: an edge whose counter restarts at 1 is identified by the time of its samples', async () => {
    broker()
    const edge = openEdge('edge-1', { repeats: false })
    await edge.ready()
    const first = await server()
    for (const seq of [1, 2, 3]) await edge.send(seq, t0Of(seq))
    await expect.poll(edge.kept, patiently).toBe(0)
    await kill(first)
    await edge.send(1, t0Of(100))
    expect(edge.kept()).toBe(1)
    const second = await server()
    await expect.poll(edge.kept, patiently).toBe(0)
    expect(edge.acked().at(-1)).toEqual({ seq: 1, t0: t0Of(100) })
    await kill(second)
    expect(await stored()).toHaveLength(4)
  })
})
