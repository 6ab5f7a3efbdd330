// One day of a 1 Hz signal in 1,500 points over HTTP with authentication, against the bare query of the same buckets on raw samples; and the
// day of an instance, power and hourly consumption, against its two bare queries.
import { createClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { dayMs } from '@gridmast/contract/time.ts'
import { dayBounds } from '../contract/src/time.ts'
import { openTestApp } from '../server/src/testing/app.ts'
import { frequencySignalOf } from './frequency-signal.ts'

const date = '2026-11-19'
const points = 1500
const rounds = 60

export type ChartFigures = {
  httpP50Ms: number
  httpP99Ms: number
  bareP50Ms: number
  ratio: number
  ratioWith20Times: number
  overviewP50Ms: number
  overviewBareP50Ms: number
  overviewRatio: number
}

const quantile = (values: number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(q * (values.length - 1))] ?? Number.NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const day = (seconds: number) =>
  Array.from({ length: seconds }, (_, i) =>
    Number((50 + Math.sin(i / 500) / 20 + ((i * 7919) % 100) / 5000).toFixed(3)),
  )

export const chartHttp = async (): Promise<ChartFigures> => {
  const app = await openTestApp()
  app.setNow('2026-11-20T12:00:00Z')
  const token = await app.tokenOf('sudoer@north.example')
  const signal = await frequencySignalOf(app)
  const power = await app.records.system((tx) =>
    tx
      .selectFrom('signal as s')
      .innerJoin('instance as i', 'i.instance_id', 's.instance_id')
      .innerJoin('customer as c', 'c.customer_id', 's.customer_id')
      .select(['s.instance_id', 's.no'])
      .where('c.key', '=', 'north')
      .where('i.key', '=', 'cold')
      .where('s.kind', '=', 'power')
      .executeTakeFirstOrThrow(),
  )
  const { fromMs, toMs } = dayBounds(date)
  const fill = (no: number, startMs: number, seconds: number) =>
    app.readings.insert([{ signalNo: no, t0Ms: startMs, dtMs: 1000, values: day(seconds) }])
  await fill(signal.no, fromMs, (toMs - fromMs) / 1000)
  await fill(power.no, fromMs, (toMs - fromMs) / 1000)
  await app.readings.rollUp()

  const base = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const url = `${base}/api/client/data/frequency/${signal.frequency_id}?date=${date}&maxPoints=${points}`
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const answer = await fetch(url, { headers })
  const body = (await answer.json()) as { data: { graph: { x: number[] }[] } }
  const got = body.data.graph[0]?.x.length ?? 0
  if (got < points / 2 || got > points) throw new Error(`${got} points`)
  const agent = new Agent({ keepAlive: true })
  // Until the last byte, without the browser's work.
  const http = (address: string) => () =>
    new Promise<void>((resolve, reject) => {
      get(address, { agent, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`HTTP ${response.statusCode}`))
        response.resume().once('end', resolve)
      }).once('error', reject)
    })
  const dataDir = join(app.config.dataDir, 'readings')
  const client = createClient({ connection: createChdbConnection({ path: dataDir }) as never }) // the declarations are separate copies
  const bucketS = Math.ceil((toMs - fromMs) / 1000 / (points / 2))
  const within = (no: number) =>
    `from gridmast.samples final where signal_no = ${no} and ts >= fromUnixTimestamp64Milli(${fromMs}) and ts < fromUnixTimestamp64Milli(${toMs})`
  const buckets = (no: number) =>
    `select intDiv(toUnixTimestamp(ts), ${bucketS}) as bucket, min(value), max(value), argMin(ts, value), argMax(ts, value)
    ${within(no)} group by bucket order by bucket`
  const hours = (no: number) =>
    `select intDiv(toUnixTimestamp(ts), 3600) as hour, avg(value) ${within(no)} group by hour order by hour`
  const bare = (query: string, least: number) => async () => {
    const answer = await client.query({ query, format: 'JSONCompactEachRow' })
    const rows = await answer.json()
    if (rows.length < least) throw new Error(`${rows.length} buckets`)
  }
  const chart = { http: http(url), bare: bare(buckets(signal.no), points / 4) }
  const bareBuckets = bare(buckets(power.no), points / 4)
  const bareHours = bare(hours(power.no), 24)
  const overview = {
    http: http(`${base}/api/client/instance-data-logs/overview?groupId=${power.instance_id}&date=${date}`),
    bare: () => bareBuckets().then(bareHours),
  }
  const measure = async (one: typeof chart) => {
    // Warm: the first answers take up to three times as long.
    for (let i = 0; i < 100; i++) await Promise.all([one.http(), one.bare()])
    const times = { http: [] as number[], bare: [] as number[] }
    for (let i = 0; i < rounds; i++) {
      times.http.push(await timed(one.http))
      times.bare.push(await timed(one.bare))
    }
    return times
  }
  const first = await measure(chart)
  const instance = await measure(overview)
  for (let i = 1; i < 20; i++) {
    await fill(signal.no, fromMs - i * dayMs, 86_400)
    await fill(signal.no + 1, fromMs - i * dayMs, 86_400)
  }
  await app.readings.rollUp()
  const later = await measure(chart)
  agent.destroy()
  await client.close()
  await app.close()
  const p50 = quantile(first.http, 0.5)
  return {
    httpP50Ms: p50,
    httpP99Ms: quantile(first.http, 0.99),
    bareP50Ms: quantile(first.bare, 0.5),
    ratio: p50 / quantile(first.bare, 0.5),
    ratioWith20Times: quantile(later.http, 0.5) / p50,
    overviewP50Ms: quantile(instance.http, 0.5),
    overviewBareP50Ms: quantile(instance.bare, 0.5),
    overviewRatio: quantile(instance.http, 0.5) / quantile(instance.bare, 0.5),
  }
}

if (import.meta.main) console.log(JSON.stringify({ benchmark: 'chart over HTTP', ...(await chartHttp()) }))
