import { join } from 'node:path'
import { idOf } from '../server/src/platform/records/ids.ts'
import { openBench, threadCpuMs, usageOf } from './ocpp-server.ts'

/**
 * Chargers against the whole server: memory of an idle charger, committed meter values, and remote starts. The load runs in a separate
 * process.
 */

const idle = Number(process.env['OCPP_IDLE'] ?? 10_000)
const [online, talking, warmS, seconds, starts] = [Math.min(2000, idle), 200, 3, 10, 200]
const bench = openBench()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Connected = { open: number; connectMs: number; p99Ms: number }
type Sent = { messages: number; perS: number; p50Ms: number; p99Ms: number }

/** CPU per message of the bare peer. */
const bare = async () => {
  const echo = bench.start([join(import.meta.dirname, 'ocpp-echo.ts')])
  const { port } = await bench.ready(echo)
  const load = bench.openLoad(`ws://127.0.0.1:${port}/ocpp`)
  await load.ask<Connected>({ do: 'connect', count: talking, atOnce: 50 })
  await load.ask<Sent>({ do: 'values', chargers: talking, seconds: warmS })
  const before = usageOf(echo.pid ?? 0)
  const sent = await load.ask<Sent>({ do: 'values', chargers: talking, seconds })
  const usPerMessage = ((usageOf(echo.pid ?? 0).cpuMs - before.cpuMs) * 1000) / sent.messages
  load.end()
  echo.kill('SIGKILL')
  return { usPerMessage, perS: sent.perS }
}

/** From the request to the frame at the charger, and from its answer to the server's; the charger answers at once. */
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
  await bench.seed(idle)
  const peer = await bare()
  const { port, pid } = await bench.serve()
  const load = bench.openLoad(`ws://127.0.0.1:${port}/ocpp`)
  const storm = await load.ask<Connected>({ do: 'connect', count: online, atOnce: online })
  await pause(3000)
  const given = await remoteStarts(port)
  const few = usageOf(pid)
  const more = await load.ask<Connected>({ do: 'connect', count: idle - storm.open, atOnce: 50 })
  await pause(3000)
  const many = usageOf(pid)
  await load.ask<Sent>({ do: 'values', chargers: talking, seconds: warmS })
  const before = {
    ...usageOf(pid),
    answering: threadCpuMs(pid, 'MainThread'),
    records: threadCpuMs(pid, 'WorkerThread'),
  }
  const sent = await load.ask<Sent>({ do: 'values', chargers: talking, seconds })
  const usOf = (cpuMs: number) => (cpuMs * 1000) / sent.messages
  const usPerMessage = usOf(usageOf(pid).cpuMs - before.cpuMs)
  const parts = {
    answeringUs: usOf(threadCpuMs(pid, 'MainThread') - before.answering),
    recordsUs: usOf(threadCpuMs(pid, 'WorkerThread') - before.records),
  }
  load.end()
  return {
    chargers: more.open,
    stormOf: storm.open,
    stormMs: storm.connectMs,
    stormP99Ms: storm.p99Ms,
    kbPerCharger: (many.rssKb - few.rssKb) / Math.max(1, more.open - storm.open),
    rssMb: many.rssKb / 1024,
    perS: sent.perS,
    ackP50Ms: sent.p50Ms,
    ackP99Ms: sent.p99Ms,
    usPerMessage,
    ...parts,
    barePerS: peer.perS,
    bareUsPerMessage: peer.usPerMessage,
    ratio: usPerMessage / peer.usPerMessage,
    ...given,
  }
}

try {
  console.log(JSON.stringify(await ocpp()))
} finally {
  bench.close()
}
process.exit(0)
