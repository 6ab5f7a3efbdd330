// Alerts on both real stores: 5,000 series at 1 Hz with 10,000 alerts, alternately with the engine and without it.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startAlerts } from '../server/src/delivery/alerts/triggers.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'

const series = 5000
const crossings = 50
const turns = 2
const secondsPerTurn = 10

export type AlertFigures = {
  /** CPU of the whole process as a share of one core, without the engine and with it. */
  shareWithout: number
  share: number
  insertP99WithoutMs: number
  insertP99Ms: number
  insertRatio: number
  /** From the arrival of a second of samples to the notification of its committed rows. */
  seenP50Ms: number
  seenMaxMs: number
  rows: number
  catchUpMs: number
}

/** 5,000 more instances with two alerts each: one that crosses now and then, and one on an hour's consumption. */
const fill = async (app: TestApp): Promise<number[]> =>
  app.byHand(async (tx) => {
    await sql`
      insert into instance select (jsonb_populate_record(i, jsonb_build_object(
        'instance_id', gen_random_uuid(), 'key', 'bench-' || n, 'position', 100 + n))).*
      from instance i, generate_series(1, ${sql.lit(series)}) n where i.name = 'North Cold'`.execute(tx)
    await sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, 'power', 'kW' from instance where key like 'bench-%'`.execute(
      tx,
    )
    await sql`
      insert into alert (customer_id, alert_id, instance_id, name, type, criteria, threshold, email, notification, interval_minutes, valid_from, created_at)
      select customer_id, gen_random_uuid(), instance_id, 'Bench', type, 'gt', 400, 'ops@north.example', true, 0, now(), now()
      from instance, unnest(array['power', 'consumption']) type where key like 'bench-%'`.execute(tx)
    const { rows } = await sql<{ no: number }>`
      select s.no from signal s join instance i using (customer_id, instance_id) where i.key like 'bench-%' order by s.no`.execute(
      tx,
    )
    return rows.map(({ no }) => no)
  })

const app = await openTestApp()
const signals = await fill(app)
const { customer_id: customerId } = await app.byHand((tx) =>
  tx.selectFrom('customer').select('customer_id').where('key', '=', 'north').executeTakeFirstOrThrow(),
)
const firstMs = Math.floor(Date.now() / 1000) * 1000
let arrivedAt = 0
const seen: number[] = []
app.live.subscribe(customerId, (event) => {
  if (event === 'alerts') seen.push(performance.now() - arrivedAt)
})

const second = async (n: number): Promise<number> => {
  // Distinct at any timer resolution: a repeated second would be checked against the store again.
  const t0Ms = firstMs + n * 1000
  const isOver = (i: number) => i % (series / crossings) === n % (series / crossings)
  const runs = signals.map((signalNo, i) => ({
    signalNo,
    t0Ms,
    dtMs: 1000,
    values: [isOver(i) ? 500 : 200 + (i % 90)],
  }))
  arrivedAt = performance.now()
  await app.readings.insert(runs)
  return performance.now() - arrivedAt
}

type Turn = { cpuMs: number; insertMs: number[] }
let n = 0
const turn = async (): Promise<Turn> => {
  const insertMs: number[] = []
  const cpu = process.cpuUsage()
  for (let i = 0; i < secondsPerTurn; i++) {
    insertMs.push(await second(n++))
    await pause(1000 - (Date.now() % 1000))
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, insertMs }
}

await turn()
const without: Turn[] = []
const withIt: Turn[] = []
let catchUpMs = 0
for (let i = 0; i < turns; i++) {
  without.push(await turn())
  const engine = await startAlerts(app)
  const startedAt = performance.now()
  await second(n++)
  await engine.settled()
  catchUpMs = Math.max(catchUpMs, performance.now() - startedAt)
  await pause(1000 - (Date.now() % 1000))
  seen.length = 0
  withIt.push(await turn())
  await engine.settled()
  await engine.close()
}

const shareOf = (all: Turn[]) => all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / (turns * secondsPerTurn * 1000)
const at = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0
const insertsOf = (all: Turn[]) => all.flatMap(({ insertMs }) => insertMs)
const [insertP99WithoutMs, insertP99Ms] = [at(insertsOf(without), 0.99), at(insertsOf(withIt), 0.99)]
const { count } = await app.byHand((tx) =>
  tx
    .selectFrom('alert_trigger')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow(),
)
const figures: AlertFigures = {
  shareWithout: shareOf(without),
  share: shareOf(withIt) - shareOf(without),
  insertP99WithoutMs,
  insertP99Ms,
  insertRatio: insertP99Ms / insertP99WithoutMs,
  seenP50Ms: at(seen, 0.5),
  seenMaxMs: Math.max(...seen),
  rows: count,
  catchUpMs,
}
await app.close()
console.log(JSON.stringify(figures))
process.exit(0)
