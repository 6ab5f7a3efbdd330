// npm run tenant-exit -- <customer key> FOLDER [--erase]: all data of a customer into an empty folder; with --erase the customer is closed first
// and then erased from both stores, with a certificate. An interrupted erasure continues with the same folder.
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { eraseTenant, type ErasureAnswer } from '../server/src/operator/tenant-exit/erase-tenant.ts'
import { exportTenant, type TenantAnswer, type TenantApp } from '../server/src/operator/tenant-exit/export-tenant.ts'
import { runTenantExit } from '../server/src/operator/tenant-exit/keep-tenant.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { openStore, print, readArguments, throughServerOr, typedPath } from './through-server.ts'

const input = readArguments(process.argv.slice(2), {
  usage: 'tenant-exit -- <customer key> FOLDER [--erase]',
  count: [2],
  flags: ['erase'],
})

const through = <Answer>(name: string, request: object, run: (app: TenantApp) => AsyncIterable<Answer>) =>
  throughServerOr<Answer>(name, request, {
    outside: (config) => config.DATABASE_URL !== undefined && config.CLICKHOUSE_URL !== undefined,
    here: async function* (config) {
      const records = await openStore(config)
      const { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster } = config
      const readings = await openReadings({ dataDir: join(config.dataDir, 'readings'), url, cluster })
      try {
        yield* run({ records, readings, clock: { now: Date.now } })
      } finally {
        await readings.close()
        await records.close()
      }
    },
  })

if (input) {
  const [customer = '', folder = ''] = input.words
  const close = input.has('erase')
  await print(
    runTenantExit(
      { customer, folder: typedPath(folder), by: userInfo().username },
      () => through<TenantAnswer>('tenant-export', { customer, close }, (app) => exportTenant(app, customer, close)),
      close ? (request) => through<ErasureAnswer>('tenant-erase', request, (app) => eraseTenant(app, request)) : null,
    ),
  )
  process.exit()
}
