// Writes server/src/platform/records/db-types.ts from the migrations. --check only reports whether the file is current.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords } from '../server/src/platform/records/records.ts'

const file = join(import.meta.dirname, '../server/src/platform/records/db-types.ts')
const records = await openRecords({})
await migrate(records)
const generated = await records.owner((db) =>
  generate({
    db,
    dialect: new PostgresDialect({ dateParser: 'string', numericParser: 'string' }),
    outFile: null,
    excludePattern: 'jobs.*',
  }),
)
await records.close()
// int8 columns are parsed as numbers (see pool.ts).
const text = generated.replace(/export type Int8 = .*/, 'export type Int8 = ColumnType<number, number, number>')
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error('server/src/platform/records/db-types.ts does not match the migrations: run npm run db-types')
    process.exit(1)
  }
} else await writeFile(file, text)
