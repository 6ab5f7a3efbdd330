// npm run backup -- FILE: all data of the running server in one file, and FILE.key, readable by their owner only.
import { join } from 'node:path'
import { type BackupAnswer, backupCall, keepBackup } from '../server/src/operator/backup/backup.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { fail, openStore, print, throughServerOr, typedPath } from './operator.ts'

const file = process.argv[2]
if (!file || process.argv.length > 3) fail('Usage: npm run backup -- FILE')
else
  await print(
    keepBackup(
      throughServerOr<BackupAnswer>(
        'backup',
        {},
        {
          outside: () => false,
          here: async function* (config) {
            const records = await openStore(config)
            const readings = await openReadings({
              dataDir: join(config.dataDir, 'readings'),
              url: config.CLICKHOUSE_URL,
            })
            try {
              yield* backupCall({ config, records, readings, clock: { now: Date.now } })
            } finally {
              await readings.close()
              await records.close()
            }
          },
        },
      ),
      typedPath(file),
    ),
  )
