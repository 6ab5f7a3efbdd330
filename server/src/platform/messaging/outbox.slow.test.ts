import { cp, mkdtemp, rm } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { migrate } from '#platform/records/migrate.ts'
import { type Kind, openOutbox } from './outbox.ts'
import { openRecords } from '#platform/records/records.ts'

const log = pino({ level: 'silent' })

test('mails and deliveries of an earlier version are migrated unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-earlier-'))
  const all = globSync(join(import.meta.dirname, '../../../migrations/*.sql')).toSorted()
  for (const file of all.filter((path) => basename(path) < '0013')) await cp(file, join(folder, basename(file)))
  const earlier = await openRecords({})
  await migrate(earlier, folder)
  const [customerId, webhookId] = [newId(), newId()]
  const at = (hour: number) => `2026-11-20 ${String(hour).padStart(2, '0')}:00:00+00`
  const ids = Array.from({ length: 6 }, (_, n) => newId(Date.UTC(2026, 10, 20) + n))
  await earlier.script(`
    insert into customer (customer_id, key, name) values ('${customerId}', 'north', 'North');
    insert into webhook values ('${customerId}', '${webhookId}', 'Hook', 'https://x.example', '', '{alert}', true, now());
    insert into mail_outbox (customer_id, mail_id, recipient, subject, body, created_at, attempts, next_attempt_at, sent_at, last_error) values
      (null, '${ids[0]}', 'a@x.example', 'Waits', 'Code 1234', '${at(1)}', 2, '${at(2)}', null, 'down'),
      ('${customerId}', '${ids[1]}', 'b@x.example', 'Sent', '', '${at(1)}', 0, '${at(1)}', '${at(3)}', null);
    insert into webhook_delivery (customer_id, delivery_id, webhook_id, event, test, payload, created_at, attempts, next_attempt_at, delivered_at, last_status, last_error) values
      ('${customerId}', '${ids[2]}', '${webhookId}', 'alert', false, '{"id": 1, "type": "alert", "test": false}', '${at(4)}', 1, '${at(5)}', null, 500, 'Answered 500'),
      ('${customerId}', '${ids[3]}', '${webhookId}', 'alert', true, '{"id": 2, "type": "alert", "test": true}', '${at(4)}', 1, null, '${at(5)}', 200, null),
      ('${customerId}', '${ids[4]}', '${webhookId}', 'alert', false, '{"id": 3, "type": "alert", "test": false}', '${at(4)}', 8, null, null, null, 'ECONNREFUSED');`)
  const read = (query: string) => earlier.owner((db) => sql.raw(query).execute(db)).then((answer) => answer.rows)
  const mails = `select customer_id, mail_id, recipient, subject, body, created_at, attempts, case when sent_at is null then next_attempt_at end as next,
    sent_at, last_error from mail_outbox order by mail_id`
  const deliveries = `select customer_id, delivery_id, webhook_id, event, test, payload, created_at, attempts, next_attempt_at, delivered_at,
    last_status, last_error from webhook_delivery order by delivery_id`
  const before = [await read(mails), await read(deliveries)]
  expect(before.map((list) => list.length)).toEqual([2, 3])
  expect(await migrate(earlier)).toContain('0013_outbox.sql')
  expect([await read(mails), await read(deliveries)]).toEqual(before)
  const clock = { now: () => Date.UTC(2026, 10, 21) }
  const sent: unknown[] = []
  const noted: Kind = {
    deliver: async ({ payload }) => (sent.push(payload), { error: null }),
    waitMs: () => 1000,
    atOnce: 5,
  }
  const outbox = openOutbox({ records: earlier, clock, log, kinds: { mail: noted, webhook: noted } })
  expect(await outbox.drain()).toBe(2)
  expect(sent).toEqual([
    { to: 'a@x.example', subject: 'Waits', text: 'Code 1234' },
    { id: 1, type: 'alert', test: false },
  ])
  await earlier.close()
  await rm(folder, { recursive: true })
})
