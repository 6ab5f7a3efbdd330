import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KyselyPlugin, sql } from 'kysely'
import pg from 'pg'
import { migrate } from '#platform/records/migrate.ts'
import { getPending, openPending } from '#platform/records/pending.ts'
import { openRecords, type Records, type Tx } from '#platform/records/records.ts'
import { provisionTwoCustomers } from './factories.ts'
import { keepContent, startAnew } from './kept-content.ts'

const root = join(import.meta.dirname, '../../..')

/** Initial content of a store, and the files that determine it: a copy is valid while they are unchanged. */
type Content = { files: string[]; fill: (records: Records) => Promise<unknown> }

const empty: Content = {
  files: ['package.json', 'server/migrations/*.sql', 'server/src/testing/kept-content.ts'],
  fill: migrate,
}
const twoCustomers: Content = {
  files: [
    ...empty.files,
    'contract/src/*.ts',
    'server/src/{platform,provisioning}/*.ts',
    'server/src/testing/factories.ts',
  ],
  fill: async (records) => {
    await migrate(records)
    await provisionTwoCustomers(records)
  },
}

const nameOf = ({ files }: Content) => {
  const hash = createHash('sha256')
  for (const name of files.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted()))
    hash.update(name).update(readFileSync(join(root, name)))
  return `gridmast_${hash.digest('hex').slice(0, 16)}`
}

const copyOf = (content: Content) => join(tmpdir(), `${nameOf(content)}.tar`)

const weekMs = 7 * 86_400_000
/** Copies of other migrations, 44 MB each. */
const forgetOldCopies = () => {
  for (const name of globSync(join(tmpdir(), 'gridmast_*.tar'))) {
    const file = statSync(name, { throwIfNoEntry: false })
    if (file && file.mtimeMs < Date.now() - weekMs) rmSync(name, { force: true })
  }
}

/** The embedded store starts from a copy in the temporary folder: 0.4 s instead of 3 s. */
const embedded = async (content: Content): Promise<Records> => {
  const file = copyOf(content)
  if (existsSync(file)) return openRecords({ snapshot: new Blob([readFileSync(file)]) })
  const records = await openRecords({})
  await content.fill(records)
  await records.script(keepContent)
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, Buffer.from(await (await records.snapshot()).arrayBuffer()))
  renameSync(partial, file)
  forgetOldCopies()
  return records
}

/** Closed stores of this process, reused with their initial content: a new engine costs a second. */
const idle = new Map<Content, Records[]>()

const again = async (content: Content): Promise<Records> => {
  const stores = idle.get(content) ?? []
  idle.set(content, stores)
  const last = stores.pop()
  const records = last && (await bringBack(last)) ? last : await embedded(content)
  return { ...records, close: async () => void stores.push(records) }
}

/** False for a store with changed tables, which is not reused. */
const bringBack = async (records: Records): Promise<boolean> => {
  await records.script(startAnew)
  const { rows } = await records.owner((db) =>
    sql<{ same: boolean }>`select kept.shape() = (select shape from kept.first_shape) as same`.execute(db),
  )
  if (!rows[0]?.same) await records.close()
  return rows[0]?.same ?? false
}

let opened = 0

/** A new database on the server, copied from a template. */
const onServer = async (url: string, content: Content): Promise<Records> => {
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: database }).href
  const template = nameOf(content)
  const name = `${template}_${process.pid}_${++opened}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query('select pg_advisory_lock(hashtext($1))', [template])
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
  if (!rowCount) {
    await admin.query(`create database ${name}`)
    const records = await openRecords({ url: urlOf(name) })
    await content.fill(records)
    await records.close()
    await admin.query(`alter database ${name} rename to ${template}`)
  }
  await admin.query(`create database ${name} template ${template}`)
  await admin.query('select pg_advisory_unlock_all()')
  const records = await openRecords({ url: urlOf(name) })
  return {
    ...records,
    close: async () => {
      await records.close()
      // Force is refused while the server vacuums the database, as that worker is a superuser's; a plain drop ends the vacuum.
      await admin.query(`drop database ${name}`).catch(() => admin.query(`drop database ${name} with (force)`))
      await admin.end()
    },
  }
}

const open = (content: Content) => {
  const url = process.env['TEST_DATABASE_URL']
  return url ? onServer(url, content) : again(content)
}

/** An empty, migrated records store; with TEST_DATABASE_URL on that PostgreSQL server. */
export const openTestRecords = () => open(empty)

export const openTestWorld = () => open(twoCustomers)

export const keptTestWorld = async (): Promise<string> => {
  if (!existsSync(copyOf(twoCustomers))) await (await again(twoCustomers)).close()
  return copyOf(twoCustomers)
}

/** The same transaction with a plugin of Kysely. */
export const withPlugin = (tx: Tx, plugin: KyselyPlugin): Tx => {
  const plugged = tx.withPlugin(plugin)
  openPending(plugged, getPending(tx))
  return plugged
}
