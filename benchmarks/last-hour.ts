// The last hour in memory: a live chart over HTTP, and the memory of many series.
import { Agent, get } from 'node:http'
import { minuteMs, hourMs } from '@gridmast/contract/time.ts'
import { type HeldSeries, bytesOf, emptySeries, put } from '../server/src/readings/held-series.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'
import { median } from './charts.ts'
import { frequencySignalOf } from './frequency-signal.ts'

const rounds = 200
const series = 5000

export type LastHourFigures = {
  liveMs: number
  storeMs: number
  ratio: number
  /** Server time only, from the head of the request to the last byte of the answer. */
  serverMs: number
  /** As counted against LAST_HOUR_BYTES, and the growth of the process. */
  bytesPerSeries: number
  rssPerSeries: number
  fillNsPerSample: number
}

const telemetry = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => Math.round(50_000 + 20 * Math.sin(i / 300) + ((i * 7919 + seed) % 20)) / 1000)

const memory = () => {
  const nowMs = Date.now()
  const held: HeldSeries[] = Array.from({ length: series }, () => emptySeries(nowMs - hourMs, null))
  const values = telemetry(60, 7)
  const before = process.memoryUsage.rss()
  const cpu = process.cpuUsage()
  for (let minute = 0; minute < 60; minute++)
    held.forEach((one, signalNo) =>
      put(one, { signalNo, t0Ms: nowMs - hourMs + minute * minuteMs, dtMs: 1000, values }, nowMs - hourMs),
    )
  const { user, system } = process.cpuUsage(cpu)
  return {
    bytesPerSeries: held.reduce((sum, one) => sum + bytesOf(one), 0) / series,
    rssPerSeries: (process.memoryUsage.rss() - before) / series,
    fillNsPerSample: ((user + system) * 1000) / (series * 3600),
  }
}

const answerSeconds = async (app: TestApp) =>
  [...(await app.metrics.text()).matchAll(/^gridmast_http_request_seconds_sum\{.*\} (\S+)$/gm)].reduce(
    (sum, [, seconds]) => sum + Number(seconds),
    0,
  )

/** The chart of the latest half hour, alternately with one of two hours earlier from the store. */
const chart = async () => {
  const app = await openTestApp()
  const token = await app.tokenOf('sudoer@north.example')
  const signal = await frequencySignalOf(app)
  const nowMs = Math.floor(Date.now() / 1000) * 1000
  const runs = Array.from({ length: 40 }, (_, i) => ({
    signalNo: signal.no + i,
    t0Ms: nowMs - 4 * hourMs,
    dtMs: 1000,
    values: telemetry((4 * hourMs) / 1000, i),
  }))
  for (const run of runs) await app.readings.insert([run])
  while (app.readings.held().series < runs.length) {
    await app.readings.latest(runs.map(({ signalNo }) => signalNo))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const base = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const ask = (query: string) =>
    new Promise<void>((resolve, reject) => {
      const url = `${base}/api/client/data/frequency/${signal.frequency_id}${query}`
      get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`HTTP ${response.statusCode}`))
        response.resume().once('end', resolve)
      }).once('error', reject)
    })
  const timed = async (query: string) => {
    const startedAt = performance.now()
    await ask(query)
    return performance.now() - startedAt
  }
  const iso = (ms: number) => new Date(ms).toISOString()
  const [live, stored] = ['', `?start=${iso(nowMs - 2.5 * hourMs)}&end=${iso(nowMs - 2 * hourMs)}`]
  for (let i = 0; i < 100; i++) await Promise.all([ask(live), ask(stored)])
  const times = { live: [] as number[], server: [] as number[], stored: [] as number[] }
  for (let i = 0; i < rounds; i++) {
    const before = await answerSeconds(app)
    times.live.push(await timed(live))
    times.server.push(((await answerSeconds(app)) - before) * 1000)
    times.stored.push(await timed(stored))
  }
  agent.destroy()
  await app.close()
  const [liveMs, storeMs] = [median(times.live), median(times.stored)]
  return {
    liveMs,
    storeMs,
    ratio: liveMs / storeMs,
    serverMs: median(times.server),
  }
}

if (import.meta.main) {
  const figures: LastHourFigures = { ...memory(), ...(await chart()) }
  console.log(JSON.stringify({ benchmark: 'last hour', ...figures }))
}
