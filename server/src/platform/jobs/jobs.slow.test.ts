import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJobs, type Job, type Jobs } from './jobs.ts'
import type { Records } from '#platform/records/records.ts'
import { openTestRecords } from '#testing/records.ts'

type Seen = { names: string[] }

let records: Records
let jobs: Jobs
const seen: Seen = { names: [] }
let failures = 1

const kinds: Job<Seen>[] = [
  { name: 'follower', after: 'stumble', run: async (context) => void context.names.push('follower') },
  { name: 'at-start', atStart: true, cron: '0 4 * * *', run: async (context) => void context.names.push('at-start') },
  {
    name: 'stumble',
    retryDelayS: 0,
    run: async (context) => {
      if (failures-- > 0) throw new Error('not yet')
      context.names.push('stumble')
    },
  },
]

beforeAll(async () => {
  records = await openTestRecords()
  jobs = openJobs(records, pino({ level: 'silent' }))
  await jobs.start(kinds, seen, true)
})
afterAll(async () => {
  await jobs.close()
  await records.close()
})

test('a job marked so runs when the process starts', async () => {
  await expect.poll(() => seen.names).toContain('at-start')
})

test('a failed run is tried again; what follows it waits for its end', async () => {
  await jobs.kick('stumble')
  await expect.poll(() => seen.names.slice(-2)).toEqual(['stumble', 'follower'])
})

test('a job is kicked to run before its time; a kick before the start is lost without harm', async () => {
  const before = seen.names.filter((name) => name === 'at-start').length
  await jobs.kick('at-start')
  await expect.poll(() => seen.names.filter((name) => name === 'at-start').length).toBe(before + 1)
  await expect(openJobs(records, pino({ level: 'silent' })).kick('at-start')).resolves.toBeUndefined()
})

test('what an earlier version ran by the clock is run by it no more', async () => {
  const schedules = () =>
    records.owner((db) => sql<{ name: string }>`select name from jobs.schedule order by name`.execute(db))
  await jobs.close()
  const later = openJobs(records, pino({ level: 'silent' }))
  await later.start([{ name: 'at-noon', cron: '0 12 * * *', run: async () => {} }], seen, true)
  expect((await schedules()).rows).toEqual([{ name: 'at-noon' }])
  await later.close()
})

test('a run whose process died gives way once nothing was heard of it for its heartbeat, long before it expires; one that was kicked too', async () => {
  const log = pino({ level: 'silent' })
  const long: Job<Seen> = {
    name: 'long',
    retries: 0,
    expireS: 3600,
    run: async (context) => void context.names.push('long'),
  }
  const asking = openJobs(records, log)
  await asking.start([long], seen, false)
  await asking.kick('long')
  await asking.close()
  // What a worker leaves that took it and was killed.
  const taken = await records.owner((db) =>
    sql<{ heartbeat: number }>`
      update jobs.job set state = 'active', started_on = now() - interval '40 s', heartbeat_on = now() - interval '31 s'
      where name = 'long' returning heartbeat_seconds as heartbeat`.execute(db),
  )
  expect(taken.rows).toEqual([{ heartbeat: 30 }])
  const working = openJobs(records, log, { lookEveryS: 1 })
  await working.start([long], seen, true)
  await working.kick('long')
  await expect.poll(() => seen.names).toContain('long')
  await working.close()
})
