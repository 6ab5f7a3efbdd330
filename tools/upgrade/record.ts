// node tools/upgrade/record.ts RELEASE [MODULES]: the records of a release after a provisioning and some changes, as RELEASE.sql.gz in this folder.
// MODULES is a folder of packages that the release needs and today's version does not (2026-11-24: pg-boss and @expo-google-fonts/inter).
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openChanges } from '../../faults/changes.ts'
import { openInstallation } from '../installation.ts'
import { startPostgres } from '../postgres.ts'
import { checkOut } from './check-out.ts'
import { releases } from './releases.ts'

const [name = '', modules] = process.argv.slice(2)
const release = releases.find((one) => one.name === name)
if (!release) throw new Error(`${name} is no release: ${releases.map((one) => one.name).join(', ')}`)
const sources = checkOut(release, modules ? [modules] : [])
if (!sources) throw new Error(`The history has no commit ${release.commit}`)
const postgres = await startPostgres()
if (!postgres) throw new Error('PostgreSQL is missing: apt-get install postgresql')
const { start, provision, stop } = await openInstallation({ DATABASE_URL: postgres.url })
try {
  const server = await start('web', 'web,jobs', {}, { sources })
  await provision(join(sources, 'demo/world.yaml'), sources, [...release.provision])
  const changes = await openChanges(server, 'recorded')
  while (changes.acknowledged() < 10) await new Promise((resolve) => setTimeout(resolve, 100))
  await changes.finish()
} finally {
  await stop()
}
const file = join(postgres.folder, 'records.sql')
const { port } = new URL(postgres.url)
const options = ['--no-owner', '--rows-per-insert=100', '-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-f', file]
if (postgres.run('pg_dump', [...options, 'gridmast']) !== 0) throw new Error('pg_dump failed')
writeFileSync(join(import.meta.dirname, `${name}.sql.gz`), gzipSync(readFileSync(file), { level: 9 }))
await postgres.stop()
rmSync(sources, { recursive: true, force: true })
