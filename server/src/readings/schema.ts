import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { clusterStatements } from './cluster.ts'
import { rows } from './sql.ts'

const folder = join(import.meta.dirname, 'schema')

const createDatabase = 'create database if not exists gridmast'
const createMigrations = `create table if not exists gridmast.schema_migration (name String, sha256 String, applied_at DateTime default now())
      engine = MergeTree order by name`

const statementsOf = (file: string) => file.split(/;\s*(?:\n|$)/).filter((part) => part.trim() !== '')
const schemaFiles = async () => (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()

export const schemaStatements = async (): Promise<Set<string>> => {
  const files = await Promise.all((await schemaFiles()).map((name) => readFile(join(folder, name), 'utf8')))
  return new Set(
    [createDatabase, createMigrations, ...files.flatMap(statementsOf)].map((statement) => statement.trim()),
  )
}

/** A lock over all processes, because ClickHouse has none. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>

/** Applies the pending numbered files; each statement can be repeated, so a crash in between is harmless. */
export const applySchema = (client: ClickHouseClient, alone: Alone, cluster?: string): Promise<string[]> =>
  alone(() => applyFiles(client, cluster))

const applyFiles = async (client: ClickHouseClient, cluster: string | undefined): Promise<string[]> => {
  const execute = async (statement: string) => {
    for (const query of cluster ? clusterStatements(statement, cluster) : [statement]) await client.command({ query })
  }
  await execute(createDatabase)
  await execute(createMigrations)
  const stored = new Map(await rows<[string, string]>(client, 'select name, sha256 from gridmast.schema_migration'))
  const names = await schemaFiles()
  const newer = [...stored.keys()].find((name) => !names.includes(name))
  if (newer)
    throw new Error(
      `The readings store was written by a newer Gridmast (it has ${newer}). Start that version, or restore a backup made before it.`,
    )
  const applied: string[] = []
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const before = stored.get(name)
    if (before && before !== sha256) throw new Error(`Readings schema ${name} was changed after it had been applied`)
    if (before) continue
    for (const statement of statementsOf(text)) await execute(statement)
    await client.command({
      query: `insert into gridmast.schema_migration (name, sha256) values ('${name}', '${sha256}')`,
    })
    applied.push(name)
  }
  return applied
}
