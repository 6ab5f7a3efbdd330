// npm run backup -- FILE: all data of the running server in one file, and FILE.key, readable by their owner only.
// npm run backup: one encrypted backup to BACKUP_URL, as the job `backup` does.
import { join } from 'node:path'
import type { Config } from '../server/src/config.ts'
import { type BackupAnswer, backupCall, keepBackup, storeBackupCall } from '../server/src/operator/backup/backup.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { openStore, print, readArguments, throughServerOr, typedPath } from './through-server.ts'

type Stores = Parameters<typeof backupCall>[0]

const withStores = <Answer>(work: (stores: Stores) => AsyncIterable<Answer>) =>
  async function* (config: Config): AsyncGenerator<Answer> {
    const records = await openStore(config)
    const readings = await openReadings({ dataDir: join(config.dataDir, 'readings'), url: config.CLICKHOUSE_URL })
    try {
      yield* work({ config, records, readings, clock: { now: Date.now } })
    } finally {
      await readings.close()
      await records.close()
    }
  }

const outside = () => false

const input = readArguments(process.argv.slice(2), { usage: 'backup [-- FILE]', count: [0, 1] })
const file = input?.words[0]
if (input && file === undefined)
  await print(throughServerOr<OutputLine>('store-backup', {}, { outside, here: withStores(storeBackupCall) }))
else if (input)
  await print(
    keepBackup(
      throughServerOr<BackupAnswer>('backup', {}, { outside, here: withStores(backupCall) }),
      typedPath(file ?? ''),
    ),
  )
