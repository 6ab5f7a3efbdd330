// npm run backup -- FILE: all data of the running server in one file, and FILE.key, readable by their owner only.
import { join } from 'node:path'
import { type BackupAnswer, backupCall, keepBackup } from '../server/src/operator/backup/backup.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { openStore, print, readArguments, throughServerOr, typedPath } from './through-server.ts'

const input = readArguments(process.argv.slice(2), { usage: 'backup -- FILE', count: [1] })
if (input)
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
      typedPath(input.words[0] ?? ''),
    ),
  )
