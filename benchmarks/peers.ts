// Two known time series stores from Debian's packages in the same run: a day's chart and a live half hour of one of 100 signals at 1 Hz
// against three queries of VictoriaMetrics, and ingest until the fsynced commit against InfluxDB.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayBounds, localDateOf } from '../contract/src/time.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { openTestApp } from '../server/src/testing/app.ts'
import { closeWorkerEngine } from '../server/src/testing/readings.ts'
import { freePort } from '../server/src/testing/whole-server.ts'
import { median } from './charts.ts'
import { frequencySignalOf } from './frequency-signal.ts'
import { openBroker, runLoad } from './ingest.ts'

const [victoria, influx] = ['/usr/bin/victoria-metrics', '/usr/bin/influxd']
const signals = 100
const [dayMs, halfHourMs] = [86_400_000, 1_800_000]
const points = 1500
const [warmUps, rounds] = [50, 200]
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

const ask = (url: string, headers: Record<string, string> = {}) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent, headers: { 'accept-encoding': 'gzip', ...headers } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`HTTP ${response.statusCode} of ${url}`))
      response.resume().once('end', resolve)
    }).once('error', reject)
  })

const post = (url: string, body: string) =>
  new Promise<void>((resolve, reject) => {
    const call = request(url, { agent, method: 'POST' }, (response) => {
      if ((response.statusCode ?? 500) >= 300) return reject(new Error(`HTTP ${response.statusCode} of ${url}`))
      response.resume().once('end', resolve)
    })
    call.once('error', reject)
    call.end(body)
  })

const startPeer = async (command: string, args: string[], health: string): Promise<ChildProcess> => {
  const child = spawn(command, args, { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  for (let tries = 0; ; tries++) {
    const isUp = await ask(health).then(
      () => true,
      () => false,
    )
    if (isUp) return child
    if (tries > 100 || child.exitCode !== null) throw new Error(`${command} did not start`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-peers-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const valuesOf = (signal: number, seconds: number) =>
  Array.from({ length: seconds }, (_, i) =>
    Number((50 + 0.05 * Math.sin(i / 311 + signal) + (((i * 7919) % 1000) / 1000) * 0.02).toFixed(3)),
  )

/** Alternating, so that both have the same load from other processes; medians. */
const inTurns = async (ours: () => Promise<unknown>, theirs: () => Promise<unknown>) => {
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let i = 0; i < warmUps + rounds; i++) {
    const [a, b] = [await timed(ours), await timed(theirs)]
    if (i < warmUps) continue
    times.ours.push(a)
    times.theirs.push(b)
  }
  return { oursMs: median(times.ours), theirsMs: median(times.theirs) }
}

const charts = async (folder: string) => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, '-retentionPeriod=100y']
  const peer = await startPeer(victoria, args, `${base}/health`)
  const app = await openTestApp()
  const token = await app.tokenOf('sudoer@north.example')
  const signal = await frequencySignalOf(app)
  const nowMs = Math.floor(Date.now() / 1000) * 1000
  const date = localDateOf(nowMs - dayMs)
  const { fromMs, toMs } = dayBounds(date)
  for (let i = 0; i < signals; i++) {
    const values = valuesOf(i, (nowMs - fromMs) / 1000)
    await app.readings.insert([{ signalNo: signal.no + i, t0Ms: fromMs, dtMs: 1000, values }])
    const timestamps = values.map((_, second) => fromMs + second * 1000)
    await post(
      `${base}/api/v1/import`,
      JSON.stringify({ metric: { __name__: 'hz', signal: `${i}` }, values, timestamps }),
    )
  }
  await app.readings.rollUp()
  await ask(`${base}/internal/force_flush`)
  const http = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${token}` }
  const chart = `${http}/api/client/data/frequency/${signal.frequency_id}`
  /** Minimum, maximum and mean of as many buckets as the chart, in parallel. */
  const queries = (from: number, to: number) => {
    const stepS = Math.ceil((to - from) / 1000 / (points / 2))
    const range = `start=${from / 1000}&end=${to / 1000}&step=${stepS}&nocache=1`
    const urls = ['min', 'max', 'avg'].map(
      (of) => `${base}/api/v1/query_range?query=${of}_over_time(hz%7Bsignal=%220%22%7D%5B${stepS}s%5D)&${range}`,
    )
    return () => Promise.all(urls.map((url) => ask(url)))
  }
  const day = await inTurns(() => ask(`${chart}?date=${date}&maxPoints=${points}`, headers), queries(fromMs, toMs))
  // After the first query the minutes are in memory, so each other series is read once.
  const firstMs: number[] = []
  for (let i = 1; i < signals; i++) {
    const startedAt = performance.now()
    await app.readings.window({ signalNo: signal.no + i, fromMs, toMs, maxPoints: points })
    firstMs.push(performance.now() - startedAt)
  }
  const live = await inTurns(() => ask(chart, headers), queries(nowMs - halfHourMs, nowMs))
  peer.kill('SIGKILL')
  await app.close()
  return {
    dayRatio: day.oursMs / day.theirsMs,
    dayMs: day.oursMs,
    dayVictoriaMs: day.theirsMs,
    dayFirstMs: median(firstMs),
    liveRatio: live.oursMs / live.theirsMs,
    liveMs: live.oursMs,
    liveVictoriaMs: live.theirsMs,
  }
}

/** Fifty writers of the same five values per second, in batches of 5,000 points, the size in InfluxDB's manual. */
const loadInflux = async (port: number, seconds: number) => {
  const [edges, values, inFlight] = [50, 5, 8]
  const perSeries = 5000 / (edges * values)
  const texts = Array.from({ length: edges * values }, (_, series) => ({
    head: `reading,edge=edge-${series % edges},signal=${series % values} value=`,
    numbers: valuesOf(series, perSeries),
  }))
  let atMs = Date.now() - 300 * dayMs
  let written = 0
  const startedAt = performance.now()
  const write = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      const fromMs = (atMs += perSeries * 1000)
      const lines = texts.flatMap(({ head, numbers }) =>
        numbers.map((value, i) => `${head}${value} ${fromMs + i * 1000}`),
      )
      await post(`http://127.0.0.1:${port}/write?db=bench&precision=ms`, lines.join('\n'))
      written += lines.length
    }
  }
  await Promise.all(Array.from({ length: inFlight }, write))
  return (written / (performance.now() - startedAt)) * 1000
}

const influxPerS = async (folder: string) => {
  const [port, inner] = [await freePort(), await freePort()]
  const part = (name: string, lines: string[]) => [`[${name}]`, ...lines].join('\n')
  const config = [
    'reporting-disabled = true',
    `bind-address = "127.0.0.1:${inner}"`,
    part('meta', [`dir = "${folder}/meta"`]),
    // The default: each write is on disk before its answer.
    part('data', [`dir = "${folder}/data"`, `wal-dir = "${folder}/wal"`, 'wal-fsync-delay = "0s"']),
    part('monitor', ['store-enabled = false']),
    part('http', [`bind-address = "127.0.0.1:${port}"`, 'log-enabled = false']),
  ]
  await writeFile(join(folder, 'influx.conf'), `${config.join('\n')}\n`)
  const base = `http://127.0.0.1:${port}`
  const args = ['-config', join(folder, 'influx.conf')]
  const peer = await startPeer(influx, args, `${base}/query?q=create%20database%20bench`)
  await post(`${base}/query?q=create%20database%20bench`, '')
  const load = spawn(process.execPath, [import.meta.filename, 'influx', `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  load.stdout.on('data', (chunk) => (text += String(chunk)))
  await new Promise((resolve) => load.once('exit', resolve))
  peer.kill('SIGKILL')
  return Number(text)
}

const gridmastPerS = async (folder: string) => {
  await closeWorkerEngine()
  const readings = await openReadings({ dataDir: join(folder, 'readings'), log: console })
  const broker = await openBroker(readings, () => {})
  const { samplesPerS } = await runLoad(broker.port, ingestS, 8, Date.now() - 300 * dayMs)
  await broker.close()
  await readings.close()
  return samplesPerS
}

const ingestS = 15

/** Without the peer the figure is omitted, and its row in results.md stays unchanged. */
const beside = async <T>(peer: string, work: () => Promise<T>): Promise<T | object> => {
  if (existsSync(peer)) return work()
  console.error(`SKIPPED: ${peer} is not installed (Debian: apt install victoria-metrics influxdb)`)
  return {}
}

if (import.meta.main) {
  const [mode, port] = process.argv.slice(2)
  if (mode === 'influx') console.log(await loadInflux(Number(port), ingestS))
  else {
    const drawn = await beside(victoria, () => withFolder(charts))
    const taken = await beside(influx, async () => {
      const influxPerSecond = await withFolder(influxPerS)
      const perSecond = await withFolder(gridmastPerS)
      return { ingestRatio: perSecond / influxPerSecond, perSecond, influxPerSecond }
    })
    agent.destroy()
    console.log(JSON.stringify({ benchmark: 'peers', ...drawn, ...taken }))
  }
  process.exit(0)
}
