// A list of 10,000 charging sessions over HTTP with count and total kWh, against its bare queries; the first page and the last.
import { findChargerTransactions } from '@gridmast/contract/charging/sessions.ts'
import { sql } from 'kysely'
import { addChargers, addTags } from '../server/src/charging/ledger/charger.fixture.ts'
import { idOf } from '../server/src/platform/records/ids.ts'
import { openTestApp } from '../server/src/testing/app.ts'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const sessions = 10_000
const app = await openTestApp()
await addChargers(app.records, [{ identity: 'bench' }])
await addTags(app.records, [{ tag: 'ANNA' }])
const customerId = idOf('customer', 'north')
const fill = sql`
  insert into charger_transaction (customer_id, transaction_id, charger_id, evse_no, tag, tag_id, mode, state, started_at, ended_at, consumption_wh)
  select t.customer_id, gen_random_uuid(), c.charger_id, 1, t.tag, t.tag_id, 'tag', 'ended', timestamptz '2026-01-01' + n * interval '40 minutes',
    timestamptz '2026-01-01' + n * interval '40 minutes' + interval '30 minutes', 5000 + n
  from charger_tag t join charger c on c.customer_id = t.customer_id cross join generate_series(1, ${sessions}) n where t.customer_id = ${customerId}`
await app.byHand((tx) => fill.execute(tx))
await app.records.script('analyze')
const token = await app.tokenOf('sudoer@north.example')

const bare = (skip: number) => () =>
  app.records.system(async (tx) => {
    await sql`select count(*), sum(consumption_wh) from charger_transaction where customer_id = ${customerId}`.execute(
      tx,
    )
    await sql`
      select s.*, c.name, t.name as tag_name, k.* from charger_transaction s
      join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
      left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
      where s.customer_id = ${customerId} order by s.started_at desc, s.transaction_id desc limit 15 offset ${skip}`.execute(
      tx,
    )
  })
const asked = (skip: number) => async () => {
  const { status, body } = await app.ask(findChargerTransactions, { token, query: { skip: String(skip) } })
  if (status !== 200 || body.data.totalCount !== sessions || body.data.transactions.length === 0)
    throw new Error(JSON.stringify(body).slice(0, 300))
}
const last = sessions - (sessions % 15 || 15)
const ms = { bare: [] as number[], http: [] as number[], bareLast: [] as number[], httpLast: [] as number[] }
for (let round = -20; round < 60; round++) {
  const each = [await timed(bare(0)), await timed(asked(0)), await timed(bare(last)), await timed(asked(last))] as const
  if (round < 0) continue
  for (const [i, list] of [ms.bare, ms.http, ms.bareLast, ms.httpLast].entries()) list.push(each[i] ?? Number.NaN)
}
await app.close()
console.log(
  JSON.stringify({
    sessions,
    p50Ms: median(ms.http),
    bareP50Ms: median(ms.bare),
    ratio: median(ms.http) / median(ms.bare),
    lastP50Ms: median(ms.httpLast),
    lastRatio: median(ms.httpLast) / median(ms.bareLast),
  }),
)
process.exit(0)
