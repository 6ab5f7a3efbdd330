import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import { newId } from '#platform/records/ids.ts'
import { queueMail } from './mail.ts'
import { type Item, type Kind, leaseMs, openOutbox, queueItems } from './outbox.ts'
import { addRows, changeRows } from '#testing/rows.ts'

let nowMs: number
const clock = { now: () => nowMs }
const log = pino({ level: 'silent' })
const records = await openTestRecords()
afterAll(() => records.close())
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 20, 8)
  await records.system((tx) => tx.deleteFrom('outbox').execute())
})

type Subject = { subject: string }
const queue = (count: number) =>
  records.system(async (tx) => {
    for (let n = 1; n <= count; n++)
      await queueItems(tx, [{ customerId: null, kind: 'mail', payload: { subject: `mail ${n}` }, nowMs }])
  })
const kindOf = (deliver: Kind['deliver'], more: Partial<Kind> = {}): Kind => ({
  deliver,
  waitMs: () => 1000,
  atOnce: 5,
  ...more,
})
const open = (kind: Kind) => openOutbox({ records, clock, log, kinds: { mail: kind } })
const noting = () => {
  const sent: string[] = []
  const kind = kindOf(async ({ payload }) => {
    sent.push((payload as Subject).subject) // as queue() wrote it
    return { error: null }
  })
  return { sent, kind }
}
const rows = () => records.system((tx) => tx.selectFrom('outbox').selectAll().orderBy('outbox_id').execute())

test('items queued in one transaction are all sent, or none after a rollback', async () => {
  const { sent, kind } = noting()
  await queue(3)
  const taken = records.system(async (tx) => {
    const words = { subject: 'taken back', text: '' }
    await queueMail(tx, { customerId: null, to: 'ops@x.example' }, { en: words, da: words })
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')
  expect(await open(kind).drain()).toBe(3)
  expect(sent.toSorted()).toEqual(['mail 1', 'mail 2', 'mail 3'])
  expect(await open(kind).drain()).toBe(0)
})

test('mails of a company wait behind its own, and companies take turns', async () => {
  const other = newId()
  await addRows(records, 'customer', { customer_id: other, key: other, name: 'Other' })
  const sent: string[] = []
  const ends: (() => void)[] = []
  const kind = kindOf(
    ({ payload }) => {
      sent.push((payload as Subject).subject) // as queue() wrote it
      return new Promise((resolve) => ends.push(() => resolve({ error: null })))
    },
    { atOnce: 2 },
  )
  const outbox = open(kind)
  await queue(4)
  const draining = outbox.drain()
  await expect.poll(() => sent.length).toBe(2)
  const payload = { subject: 'other' }
  await records.system((tx) => queueItems(tx, [{ customerId: other, kind: 'mail', payload, nowMs }]))
  ends.shift()?.()
  await expect.poll(() => sent[2]).toBe('other')
  for (let n = 3; n <= 5; n++) {
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(n)
    for (const end of ends.splice(0)) end()
  }
  await draining
})

test('several concurrent processes send each item once', async () => {
  const { sent, kind } = noting()
  await queue(60)
  const delivered = await Promise.all([1, 2, 3].map(() => open(kind).drain()))
  expect(delivered.reduce((sum, count) => sum + count)).toBe(60)
  expect(new Set(sent).size).toBe(60)
  expect(sent).toHaveLength(60)
})

test('the concurrency of a kind is limited', async () => {
  let underWay = 0
  let most = 0
  await queue(12)
  const kind = kindOf(async () => {
    most = Math.max(most, ++underWay)
    await records.ping()
    underWay--
    return { error: null }
  })
  expect(await open(kind).drain()).toBe(12)
  expect(most).toBe(5)
})

test('an item with a send longer than its lease keeps its lease', async () => {
  await queue(1)
  const answered = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow = open(
    kindOf(async () => {
      begun.resolve()
      await answered.promise
      return { error: null }
    }),
  )
  const draining = slow.drain()
  await begun.promise
  const { sent, kind } = noting()
  const other = open(kind)
  for (let i = 0; i < 8; i++) {
    nowMs += leaseMs / 2 + 1
    void slow.drain() // as the timer does every two seconds
    await expect.poll(async () => (await rows())[0]?.leased_until?.getTime()).toBe(nowMs + leaseMs)
    await other.drain()
  }
  answered.resolve()
  expect(await draining).toBe(1)
  expect(sent).toEqual([])
})

test('items of a dead process are sent again after their lease with the same id', async () => {
  await queue(1)
  const ids: string[] = []
  const dying = kindOf(({ id }: Item) => {
    ids.push(id)
    return new Promise(() => {}) // sent, but never settled
  })
  void open(dying).drain()
  await expect.poll(() => ids.length).toBe(1)
  const next = kindOf(async ({ id }) => (ids.push(id), { error: null }))
  nowMs += leaseMs - 1
  expect(await open(next).drain()).toBe(0)
  nowMs += 1
  expect(await open(next).drain()).toBe(1)
  expect(ids).toEqual([ids[0], ids[0]])
})

test('a process that lost an item cannot settle it', async () => {
  await queue(1)
  const answered = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const stalled = open(
    kindOf(async () => {
      begun.resolve()
      await answered.promise
      return { error: 'too late' }
    }),
  )
  const draining = stalled.drain()
  await begun.promise
  nowMs += leaseMs
  expect(await open(noting().kind).drain()).toBe(1)
  answered.resolve()
  expect(await draining).toBe(0)
  expect(await rows()).toMatchObject([
    { attempts: 2, last_error: null, done_at: new Date(nowMs), next_attempt_at: null },
  ])
})

test('a failed send waits, is given up when its kind requires it, and its content is deleted after delivery', async () => {
  await queue(1)
  let isDown = true
  const kind = kindOf(async () => (isDown ? { error: 'down' } : { error: null }), {
    waitMs: (attempts) => (attempts < 3 ? attempts * 1000 : null),
    forget: ['subject'],
  })
  await open(kind).drain()
  expect(await rows()).toMatchObject([{ attempts: 1, last_error: 'down', next_attempt_at: new Date(nowMs + 1000) }])
  nowMs += 1000
  await open(kind).drain()
  nowMs += 2000
  await open(kind).drain()
  expect(await rows()).toMatchObject([
    { attempts: 3, next_attempt_at: null, done_at: null, payload: { subject: 'mail 1' } },
  ])
  isDown = false
  await changeRows(records, 'outbox', {}, { next_attempt_at: new Date(nowMs) })
  await open(kind).drain()
  expect(await rows()).toMatchObject([{ attempts: 4, last_error: null, done_at: new Date(nowMs), payload: {} }])
})

test('closing waits for running sends and starts none', async () => {
  await queue(8)
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const outbox = open(
    kindOf(async () => {
      begun++
      await gate.promise
      return { error: null }
    }),
  )
  void outbox.drain()
  await expect.poll(() => begun).toBe(5)
  const closed = outbox.close()
  gate.resolve()
  await closed
  expect(begun).toBe(5)
  expect((await rows()).filter(({ done_at: at }) => at !== null)).toHaveLength(5)
})
