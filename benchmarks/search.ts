// A search over a million settlements, 10,000 chargers, 20,000 tags, 200,000 sessions, 10,000 alerts, 10,000 bid requests and 10,000 notes of one customer,
// with Danish names, through HTTP, in four forms: a part of a name, a text that no row has, a day with an instance, and an id; peer: a bare scan of the names of
// the chargers. STORE=postgres for a server, otherwise the embedded store; ROWS is the number of settlements. PLANS prints the plans.
import { search } from '@gridmast/contract/search.ts'
import { type KyselyPlugin, sql } from 'kysely'
import { addChargers } from '../server/src/charging/ledger/charger.fixture.ts'
import { idOf } from '../server/src/platform/records/ids.ts'
import { kinds } from '../server/src/search/kinds.ts'
import { termsOf } from '../server/src/search/terms.ts'
import { openTestApp } from '../server/src/testing/app.ts'
import { startPostgres } from '../tools/postgres.ts'

const settlements = Number(process.env['ROWS'] ?? 1_000_000)
const [instances, products] = [840, ['FCR-D-INC', 'FCR-D-DEC']]
const days = Math.ceil(settlements / instances / products.length)

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const postgres = process.env['STORE'] === 'postgres' ? await startPostgres() : null
if (postgres) process.env['TEST_DATABASE_URL'] = postgres.url
const app = await openTestApp()
await addChargers(app.records, [{ identity: 'bench' }])
const customerId = idOf('customer', 'north')
const own = sql`customer_id = ${customerId}`
const fill = [
  sql`insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, area, kind, flexible_kw, enabled, bid_active, position)
    select customer_id, gen_random_uuid(), 'bench-' || n, 'Kølehus Øst ' || n, licence_id, edge_id, markets, area, kind, flexible_kw, true, true, 100 + n
    from instance cross join generate_series(1, ${instances}) n where ${own} and key = 'cold'`,
  sql`insert into charger (customer_id, charger_id, identity, name, serial_number, licence_id, charger_type, connectors, max_kw, security_profile, password_hash, position)
    select customer_id, gen_random_uuid(), 'DK*GRM*E' || n, 'P-hus Ørstedsvej, dæk ' || n % 7 || ', bås ' || n, md5(n::text), licence_id, 'AC', 2, 22, 1, '', n
    from charger cross join generate_series(1, 10000) n where ${own}`,
  sql`insert into charger_tag (customer_id, tag_id, tag, name, active, created_at)
    select ${customerId}, gen_random_uuid(), upper(substr(md5(n::text), 1, 14)), 'Åse Kjærgård ' || n, true, now() from generate_series(1, 20000) n`,
  ...[1, 5, 9, 13, 17].map(
    (first) =>
      sql`insert into charger_transaction (customer_id, transaction_id, charger_id, evse_no, tag, tag_id, mode, state, started_at, ended_at, consumption_wh)
    select c.customer_id, gen_random_uuid(), c.charger_id, 1, t.tag, t.tag_id, 'tag', 'ended', now() - n * interval '10 hours', now() - n * interval '10 hours', 5000
    from (select *, row_number() over (order by identity) no from charger where ${own}) c
    join (select *, row_number() over (order by tag) no from charger_tag where ${own}) t on t.no = c.no cross join generate_series(${first}::int, ${first + 3}::int) n`,
  ),
  sql`insert into alert (customer_id, alert_id, instance_id, name, type, criteria, threshold, notification, email, interval_minutes, valid_from, created_at)
    select customer_id, gen_random_uuid(), instance_id, 'Power ' || n, 'power', 'gt', 1, false, 'a@north.example', 5, now(), now()
    from instance cross join generate_series(1, 12) n where ${own} and key like 'bench-%'`,
  sql`insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding, capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
    select customer_id, gen_random_uuid(), licence_id, instance_id, 'FCR-D-INC', date '2026-11-20' - n, date '2026-11-20' - n, false, '{}', '{}', '[]', '', 'placed', now() - n * interval '1 day', now()
    from instance cross join generate_series(1, 12) n where ${own} and key like 'bench-%'`,
  sql`insert into note (customer_id, note_id, from_at, to_at, text, author_id, created_at, changed_at)
    select u.customer_id, gen_random_uuid(), now() - n * interval '1 hour', now() - n * interval '1 hour', 'Afrimning på køl ' || n, u.user_id, now(), now()
    from (select * from app_user where ${own} limit 1) u cross join generate_series(1, 10000) n`,
]
for (const statement of fill) await app.byHand((tx) => statement.execute(tx))
for (let first = 0; first < days; first += 10)
  await app.byHand((tx) =>
    sql`insert into settlement (customer_id, instance_id, day, product, market, version, made_at, is_closed, is_result_fetched, won_mw, gross_eur, inputs, inputs_sha256)
      select customer_id, instance_id, date '2026-11-26' - n, product, product, 1, now(), true, true, 1, 1,
        '{"bids": [], "energy": [], "availability": null, "contract": null}', ''
      from instance cross join unnest(${products}::text[]) product cross join generate_series(${first}::int, ${Math.min(days, first + 10) - 1}::int) n
      where ${own} and key like 'bench-%'`.execute(tx),
  )
await app.records.script('vacuum analyze')
const token = await app.tokenOf('sudoer@north.example')
const { transaction_id: session } = await app.records.system((tx) =>
  tx.selectFrom('charger_transaction').select('transaction_id').limit(1).executeTakeFirstOrThrow(),
)

const explain = async (q: string) => {
  const printing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      console.error(result.rows.map((row) => Object.values(row)[0]).join('\n'))
      return { ...result, rows: [] }
    },
  }
  await app.records.tenant(customerId, async (tx) => {
    for (const { find } of kinds) {
      const explained = tx.withPlugin({
        transformQuery: ({ node }) =>
          node.kind === 'RawNode'
            ? {
                ...node,
                sqlFragments: [`explain (analyze, buffers off) ${node.sqlFragments[0]}`, ...node.sqlFragments.slice(1)],
              }
            : node,
        transformResult: async ({ result }) => result,
      })
      await find(explained.withPlugin(printing), customerId, termsOf(q))
    }
  })
}

const searches = {
  name: 'ØRSTEDSVEJ BÅS 77',
  nothing: 'findes ikke på øen',
  day: '20.11.2026 kølehus øst 12',
  id: session.slice(0, 8),
}
if (process.env['PLANS']) for (const q of Object.values(searches)) await explain(q)

const asked = (q: string) => async () => {
  const { status, body } = await app.ask(search, { token, query: { q } })
  if (status !== 200 || (body.data.found.length === 0) !== (q === searches.nothing))
    throw new Error(JSON.stringify(body))
}
const bare = () =>
  app.records.system((tx) =>
    sql`select charger_id from charger where ${own} and name ilike '%findes ikke på øen%'`.execute(tx),
  )
const ms: Record<string, number[]> = { bare: [] }
for (let round = -10; round < 40; round++)
  for (const [name, work] of [
    ['bare', bare] as const,
    ...Object.entries(searches).map(([n, q]) => [n, asked(q)] as const),
  ]) {
    const tookMs = await timed(work)
    if (round >= 0) (ms[name] ??= []).push(tookMs)
  }
await app.close()
await postgres?.stop()
const medians = Object.fromEntries(Object.entries(ms).map(([name, list]) => [`${name}Ms`, median(list)]))
const slowestMs = Math.max(...Object.keys(searches).map((name) => medians[`${name}Ms`] ?? Number.NaN))
console.log(
  JSON.stringify({
    settlements: days * instances * products.length,
    ...medians,
    slowestMs,
    ratio: slowestMs / (medians['bareMs'] ?? Number.NaN),
  }),
)
process.exit(0)
