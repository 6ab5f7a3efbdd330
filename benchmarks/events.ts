// A year of 100,000 activations filtered and paged over HTTP against the bare queries; and the cost of detection: 5,000 series at 1 Hz (2,500
// instances on FCR-D-INC with frequency and power) through one disturbance that activates all of them, against the same inserts without it.
import { setTimeout as pause } from 'node:timers/promises'
import { findEvents } from '@gridmast/contract/delivery/events.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { startEvents } from '../server/src/delivery/events/detection.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const events = 100_000
const yearMs = Date.parse('2025-11-22T00:00:00Z')

const paged = async (app: TestApp) => {
  await app.records.system((tx) =>
    sql`
    insert into event (customer_id, event_id, instance_id, market, event_type, source, direction, started_at, ended_at, delta_load, processed_delta_load, extreme_hz,
      consumption_kwh, capacity_kw, capacity_source, score, verdict, is_final, late)
    select i.customer_id, gen_random_uuid(), i.instance_id, 'FCR-D-INC', 'fcr_based', 'telemetry', case when n % 3 = 0 then 'decreased' else 'increased' end, s, s + (n % 1200) * interval '1 s',
      n % 101, n % 101, 49.8, n % 7, 420, 'registered', n % 100, 'delivered', true, false
    from generate_series(1, ${events}) n
    cross join lateral (select timestamptz '2025-11-22' + n * interval '315 s' as s) at
    join instance i on i.key = 'cold'
    join customer c on c.customer_id = i.customer_id and c.key = 'north'`.execute(tx),
  )
  await app.records.system((tx) => sql`analyze event`.execute(tx))
  const token = await app.tokenOf('sudoer@north.example')
  const query = {
    startDate: '2025-11-22',
    endDate: '2026-11-22',
    direction: 'increased',
    deltaLoad: '40',
    limit: '30',
    skip: '600',
  }
  const { customer_id } = await app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', 'north').executeTakeFirstOrThrow(),
  )
  const condition = sql`customer_id = ${customer_id} and started_at >= ${new Date(yearMs)} and started_at < ${new Date(yearMs + 367 * dayMs)} and direction = 'increased' and delta_load >= 40 and delta_load < 60`
  const bare = () =>
    app.records.system(async (tx) => {
      await sql`select * from event where ${condition} order by started_at desc limit 30 offset 600`.execute(tx)
      await sql`select count(*), min(duration_s), avg(duration_s), max(duration_s), sum(consumption_kwh) from event where ${condition}`.execute(
        tx,
      )
    })
  const asked = async () => {
    const { status, body } = await app.ask(findEvents, { token, query })
    if (status !== 200 || body.data.totalCount < 10_000) throw new Error(JSON.stringify(body))
  }
  const ms = { bare: [] as number[], http: [] as number[] }
  for (let i = 0; i < 60; i++) {
    ms.bare.push(await timed(bare))
    ms.http.push(await timed(asked))
  }
  return { bareP50Ms: median(ms.bare), httpP50Ms: median(ms.http), listRatio: median(ms.http) / median(ms.bare) }
}

const instances = 2500
const seconds = 240

const provision = (app: TestApp) =>
  app.records.system(async (tx) => {
    await sql`
      insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, kind, flexible_kw, bid_active, position, enabled)
      select customer_id, gen_random_uuid(), 'bench-' || n, 'Bench ' || n, licence_id, edge_id, '{FCR-D-INC}', kind, 420, true, 100 + n, true
      from instance i, generate_series(1, ${instances}) n where i.key = 'cold' and i.name like 'North%'`.execute(tx)
    await sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, k.kind, k.unit
      from instance i, (values ('frequency', 'Hz'), ('power', 'kW')) k (kind, unit) where i.key like 'bench-%'`.execute(
      tx,
    )
    const { rows } = await sql<{ frequency: number; power: number }>`
      select max(no) filter (where s.kind = 'frequency') as frequency, max(no) filter (where s.kind = 'power') as power
      from signal s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id where i.key like 'bench-%' group by i.instance_id`.execute(
      tx,
    )
    return rows
  })

/** 50 Hz, 49.7 Hz for a minute after the first, 50 Hz again; each instance delivers half. */
const insertAll = async (app: TestApp, nos: { frequency: number; power: number }[], fromMs: number) => {
  const cpu = process.cpuUsage()
  for (let second = 0; second < seconds; second++) {
    const isDip = second >= 60 && second < 120
    const at = { t0Ms: fromMs + second * 1000, dtMs: 1000 }
    await app.readings.insert(
      nos.flatMap(({ frequency, power }) => [
        { signalNo: frequency, ...at, values: [isDip ? 49.7 : 50] },
        { signalNo: power, ...at, values: [isDip ? 795 : 900] },
      ]),
    )
    await pause(0)
  }
  return cpu
}
const cpuMsSince = (before: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const detection = async (app: TestApp) => {
  const nos = await provision(app)
  const baseMs = Math.floor(Date.now() / 1000) * 1000 - 1_800_000
  const alone = cpuMsSince(await insertAll(app, nos, baseMs))
  const engine = await startEvents(app)
  await engine.settled()
  const cpu = await insertAll(app, nos, baseMs + seconds * 1000)
  const startedAt = performance.now()
  await engine.settled()
  const settledMs = performance.now() - startedAt
  const beside = cpuMsSince(cpu)
  const found = await app.records.system((tx) =>
    tx
      .selectFrom('event')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('started_at', '>=', new Date(baseMs + seconds * 1000))
      .where('ended_at', 'is not', null)
      .executeTakeFirstOrThrow(),
  )
  await engine.close()
  if (found.count !== instances) throw new Error(`${found.count} activations of ${instances}`)
  return { detectionShare: (beside - alone) / 1000 / seconds, insertShare: alone / 1000 / seconds, settledMs }
}

const app = await openTestApp()
const list = await paged(app)
console.log(JSON.stringify(list))
const share = await detection(app)
await app.close()
console.log(JSON.stringify({ ...list, ...share }))
