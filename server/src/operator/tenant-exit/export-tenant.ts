import { sql } from 'kysely'
import { z } from 'zod'
import { endSessionsOf } from '#access/sessions.ts'
import type { App } from '#context.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { sqlRows, updateRows } from '#platform/records/rows.ts'
import { int, rows } from '#readings/sql.ts'
import { findTenantTables, type TenantTable } from './tenant-tables.ts'

export const exportTenantRequest = z.strictObject({ customer: z.string(), close: z.boolean() })

export type TenantApp = Pick<App, 'records' | 'readings' | 'clock'>

/** `file` begins a file, `part` is text or base64 of it; `rows` ends it. */
export type TenantAnswer =
  | { file: string; table?: string; series?: number }
  | { text: string }
  | { base64: string }
  | { rows: number }
  | { done: { customer: string; name: string; exportedAt: string } }

type Customer = { customer_id: string; key: string; name: string }

export const findCustomer = (records: Records, key: string): Promise<Customer | undefined> =>
  records.system((tx) =>
    tx.selectFrom('customer').select(['customer_id', 'key', 'name']).where('key', '=', key).executeTakeFirst(),
  )

const unknownCustomer = (key: string) => new Error(`There is no customer ${key}`)

/** Ends everything that the customer has open, in every process: sessions, streams, edges, chargers, deliveries. Nothing more arrives then. */
const closeCustomer = async (tx: Tx, { customer_id: customerId, key }: Customer, nowMs: number): Promise<void> => {
  const users = await tx.selectFrom('app_user').select('user_id').where('customer_id', '=', customerId).execute()
  for (const { user_id } of users)
    await endSessionsOf(tx, { customer_id: customerId, user_id }, nowMs, { apiKeys: true })
  await updateRows(tx, customerId, 'app_user').set({ enabled: false }).execute()
  await updateRows(tx, customerId, 'edge').set({ enabled: false }).execute()
  await updateRows(tx, customerId, 'charger').set({ enabled: false }).execute()
  await updateRows(tx, customerId, 'webhook').set({ enabled: false }).execute()
  await updateRows(tx, customerId, 'alert').set({ notification: false }).execute()
  await updateRows(tx, customerId, 'outbox').set({ next_attempt_at: null, leased_until: null }).execute()
  await writeAudit(tx, customerId, nowMs, { who: 'operator', action: 'customer.exit', subject: key })
  for (const topic of ['edges', 'chargers', 'charger-tags', 'customer'] as const) rowChanged(tx, topic, customerId)
}

/** Hashes and sealed secrets are useless to anybody else; contents of files are files; a search text repeats other columns. */
const isOmitted = (table: string, column: string) =>
  /_sealed$|^password_hash$|^previous_hash$|^token_sha256$|^hmac$|^search_text$/.test(column) ||
  fileColumns.some((one) => one.table === table && one.column === column)

type FileColumn = { table: string; column: string; folder: string; name: (row: Record<string, unknown>) => string }

const safeName = (text: string) => text.replaceAll(/[^\w.-]+/g, '_').slice(0, 100)

const fileColumns: FileColumn[] = [
  {
    table: 'bid_file',
    column: 'content',
    folder: 'bid-files',
    name: (row) => `${String(row['file_id'])}-${safeName(String(row['name']))}`,
  },
  {
    table: 'flight_record_file',
    column: 'content',
    folder: 'flight-records',
    name: (row) => `${String(row['record_no'])}.jsonl.zst`,
  },
]

const rowsAtOnce = 500

/** Rows of a table in the order of its key, in pages. */
const readTable = async function* (records: Records, table: TenantTable, customerId: string) {
  const key = sql.join(table.key.map((column) => sql.ref(`t.${column}`)))
  const after = sql.join(table.key.map((column) => sql.ref(`k.${column}`)))
  const of = sql.table(table.name)
  for (let last: string | null = null; ;) {
    const isNext: ReturnType<typeof sql> =
      last === null
        ? sql`true`
        : sql`(${key}) > (select ${after} from json_populate_record(null::${of}, ${last}::json) k)`
    const page: { record: Record<string, unknown>; key: string }[] = await records.system(
      (tx) =>
        sqlRows<{ record: Record<string, unknown>; key: string }>(tx)`
        select to_jsonb(t) as record, json_build_object(${sql.join(table.key.flatMap((column) => [sql.lit(column), sql.ref(`t.${column}`)]))})::text as key
        from ${of} t where t.customer_id = ${customerId} and ${isNext} order by ${key} limit ${rowsAtOnce}`,
    )
    yield* page.map(({ record }) => record)
    last = page.at(-1)?.key ?? null
    if (page.length < rowsAtOnce) return
  }
}

const exportTable = async function* (
  records: Records,
  table: TenantTable,
  customerId: string,
): AsyncGenerator<TenantAnswer> {
  yield { file: `records/${table.name}.jsonl`, table: table.name }
  let count = 0
  let waiting = ''
  for await (const record of readTable(records, table, customerId)) {
    count++
    waiting += `${JSON.stringify(Object.fromEntries(Object.entries(record).filter(([column]) => !isOmitted(table.name, column))))}\n`
    if (waiting.length < 200_000) continue
    yield { text: waiting }
    waiting = ''
  }
  yield { text: waiting }
  yield { rows: count }
}

const exportFiles = async function* (
  records: Records,
  tables: readonly TenantTable[],
  customerId: string,
): AsyncGenerator<TenantAnswer> {
  for (const { table: name, column, folder, name: nameOf } of fileColumns) {
    const table = tables.find((one) => one.name === name)
    if (!table) continue
    for await (const record of readTable(records, table, customerId)) {
      const value = record[column]
      const content = typeof value === 'string' ? value : ''
      yield { file: `files/${folder}/${nameOf(record)}` }
      // to_jsonb writes bytes as hexadecimal digits.
      if (folder === 'flight-records')
        yield { base64: Buffer.from(content.replace(/^\\x/, ''), 'hex').toString('base64') }
      else yield { text: content }
      yield { rows: 1 }
    }
  }
}

export type Series = { no: number; of: string; kind: string; unit: string }

/** All series of a customer: of instances, connectors and sites. */
export const findSeries = (records: Records, customerId: string): Promise<Series[]> =>
  records.system(
    (tx) =>
      sqlRows<Series>(tx)`
      select s.no, i.name as of, s.kind, s.unit from signal s join instance i using (customer_id, instance_id) where customer_id = ${customerId}
      union all select s.no, c.name || ' · ' || s.evse_no, s.kind, '' from charger_signal s join charger c using (customer_id, charger_id) where customer_id = ${customerId}
      union all select s.no, p.name, s.kind, '' from charging_site_signal s join charging_site p using (customer_id, site_id) where customer_id = ${customerId}
      order by 1`,
  )

type Stored = { table: 'samples' | 'minutes'; at: 'ts' | 'minute'; columns: string; head: string }

const iso = (column: string) => `concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`

const samples: Stored = {
  table: 'samples',
  at: 'ts',
  columns: `concat(${iso('ts')}, ',', toString(value))`,
  head: 'time,value',
}
const minutes: Stored = {
  table: 'minutes',
  at: 'minute',
  columns: `concat(${iso('minute')}, ',', arrayStringConcat(arrayMap(x -> toString(x), [toFloat64(count), sum, min, max, first, last]), ','))`,
  head: 'minute,count,sum,min,max,first,last',
}

/** One file for each series and month, read day by day; months whose samples were removed are minutes. */
const exportSeries = async function* (app: TenantApp, signalNo: number): AsyncGenerator<TenantAnswer> {
  const client = app.readings.client
  const monthsOf = async ({ table, at }: Stored) =>
    rows<[month: number, days: number[]]>(
      client,
      `select toYYYYMM(${at}) as month, arraySort(groupUniqArray(intDiv(toUnixTimestamp(${at}), 86400))) from gridmast.${table}
       where signal_no = ${int(signalNo)} group by month order by month`,
    )
  const raw = await monthsOf(samples)
  const only = (await monthsOf(minutes)).filter(([month]) => !raw.some(([one]) => one === month))
  for (const { stored, months } of [
    { stored: samples, months: raw },
    { stored: minutes, months: only },
  ])
    for (const [month, days] of months) {
      const name = String(month)
      yield { file: `${stored.table}/${signalNo}/${name.slice(0, 4)}-${name.slice(4)}.csv.gz`, series: signalNo }
      yield { text: `${stored.head}\n` }
      let count = 0
      for (const day of days) {
        const [from, to] = [day, day + 1].map((one) => `toDateTime(${int(one * 86_400)}, 'UTC')`)
        const values = await rows<[string]>(
          client,
          `select ${stored.columns} from gridmast.${stored.table} final
           where signal_no = ${int(signalNo)} and ${stored.at} >= ${from} and ${stored.at} < ${to} order by ${stored.at}`,
        )
        count += values.length
        if (values.length > 0) yield { text: `${values.map(([line]) => line).join('\n')}\n` }
      }
      yield { rows: count }
    }
}

const running = new Set<string>()

/** One export or erasure of a customer at a time in this process. */
export const alone = async function* <Answer>(key: string, work: () => AsyncGenerator<Answer>): AsyncGenerator<Answer> {
  if (running.has(key)) throw new Error(`Another exit of ${key} is running`)
  running.add(key)
  try {
    yield* work()
  } finally {
    running.delete(key)
  }
}

/** All data of a customer, file by file. With `close` the customer is closed first, so that the export is the last state. */
export const exportTenant = (app: TenantApp, key: string, close: boolean): AsyncGenerator<TenantAnswer> =>
  alone(key, async function* () {
    const customer = await findCustomer(app.records, key)
    if (!customer) throw unknownCustomer(key)
    const { customer_id: customerId } = customer
    const nowMs = app.clock.now()
    await app.records.system(async (tx) => {
      if (close) await closeCustomer(tx, customer, nowMs)
      else await writeAudit(tx, customerId, nowMs, { who: 'operator', action: 'customer.exit', subject: key })
    })
    await app.readings.rollUp() // every accepted sample is in the store
    const tables = await findTenantTables(app.records)
    for (const table of tables) yield* exportTable(app.records, table, customerId)
    yield* exportFiles(app.records, tables, customerId)
    const series = await findSeries(app.records, customerId)
    yield { file: 'samples/series.jsonl' }
    yield { text: series.map((one) => `${JSON.stringify(one)}\n`).join('') }
    yield { rows: series.length }
    for (const { no } of series) yield* exportSeries(app, no)
    yield { done: { customer: key, name: customer.name, exportedAt: new Date(nowMs).toISOString() } }
  })
