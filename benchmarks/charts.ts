import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '@gridmast/contract/time.ts'
import { createClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { openReadings, type Readings } from '../server/src/readings/readings.ts'

const signals = 5
const wanted = 3
export const chartPoints = 1500

export type ChartStore = { readings: Readings; dataDir: string; fromMs: number; remove: () => Promise<void> }

/** A store with `days` days of five 1 Hz signals, the measured day in the middle; also for other benchmarks. */
export const chartStore = async (days: number, { rolledUp }: { rolledUp: boolean }): Promise<ChartStore> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-charts-'))
  const dataDir = join(folder, 'readings')
  const readings = await openReadings({ dataDir, rollupRoundMs: 0 })
  const startMs = Math.floor(Date.now() / dayMs) * dayMs - (days + 1) * dayMs
  for (let day = 0; day < days; day++) {
    const runs = Array.from({ length: signals }, (_, signal) => ({
      signalNo: signal + 1,
      t0Ms: startMs + day * dayMs,
      dtMs: 1000,
      values: Array.from(
        { length: 86_400 },
        (_, i) =>
          Math.round((50 + 0.05 * Math.sin(i / 311 + signal) + 0.02 * (((i * 7919) % 1000) / 1000)) * 1000) / 1000,
      ),
    }))
    await Promise.all(runs.map((run) => readings.insert([run])))
  }
  if (rolledUp) await readings.rollUp()
  return {
    readings,
    dataDir,
    fromMs: startMs + Math.floor(days / 2) * dayMs,
    remove: async () => {
      await readings.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The plain query of the same buckets: two minutes wide, minimum and maximum with their times. */
const bareQuery = (fromMs: number) => `
  select intDiv(toUnixTimestamp64Milli(ts), 120000) as bucket, min(value), argMin(toUnixTimestamp64Milli(ts), value),
    max(value), argMax(toUnixTimestamp64Milli(ts), value)
  from gridmast.samples
  where signal_no = ${wanted} and ts >= toDateTime64(${fromMs / 1000}, 3, 'UTC') and ts < toDateTime64(${(fromMs + dayMs) / 1000}, 3, 'UTC')
  group by bucket order by bucket`

export type ChartFigures = { days: number; windowMs: number; bareMs: number; ratio: number; points: number }

/** Alternating, so that both have the same load from other processes; medians. */
const measure = async ({ readings, dataDir, fromMs }: ChartStore, days: number): Promise<ChartFigures> => {
  const client = createClient({ connection: createChdbConnection({ path: dataDir }) as never }) // the declarations are separate copies
  const query = bareQuery(fromMs)
  const bare = async () => (await client.query({ query, format: 'JSONCompact' })).json()
  const window = () => readings.window({ signalNo: wanted, fromMs, toMs: fromMs + dayMs, maxPoints: chartPoints })
  const times = { window: [] as number[], bare: [] as number[] }
  let points = 0
  for (let i = 0; i < 70; i++) {
    const a = performance.now()
    points = (await window()).x.length
    const b = performance.now()
    await bare()
    const c = performance.now()
    if (i < 10) continue
    times.window.push(b - a)
    times.bare.push(c - b)
  }
  await client.close()
  const [windowMs, bareMs] = [median(times.window), median(times.bare)]
  return { days, windowMs, bareMs, ratio: windowMs / bareMs, points }
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** One day of a 1 Hz signal in 1,500 points: from raw, from roll-ups, and with twenty times the history. */
export const charts = async () => {
  const raw = await chartStore(3, { rolledUp: false })
  const fromRaw = await measure(raw, 3)
  await raw.readings.rollUp()
  const fromRollUps = await measure(raw, 3)
  await raw.remove()
  const long = await chartStore(60, { rolledUp: true })
  const withHistory = await measure(long, 60)
  await long.remove()
  return {
    rawRatio: fromRaw.ratio,
    rolledRatio: fromRollUps.ratio,
    rolledMs: fromRollUps.windowMs,
    bareMs: fromRollUps.bareMs,
    historyFactor: withHistory.windowMs / fromRollUps.windowMs,
  }
}

if (import.meta.main) console.log(JSON.stringify({ benchmark: 'charts', ...(await charts()) }))
