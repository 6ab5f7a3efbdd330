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

const kinds: Job<Seen, never>[] = [
  { name: 'at-start', atStart: true, cron: '0 4 * * *', run: async (context) => void context.names.push('at-start') },
  { name: 'greet', run: async (context: Seen, payload: { name: string }) => void context.names.push(payload.name) },
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

test('work sent in a transaction exists exactly when the transaction does', async () => {
  const send = (name: string, fail: boolean) =>
    records.tenant('019a0000-0000-7000-8000-000000000001', async (tx) => {
      await jobs.send(tx, 'greet', { name })
      if (fail) throw new Error('rolled back')
    })
  await expect(send('taken back', true)).rejects.toThrow('rolled back')
  await send('kept', false)
  await expect.poll(() => seen.names, { timeout: 20_000 }).toContain('kept')
  expect(seen.names).not.toContain('taken back')
})

test('a failed run is tried again', async () => {
  await records.system((tx) => jobs.send(tx, 'stumble', {}))
  await expect.poll(() => seen.names, { timeout: 25_000 }).toContain('stumble')
})

test('a job is kicked to run before its time; a kick before the start is lost without harm', async () => {
  const before = seen.names.filter((name) => name === 'at-start').length
  await jobs.kick('at-start')
  await expect.poll(() => seen.names.filter((name) => name === 'at-start').length, { timeout: 20_000 }).toBe(before + 1)
  await expect(openJobs(records, pino({ level: 'silent' })).kick('at-start')).resolves.toBeUndefined()
})
