import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { migrate } from '../server/src/platform/migrate.ts'
import { hashMachineSecret } from '../server/src/platform/machine-secret.ts'
import { idOf } from '../server/src/platform/ids.ts'
import { openRecords } from '../server/src/platform/records.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { freePort } from '../server/src/testing/whole-server.ts'

/** Chargers against the whole server: how much memory an idle one takes, committed meter values, and starts from the portal. The load runs in a process of its own. */

const idle = Number(process.env['OCPP_IDLE'] ?? 3000)
const [online, talking, seconds, starts] = [2000, 200, 10, 100]
const password = 'a key of the benchmark, long enough'
const folder = mkdtempSync(join(tmpdir(), 'gridmast-ocpp-'))
const root = join(import.meta.dirname, '..')

const seed = async () => {
  const records = await openRecords({ dataDir: join(folder, 'records') })
  await migrate(records)
  await provisionTwoCustomers(records)
  const customer_id = idOf('customer', 'north')
  const licence_id = idOf('licence', 'north', 'evCharging')
  const password_hash = hashMachineSecret(password)
  await records.system(async (tx) => {
    const licence = { customer_id, licence_id, type: 'evCharging', name: 'EV', icon: 'bolt', enabled: true }
    await tx.insertInto('licence').values(licence).execute()
    for (let from = 0; from < idle; from += 500)
      await tx
        .insertInto('charger')
        .values(
          Array.from({ length: Math.min(500, idle - from) }, (_, i) => ({
            ...{ customer_id, charger_id: idOf('charger', `B${from + i}`), identity: `B${from + i}`, name: 'Bench' },
            ...{ licence_id, charger_type: 'AC', connectors: 1, max_kw: 22, security_profile: 1, position: from + i },
            password_hash,
          })),
        )
        .execute()
  })
  await records.close()
}

/** CPU of a process with all of its threads, and what it holds in memory. */
const usageOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssKb }
}

const children = new Set<ChildProcess>()
const start = (args: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  children.add(child)
  return child
}
const ready = async (child: ChildProcess) => {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('ended before it was ready')))
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ port?: number }]
  child.stdout?.resume()
  return message
}

type Load = { ask: <T>(order: object) => Promise<T>; end: () => void }
const openLoad = (url: string): Load => {
  const child = start([join(import.meta.dirname, 'ocpp-load.ts'), url, 'B', password])
  if (!child.stdout || !child.stdin) throw new Error('the load has no pipes')
  const { stdin } = child
  const lines: Interface = createInterface(child.stdout)
  let resolve: (done: unknown) => void = () => {}
  lines.on('line', (line) => {
    resolve((JSON.parse(line) as { done: unknown }).done)
  })
  return {
    ask: <T>(order: object) =>
      new Promise<T>((done) => {
        resolve = done as (value: unknown) => void // the load answers one order at a time
        stdin.write(`${JSON.stringify(order)}\n`)
      }),
    end: () => stdin.write(`${JSON.stringify({ do: 'end' })}\n`),
  }
}

type Connected = { open: number; connectMs: number; p99Ms: number }
type Sent = { messages: number; perS: number; p50Ms: number; p99Ms: number }

/** CPU of a message at the bare peer. */
const bare = async () => {
  const echo = start([join(import.meta.dirname, 'ocpp-echo.ts')])
  const { port } = await ready(echo)
  const load = openLoad(`ws://127.0.0.1:${port}/ocpp`)
  await load.ask<Connected>({ do: 'connect', count: talking, atOnce: 50 })
  const before = usageOf(echo.pid ?? 0)
  const sent = await load.ask<Sent>({ do: 'values', chargers: talking, seconds })
  const usPerMessage = ((usageOf(echo.pid ?? 0).cpuMs - before.cpuMs) * 1000) / sent.messages
  load.end()
  echo.kill('SIGKILL')
  return { usPerMessage, perS: sent.perS }
}

/** From the press to the frame at the charger, and from its answer to ours; the charger answers at once. */
const remoteStarts = async (port: number) => {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { data: { token: string; accepted: boolean }; message?: string }
  }
  const { data } = await post('/user/login', {
    user: { email: 'sudoer@north.example', password: 'gridmast-demo' },
    remember: false,
  })
  const times: number[] = []
  for (let i = 0; i < starts; i++) {
    const from = performance.now()
    const { data: given, message } = await post(
      '/client/evc/remote/start',
      { chargerId: idOf('charger', `B${i}`), connectorId: 1 },
      data.token,
    )
    if (!given?.accepted) throw new Error(`a start was not accepted: ${message ?? ''}`)
    times.push(performance.now() - from)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { startP50Ms: sorted[Math.floor(starts / 2)] ?? 0, startP99Ms: sorted[Math.floor(starts * 0.99)] ?? 0 }
}

const ocpp = async () => {
  await seed()
  const peer = await bare()
  const port = await freePort()
  const engine = JSON.parse(readFileSync(join(root, 'tools/engine.json'), 'utf8')) as Record<string, string>
  const server = start([join(root, 'server/src/main.ts')], {
    ...engine,
    ...{ DEMO: 'off', DATA_DIR: folder, HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: '0', LOG_LEVEL: 'error' },
    MQTT_PORT: String(await freePort()),
    // Nothing outside this machine is asked.
    ...{ EDS_URL: 'http://127.0.0.1:9', ENTSOE_URL: 'http://127.0.0.1:9', FX_URL: 'http://127.0.0.1:9' },
  })
  await ready(server)
  const pid = server.pid ?? 0
  const load = openLoad(`ws://127.0.0.1:${port}/ocpp`)
  const storm = await load.ask<Connected>({
    do: 'connect',
    count: Math.min(online, idle),
    atOnce: Math.min(online, idle),
  })
  const given = await remoteStarts(port)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const few = usageOf(pid)
  const more = await load.ask<Connected>({ do: 'connect', count: idle - storm.open, atOnce: 50 })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const many = usageOf(pid)
  const before = usageOf(pid)
  const sent = await load.ask<Sent>({ do: 'values', chargers: talking, seconds })
  const usPerMessage = ((usageOf(pid).cpuMs - before.cpuMs) * 1000) / sent.messages
  load.end()
  return {
    ...{ chargers: more.open, stormOf: storm.open, stormMs: storm.connectMs, stormP99Ms: storm.p99Ms },
    kbPerCharger: (many.rssKb - few.rssKb) / Math.max(1, more.open - storm.open),
    ...{ perS: sent.perS, ackP50Ms: sent.p50Ms, ackP99Ms: sent.p99Ms, usPerMessage },
    ...{ barePerS: peer.perS, bareUsPerMessage: peer.usPerMessage, ratio: usPerMessage / peer.usPerMessage },
    ...given,
  }
}

try {
  console.log(JSON.stringify(await ocpp()))
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
