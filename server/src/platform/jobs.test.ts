import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJobs, type Job, type Jobs } from './jobs.ts'
import type { Records } from './records.ts'
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
  await expect.poll(() => seen.names, { timeout: 20_000 }).toContain('at-start')
})

test('a failed run is tried again; what follows it waits for its end', async () => {
  await jobs.kick('stumble')
  await expect.poll(() => seen.names.slice(-2), { timeout: 25_000 }).toEqual(['stumble', 'follower'])
})

test('a job is kicked to run before its time; a kick before the start is lost without harm', async () => {
  const before = seen.names.filter((name) => name === 'at-start').length
  await jobs.kick('at-start')
  await expect.poll(() => seen.names.filter((name) => name === 'at-start').length, { timeout: 20_000 }).toBe(before + 1)
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
