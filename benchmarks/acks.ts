// Acknowledgements of telemetry during a heavy query on the embedded records store, against the same load without it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minuteMs, dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { openRecords } from '../server/src/platform/records/records.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { openBroker, runLoad } from './ingest.ts'

const rounds = 5
const seconds = 5
/** Fifty edges with ten messages per second each, far below the capacity of the store, so that waiting is measured and not work. */
const everyMs = 100

export type AckFigures = { withoutP99Ms: number; besideP99Ms: number; ratio: number; queryMs: number }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const acks = async (): Promise<AckFigures> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-acks-'))
  const records = await openRecords({ dataDir: join(folder, 'records') })
  const readings = await openReadings({ dataDir: join(folder, 'readings'), log: console })
  const broker = await openBroker(readings, () => {})
  const firstMs = Math.floor((Date.now() - 300 * dayMs) / minuteMs) * minuteMs
  let loads = 0
  const p99 = async () => (await runLoad(broker.port, seconds, 1, firstMs + loads++ * dayMs, { everyMs })).ackP99Ms
  const queries: number[] = []
  const heavy = async () => {
    const startedAt = performance.now()
    await records.owner((db) => sql`select sum(sqrt(i)) from generate_series(1, 1500000) i`.execute(db))
    queries.push(performance.now() - startedAt)
  }
  const beside = async () => {
    let isLoaded = true
    const querying = (async () => {
      while (isLoaded) await heavy()
    })()
    const found = await p99()
    isLoaded = false
    await querying
    return found
  }
  await p99() // warms up
  const times = { without: [] as number[], beside: [] as number[] }
  for (let i = 0; i < rounds; i++) {
    times.without.push(await p99())
    times.beside.push(await beside())
  }
  await broker.close()
  await readings.close()
  await records.close()
  await rm(folder, { recursive: true, force: true })
  const [withoutP99Ms, besideP99Ms] = [median(times.without), median(times.beside)]
  return { withoutP99Ms, besideP99Ms, ratio: besideP99Ms / withoutP99Ms, queryMs: median(queries) }
}

if (import.meta.main) console.log(JSON.stringify({ benchmark: 'acks', ...(await acks()) }))
