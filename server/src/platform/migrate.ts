import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Records } from './records.ts'

const folder = join(import.meta.dirname, '../../migrations')

/** A number that names the lock; any fixed one will do. */
const lockKey = 7_305_001

const ledger = `
create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now());
do $$ begin
  if exists (select from pg_roles where rolname = 'gridmast_system') then execute 'grant select on schema_migration to gridmast_system'; end if;
end $$;`

/** Applies the numbered files that the store has not seen, each in its own transaction under one lock. Answers the names applied. */
export const migrate = async (records: Records): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const applied: string[] = []
  await records.script(ledger)
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const before = await known(records, name)
    if (before && before !== sha256) throw new Error(`Migration ${name} was changed after it had been applied`)
    if (before) continue
    await records.script(
      `begin; select pg_advisory_xact_lock(${lockKey});
       insert into schema_migration (name, sha256) values ('${name}', '${sha256}');
       ${text};
       commit;`,
    )
    applied.push(name)
  }
  return applied
}

const known = async (records: Records, name: string): Promise<string | undefined> => {
  const rows = await records.owner((db) =>
    sql<{ sha256: string }>`select sha256 from schema_migration where name = ${name}`.execute(db),
  )
  return rows.rows[0]?.sha256
}
