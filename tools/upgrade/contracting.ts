import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrate } from '../../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../../server/src/platform/records/records.ts'
import { root } from '../run.ts'

/** What a server of that schema relies on, and what its rows must satisfy, as one line each. */
type Shape = { tables: string[]; has: string[]; demands: { table: string; text: string }[] }

const migrations = join(root, 'server/migrations')

export const shapeOf = (records: Records): Promise<Shape> =>
  records.owner(async (db) => {
    const { rows } = await sql<{ shape: Shape }>`
      with ours as (
        select c.oid, c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      ), columns as (
        select o.name as owner, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
          a.attnotnull and not a.atthasdef and a.attidentity = '' as must
        from ours o join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
      ), keys as (
        select o.name as owner, regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') as columns
        from ours o join pg_index i on i.indrelid = o.oid and i.indisunique
      )
      select json_build_object(
        'tables', (select json_agg(name) from ours),
        'has', (select json_agg(text) from (
          select 'table ' || name as text from ours
          union all select 'column ' || owner || '.' || name || ' ' || type from columns
          union all select 'unique key ' || owner || ' ' || columns from keys
          union all select 'trigger ' || t.tgname || ' on ' || o.name from ours o join pg_trigger t on t.tgrelid = o.oid and not t.tgisinternal
          union all select lower(g.privilege_type) || ' on ' || o.name || ' for ' || g.grantee::regrole
            from ours o join pg_class c on c.oid = o.oid cross join aclexplode(c.relacl) g where g.grantee::regrole::text like 'gridmast%'
          union all select 'function ' || p.oid::regprocedure from pg_proc p where p.pronamespace = 'public'::regnamespace
        ) had),
        'demands', (select json_agg(json_build_object('table', owner, 'text', text)) from (
          select owner, 'value of ' || owner || '.' || name || ' on insert' as text from columns where must
          union all select owner, 'unique key ' || owner || ' ' || columns from keys
          union all select o.name, 'trigger ' || t.tgname || ' on ' || o.name from ours o join pg_trigger t on t.tgrelid = o.oid and not t.tgisinternal
          union all select o.name, 'constraint on ' || o.name || ': ' || pg_get_constraintdef(c.oid)
            from ours o join pg_constraint c on c.conrelid = o.oid and c.contype in ('c', 'f', 'x')
        ) demanded)) as shape`.execute(db)
    const shape = rows[0]?.shape
    if (!shape) throw new Error('unreachable: one row')
    return shape
  })

/** Changes of the migrations after `lastMigration` that a server of that version does not survive: what it uses is gone, or its rows are refused. */
export const contractionsSince = async (lastMigration: string, all = migrations): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-migrations-'))
  const records = await openRecords({})
  try {
    for (const name of await readdir(all)) if (name <= lastMigration) await cp(join(all, name), join(folder, name))
    await migrate(records, folder)
    const before = await shapeOf(records)
    await migrate(records, all)
    const after = await shapeOf(records)
    const [has, demanded, tables] = [
      new Set(after.has),
      new Set(before.demands.map(({ text }) => text)),
      new Set(before.tables),
    ]
    return [
      ...before.has.filter((text) => !has.has(text)).map((text) => `gone: ${text}`),
      ...after.demands
        .filter(({ table, text }) => tables.has(table) && !demanded.has(text))
        .map(({ text }) => `required: ${text}`),
    ].toSorted()
  } finally {
    await records.close()
    await rm(folder, { recursive: true, force: true })
  }
}
