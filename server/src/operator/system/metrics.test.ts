import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { metricList } from '#platform/process/metric-list.ts'
import { queueItems } from '#platform/messaging/outbox.ts'
import { openTestApp } from '#testing/app.ts'
import { openProcessMetrics } from './metrics.ts'

const app = await openTestApp()
await app.records.system(async (tx) => {
  await queueItems(tx, [
    { customerId: null, kind: 'mail', payload: {} },
    { customerId: null, kind: 'mail', payload: {}, nowMs: Date.now(), dueMs: Date.now() + 3_600_000 },
  ])
  await sql`update outbox set next_attempt_at = now() - interval '90 s' where next_attempt_at <= now()`.execute(tx)
  await sql`
    insert into settlement_due (customer_id, instance_id, day, marked_at)
    select customer_id, instance_id, '2026-10-01', now() - interval '2 hours' from instance limit 1`.execute(tx)
  await sql`insert into job (name, succeeded_at) values ('settlements', to_timestamp(1795000000))
    on conflict (name) do update set succeeded_at = excluded.succeeded_at`.execute(tx)
})
openProcessMetrics(app)
afterAll(() => app.close())

const valueOf = async (metric: string) => {
  const line = (await app.metrics.text()).split('\n').find((one) => one.startsWith(`${metric} `))
  return line === undefined ? null : Number(line.slice(metric.length + 1))
}

test('names have a unit or count things, and counters end in _total', () => {
  for (const [name, { type }] of Object.entries(metricList)) {
    expect(name).toMatch(/^gridmast_[a-z0-9]+(_[a-z0-9]+)*$/)
    expect(name).not.toMatch(/_(ms|minutes|kb|mb)\b/)
    expect(name.endsWith('_total')).toBe(type === 'counter')
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
})

test('the page of metrics lists each with its type, labels and meaning', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/metrics.md'), 'utf8')
  const rows = Object.entries(metricList).map(
    ([name, { type, labels, help }]) =>
      `| \`${name}\` | ${type} | ${labels.map((one) => `\`${one}\``).join(', ')} | ${help} |`,
  )
  expect(page.split('\n').filter((line) => line.startsWith('| `gridmast_'))).toEqual(rows)
})

test('build, parts, disk and connections of the process', async () => {
  const text = await app.metrics.text()
  expect(text).toMatch(/^gridmast_build_info\{version="[\d.]+",node="24\.[\d.]+",roles="web,ingest,ocpp,jobs"\} 1$/m)
  expect(await valueOf('gridmast_part_ready{part="records"}')).toBe(1)
  const free = await valueOf('gridmast_disk_free_bytes')
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThan((await valueOf('gridmast_disk_size_bytes')) ?? 0)
  const [used, idle] = [
    await valueOf('gridmast_records_connections{state="used"}'),
    await valueOf('gridmast_records_connections{state="idle"}'),
  ]
  const open = (used ?? 0) + (idle ?? 0)
  if (app.records.embedded) expect(open).toBe(1)
  else expect(open).toBeGreaterThan(0)
  // not the queries of the scrape itself
  expect(await valueOf('gridmast_records_connections{state="waiting"}')).toBe(0)
  app.parts['mqtt'] = () => Promise.reject(new Error('not connected'))
  expect(await valueOf('gridmast_part_ready{part="mqtt"}')).toBe(0)
  delete app.parts['mqtt']
})

test('mails, days to settle and jobs of all processes', async () => {
  expect(await valueOf('gridmast_outbox_items{kind="mail",state="due"}')).toBe(1)
  expect(await valueOf('gridmast_outbox_items{kind="mail",state="later"}')).toBe(1)
  expect(await valueOf('gridmast_outbox_oldest_due_seconds{kind="mail"}')).toBeGreaterThanOrEqual(90)
  expect(await valueOf('gridmast_marks{table="settlement_due"}')).toBe(1)
  expect(await valueOf('gridmast_marks_oldest_seconds{table="settlement_due"}')).toBeGreaterThanOrEqual(7200)
  expect(await valueOf('gridmast_job_last_success_timestamp_seconds{name="settlements"}')).toBe(1_795_000_000)
})
