import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { minuteMs, dayMs } from '@gridmast/contract/time.ts'
import { createClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { startBroker } from '../server/src/protocols/mqtt/broker.ts'
import { openReadings, type Readings } from '../server/src/readings/readings.ts'
import { edgeSignIn } from '../server/src/delivery/instances/edge-sign-in.ts'
import { liveReadingsOf, openIngest } from '../server/src/delivery/instances/ingest.ts'
import { testDirectory } from '../server/src/delivery/instances/ingest.fixture.ts'

const edges = 50
const samplesPerList = 60
const listsPerMessage = 5
const bareRows = 6_000_000
const firstMs = Math.floor((Date.now() - 300 * dayMs) / minuteMs) * minuteMs

export type IngestFigures = {
  samplesPerS: number
  bareSamplesPerS: number
  ratio: number
  /** The mean, also the batch size of the bare insert. */
  samplesPerInsert: number
  ackP50Ms: number
  ackP99Ms: number
  rollUpRestMs: number
  rssMb: number
}

/** Telemetry over MQTT until its acknowledgement after the commit, against a bare insert of as many rows into an equal table. */
export const ingest = async ({ seconds = 15, inFlight = 8 } = {}): Promise<IngestFigures> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-ingest-'))
  const readings = await openReadings({ dataDir: join(folder, 'readings'), log: console })
  let live = 0
  let inserts = 0
  readings.onStored(() => inserts++)
  const broker = await openBroker(readings, (lists) => (live += lists))
  const load = await runLoad(broker.port, seconds, inFlight, firstMs)
  const rssMb = process.memoryUsage.rss() / 1e6
  if (live < load.batches * listsPerMessage) throw new Error(`${live} live lists of ${load.batches * listsPerMessage}`)
  await broker.close()
  const endedAt = performance.now()
  await readings.rollUp()
  const rollUpRestMs = performance.now() - endedAt
  await readings.close()
  await rm(folder, { recursive: true, force: true })
  const samplesPerInsert = Math.round((load.batches * listsPerMessage * samplesPerList) / inserts)
  // A separate process and store: merges of the load would slow it down.
  const bareSamplesPerS = Number(
    execFileSync(process.execPath, [import.meta.filename, 'bare', `${samplesPerInsert}`], { encoding: 'utf8' }),
  )
  const { samplesPerS, ackP50Ms, ackP99Ms } = load
  const ratio = samplesPerS / bareSamplesPerS
  return { samplesPerS, bareSamplesPerS, ratio, samplesPerInsert, ackP50Ms, ackP99Ms, rollUpRestMs, rssMb }
}

/** The product's path from the broker to the store; reports the lists of each commit. */
export const openBroker = (readings: Readings, onLists: (count: number) => void) => {
  const directory = testDirectory(edges)
  return startBroker({
    port: 0,
    host: '127.0.0.1',
    authenticate: edgeSignIn({ directory, saveHash: async () => {}, now: Date.now }),
    onMessage: openIngest({
      readings,
      directory,
      onCommitted: (what) => onLists(Object.keys(liveReadingsOf(what).signals).length),
    }),
    onRefused: (why) => console.error('refused', why),
    log: console,
    limits: { messagesPerSecond: 100_000, messageBurst: 100_000 },
  })
}

type Load = { messagesPerS: number; samplesPerS: number; batches: number; ackP50Ms: number; ackP99Ms: number }

type LoadOptions = { everyMs?: number; edges?: number; samples?: number; onConnected?: () => void }

export const runLoad = (
  port: number,
  seconds: number,
  inFlight: number,
  firstMs: number,
  { everyMs = 0, edges = 50, samples = samplesPerList, onConnected = () => {} }: LoadOptions = {},
): Promise<Load> =>
  new Promise((resolve, reject) => {
    const numbers = [port, seconds, inFlight, firstMs, everyMs, edges, samples].map(String)
    const child = spawn(process.execPath, [join(import.meta.dirname, 'ingest-load.ts'), ...numbers], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let load: Load | undefined
    createInterface(child.stdout).on('line', (line) => {
      const message = JSON.parse(line) as { connected: number } | Load
      if ('connected' in message) onConnected()
      else load = message
    })
    child.once('close', (code) => (load ? resolve(load) : reject(new Error(`load ended with ${code}`))))
  })

/**
 * The same rows in batches of the product's size, in the fastest known format (a run of values per row), without roll-ups; the text is created
 * in advance.
 */
const bareInsert = async (rowsPerInsert: number): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-ingest-bare-'))
  const readings = await openReadings({ dataDir: folder, rollupRoundMs: 0 })
  const client = createClient({ connection: createChdbConnection({ path: folder }) as never }) // the declarations are separate copies
  await client.command({ query: 'create table gridmast.bare as gridmast.samples' })
  await client.command({ query: 'create table gridmast.bare_runs as gridmast.runs' })
  await client.command({
    query: `create materialized view gridmast.bare_view to gridmast.bare as
      select signal_no, fromUnixTimestamp64Milli(t0_ms + (position - 1) * dt_ms, 'UTC') as ts, assumeNotNull(element) as value, version
      from gridmast.bare_runs array join value_list as element, arrayEnumerate(value_list) as position where element is not null`,
  })
  const list = (base: number) =>
    Array.from({ length: samplesPerList }, (_, i) => base + ((i * 7919) % 250) / 10).join(',')
  const bodies = Array.from({ length: edges * listsPerMessage }, (_, i) => list(i))
  const runs = Math.round(rowsPerInsert / samplesPerList)
  let rows = 0
  let spentMs = 0
  for (let version = 1; rows < bareRows; rows += runs * samplesPerList) {
    const text = Array.from({ length: runs }, () => version++)
      .map((no) => ({ no, signal: no % bodies.length, minute: Math.floor(no / bodies.length) }))
      .toSorted((a, b) => a.signal - b.signal || a.minute - b.minute)
      .map(
        ({ no, signal, minute }) =>
          `${signal}\t${firstMs + minute * minuteMs}\t1000\t${no}\t[${bodies[signal] ?? ''}]\n`,
      )
      .join('')
    const startedAt = performance.now()
    await client.insert({
      table: 'gridmast.bare_runs',
      values: Readable.from([text], { objectMode: false }),
      format: 'TabSeparated',
    })
    spentMs += performance.now() - startedAt
  }
  await client.close()
  await readings.close()
  await rm(folder, { recursive: true, force: true })
  return (rows / spentMs) * 1000
}

if (import.meta.main) {
  const [first = '8', rowsPerInsert] = process.argv.slice(2)
  if (first === 'bare') console.log(await bareInsert(Number(rowsPerInsert)))
  else console.log(JSON.stringify({ benchmark: 'ingest', ...(await ingest({ inFlight: Number(first) })) }))
}
