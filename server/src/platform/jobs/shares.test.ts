import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Records } from '#platform/records/records.ts'
import { openTestRecords } from '#testing/records.ts'
import { openShares, type Shares } from './shares.ts'

const log = pino({ level: 'silent' })
let records: Records
beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

type Counts = { gained: number[]; lost: number[]; released: number[] }
type Counting = Shares & { counts: Counts }

const open = (name: string, of = 1, over: Partial<Parameters<typeof openShares>[0]> = {}): Counting => {
  const counts: Counts = { gained: [], lost: [], released: [] }
  const shares = openShares({
    records,
    log,
    name,
    of,
    renewMs: 20,
    staleMs: 60_000,
    onGained: (no) => counts.gained.push(no),
    onReleased: async (no) => void counts.released.push(no),
    onLost: (no) => counts.lost.push(no),
    ...over,
  })
  return { ...shares, counts }
}
const heldBy = (processes: readonly Shares[]) => processes.map((one) => one.held().length)
const allOf = (processes: readonly Shares[]) => processes.flatMap((one) => one.held()).toSorted((a, b) => a - b)
const upTo = (of: number) => Array.from({ length: of }, (_, i) => i + 1)

/** As if no process had renewed its leases for an hour. */
const age = (name: string) =>
  records.system((tx) =>
    sql`update lease set renewed_at = now() - interval '1 hour' where starts_with(name, ${name})`.execute(tx),
  )
/** As if another process had taken them. */
const steal = (name: string) =>
  records.system((tx) =>
    sql`update lease set holder = '00000000-0000-4000-8000-00000000000b', renewed_at = now() where name = ${name}`.execute(
      tx,
    ),
  )

test('one share: one of two processes holds it, and the other after the first has closed', async () => {
  const first = open('a')
  await expect.poll(first.held).toEqual([1])
  const second = open('a')
  const third = open('other')
  await expect.poll(third.held).toEqual([1])
  expect(second.held()).toEqual([])
  await first.close()
  await expect.poll(second.held).toEqual([1])
  expect(first.counts).toEqual({ gained: [1], lost: [], released: [1] })
  expect(second.counts).toEqual({ gained: [1], lost: [], released: [] })
  await second.close()
  await third.close()
})

test('a holder whose renewals stopped is followed, and stops its work when it returns', async () => {
  const paused = open('b')
  await expect.poll(paused.held).toEqual([1])
  await steal('b')
  await expect.poll(() => paused.counts.lost).toEqual([1])
  expect(paused.held()).toEqual([])
  await paused.close()
  await age('b')
  const next = open('b')
  await expect.poll(next.held).toEqual([1])
  await next.close()
})

test('shares are divided evenly when processes join, and taken over when one leaves', async () => {
  const first = open('c', 8)
  await expect.poll(() => heldBy([first])).toEqual([8])
  const second = open('c', 8)
  await expect.poll(() => heldBy([first, second])).toEqual([4, 4])
  expect(allOf([first, second])).toEqual(upTo(8))
  const third = open('c', 8)
  await expect.poll(() => heldBy([first, second, third]).toSorted((a, b) => a - b)).toEqual([2, 3, 3])
  await expect.poll(() => allOf([first, second, third])).toEqual(upTo(8))
  await first.close()
  await expect.poll(() => heldBy([second, third])).toEqual([4, 4])
  expect(allOf([second, third])).toEqual(upTo(8))
  await second.close()
  await expect.poll(() => allOf([third])).toEqual(upTo(8))
  await third.close()
  const left = await records.system((tx) => tx.selectFrom('lease').select('name').where('name', 'like', 'c%').execute())
  expect(left).toEqual([])
})

test('a share is taken over only after its work has ended, also when that fails', async () => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const first = open('d', 2, {
    onReleased: async () => {
      await ended
      throw new Error('not closed')
    },
  })
  await expect.poll(() => heldBy([first])).toEqual([2])
  const second = open('d', 2)
  const names = () =>
    records.system((tx) => tx.selectFrom('lease').select('name').where('name', 'like', 'd member%').execute())
  await expect.poll(names).toHaveLength(2)
  const renewedAt = async () => {
    const [row] = await records.system((tx) =>
      tx.selectFrom('lease').select('renewed_at').where('name', '=', 'd 2/2').execute(),
    )
    return row?.renewed_at.getTime() ?? 0
  }
  const before = await renewedAt()
  await expect.poll(renewedAt).toBeGreaterThan(before)
  expect(heldBy([first, second])).toEqual([2, 0])
  end()
  await expect.poll(() => heldBy([first, second])).toEqual([1, 1])
  await second.close()
  await first.close()
})

test('after an outage of the store for all processes, each keeps its shares', async () => {
  const first = open('e', 4, { staleMs: 2000 })
  const second = open('e', 4, { staleMs: 2000 })
  await expect.poll(() => heldBy([first, second])).toEqual([2, 2])
  const before = [first.held(), second.held()]
  await records.alone(4711, async (tx) => {
    await sql`lock table lease in access exclusive mode`.execute(tx)
    await new Promise((resolve) => setTimeout(resolve, 2500)) // longer than `staleMs`
    await sql`update lease set renewed_at = now() - interval '1 hour' where starts_with(name, 'e ')`.execute(tx)
  })
  await expect
    .poll(async () => {
      const fresh = sql<boolean>`bool_and(renewed_at > now() - interval '1 minute')`
      const row = await records.system((tx) =>
        tx.selectFrom('lease').select(fresh.as('isFresh')).where('name', 'like', 'e %').executeTakeFirst(),
      )
      return row?.isFresh
    })
    .toBe(true)
  expect([first.held(), second.held()]).toEqual(before)
  expect([first.counts.lost, second.counts.lost]).toEqual([[], []])
  await first.close()
  await second.close()
})

test('processes with another number of shares wait until the earlier ones have ended', async () => {
  const first = open('f')
  await expect.poll(first.held).toEqual([1])
  const second = open('f', 4)
  const third = open('f', 4)
  await expect
    .poll(async () => {
      const rows = await records.system((tx) => tx.selectFrom('lease').select('name').where('name', '=', 'f').execute())
      return rows.length
    })
    .toBe(1)
  expect(allOf([second, third])).toEqual([])
  await first.close()
  await expect.poll(() => heldBy([second, third])).toEqual([2, 2])
  expect(allOf([second, third])).toEqual(upTo(4))
  const late = open('f')
  await second.close()
  expect(late.held()).toEqual([])
  await third.close()
  await expect.poll(late.held).toEqual([1])
  await late.close()
})

test('processes of two numbers of shares that start at the same moment: one number works, and the other waits and reports it', async () => {
  const waiting: object[] = []
  const noted = { ...log, warn: (fields: object) => void waiting.push(fields) } as typeof log // only this one is called
  const [two, four] = [open('g', 2, { log: noted }), open('g', 4, { log: noted })]
  await expect.poll(() => waiting.length).toBe(1)
  const [works, waits] = two.held().length > 0 ? [two, four] : [four, two]
  expect(allOf([works])).toEqual(upTo(works === two ? 2 : 4))
  expect(waits.held()).toEqual([])
  expect(waiting).toEqual([{ name: 'g', shares: works === two ? 4 : 2 }])
  await works.close()
  await expect.poll(() => allOf([waits])).toEqual(upTo(waits === two ? 2 : 4))
  await waits.close()
})
