import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#platform/records/db-types.ts'
import { compareMigrations, migrate } from '#platform/records/migrate.ts'
import type { Records } from '#platform/records/records.ts'

/* Copies all rows from one store of records to another, in rounds: the first copies everything while the store is in use, each later one the
   rows written since, and the last one, without a server, also removes deleted rows. The system column xmin, the transaction that wrote a row,
   tells which rows are new. Until the last round the target has no foreign keys, triggers and forced row-level security, because rows arrive
   in any order; restoring the foreign keys checks them. */

export type Table = { name: string; columns: string[]; key: string[] }

type Db = Kysely<DB>

const rowsAtOnce = 2000
/** As stored, so that a batch of large rows is not many times the memory of the server. */
const bytesAtOnce = 4_000_000

/** Lock number; any constant will do. */
export const moveLock = 7_305_003

const rowsOf = async <Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> => (await statement.execute(db)).rows

const list = (names: readonly string[], of = '') =>
  sql.join(names.map((name) => (of ? sql.ref(`${of}.${name}`) : sql.ref(name))))

/** All tables but those of migrations and of the move itself; generated columns are calculated again. */
export const findTables = (records: Records): Promise<Table[]> =>
  records.owner((db) =>
    rowsOf(
      db,
      sql<Table>`
        select c.relname as name,
          (select json_agg(a.attname order by a.attnum) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
          (select json_agg(a.attname order by k.place) from pg_index i
           cross join unnest(i.indkey) with ordinality k (attnum, place)
           join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
           where i.indrelid = c.oid and i.indisprimary) as key
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('schema_migration', 'move_progress')
        order by 1`,
    ),
  )

export type Progress = {
  read: (part: string) => Promise<string | null>
  save: (part: string, position: string) => Promise<void>
  forget: (part: string) => Promise<void>
}

/** Positions of parts that are copied, in a table of the target: an interrupted move continues there. */
export const openProgress = (to: Records): Progress => ({
  read: async (part) => {
    const rows = await to.owner((db) =>
      rowsOf(db, sql<{ position: string }>`select position from move_progress where part = ${part}`),
    )
    return rows[0]?.position ?? null
  },
  save: async (part, position) =>
    to.owner(async (db) => {
      await sql`insert into move_progress (part, position) values (${part}, ${position})
        on conflict (part) do update set position = excluded.position`.execute(db)
    }),
  forget: async (part) =>
    to.owner(async (db) => void (await sql`delete from move_progress where part = ${part}`.execute(db))),
})

/** Whether a move into this store has begun and not ended. */
export const isPrepared = (to: Records): Promise<boolean> =>
  to.owner(async (db) => {
    const rows = await rowsOf(db, sql<{ is: boolean }>`select to_regclass('public.move_progress') is not null as is`)
    return rows[0]?.is === true
  })

const findForeignKeys = (records: Records) =>
  records.owner((db) =>
    rowsOf(
      db,
      sql<{ table: string; name: string; definition: string }>`
        select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`,
    ),
  )

/** Throws for a demo, a target with data of its own, or another version. Answers whether an earlier move continues. */
export const prepareTarget = async (from: Records, to: Records, tables: readonly Table[]): Promise<boolean> => {
  const demos = await from.owner((db) => rowsOf(db, sql`select from customer where demo limit 1`))
  if (demos.length > 0) throw new Error('A demo is not moved: it ends with its folder')
  const source = await compareMigrations(from)
  if (source.waiting.length > 0 || source.newer.length > 0)
    throw new Error('The records are of another version: start the server of this version once, then move them')
  if (await isPrepared(to)) {
    const target = await compareMigrations(to)
    if (target.waiting.length > 0 || target.newer.length > 0)
      throw new Error('The move was begun by another version: empty the target database, and move again')
    return true
  }
  const customers = await to.owner(async (db) => {
    const rows = await rowsOf(db, sql<{ is: boolean }>`select to_regclass('public.customer') is not null as is`)
    return rows[0]?.is ? rowsOf(db, sql`select from customer limit 1`) : []
  })
  if (customers.length > 0) throw new Error('The target database has customers: move into an empty one')
  await migrate(to)
  const keys = await findForeignKeys(to)
  const ref = (name: string) => sql.table(name)
  await to.alone(moveLock, async (tx) => {
    for (const { table, name } of keys)
      await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(tx)
    for (const { name } of tables) {
      await sql`alter table ${ref(name)} disable trigger user`.execute(tx)
      await sql`alter table ${ref(name)} no force row level security`.execute(tx)
      await sql`truncate ${ref(name)}`.execute(tx) // rows of the migrations: those of the source replace them
    }
    await sql`create table move_progress (part text primary key, position text not null)`.execute(tx)
  })
  return false
}

/** The next transaction of the store: rows with an older xmin are in the copy that begins now. */
const nextTransaction = (records: Records) =>
  records.owner(async (db) => {
    const rows = await rowsOf(
      db,
      sql<{ xid: string }>`select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text as xid`,
    )
    return rows[0]?.xid ?? '0'
  })

const rowsIn = (table: Table, json: string) =>
  sql`json_populate_recordset(null::${sql.table(table.name)}, ${json}::json)`

const sameKey = (table: Table) => sql`(${list(table.key, 't')}) = (${list(table.key, 'k')})`

const deleteRows = (db: Db, table: Table, json: string) =>
  sql`delete from ${sql.table(table.name)} t using ${rowsIn(table, json)} k where ${sameKey(table)}`.execute(db)

/** Deletes first, because an identity column cannot be updated. */
const replaceRows = async (db: Db, table: Table, json: string) => {
  await deleteRows(db, table, json)
  await sql`insert into ${sql.table(table.name)} (${list(table.columns)}) overriding system value
    select ${list(table.columns)} from ${rowsIn(table, json)}`.execute(db)
}

/** Rows as JSON text, which the stores exchange unchanged: no number is read on the way. */
const readRows = async (db: Db, table: Table, since: string | null, last: string | null) => {
  const key = list(table.key, 't')
  const isNew = since === null ? sql`true` : sql`age(t.xmin) <= age(${since}::xid)`
  const isNext =
    last === null
      ? sql`true`
      : sql`(${key}) > (select ${list(table.key, 'k')} from json_populate_record(null::${sql.table(table.name)}, ${last}::json) k)`
  const [batch] = await rowsOf(
    db,
    sql<{ count: number; rows: string; last: string | null }>`
      select count(*)::int as count, coalesce(json_agg(b.record), '[]')::text as rows, (json_agg(b.record) -> -1)::text as last
      from (
        select to_json(s.t) as record from (
          select t, sum(pg_column_size(t.*)) over (order by ${key}) - pg_column_size(t.*) as bytes_before
          from ${sql.table(table.name)} t where ${isNew} and ${isNext} order by ${key} limit ${rowsAtOnce}
        ) s where s.bytes_before < ${bytesAtOnce}
      ) b`,
  )
  return batch ?? { count: 0, rows: '[]', last: null }
}

const uniqueViolation = '23505'

/**
 * Copies the rows that were written since the table's last round; answers how many. A unique value that went from a deleted row to a new one is
 * refused by the target, which still has the deleted one: then the table is copied anew, while a server writes in the next round.
 */
export const copyTable = async (from: Records, to: Records, table: Table, progress: Progress): Promise<number> => {
  const part = `records ${table.name}`
  const since = await progress.read(part)
  const next = await nextTransaction(from)
  let copied = 0
  try {
    for (let last: string | null = null; ;) {
      const batch = await from.owner((db) => readRows(db, table, since, last))
      if (batch.count === 0) break
      await to.owner((db) => replaceRows(db, table, batch.rows))
      copied += batch.count
      last = batch.last
    }
    await progress.save(part, next)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error
    await to.script(`truncate "${table.name}"`)
    await progress.forget(part)
  }
  return copied
}

type Sum = { count: string; hash: string }

/** Count and sum of the hashes of all rows, the same on both stores for the same rows in any order. */
const sumOf = (records: Records, table: Table, columns: readonly string[]): Promise<Sum> =>
  records.alone(moveLock, async (tx) => {
    const [sum] = await rowsOf(
      tx,
      sql<Sum>`
        select count(*)::text as count, coalesce(sum(('x' || left(md5(row(${list(columns, 't')})::text), 15))::bit(60)::bigint), 0)::text as hash
        from ${sql.table(table.name)} t`,
    )
    return sum ?? { count: '0', hash: '0' }
  })

const isSame = (a: Sum, b: Sum) => a.count === b.count && a.hash === b.hash

/** Deletes rows of the target that the source no longer has. The source has no server at this time. */
const dropDeleted = async (from: Records, to: Records, table: Table) => {
  for (let last: string | null = null; ;) {
    const batch = await to.owner((db) => readRows(db, table, null, last))
    if (batch.count === 0) return
    const [row] = await from.owner((db) =>
      rowsOf(
        db,
        sql<{ gone: string | null }>`
          select json_agg(to_json(k))::text as gone from ${rowsIn(table, batch.rows)} k
          where not exists (select from ${sql.table(table.name)} t where ${sameKey(table)})`,
      ),
    )
    const gone = row?.gone ?? null
    if (gone !== null) await to.owner((db) => deleteRows(db, table, gone))
    last = batch.last
  }
}

/** Makes a table of the target equal to the source, which no server uses; throws when it is not equal afterwards. Answers its rows. */
export const completeTable = async (from: Records, to: Records, table: Table, progress: Progress): Promise<number> => {
  await copyTable(from, to, table, progress)
  if ((await progress.read(`records ${table.name}`)) === null) await copyTable(from, to, table, progress)
  const source = await sumOf(from, table, table.columns)
  let target = await sumOf(to, table, table.columns)
  if (!isSame(source, target)) {
    await dropDeleted(from, to, table)
    target = await sumOf(to, table, table.columns)
  }
  if (!isSame(source, target))
    throw new Error(
      `${table.name} is not equal after the move: ${source.count} rows, and ${target.count} in the target`,
    )
  return Number(source.count)
}

/** Numbers continue where they ended; foreign keys, triggers and row-level security are as the migrations made them. */
export const finishTarget = async (from: Records, to: Records): Promise<void> => {
  const keys = await findForeignKeys(from)
  const { sequences, tables } = await from.owner(async (db) => ({
    sequences: await rowsOf(
      db,
      sql<{ name: string; last: string | null }>`
        select quote_ident(sequencename) as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
    ),
    tables: await rowsOf(
      db,
      sql<{ name: string; forced: boolean }>`
        select relname as name, relforcerowsecurity as forced from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    ),
  }))
  await to.alone(moveLock, async (tx) => {
    for (const { name, last } of sequences)
      if (last !== null) await sql`select setval(${name}::regclass, ${last}::bigint)`.execute(tx)
    for (const { table, name, definition } of keys)
      await sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
    for (const { name, forced } of tables) {
      await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
      if (forced) await sql`alter table ${sql.table(name)} force row level security`.execute(tx)
    }
    await sql`drop table move_progress`.execute(tx)
  })
  await to.script('analyze')
}
