// Both engines with the ingest on both real stores: 5,000 series at 1 Hz (2,500 instances with frequency and power) from 50 edges, 10,000
// alerts and activation detection on all, alternately with the engines and without them. Measured is the commit of an edge's second, which its
// acknowledgement waits for.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startAlerts } from '../server/src/delivery/alerts/triggers.ts'
import { startEvents } from '../server/src/delivery/events/detection.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'

const edges = 50
const instances = 2500
const turns = 3
const secondsPerTurn = 8
/** One instance in a hundred crosses a threshold and is activated each second. */
const oneIn = 100

export type EngineFigures = {
  ackP99WithoutMs: number
  ackP99Ms: number
  ackRatio: number
  ackP50WithoutMs: number
  ackP50Ms: number
  shareWithout: number
  share: number
  triggered: number
  activations: number
}

type Nos = { frequency: number; power: number }

const fill = (app: TestApp): Promise<Nos[]> =>
  app.byHand(async (tx) => {
    await sql`
      insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, kind, flexible_kw, bid_active, position, enabled)
      select customer_id, gen_random_uuid(), 'bench-' || n, 'Bench ' || n, licence_id, edge_id, '{FCR-D-INC}', kind, 420, true, 100 + n, true
      from instance i, generate_series(1, ${sql.lit(instances)}) n where i.key = 'cold' and i.name like 'North%'`.execute(
      tx,
    )
    await sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, k.kind, k.unit
      from instance i, (values ('frequency', 'Hz'), ('power', 'kW')) k (kind, unit) where i.key like 'bench-%'`.execute(
      tx,
    )
    await sql`
      insert into alert (customer_id, alert_id, instance_id, name, type, criteria, threshold, email, notification, interval_minutes, valid_from, created_at)
      select customer_id, gen_random_uuid(), instance_id, 'Bench', rule.type, rule.criteria, rule.threshold, 'ops@north.example', true, 0, now(), now()
      from instance, (values ('power', 'gt', 1000), ('power', 'lt', 100), ('consumption', 'gt', 2000), ('consumption', 'lt', 1)) rule (type, criteria, threshold)
      where key like 'bench-%'`.execute(tx)
    const { rows } = await sql<Nos>`
      select max(no) filter (where s.kind = 'frequency') as frequency, max(no) filter (where s.kind = 'power') as power
      from signal s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
      where i.key like 'bench-%' group by i.instance_id order by 1`.execute(tx)
    return rows
  })

const app = await openTestApp()
const nos = await fill(app)
const firstMs = Math.floor(Date.now() / 1000) * 1000

/** One second of every series, each edge at its own time. Answers the wait of each edge. */
const second = async (n: number): Promise<number[]> => {
  const at = { t0Ms: firstMs + n * 1000, dtMs: 1000 }
  return Promise.all(
    Array.from({ length: edges }, async (_, edge) => {
      await pause((edge * 700) / edges)
      const runs = nos.flatMap(({ frequency, power }, i) => {
        if (i % edges !== edge) return []
        const isCalled = i % oneIn === n % oneIn
        return [
          { signalNo: frequency, ...at, values: [isCalled ? 49.7 : 50] },
          { signalNo: power, ...at, values: [isCalled ? 1100 : 900 + (i % 90)] },
        ]
      })
      const startedAt = performance.now()
      await app.readings.insert(runs)
      return performance.now() - startedAt
    }),
  ).then((all) => all.flat())
}

type Turn = { cpuMs: number; ackMs: number[] }
let n = 0
const turn = async (): Promise<Turn> => {
  const ackMs: number[] = []
  const cpu = process.cpuUsage()
  for (let i = 0; i < secondsPerTurn; i++) {
    const startedAt = performance.now()
    ackMs.push(...(await second(n++)))
    await pause(Math.max(0, 1000 - (performance.now() - startedAt)))
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, ackMs }
}

await turn()
const without: Turn[] = []
const withIt: Turn[] = []
for (let i = 0; i < turns; i++) {
  without.push(await turn())
  const engines = [await startAlerts(app), await startEvents(app)]
  for (const engine of engines) await engine.settled()
  withIt.push(await turn())
  for (const engine of engines) await engine.settled()
  for (const engine of engines) await engine.close()
}

const at = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0
const shareOf = (all: Turn[]) => all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / (turns * secondsPerTurn * 1000)
const acksOf = (all: Turn[]) => all.flatMap(({ ackMs }) => ackMs)
const [ackP99WithoutMs, ackP99Ms] = [at(acksOf(without), 0.99), at(acksOf(withIt), 0.99)]
const countOf = async (table: 'alert_trigger' | 'event') => {
  const found = await app.byHand((tx) =>
    tx
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  )
  return found.count
}
const figures: EngineFigures = {
  ackP99WithoutMs,
  ackP99Ms,
  ackRatio: ackP99Ms / ackP99WithoutMs,
  ackP50WithoutMs: at(acksOf(without), 0.5),
  ackP50Ms: at(acksOf(withIt), 0.5),
  shareWithout: shareOf(without),
  share: shareOf(withIt) - shareOf(without),
  triggered: await countOf('alert_trigger'),
  activations: await countOf('event'),
}
await app.close()
console.log(JSON.stringify(figures))
process.exit(0)
