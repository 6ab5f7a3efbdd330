import { sql } from 'kysely'
import { z } from 'zod'
import { verifyChain } from '#platform/records/audit.ts'
import type { Records } from '#platform/records/records.ts'

export const stock = z.object({
  migrations: z.array(z.string()),
  rows: z.record(z.string(), z.number()),
  trails: z.record(z.string(), z.object({ entries: z.number(), newest: z.string().nullable() })),
})
type Stock = z.infer<typeof stock>

export const takeStock = async (records: Records): Promise<Stock> => {
  const { migrations, rows, customers } = await records.owner(async (db) => {
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
    const rows: Record<string, number> = {}
    for (const { name } of tables.rows) {
      const found = await sql<{ n: number }>`select count(*)::int8 as n from ${sql.table(name)}`.execute(db)
      rows[name] = found.rows[0]?.n ?? 0
    }
    const names = await sql<{ name: string }>`select name from schema_migration order by name`.execute(db)
    const customers = await db.selectFrom('customer').select(['customer_id', 'key']).orderBy('key').execute()
    return { migrations: names.rows.map(({ name }) => name), rows, customers }
  })
  const trails: Stock['trails'] = {}
  for (const { customer_id, key } of customers) {
    const { entries, firstBroken, newest } = await verifyChain(records, customer_id)
    if (firstBroken !== null) throw new Error(`The audit trail of ${key} is broken at entry ${firstBroken}`)
    trails[key] = { entries, newest }
  }
  return { migrations, rows, trails }
}

export const differenceOf = (wanted: Stock, found: Stock): string | null => {
  for (const [table, n] of Object.entries(wanted.rows))
    if (found.rows[table] !== n) return `${table} has ${found.rows[table] ?? 0} of ${n} rows`
  for (const [key, trail] of Object.entries(wanted.trails))
    if (found.trails[key]?.newest !== trail.newest) return `the audit trail of ${key} does not end where it did`
  return null
}
