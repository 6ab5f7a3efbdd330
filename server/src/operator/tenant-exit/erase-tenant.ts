import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { inBatches } from '#operator/growth/retention.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import type { Records } from '#platform/records/records.ts'
import { version } from '#platform/process/version.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { alone, findCustomer, findSeries, type TenantApp } from './export-tenant.ts'
import { countRows, findTenantTables, type TenantTable } from './tenant-tables.ts'

export const eraseTenantRequest = z.strictObject({
  customer: z.string(),
  by: z.string(),
  /** Of the exported data: its index file, rows of each table, and samples. */
  indexSha256: z.string(),
  tables: z.record(z.string(), z.number()),
  samples: z.number(),
})
type Request = z.infer<typeof eraseTenantRequest>

export type ErasureAnswer = { text: string } | { certificate: string }

type Erasure = {
  erasure_id: string
  former_id: string
  started_at: Date
  finished_at: Date | null
  signal_nos: number[]
  edge_keys: string[]
  index_sha256: string
}

const findErasure = async (records: Records, key: string): Promise<Erasure | undefined> => {
  const rows = await records.system(
    (tx) =>
      sqlRows<Erasure>(tx)`
      select erasure_id, former_id, started_at, finished_at, signal_nos, edge_keys, index_sha256
      from erased_tenant where customer_key = ${key} order by started_at desc limit 1`,
  )
  return rows[0]
}

/** A customer that is not closed, or that has other rows than the export, is refused: nothing is erased that was not handed over. */
const begin = async (app: TenantApp, tables: readonly TenantTable[], request: Request): Promise<Erasure> => {
  const { records } = app
  const customer = await findCustomer(records, request.customer)
  if (!customer) throw new Error(`There is no customer ${request.customer}`)
  const { customer_id: customerId } = customer
  const open = await records.system(
    (tx) =>
      sqlRows<{ one: number }>(tx)`
      select 1 as one from app_user where customer_id = ${customerId} and enabled
      union all select 1 from edge where customer_id = ${customerId} and enabled
      union all select 1 from charger where customer_id = ${customerId} and enabled limit 1`,
  )
  if (open.length > 0)
    throw new Error(`${request.customer} is in use again since the export: export it once more into another folder`)
  for (const { name, isTransient } of tables) {
    if (isTransient) continue
    const count = await countRows(records, name, customerId)
    if (count !== (request.tables[name] ?? 0))
      throw new Error(
        `${name} has ${count} rows and the export ${request.tables[name] ?? 0}: export the customer once more into another folder`,
      )
  }
  const series = await findSeries(records, customerId)
  return records.system(async (tx) => {
    const edges = await tx.selectFrom('edge').select('key').where('customer_id', '=', customerId).execute()
    const erasure = {
      erasure_id: newId(app.clock.now()),
      former_id: customerId,
      started_at: new Date(app.clock.now()),
      index_sha256: request.indexSha256,
      signal_nos: series.map(({ no }) => no),
      edge_keys: edges.map((edge) => edge.key),
    }
    await tx
      .insertInto('erased_tenant')
      .values({
        ...erasure,
        customer_key: request.customer,
        counts: JSON.stringify({ tables: request.tables, samples: request.samples }),
      })
      .execute()
    return { ...erasure, finished_at: null }
  })
}

/** A job of a running server may write a row in between, so the tables are emptied again until nothing is left. */
const maxPasses = 5

const deleteTenant = async (records: Records, tables: readonly TenantTable[], customerId: string): Promise<void> => {
  for (let pass = 0; pass < maxPasses; pass++) {
    let deleted = 0
    // As the owner of the tables: the trail and sealed records cannot be deleted by the roles of the server.
    for (const { name } of tables.filter((table) => table.name !== 'customer'))
      deleted += await inBatches((rows) =>
        records.owner(async (db) => {
          const result = await sql`delete from ${sql.table(name)} where ctid = any(array(
            select ctid from ${sql.table(name)} where customer_id = ${customerId} limit ${rows}))`.execute(db)
          return Number(result.numAffectedRows ?? 0)
        }),
      )
    if (deleted === 0) break
  }
  await records.owner((db) => db.deleteFrom('customer').where('customer_id', '=', customerId).execute())
  for (const { name } of tables)
    if ((await countRows(records, name, customerId)) > 0)
      throw new Error(`${name} still has rows: run the command again`)
}

/** Erases a customer from both stores after its export; an interrupted erasure continues with the same folder. */
export const eraseTenant = (app: TenantApp, request: Request): AsyncGenerator<ErasureAnswer> =>
  alone(request.customer, async function* () {
    const tables = await findTenantTables(app.records)
    const earlier = await findErasure(app.records, request.customer)
    const isContinued = earlier !== undefined && earlier.index_sha256 === request.indexSha256
    if (isContinued && earlier.finished_at)
      throw new Error(`${request.customer} was erased on ${earlier.finished_at.toISOString()}`)
    const erasure = isContinued ? earlier : await begin(app, tables, request)
    yield {
      text: isContinued
        ? 'The erasure continues'
        : `${request.customer} is closed and exported: its data is erased now`,
    }
    await app.readings.erase(erasure.signal_nos, erasure.edge_keys)
    await deleteTenant(app.records, tables, erasure.former_id)
    const finished = new Date(app.clock.now())
    const certificate = `${JSON.stringify(
      {
        customer: request.customer,
        erasedFrom: ['records', 'readings'],
        startedAt: erasure.started_at.toISOString(),
        finishedAt: finished.toISOString(),
        by: request.by,
        version,
        index: { file: 'index.json', sha256: erasure.index_sha256 },
        rows: request.tables,
        samples: request.samples,
        series: erasure.signal_nos.length,
        left: 0,
      },
      null,
      2,
    )}\n`
    await app.records.system(async (tx) => {
      await tx
        .updateTable('erased_tenant')
        .set({ finished_at: finished, certificate_sha256: createHash('sha256').update(certificate).digest('hex') })
        .where('erasure_id', '=', erasure.erasure_id)
        .execute()
      rowChanged(tx, 'resync')
    })
    yield { certificate }
  })
