// Rows of a fleet for the growth curves, and the costs of a server process.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { addSession } from '../server/src/access/sessions.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import type { Records } from '../server/src/platform/records/records.ts'
import { hashMachineSecret } from '../server/src/platform/security/token.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { threadCpuMs, usageOf } from './ocpp-server.ts'

export const signalsPerEdge = 5

/** Edges `edge-1` to `edge-<count>` of one customer, each with the instance `instance-<number>` and its five signals; their key is 'key'. */
export const addEdges = async (records: Records, count: number): Promise<void> => {
  await migrate(records)
  await provisionTwoCustomers(records)
  await records.system(async (tx) => {
    // The plans of foreign keys are of the time when the tables had two rows: with them 25,000 signals take minutes.
    const planAgain = () => sql`discard plans`.execute(tx)
    await sql`
      insert into edge (customer_id, edge_id, key, name, password_hash)
      select customer_id, gen_random_uuid(), 'edge-' || n, 'Bench', ${hashMachineSecret('key')}
      from customer cross join generate_series(1, ${count}) n where key = 'north'`.execute(tx)
    await planAgain()
    await sql`
      insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, area, kind, flexible_kw, enabled, bid_active, position)
      select i.customer_id, gen_random_uuid(), 'instance-' || substr(e.key, 6), 'Bench', i.licence_id, e.edge_id, i.markets, i.area, i.kind, i.flexible_kw, true, true, 100
      from edge e join customer c on c.customer_id = e.customer_id and c.key = 'north'
      join instance i on i.customer_id = c.customer_id and i.key = 'cold' where e.key like 'edge-%'`.execute(tx)
    await planAgain()
    await sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, signals.kind, signals.unit from instance
      cross join (values ('frequency', 'Hz'), ('power', 'kW'), ('setPoint', '%'), ('capacityUp', 'kW'), ('capacityDown', 'kW')) signals (kind, unit)
      where key like 'instance-%'`.execute(tx)
  })
}

/** Copies of the customer's sudoer, each with a session; answers the tokens. */
export const addUsers = (records: Records, customer: string, count: number): Promise<string[]> =>
  records.system(async (tx) => {
    await sql`
      insert into app_user select (jsonb_populate_record(u, jsonb_build_object('user_id', gen_random_uuid(), 'email', concat('bench-', n, '-', u.email)))).*
      from app_user u join customer c on c.customer_id = u.customer_id cross join generate_series(1, ${count}) n
      where c.key = ${customer} and u.role = 'sudoer'`.execute(tx)
    const users = await tx
      .selectFrom('app_user')
      .select(['customer_id as customerId', 'user_id as userId'])
      .where('email', 'like', 'bench-%')
      .execute()
    const session = { remembered: false, nowMs: Date.now(), userAgent: undefined, address: '::1' }
    const tokens: string[] = []
    for (const user of users) tokens.push(await addSession(tx, { ...user, ...session }))
    return tokens
  })

export type Window = { cpuMs: number; mainMs: number; recordsMs: number; rssMb: number }

/** CPU a second of the process, of its main thread and of its records thread within the window, and its memory at the end. */
export const watch = async (pid: number, seconds: number): Promise<Window> => {
  const now = () => ({
    cpuMs: usageOf(pid).cpuMs,
    mainMs: threadCpuMs(pid, 'MainThread'),
    recordsMs: threadCpuMs(pid, 'WorkerThread'),
  })
  const [before, startedAt] = [now(), performance.now()]
  await pause(seconds * 1000)
  const [after, spentS] = [now(), (performance.now() - startedAt) / 1000]
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / spentS,
    mainMs: (after.mainMs - before.mainMs) / spentS,
    recordsMs: (after.recordsMs - before.recordsMs) / spentS,
    rssMb: usageOf(pid).rssKb / 1024,
  }
}

/** Settings `SIZES=1,10,100` or the default. */
export const sizesOf = (usual: readonly number[]): number[] =>
  process.env['SIZES'] ? process.env['SIZES'].split(',').map(Number) : [...usual]
