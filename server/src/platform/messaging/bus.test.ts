import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestWorld } from '#testing/records.ts'
import { addSession, endSessionsOf } from '#access/sessions.ts'
import { openLive } from '#platform/http/live.ts'
import { savepoint } from '#platform/records/pending.ts'
import type { Records } from '#platform/records/records.ts'
import { type Bus, openBus, rowChanged } from './bus.ts'
import { storedRow } from '#testing/rows.ts'
import { idOf } from '#platform/records/ids.ts'

/** Needs a server: an embedded store has one process. `npm test` runs this where PostgreSQL is installed. */
describe.skipIf(!process.env['TEST_DATABASE_URL'])('two processes on one PostgreSQL', () => {
  let records: Records
  let url: string
  let here: Bus
  let there: Bus
  const log = pino({ level: 'silent' })

  beforeAll(async () => {
    records = await openTestWorld()
    if (!records.server) throw new Error('not a server')
    url = records.server.connectionString
  })
  afterAll(() => records.close())
  beforeEach(async () => {
    here = await openBus({ records, log })
    there = await openBus({ records, log })
  })
  afterEach(async () => {
    await here.close()
    await there.close()
  })

  const heard = (bus: Bus, topic: string) => {
    const all: unknown[] = []
    bus.listen(topic, (data) => all.push(data))
    return all
  }
  test('a message reaches other processes in order and complete, and not its sender', async () => {
    const [mine, theirs] = [heard(here, 'any'), heard(there, 'any')]
    const long = 'Æbleskiver €𝄞\u0000"\\'.repeat(20_000)
    for (const data of [1, { long }, 'last']) here.broadcast('any', data)
    await vi.waitFor(() => expect(theirs).toHaveLength(3), 5000)
    expect(theirs).toEqual([1, { long }, 'last'])
    there.broadcast('any', 'back')
    await vi.waitFor(() => expect(mine).toEqual(['back']), 5000)
  })

  test('T5 live: readers receive news of their customer from another process, and only with listeners are they sent', async () => {
    const told = vi.spyOn(here, 'broadcast')
    const [ingest, web] = [openLive(here), openLive(there)]
    const [north, west] = [idOf('customer', 'north'), idOf('customer', 'west')]
    expect(ingest.hasListeners(north)).toBe(true) // no answer yet, so any process may have listeners
    await vi.waitFor(() => expect(ingest.hasListeners(north)).toBe(false), 5000)
    ingest.publish(north, 'readings', 'to nobody')
    const northHeard: unknown[] = []
    const westHeard: unknown[] = []
    const stop = web.subscribe(north, (...event) => northHeard.push(event))
    await vi.waitFor(() => expect(ingest.hasListeners(north)).toBe(true), 5000)
    expect(ingest.hasListeners(west)).toBe(false)
    ingest.publish(west, 'readings', 'canary of west')
    ingest.publish(north, 'readings', 'north')
    ingest.announce('prices', 'all')
    await vi.waitFor(() => expect(northHeard).toHaveLength(2), 5000)
    expect(northHeard).toEqual([
      ['readings', 'north'],
      ['prices', 'all'],
    ])
    expect(told.mock.calls.filter(([topic]) => topic === 'published')).toHaveLength(2)
    web.subscribe(west, (...event) => westHeard.push(event))
    await vi.waitFor(() => expect(ingest.hasListeners(west)).toBe(true), 5000)
    ingest.publish(west, 'readings', 'west')
    await vi.waitFor(() => expect(westHeard).toEqual([['readings', 'west']]), 5000)
    expect(northHeard).toHaveLength(2)
    stop()
    ingest.close()
    web.close()
  })

  test('T5 live: a process started later receives the current listeners', async () => {
    const web = openLive(there)
    const north = idOf('customer', 'north')
    web.subscribe(north, () => {})
    const late = openLive(here)
    const west = idOf('customer', 'west')
    await vi.waitFor(() => expect(late.hasListeners(west)).toBe(false), 5000)
    expect(late.hasListeners(north)).toBe(true)
    web.close()
    late.close()
  })

  test('S1 the end of a session is sent with its commit, equal changes once, also to its own process', async () => {
    const owner = await storedRow(records, 'app_user', { email: 'custom@north.example' }, ['customer_id', 'user_id'])
    const { customer_id: customerId, user_id: userId } = owner
    const nowMs = Date.now()
    const session = { customerId, userId, remembered: false, nowMs, userAgent: undefined, address: '::1' }
    await records.system((tx) => addSession(tx, session))
    const [mine, theirs, customers] = [heard(here, 'session'), heard(there, 'session'), heard(there, 'customer')]
    const undone = records.tenant(customerId, async (tx) => {
      await endSessionsOf(tx, owner, nowMs)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await records.tenant(customerId, async (tx) => {
      await endSessionsOf(tx, owner, nowMs)
      for (let i = 0; i < 3; i++) rowChanged(tx, 'customer', customerId)
      await expect(
        savepoint(tx, async () => {
          rowChanged(tx, 'customer', 'undone')
          throw new Error('undone')
        }),
      ).rejects.toThrow('undone')
    })
    await vi.waitFor(() => expect(customers).toEqual([customerId]), 5000)
    expect(theirs).toHaveLength(1)
    await vi.waitFor(() => expect(mine).toEqual(theirs), 5000)
  })

  test('after a lost connection both sides are notified of missed messages', async () => {
    const all = [heard(here, 'resync'), heard(there, 'resync'), heard(there, 'any')]
    const [mine, theirs, any] = all
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    here.broadcast('any', 'first')
    await vi.waitFor(() => expect(any).toEqual(['first']), 5000)
    await admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gridmast news' and datname = current_database() order by backend_start limit 1`)
    await expect
      .poll(() =>
        here.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('down')
    here.broadcast('any', 'lost, for there is no connection')
    await vi.waitFor(() => expect(mine).toHaveLength(1), 10_000)
    await vi.waitFor(() => expect(theirs).toHaveLength(1), 10_000)
    here.broadcast('any', 'after')
    await vi.waitFor(() => expect(any?.at(-1)).toBe('after'), 5000)
    await here.ping()
    await admin.end()
  })
})
