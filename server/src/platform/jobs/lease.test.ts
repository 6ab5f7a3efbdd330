import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import { openLease } from './lease.ts'

const log = pino({ level: 'silent' })
const records = await openTestRecords()
afterAll(() => records.close())

const openCounting = (name: string, staleMs = 60_000) => {
  const counts = { gained: 0, lost: 0 }
  const lease = openLease({
    records,
    log,
    name,
    renewMs: 20,
    staleMs,
    onGained: () => counts.gained++,
    onLost: () => counts.lost++,
  })
  return { ...lease, counts }
}

/** As if the holder had not renewed it for an hour. */
const age = (name: string) =>
  records.system((tx) => sql`update lease set renewed_at = now() - interval '1 hour' where name = ${name}`.execute(tx))

test('one of two processes holds it, and the other after the first has closed', async () => {
  const first = openCounting('a')
  await expect.poll(first.isHeld).toBe(true)
  const second = openCounting('a')
  const third = openCounting('other')
  await expect.poll(third.isHeld).toBe(true)
  expect(second.isHeld()).toBe(false)
  await first.close()
  await expect.poll(second.isHeld).toBe(true)
  expect(first.counts).toEqual({ gained: 1, lost: 0 })
  expect(second.counts).toEqual({ gained: 1, lost: 0 })
  await second.close()
  await third.close()
})

test('a holder whose renewals stopped is followed, and stops its work when it returns', async () => {
  const paused = openCounting('b')
  await expect.poll(paused.isHeld).toBe(true)
  await records.system((tx) =>
    sql`update lease set holder = '00000000-0000-4000-8000-00000000000b', renewed_at = now() where name = 'b'`.execute(
      tx,
    ),
  )
  await expect.poll(() => paused.counts.lost).toBe(1)
  expect(paused.isHeld()).toBe(false)
  await paused.close()
  await age('b')
  const next = openCounting('b')
  await expect.poll(next.isHeld).toBe(true)
  await next.close()
})
