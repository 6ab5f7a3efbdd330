import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Records, Tx } from './records.ts'

const migrationsFolder = join(import.meta.dirname, '../../../migrations')

/** Lock number; any constant will do. */
const lockKey = 7_305_001

const ledger = `
create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now());
do $$ begin
  if exists (select from pg_roles where rolname = 'gridmast_system') then execute 'grant select on schema_migration to gridmast_system'; end if;
end $$`

/** Hashes of released files whose comments were changed later; their statements are the same. */
const earlierHashes: Record<string, string> = {
  '0033_scope_2.sql': 'd43b864eef88808a4c62dee9983862f292e6dd3af03ef27da99881f277690e97',
  '0052_penalty_guard.sql': 'd1391aba7f6310197d8ab0ec4e34fe0fc0e760880598a7ef41a9ae992b6463d2',
}

/**
 * Applies the pending numbered files, each in its own transaction, and answers their names. Pending files are determined under the lock, so
 * that of several starting processes only one applies them.
 */
export const migrate = async (records: Records, folder = migrationsFolder): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const stored = await records.alone(lockKey, (tx) => begin(tx, names))
  const applied: string[] = []
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    if (isApplied(name, stored.get(name), text)) continue
    if (await applyWhenFree(records, name, text)) applied.push(name)
  }
  return applied
}

const maxAttempts = 120
const retryMs = 500

/**
 * Servers of an earlier version may be in use. A file that waits for their locks gives up before PostgreSQL looks for a deadlock (1 s), which
 * would end a transaction of theirs, and starts again.
 */
const applyWhenFree = async (records: Records, name: string, text: string): Promise<boolean> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await records.alone(lockKey, (tx) => apply(tx, name, text))
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable || attempt === maxAttempts) throw error
      await pause(retryMs)
    }
}

const lockNotAvailable = '55P03'

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

const isApplied = (name: string, stored: string | undefined, text: string) =>
  stored !== undefined && (stored === sha256Of(text) || stored === earlierHashes[name])

const begin = async (tx: Tx, names: readonly string[]): Promise<Map<string, string>> => {
  const { rows: moving } = await sql<{ is: boolean }>`
    select to_regclass('public.move_progress') is not null as is`.execute(tx)
  if (moving[0]?.is) throw new Error('A move into this database has not ended: run npm run move again')
  await sql.raw(ledger).execute(tx)
  const stored = await sql<{ name: string; sha256: string }>`
    select name, sha256 from schema_migration order by name`.execute(tx)
  const newer = stored.rows.find(({ name }) => !names.includes(name))
  if (newer)
    throw new Error(
      `The records store was written by a newer Gridmast (it has ${newer.name}). Start that version, or restore a backup made before it.`,
    )
  const applied = new Map(stored.rows.map(({ name, sha256 }) => [name, sha256]))
  if (applied.size > 0) return applied
  const { rows } = await sql<{ name: string; may: boolean }>`
    select rolname as name, rolsuper or rolcreaterole as may from pg_roles where rolname = current_user`.execute(tx)
  if (!rows[0]?.may)
    throw new Error(
      `The first start creates two roles, and ${rows[0]?.name} may not create roles. As an administrator: alter role "${rows[0]?.name}" createrole`,
    )
  return applied
}

const apply = async (tx: Tx, name: string, text: string): Promise<boolean> => {
  await sql`set local lock_timeout = '500ms'`.execute(tx)
  const sha256 = sha256Of(text)
  const { rows } = await sql<{ sha256: string }>`select sha256 from schema_migration where name = ${name}`.execute(tx)
  if (isApplied(name, rows[0]?.sha256, text)) return false
  if (rows[0]) throw new Error(`Migration ${name} was changed after it had been applied`)
  await sql`insert into schema_migration (name, sha256) values (${name}, ${sha256})`.execute(tx)
  await sql.raw(text).execute(tx)
  return true
}

export const compareMigrations = async (
  records: Records,
): Promise<{ applied: string[]; waiting: string[]; newer: string[] }> => {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql'))
  const applied = await records.owner(async (db) => {
    const { rows } = await sql<{ ledger: string | null }>`
      select to_regclass('schema_migration')::text as ledger`.execute(db)
    if (!rows[0]?.ledger) return []
    return (await sql<{ name: string }>`select name from schema_migration`.execute(db)).rows.map(({ name }) => name)
  })
  return {
    applied,
    waiting: names.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !names.includes(name)),
  }
}
