// npm run backup -- FILE: one file of everything that the server at work keeps, for its owner only.
import { openReadings } from '../server/src/readings/readings.ts'
import { backupCall } from '../server/src/backup/backup.ts'
import { fail, openStore, print, throughServerOr, typedPath } from './operator.ts'
import { join } from 'node:path'

const file = process.argv[2]
if (!file || process.argv.length > 3) fail('Usage: npm run backup -- FILE')
else
  await print(
    throughServerOr(
      'backup',
      { file: typedPath(file) },
      {
        outside: () => false,
        here: async function* (config) {
          const records = await openStore(config)
          const readings = await openReadings({ dataDir: join(config.dataDir, 'readings'), url: config.CLICKHOUSE_URL })
          try {
            yield* backupCall({ config, records, readings, clock: { now: Date.now } }, { file: typedPath(file) })
          } finally {
            await readings.close()
            await records.close()
          }
        },
      },
    ),
  )
