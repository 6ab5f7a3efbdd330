// npm run login-link -- <email> [--without-second-factor]: prints an address that signs this person in, once, within 10 minutes.
// With the flag the second factor of somebody who lost phone and recovery codes is taken away first; a mail tells them.
// Beside a running server only with DATABASE_URL, and with that server's SECRET_KEY (or DATA_DIR); otherwise stop the server first.
import { join } from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { makeLoginLink } from '../server/src/domains/auth/login-link.ts'
import { lockDataFolder } from '../server/src/platform/data-lock.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { openRecords } from '../server/src/platform/records.ts'
import { openSecret } from '../server/src/platform/secret.ts'

const main = async () => {
  const args = process.argv.slice(2)
  const withoutSecondFactor = args.includes('--without-second-factor')
  const email = args.find((arg) => !arg.startsWith('--'))
  if (!email) throw new Error('Usage: npm run login-link -- <email> [--without-second-factor]')
  const config = readConfig(process.env)
  if (!config.DATABASE_URL) await lockDataFolder(config.dataDir)
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  try {
    await migrate(records)
    const secret = openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key'))
    const id = await makeLoginLink(records, secret, email, Date.now(), { withoutSecondFactor })
    const portal = config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${config.PORT}`
    console.log(`${portal}/auth/login/${id}`)
  } finally {
    await records.close()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
