// node benchmarks/move.ts [rows] [samples in millions]: `npm run move` of a large embedded store to PostgreSQL and a readings server: the rounds while
// the server runs, and the last one, for which it is stopped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { moveToServers, moveWhileServing } from '../server/src/operator/move/move.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { openRecords } from '../server/src/platform/records/records.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { startPostgres } from '../tools/postgres.ts'
import { addEdges } from './growth-rows.ts'

const [rows = 1_000_000, millions = 20] = process.argv.slice(2).map(Number)
const signals = 100
const samplesOfDay = 50_000
/** While the first rounds are copied. */
const later = { rows: 5000, samples: 5000 }

const folder = mkdtempSync(join(tmpdir(), 'gridmast-move-'))
const dataDir = join(folder, 'data')
const postgres = await startPostgres({ settings: ['fsync=on'] })
if (!postgres) throw new Error('PostgreSQL is needed for this benchmark')
const server = spawn(process.execPath, [join(import.meta.dirname, '../tools/readings-server.ts')], {
  env: { ...process.env, DATA_DIR: join(folder, 'server'), READINGS_PORT: '0', READINGS_PASSWORD: 'harbour' },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
const close = async () => {
  server.kill('SIGKILL')
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.once('SIGTERM', () => void close().finally(() => process.exit(1)))

const timed = async (what: string, lines: AsyncIterable<OutputLine>) => {
  const startedMs = performance.now()
  for await (const { text } of lines) console.error(`${((performance.now() - startedMs) / 1000).toFixed(1)} s: ${text}`)
  console.log(`${what}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
}

try {
  const [{ port }] = (await once(server, 'message')) as [{ port: number }] // its only message
  const at = { records: postgres.url, readings: `http://default:harbour@127.0.0.1:${port}` }
  const records = await openRecords({ dataDir: join(dataDir, 'records') })
  await addEdges(records, 1)
  const addRows = (from: number, count: number) =>
    records.owner((db) =>
      sql`
        insert into command_log (customer_id, instance_id, device_id, at, command)
        select i.customer_id, i.instance_id, 'device-' || n % 50, timestamptz '2026-01-01' + n * interval '1 second', 'set 12.5 kW'
        from (select customer_id, instance_id from instance order by 1, 2 limit 1) i, generate_series(${from}::int, ${from + count - 1}::int) n`.execute(
        db,
      ),
    )
  for (let from = 0; from < rows; from += 100_000) await addRows(from, Math.min(100_000, rows - from))
  const readings = await openReadings({ dataDir: join(dataDir, 'readings'), rollupRoundMs: 0 })
  const addSamples = (day: number, count: number) =>
    readings.client.command({
      query: `insert into gridmast.samples (signal_no, ts, value, version)
        select 1 + intDiv(number, ${count}), toDateTime64('2026-01-01', 3, 'UTC') + ${day} * 86400 + number % ${count}, 50 + (rand() % 200) / 1000,
          ${day + 1} from numbers(${signals * count})`,
    })
  const days = (millions * 1_000_000) / (signals * samplesOfDay)
  for (let day = 0; day < days; day++) await addSamples(day, samplesOfDay)
  await readings.rollUp()
  console.error('filled')
  await timed('while the server runs', moveWhileServing({ records, readings: readings.client }, at))
  await addRows(rows, later.rows)
  await addSamples(days, later.samples / signals)
  await readings.rollUp()
  await readings.close()
  await records.close()
  await timed('without the server', moveToServers(dataDir, at, Date.now()))
} finally {
  await close()
}
process.exit()
