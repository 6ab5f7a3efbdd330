// npm run restore -- FILE or s3://bucket/prefix/name or file:///folder/name [--force]: restores a backup into DATA_DIR while no server runs. --force moves existing data aside.
import { restoreBackup } from '../server/src/operator/backup/restore.ts'
import { openSource } from '../server/src/operator/backup/source.ts'
import { isAddress } from '../server/src/operator/backup/storage.ts'
import { readConfig } from '../server/src/config.ts'
import { lockDataFolder } from '../server/src/platform/process/data-folder.ts'
import { print, readArguments, typedPath } from './through-server.ts'

const restore = async function* (file: string, force: boolean) {
  const config = readConfig(process.env)
  await lockDataFolder(config.dataDir)
  const source = await openSource(isAddress(file) ? file : typedPath(file), config)
  const done = await restoreBackup(source, config.dataDir, {
    force,
    nowMs: Date.now(),
    minFreeBytes: config.MIN_FREE_BYTES,
  })
  if (done.movedTo) yield { text: `The earlier data is in ${done.movedTo}` }
  for (const { what, to, at } of done.unsent)
    yield { text: `not sent: ${what} ${to}, waiting since ${at.toISOString()}` }
  const entries = Object.values(done.trails).reduce((sum, trail) => sum + trail.entries, 0)
  yield {
    text: `Restored as of ${done.madeAt}: ${Object.keys(done.trails).length} customers, all tables and samples counted, ${entries} audit entries whole. All users sign in again.`,
  }
  if (!done.hasSecretKey && !done.keySha256) yield { text: 'Start the server with the SECRET_KEY it had.' }
}

const input = readArguments(process.argv.slice(2), {
  usage: 'restore -- FILE|ADDRESS [--force]',
  count: [1],
  flags: ['force'],
})
if (input) await print(restore(input.words[0] ?? '', input.has('force')))
process.exit()
