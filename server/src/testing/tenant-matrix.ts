import type { CallShape } from '@gridmast/contract/call.ts'
import { type Json, jsonSchema, wordsFor } from '@gridmast/contract/testing/samples.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Records, Tx } from '#platform/records/records.ts'
import type { TestApp } from './app.ts'

/**
 * The tenant matrix (security rule T4): every id position of every call x {another customer's id, an unknown id, an own id of another kind,
 * text that is no id}. Positions are the `ref`s of the contract, so a new call is covered automatically.
 */

type Request = { params: Record<string, string>; query: Record<string, string>; body?: unknown }

/** Table and column of each `ref`; a call with an unlisted `ref` fails the matrix. */
const places: Record<string, [table: string, column: string]> = {
  customer: ['customer', 'customer_id'],
  user: ['app_user', 'user_id'],
  session: ['user_session', 'session_id'],
  licence: ['licence', 'licence_id'],
  instance: ['instance', 'instance_id'],
  edge: ['edge', 'edge_id'],
  signal: ['signal', 'signal_id'],
  frequency: ['frequency_signal', 'frequency_id'],
  'price-signal': ['price_signal', 'price_signal_id'],
  'api-key': ['api_key', 'key_id'],
  webhook: ['webhook', 'webhook_id'],
  alert: ['alert', 'alert_id'],
  'alert-trigger': ['alert_trigger', 'trigger_id'],
  event: ['event', 'event_id'],
  'bid-result-file': ['bid_result_file', 'file_id'],
  reconciliation: ['operator_statement', 'statement_id'],
  'reconciliation-line': ['operator_statement_line', 'line_id'],
  report: ['report', 'report_id'],
  'statement-reader': ['statement_reader', 'reader_id'],
  'bid-request': ['bid_request', 'request_id'],
  'email-subscription': ['email_subscription', 'subscription_id'],
  note: ['note', 'note_id'],
  'push-device': ['push_device', 'device_id'],
  'saved-view': ['saved_view', 'view_id'],
  'support-note': ['support_note', 'note_id'],
  'meter-group': ['meter_group', 'group_id'],
  meter: ['meter', 'meter_id'],
  'scope-2-report': ['scope_2_report', 'report_id'],
  charger: ['charger', 'charger_id'],
  'charging-site': ['charging_site', 'site_id'],
  'charger-tag': ['charger_tag', 'tag_id'],
  'charger-tag-group': ['charger_tag_group', 'group_id'],
  'charger-transaction': ['charger_transaction', 'transaction_id'],
  payment: ['payment', 'payment_id'],
  'load-plan': ['load_plan', 'plan_id'],
  'load-backtest': ['load_backtest', 'backtest_id'],
  'webhook-delivery': ['webhook_delivery', 'delivery_id'],
}

const sample = (schema: Json, name: string, idOf: (ref: string) => string): unknown => {
  if (typeof schema['ref'] === 'string') return idOf(schema['ref'])
  if ('default' in schema) return schema['default']
  if (Array.isArray(schema['examples'])) return schema['examples'][0]
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (Array.isArray(schema['anyOf'])) return sample(schema['anyOf'][0] as Json, name, idOf)
  if (schema['propertyNames'])
    return {
      [String(sample(schema['propertyNames'] as Json, name, idOf))]: sample(
        schema['additionalProperties'] as Json,
        name,
        idOf,
      ),
    }
  if (schema['type'] === 'object')
    return Object.fromEntries(
      Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
        .filter(([key]) => ((schema['required'] ?? []) as string[]).includes(key))
        .map(([key, field]) => [key, sample(field, key, idOf)]),
    )
  if (schema['type'] === 'array') return [sample(schema['items'] as Json, name, idOf)]
  if (schema['type'] === 'boolean') return true
  if (schema['multipleOf']) return Number(schema['minimum'] ?? 0)
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Math.max(1, Number(schema['minimum'] ?? 1))
  return wordsFor(schema, name)[0] ?? 'Sample text'
}

type Part = 'params' | 'query' | 'body'
type Position = { part: Part; path: string[]; ref: string }

const anyKey = '{key}'

const idPaths = (schema: Json, path: string[] = []): { path: string[]; ref: string }[] => {
  if (typeof schema['ref'] === 'string') return [{ path, ref: schema['ref'] }]
  const inside = [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([key, field]) => ({ key, field })),
    ...(schema['items'] ? [{ key: '0', field: schema['items'] as Json }] : []),
    ...(schema['propertyNames'] ? [{ key: anyKey, field: schema['propertyNames'] as Json }] : []),
  ].flatMap(({ key, field }) => idPaths(field, [...path, key]))
  const alternatives = ((schema['anyOf'] ?? []) as Json[]).flatMap((one) => idPaths(one, path))
  return [...inside, ...alternatives]
}

const parts = ['params', 'query', 'body'] as const

export const idPositions = (call: CallShape): Position[] =>
  parts.flatMap((part) => (call[part] ? idPaths(jsonSchema(call[part])).map((at) => ({ part, ...at })) : []))

/** A valid request with ids of the calling customer. Throws when the schema needs a specific word. */
export const validRequest = (name: string, call: CallShape, idOf: (ref: string) => string): Request => {
  const made = Object.fromEntries(
    parts.flatMap((part) => (call[part] ? [[part, sample(jsonSchema(call[part]), '', idOf)]] : [])),
  ) as Partial<Request>
  for (const part of parts) {
    const read = call[part]?.safeParse(made[part])
    if (read && !read.success)
      throw new Error(`${name}: the matrix makes no valid ${part}; give it a word (${z.prettifyError(read.error)})`)
  }
  return { params: {}, query: {}, ...made }
}

/** `value` with an id at a path; an object that it lacks is made of the schema. */
const replaced = (
  value: unknown,
  [key, ...rest]: string[],
  id: string,
  schema: Json,
  make: (of: Json) => unknown,
): unknown => {
  if (key === undefined) return id
  if (Array.isArray(schema['anyOf'])) return replaced(value, [key, ...rest], id, schema['anyOf'][0] as Json, make)
  const inside = (one: unknown, of: unknown) => replaced(one, rest, id, (of ?? {}) as Json, make)
  if (Array.isArray(value))
    return value.map((item: unknown, i) => (String(i) === key ? inside(item, schema['items']) : item))
  if (value === undefined && key === '0') return [inside(undefined, schema['items'])]
  const object = (value ?? (schema['type'] === 'object' ? make(schema) : {})) as Json
  if (key === anyKey) return Object.fromEntries(Object.values(object).map((item) => [id, item]))
  return { ...object, [key]: inside(object[key], ((schema['properties'] ?? {}) as Json)[key]) }
}

/** One id per kind for the customer: the same item for both customers, or the newest, created for the matrix. */
export const idsOf = async (tx: Tx, customerKey: string): Promise<Record<string, string>> => {
  const found = Object.entries(places).map(
    ([ref, [table, column]]) => sql`
      (select ${sql.val(ref)}::text as ref, t.${sql.ref(column)} as id from ${sql.table(table)} t
      join customer c on c.customer_id = t.customer_id where c.key = ${customerKey} order by coalesce(to_jsonb(t) ->> 'type' in ('dataHub', 'evCharging', 'CFM', 'loadShifting'), false), to_jsonb(t) ->> 'key', 2 desc limit 1)`,
  )
  const { rows } = await sql<{ ref: string; id: string }>`${sql.join(found, sql` union all `)}`.execute(tx)
  return Object.fromEntries(rows.map(({ ref, id }) => [ref, id]))
}

const moving = ['last_used_at', 'idle_until']

type Printed = { name: string; moves: boolean }

const tablesOfCustomers = (records: Records): Promise<Printed[]> =>
  records.system(async (tx) => {
    const { rows } = await sql<Printed>`
      select c.relname as name, bool_or(a.attname = any (${sql.val(moving)}::text[])) as moves
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by 1 having bool_or(a.attname = 'customer_id') order by 1`.execute(tx)
    return rows
  })

type Print = { own: string | null; foreign: string | null }

/**
 * Fingerprints of the rows of one customer and of all others: number of rows and their transactions; for tables with changing columns the
 * content of the others.
 */
const printsOf = (records: Records, tables: readonly Printed[], foreignId: string): Promise<Print[]> =>
  records.system(async (tx) => {
    const printOf = ({ name, moves }: Printed, isForeign: boolean) => {
      const rows = sql`${sql.table(name)} t where (customer_id is not distinct from ${foreignId}::uuid) = ${isForeign}::boolean`
      return moves
        ? sql`(select md5(string_agg(line, ' ' order by line)) from
            (select md5((to_jsonb(t) - ${sql.val(moving)}::text[])::text) as line from ${rows}) l)`
        : sql`(select concat(count(*), ' ', sum(xmin::text::bigint)) from ${rows})`
    }
    const prints = tables.map(
      (table) => sql`select ${printOf(table, false)} as own, ${printOf(table, true)} as foreign`,
    )
    return (await sql<Print>`${sql.join(prints, sql` union all `)}`.execute(tx)).rows
  })

const unknownId = '018f0000-0000-7000-8000-000000000000'

/**
 * Walks the matrix as the sudoer of North against West and answers one line per fault. `before` creates the rows. A call that lost its rows or
 * session to an earlier one runs again with new ones. After a change of rows of North the refused requests are sent again, because an earlier call
 * may still have written; nothing else writes rows of West.
 */
export const walkTenantMatrix = async (
  app: TestApp,
  calls: Record<string, CallShape>,
  before: () => Promise<void>,
): Promise<string[]> => {
  const tables = await tablesOfCustomers(app.records)
  const create = async () => {
    await before()
    const token = await app.tokenOf('sudoer@north.example')
    await app.tokenOf('sudoer@north.example', 'Control room')
    const [own, foreign] = await app.records.system(async (tx) => [await idsOf(tx, 'north'), await idsOf(tx, 'west')])
    return { token, own, foreign }
  }
  type Rows = Awaited<ReturnType<typeof create>>

  const walk = async (name: string, call: CallShape, positions: Position[], { token, own, foreign }: Rows) => {
    const ownId = (ref: string) => {
      const id = own[ref]
      if (!id) throw new Error(`${name}: the matrix has no id of '${ref}'; say where they live`)
      return id
    }
    const valid = validRequest(name, call, ownId)
    const refuse = async () => {
      const wrong: string[] = []
      const before = await printsOf(app.records, tables, foreign['customer'] ?? '')
      for (const position of positions) await refuseAt(position, wrong)
      const after = await printsOf(app.records, tables, foreign['customer'] ?? '')
      const changedOf = (whose: keyof Print) =>
        tables.filter((_, i) => after[i]?.[whose] !== before[i]?.[whose]).map((table) => table.name)
      return { wrong, changed: changedOf('own'), changedOfWest: changedOf('foreign') }
    }
    const refuseAt = async (position: Position, wrong: string[]) => {
      const ask = async (id: string) => {
        const schema = call[position.part]
        const made = (of: Json) => sample(of, '', ownId)
        const value = replaced(valid[position.part], position.path, id, schema ? jsonSchema(schema) : {}, made)
        const request = { ...valid, [position.part]: value }
        const answer = await app.ask(call, { token, ...request })
        return { status: answer.status, text: answer.text.replaceAll(id, '<id>') }
      }
      const where = `${name} ${position.part}.${position.path.join('.')}`
      const wrongKind =
        Object.entries(own).find(([ref]) => ref !== position.ref && ref !== 'customer')?.[1] ?? unknownId
      const unknown = await ask(unknownId)
      if (unknown.status !== 404) wrong.push(`${where}: an unknown id is answered ${unknown.status}`)
      for (const [what, id] of [
        ['another customer’s id', foreign[position.ref] ?? ''],
        ['an own id of another kind', wrongKind],
      ] as const) {
        const answer = await ask(id)
        if (answer.status !== unknown.status || answer.text !== unknown.text)
          wrong.push(
            `${where}: ${what} is told apart from an unknown one: ${answer.status} ${answer.text.slice(0, 120)}`,
          )
      }
      const malformed = await ask('not-an-id')
      if (malformed.status !== 400) wrong.push(`${where}: text that is no id is answered ${malformed.status}`)
    }
    const isCertain = ({ wrong, changed, changedOfWest }: Awaited<ReturnType<typeof refuse>>) =>
      wrong.length > 0 || changedOfWest.length > 0 || changed.length === 0
    let refused = await refuse()
    for (let again = 0; again < 2 && !isCertain(refused); again++) refused = await refuse()
    const changed = [...new Set([...refused.changed, ...refused.changedOfWest])]
    const wrong = [
      ...refused.wrong,
      ...(changed.length > 0 ? [`${name}: a refused request changed ${changed.join(', ')}`] : []),
    ]
    const accepted = await app.ask(call, { token, ...valid })
    if (accepted.status === 404 || accepted.status === 400 || accepted.status >= 500)
      wrong.push(
        `${name}: own ids are answered ${accepted.status} ${accepted.text.slice(0, 120)}, so the matrix proves nothing`,
      )
    return { wrong, isRefused: accepted.status >= 400 }
  }

  const all: string[] = []
  let rows = await create()
  for (const [name, call] of Object.entries(calls)) {
    const positions = idPositions(call)
    if (positions.length === 0 || call.may === 'public') continue
    let walked = await walk(name, call, positions, rows)
    if (walked.isRefused) {
      rows = await create()
      walked = await walk(name, call, positions, rows)
    }
    all.push(...walked.wrong)
  }
  return all
}
