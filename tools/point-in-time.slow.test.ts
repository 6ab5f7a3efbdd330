import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { writeAudit } from '../server/src/platform/records/audit.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords } from '../server/src/platform/records/records.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { freePort } from '../server/src/testing/whole-server.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const root = mkdtempSync(join(tmpdir(), 'gridmast-pitr-'))
const dataDir = join(root, 'data')
let postgres: Postgres | null = null
let folder = ''
afterAll(async () => {
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const query = async <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const environment = (url: string) => ({
  ...process.env,
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  DEMO: 'off',
  LOG_LEVEL: 'silent',
})

const tool = (file: string, args: string[], url: string) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, file), ...args], { env: environment(url) })

const change = async (url: string, subject: string) => {
  const records = await openRecords({ url })
  await records.system(async (tx) => {
    const customers = await tx.selectFrom('customer').select('customer_id').execute()
    for (const { customer_id } of customers)
      await writeAudit(tx, customer_id, Date.now(), { who: 'x', action: 'export', subject, result: 'ok' })
  })
  await records.close()
}

const serve = async (url: string) => {
  const [PORT, MQTT_PORT, METRICS_PORT] = [await freePort(), await freePort(), await freePort()].map(String)
  const away = 'http://127.0.0.1:9' // no requests leave this machine
  const sources = { EDS_URL: away, ENTSOE_URL: away, FX_URL: away, VIPPS_URL: away }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/src/main.ts')], {
    env: { ...environment(url), ...sources, HOST: '127.0.0.1', PORT, MQTT_PORT, METRICS_PORT },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('the server ended before it was ready'))),
  ])
  return {
    ready: async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/ready`)).status,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

test('C4 PostgreSQL is restored to the second before an accident: the server starts on it, audit trails are whole, newer samples get no other signal', async () => {
  folder = mkdtempSync(join(tmpdir(), 'gridmast-postgres-'))
  // As documented, in a place that the user of PostgreSQL can read.
  const [wal, script] = [join(folder, 'wal'), join(folder, 'archive-wal.sh')]
  const settings = ['archive_mode=on', `archive_command=sh ${script} %p %f ${wal}`]
  copyFileSync(join(import.meta.dirname, 'archive-wal.sh'), script)
  chmodSync(script, 0o755)
  const first = await startPostgres({ folder, settings, keep: true })
  if (!first) throw new Error('PostgreSQL is needed for this test')
  postgres = first
  expect(first.run('mkdir', [wal])).toBe(0)
  const records = await openRecords({ url: first.url })
  await migrate(records)
  await provisionTwoCustomers(records)
  await records.close()
  await change(first.url, 'before the base backup')

  const base = join(folder, 'base')
  expect(
    first.run('pg_basebackup', ['-D', base, '-c', 'fast', '-d', first.ownerUrl.replace('/gridmast', '/postgres')]),
  ).toBe(0)

  await change(first.url, 'after the base backup')
  const [counted] = await query<{ users: number; entries: number; at: string }>(
    first.ownerUrl,
    `select (select count(*)::int from app_user) as users, (select count(*)::int from audit_entry) as entries,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at`,
  )
  if (!counted) throw new Error('not counted')
  await pause(1100)
  await query(first.ownerUrl, "delete from user_session; delete from app_user where email like 'expert@%'")
  const [late] = await query<{ no: number }>(
    first.ownerUrl,
    `select nextval(pg_get_serial_sequence('signal', 'no'))::int + 50 as no`,
  )
  const lateNo = late?.no ?? 0
  const readings = await openReadings({ dataDir: join(dataDir, 'readings'), rollupRoundMs: 0 })
  await readings.insert([{ signalNo: lateNo, t0Ms: Date.now() - 60_000, dtMs: 1000, values: [1, 2, 3] }])
  await readings.close()
  const [switched] = await query<{ name: string }>(first.ownerUrl, 'select pg_walfile_name(pg_switch_wal()) as name')
  await expect
    .poll(
      async () =>
        (
          await query(
            first.ownerUrl,
            `select 1 from pg_stat_archiver where failed_count = 0 and last_archived_wal >= '${switched?.name}'`,
          )
        ).length,
    )
    .toBe(1)
  await first.stop()

  expect(first.run('touch', [join(base, 'recovery.signal')])).toBe(0)
  const second = await startPostgres({
    folder,
    data: base,
    keep: true,
    settings: [
      `restore_command=cp ${wal}/%f %p`,
      `recovery_target_time=${counted.at}`,
      'recovery_target_action=promote',
    ],
  })
  if (!second) throw new Error('not started')
  postgres = second
  await expect.poll(async () => (await query(second.ownerUrl, 'select 1 where not pg_is_in_recovery()')).length).toBe(1)
  const [found] = await query(
    second.ownerUrl,
    'select (select count(*)::int from app_user) as users, (select count(*)::int from audit_entry) as entries',
  )
  expect(found).toEqual({ users: counted.users, entries: counted.entries })

  await expect(tool('restored.ts', ['tomorrow'], second.url)).rejects.toMatchObject({
    stderr: 'tomorrow is no time in the past: 2026-11-27T01:59:59+00:00\n',
  })
  const finished = await tool('restored.ts', [counted.at], second.url)
  expect(finished.stdout).toContain('queued messages are not sent, all users sign in again')
  const [next] = await query<{ no: number }>(
    second.ownerUrl,
    `select nextval(pg_get_serial_sequence('signal', 'no'))::int as no`,
  )
  expect(next?.no).toBe(lateNo + 1)
  const server = await serve(second.url)
  expect(await server.ready()).toBe(200)
  await server.stop()
  const verified = await tool('operator.ts', ['audit-verify'], second.url)
  expect(verified.stdout).toMatch(/^north: whole, \d+ entries.*\nwest: whole, \d+ entries/)
})
