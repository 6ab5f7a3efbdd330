// npm run restored -- TIME: after a restore of the PostgreSQL server of DATABASE_URL to TIME (ISO 8601), before the first start of a server.
import { join } from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { finishRestore } from '../server/src/operator/backup/restored.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { lockDataFolder } from '../server/src/platform/process/data-folder.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { rows } from '../server/src/readings/sql.ts'
import { openStore, print, readArguments } from './through-server.ts'

const restored = async function* (time: string): AsyncGenerator<OutputLine> {
  const toMs = Date.parse(time)
  if (Number.isNaN(toMs) || toMs > Date.now())
    throw new Error(`${time} is no time in the past: 2026-11-27T01:59:59+00:00`)
  const config = readConfig(process.env)
  if (!config.DATABASE_URL) throw new Error('DATABASE_URL is not set: npm run restore is for the embedded stores')
  await lockDataFolder(config.dataDir)
  const readings = await openReadings({
    dataDir: join(config.dataDir, 'readings'),
    url: config.CLICKHOUSE_URL,
    rollupRoundMs: 0,
  })
  const records = await openStore(config)
  try {
    const [newest] = await rows<[number]>(readings.client, 'select max(signal_no) from gridmast.samples')
    yield* finishRestore(records, { toMs, nowMs: Date.now(), newestSignalNo: newest?.[0] ?? 0 })
  } finally {
    await readings.close()
    await records.close()
  }
}

const input = readArguments(process.argv.slice(2), { usage: 'restored -- TIME', count: [1] })
if (input) await print(restored(input.words[0] ?? ''))
process.exit()
