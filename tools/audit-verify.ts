// npm run audit-verify [-- <customer key>]: recomputes the hash chain of one customer's audit trail, or of all. Ends with 1 when one is broken.
import { join } from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { verifyChain } from '../server/src/platform/audit.ts'
import { lockDataFolder } from '../server/src/platform/data-lock.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { openRecords } from '../server/src/platform/records.ts'

const key = process.argv[2]

const main = async () => {
  const config = readConfig(process.env)
  if (!config.DATABASE_URL) await lockDataFolder(config.dataDir)
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  await migrate(records)
  const customers = await records.system((tx) =>
    tx.selectFrom('customer').select(['customer_id', 'key']).orderBy('key').execute(),
  )
  const wanted = customers.filter((customer) => !key || customer.key === key)
  if (key && wanted.length === 0) throw new Error(`There is no customer ${key}`)
  for (const customer of wanted) {
    const { entries, firstBroken, newest } = await verifyChain(records, customer.customer_id)
    if (firstBroken !== null) process.exitCode = 1
    console.log(
      firstBroken === null
        ? `${customer.key}: whole, ${entries} entries${newest ? `, newest ${newest}` : ''}`
        : `${customer.key}: BROKEN at entry ${firstBroken}, ${entries} entries before it are whole`,
    )
  }
  await records.close()
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
