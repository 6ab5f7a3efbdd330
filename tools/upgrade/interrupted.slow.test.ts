import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../../server/src/platform/records/records.ts'
import { run } from '../../server/src/testing/scripts.ts'
import { startPostgres } from '../postgres.ts'
import { root } from '../run.ts'
import { shapeOf } from './contracting.ts'
import { releases } from './releases.ts'

const migrations = join(root, 'server/migrations')
const closes: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closes.toReversed()) await close()
})

/** Bodies of functions are between $$. */
const statementsOf = (text: string): string[] =>
  text
    .split('$$')
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/--.*$/gm, '').replaceAll(';', ';\0') : part))
    .join('$$')
    .split('\0')
    .filter((statement) => statement.trim() !== '')

const sortedShapeOf = async (records: Records) => {
  const { tables, has, demands } = await shapeOf(records)
  return { tables: tables.toSorted(), has: has.toSorted(), demands: demands.map(({ text }) => text).toSorted() }
}

/** As after a kill -9 of the server: its connection ends, and PostgreSQL takes the transaction back. */
const killed = 'reset role; select pg_terminate_backend(pg_backend_pid())'

test('a migration killed after any of its statements leaves nothing half, starts again and ends as one that was not', async () => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is needed for this test')
  closes.push(postgres.stop)
  const urlOf = (database: string) => Object.assign(new URL(postgres.url), { pathname: database }).href
  const owner = await openRecords({ url: postgres.url })
  closes.push(owner.close)
  await owner.script('create database straight')
  await owner.script('create database interrupted')
  const [straight, interrupted] = [
    await openRecords({ url: urlOf('straight') }),
    await openRecords({ url: urlOf('interrupted') }),
  ]
  closes.push(straight.close, interrupted.close)
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-interrupted-'))
  closes.push(() => rm(folder, { recursive: true }))
  const applied = async () =>
    interrupted.owner(async (db) => (await db.selectFrom('schema_migration').select('name').execute()).length)

  const files = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).toSorted()
  const oldest = releases.at(-1)?.lastMigration ?? ''
  for (const name of files) if (name <= oldest) await copyFile(join(migrations, name), join(folder, name))
  await migrate(interrupted, folder)
  let kills = 0
  for (const name of files.filter((one) => one > oldest)) {
    const statements = statementsOf(await readFile(join(migrations, name), 'utf8'))
    const before = await applied()
    for (let count = 1; count <= statements.length; count++) {
      await writeFile(join(folder, name), `${statements.slice(0, count).join('')};${killed}`)
      await expect(migrate(interrupted, folder), `${name} after statement ${count}`).rejects.toThrow(
        'terminating connection due to administrator command',
      )
      expect(await applied()).toBe(before)
      kills++
    }
    await copyFile(join(migrations, name), join(folder, name))
    expect(await migrate(interrupted, folder)).toEqual([name])
  }
  expect(kills).toBeGreaterThan(80)
  await migrate(straight)
  expect(await sortedShapeOf(interrupted)).toEqual(await sortedShapeOf(straight))
})

test('the embedded store killed within a migration, after fourteen others, again and again ends as one that was not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-interrupted-'))
  closes.push(() => rm(folder, { recursive: true }))
  const dataDir = join(folder, 'killed')
  const migrateOrDie = () => run(join(root, 'tools/upgrade/migrate.process.ts'), dataDir, '14')
  let kills = 0
  while ((await migrateOrDie()).signal === 'SIGKILL') kills++
  const files = (await readdir(migrations)).filter((name) => name.endsWith('.sql'))
  expect(kills).toBe(Math.ceil(files.length / 14) - 1)
  const [killed, straight] = [await openRecords({ dataDir }), await openRecords({ dataDir: join(folder, 'straight') })]
  closes.push(killed.close, straight.close)
  await migrate(straight)
  // The right to read the list of migrations is given at the second start, because the first creates the role.
  for (const records of [straight, killed]) expect(await migrate(records)).toEqual([])
  expect(await sortedShapeOf(killed)).toEqual(await sortedShapeOf(straight))
}, 600_000)
