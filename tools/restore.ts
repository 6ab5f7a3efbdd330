// npm run restore -- FILE [--force]: restores a backup into DATA_DIR while no server runs. --force moves existing data aside.
import { parseArgs } from 'node:util'
import { restoreBackup } from '../server/src/operator/backup/restore.ts'
import { readConfig } from '../server/src/config.ts'
import { lockDataFolder } from '../server/src/platform/process/data-folder.ts'
import { fail, print, typedPath } from './operator.ts'

const restore = async function* (file: string, force: boolean) {
  const config = readConfig(process.env)
  await lockDataFolder(config.dataDir)
  const done = await restoreBackup(typedPath(file), config.dataDir, { force, nowMs: Date.now() })
  if (done.movedTo) yield { said: `What was there is in ${done.movedTo}` }
  for (const { what, to, at } of done.unsent)
    yield { said: `not sent: ${what} ${to}, waiting since ${at.toISOString()}` }
  const entries = Object.values(done.trails).reduce((sum, trail) => sum + trail.entries, 0)
  yield {
    said: `Restored as of ${done.madeAt}: ${Object.keys(done.trails).length} customers, all tables and samples counted, ${entries} audit entries whole. Everybody signs in again.`,
  }
  if (!done.hasSecretKey && !done.keySha256) yield { said: 'Start the server with the SECRET_KEY it had.' }
}

const read = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { force: { type: 'boolean', default: false } },
    })
    return positionals[0] && positionals.length === 1 ? { file: positionals[0], force: values.force } : null
  } catch {
    return null // an unknown flag
  }
}

const request = read()
if (request) await print(restore(request.file, request.force))
else fail('Usage: npm run restore -- FILE [--force]')
process.exit()
