// npm run provision -- customers.yaml [--dry-run] [--reset-passwords]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataFolder } from '../server/src/platform/data-lock.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { openRecords } from '../server/src/platform/records.ts'
import { readConfig } from '../server/src/config.ts'
import { applyProvisioning } from '../server/src/provisioning/apply.ts'
import { BadProvisioningFile, readProvisioning } from '../server/src/provisioning/read.ts'

const args = process.argv.slice(2)
const dryRun = args.includes('--dry-run')
const resetPasswords = args.includes('--reset-passwords')
const file = args.find((arg) => !arg.startsWith('--'))

const main = async () => {
  if (!file) throw new Error('Usage: npm run provision -- customers.yaml [--dry-run] [--reset-passwords]')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file}: cannot be read`)
  })
  const wanted = readProvisioning(text)
  const config = readConfig(process.env)
  if (!config.DATABASE_URL) await lockDataFolder(config.dataDir)
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  await migrate(records)
  const changes = await applyProvisioning(records, wanted, { dryRun, resetPasswords })
  for (const change of changes)
    console.log(
      `${change.sign} ${change.customer} ${change.table} ${change.name}${change.what ? `: ${change.what}` : ''}`,
    )
  console.log(
    `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}${dryRun ? ', nothing written (dry run)' : ''}`,
  )
  await records.close()
}

main().catch((error: unknown) => {
  const said = error instanceof Error ? error.message : String(error)
  console.error(error instanceof BadProvisioningFile ? `${file} is not valid, nothing was changed:\n${said}` : said)
  process.exit(1)
})
