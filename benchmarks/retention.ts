// node benchmarks/retention.ts [rows] [tables]: the job `retention` on a million old rows of each large table, on PostgreSQL: seconds, log, the longest
// transaction (its rows are locked as long), and the slowest of a row and an audit entry written meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../server/src/config.ts'
import { applyRetention } from '../server/src/operator/growth/retention.ts'
import { writeAudit } from '../server/src/platform/records/audit.ts'
import { newId } from '../server/src/platform/records/ids.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { startPostgres } from '../tools/postgres.ts'

const [rowCount, ...chosen] = process.argv.slice(2)
const rows = Number(rowCount ?? 1_000_000)
const nowMs = Date.now()
const old = `now() - interval '2000 days' + n * interval '1 second'`
const settings = readConfig({
  DATA_DIR: '/nowhere',
  DEMO: 'off',
  RETENTION_REGISTERS_DAYS: '400',
  RETENTION_EVENTS_DAYS: '400',
  RETENTION_AUDIT_DAYS: '365',
})

/** Filled in this order; `one` is a charger and an instance of a customer. */
const fills = {
  charger_register: `
    insert into charger_register select customer_id, charger_id, 1, ${old}, 'Sample.Periodic', n from one, n`,
  charger_message: `
    insert into charger_message (customer_id, charger_id, natural_key, message_id, generation, received_at, effective_at, answer)
    select customer_id, charger_id, 'start|' || n, n, 1, ${old}, ${old}, '{"idTagInfo":{"status":"Accepted"},"transactionId":1}' from one, n`,
  event: `
    insert into event (customer_id, event_id, instance_id, market, event_type, source, direction, started_at, ended_at, capacity_kw, capacity_source,
      is_final, late)
    select customer_id, md5(n::text)::uuid, instance_id, 'FCR-D-INC', 'fcr_based', 'telemetry', 'increased', ${old}, ${old}, 400, 'sold', true, false
    from one, n`,
  audit_entry: `
    insert into audit_entry (customer_id, entry_no, at, who, action, subject, before, after, result, previous_sha256, sha256)
    select customer_id, last + n, ${old}, 'operator', 'bid.change', 'Cold',
      '{"capacityMw": 1.5, "priceDkk": "120.00"}', '{"capacityMw": 2, "priceDkk": "118.00"}', 'ok', sha256(n::text::bytea), sha256((n + 1)::text::bytea)
    from one, (select max(entry_no) as last from audit_entry) a, n`,
  charger_transaction: `
    insert into charger_transaction (customer_id, transaction_id, charger_id, evse_no, mode, state, started_at, ended_at, consumption_wh)
    select customer_id, md5(n::text)::uuid, charger_id, 1, 'tag', 'ended', ${old}, ${old}, 1 from one, n`,
  charger_command: `
    insert into charger_command (customer_id, command_id, charger_id, evse_no, action, user_id, state, is_open, issued_at, expires_at)
    select customer_id, md5(n::text)::uuid, charger_id, 1, 'start', customer_id, 'accepted', false, ${old}, now() from one, n`,
}

const postgres = await startPostgres({ settings: ['fsync=on', 'autovacuum=on', 'shared_buffers=256MB'] })
if (!postgres) throw new Error('PostgreSQL is needed for this benchmark')
const records = await openRecords({ url: postgres.url })
const watching = new pg.Client({ connectionString: postgres.ownerUrl })

/** Writes a row and an audit entry each 50 ms; answers the slowest of each. */
const writeMeanwhile = (customerId: string, chargerId: string) => {
  const slowest = { rowMs: 0, auditMs: 0 }
  let isOver = false
  const timed = async (name: keyof typeof slowest, work: () => Promise<unknown>) => {
    const startedMs = performance.now()
    await work()
    slowest[name] = Math.max(slowest[name], Math.round(performance.now() - startedMs))
  }
  const writing = (async () => {
    while (!isOver) {
      await timed('rowMs', () =>
        records.system((tx) =>
          tx
            .insertInto('charger_register')
            .values({
              customer_id: customerId,
              charger_id: chargerId,
              evse_no: 1,
              at: new Date(),
              context: newId(),
              wh: '1',
            })
            .execute(),
        ),
      )
      await timed('auditMs', () =>
        records.system((tx) =>
          writeAudit(tx, customerId, Date.now(), { who: 'operator', action: 'export', subject: 'x' }),
        ),
      )
      await pause(50)
    }
  })()
  return async () => {
    isOver = true
    await writing
    return slowest
  }
}

/** Reports the transactions of `applyRetention`. */
const timedRecords = () => {
  const times: number[] = []
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    const done = await work
    times.push(performance.now() - startedMs)
    return done
  }
  const all: Records = {
    ...records,
    system: (work) => timed(records.system(work)),
    alone: (lock, work) => timed(records.alone(lock, work)),
  }
  return { all, times }
}

const walBytes = async () => {
  const { rows: found } = await watching.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0' as bytes`)
  return Number(found[0]?.bytes)
}

const round = (value: number) => Math.round(value * 10) / 10

try {
  await migrate(records)
  await provisionTwoCustomers(records)
  await watching.connect()
  await watching.query(`set session_replication_role = replica`)
  await watching.query(`
    create temporary table one as
      select customer_id, instance_id, gen_random_uuid() as charger_id from instance order by customer_id limit 1;
    create temporary table n as select n from generate_series(1, ${rows}) n;
    insert into charger (customer_id, charger_id, identity, licence_id, name, charger_type, connectors, max_kw, security_profile, position, password_hash)
      select customer_id, charger_id, 'B1', licence_id, 'Bench', 'AC', 1, 22, 1, 1, '' from one join licence using (customer_id) limit 1;`)
  const { rows: found } = await watching.query<{ customer_id: string; charger_id: string }>('select * from one')
  const [one] = found
  if (!one) throw new Error('unreachable: a customer has an instance')
  await records.system((tx) =>
    writeAudit(tx, one.customer_id, nowMs, { who: 'operator', action: 'export', subject: 'x' }),
  )
  for (const [table, fill] of Object.entries(fills)) {
    if (chosen.length > 0 && !chosen.includes(table)) continue
    await watching.query(fill)
    await watching.query(`vacuum analyze ${table}`)
    if (table === 'charger_transaction') continue
    const { all, times } = timedRecords()
    const [walBefore, startedMs] = [await walBytes(), performance.now()]
    const stop = writeMeanwhile(one.customer_id, one.charger_id)
    const removed = await applyRetention({ records: all }, settings, nowMs)
    const seconds = (performance.now() - startedMs) / 1000
    const slowest = await stop()
    const walMb = ((await walBytes()) - walBefore) / 1e6
    console.log(
      JSON.stringify({
        table,
        removed: removed[table as keyof typeof removed],
        seconds: round(seconds),
        walMb: Math.round(walMb),
        transactions: times.length,
        longestMs: Math.round(Math.max(...times)),
        slowest,
      }),
    )
  }
} finally {
  await watching.end()
  await records.close()
  await postgres.stop()
}
