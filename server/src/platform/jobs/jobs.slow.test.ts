import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openJobs, type Job } from './jobs.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestRecords } from '#testing/records.ts'
import { changeRows, storedRows } from '#testing/rows.ts'

type Seen = { names: string[] }

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

const log = pino({ level: 'silent' })

const records = await openTestRecords()
const jobs = openJobs({ records, bus: noBus, log })
await jobs.start(kinds, seen, true)
afterAll(async () => {
  await jobs.close()
  await records.close()
})

test('a job with atStart runs at the start of the process', async () => {
  await expect.poll(() => seen.names).toContain('at-start')
})

test('a failed run is retried, and the following job waits for its end', async () => {
  await jobs.kick('stumble')
  await expect.poll(() => seen.names.slice(-2)).toEqual(['stumble', 'follower'])
})

test('a kick runs a job early, and a kick before the start is harmless', async () => {
  const before = seen.names.filter((name) => name === 'at-start').length
  await jobs.kick('at-start')
  await expect.poll(() => seen.names.filter((name) => name === 'at-start').length).toBe(before + 1)
  await expect(openJobs({ records, bus: noBus, log }).kick('at-start')).resolves.toBeUndefined()
})

test('a job of an earlier version is removed', async () => {
  await jobs.close()
  const later = openJobs({ records, bus: noBus, log })
  await later.start([{ name: 'at-noon', cron: '0 12 * * *', run: async () => {} }], seen, true)
  const names = await storedRows(records, 'job', {}, ['name'])
  expect(names).toEqual([{ name: 'at-noon' }])
  await later.close()
})

const long: Job<Seen> = { name: 'long', retries: 0, run: async (context) => void context.names.push('long') }

test('a run without a heartbeat for 30 s is restarted by another process; a request of a process without jobs waits for one with jobs', async () => {
  const asking = openJobs({ records, bus: noBus, log })
  await asking.start([long], seen, false)
  await asking.kick('long')
  await asking.close()
  const working = openJobs({ records, bus: noBus, log, checkEveryMs: 200 })
  await working.start([long], seen, true)
  await expect.poll(() => seen.names).toContain('long')
  const claimed = (seconds: number) =>
    changeRows(
      records,
      'job',
      { name: 'long' },
      { runner: newId(), heartbeat_at: new Date(Date.now() - seconds * 1000) },
    )
  const runs = () => seen.names.filter((name) => name === 'long').length
  await expect.poll(() => storedRows(records, 'job', {}, ['due', 'runner'])).toEqual([{ due: false, runner: null }])
  await claimed(5)
  const before = runs()
  await working.kick('long')
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(runs()).toBe(before)
  await claimed(31)
  await expect.poll(runs).toBe(before + 1)
  await working.close()
})

test('a late heartbeat starts no second run in the same process, and requests in the meantime run afterwards', async () => {
  const ends: (() => void)[] = []
  const held: Job<Seen> = { name: 'held', run: () => new Promise<void>((resolve) => void ends.push(resolve)) }
  const working = openJobs({ records, bus: noBus, log, checkEveryMs: 50 })
  await working.start([held], seen, true)
  await working.kick('held')
  await expect.poll(() => ends.length).toBe(1)
  await changeRows(records, 'job', { name: 'held' }, { heartbeat_at: new Date(Date.now() - 31_000) })
  await working.kick('held')
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(ends.length).toBe(1)
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await working.close()
})

test('two processes run a scheduled minute once and never concurrently', async () => {
  let [running, most, runs] = [0, 0, 0]
  const slow: Job<Seen> = {
    name: 'slow',
    run: async () => {
      runs++
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 100))
      running--
    },
  }
  const processes = [1, 2].map(() => openJobs({ records, bus: noBus, log, checkEveryMs: 50 }))
  for (const process of processes) await process.start([slow], seen, true)
  await Promise.all(processes.flatMap((process) => [process.kick('slow'), process.kick('slow')]))
  await expect.poll(() => runs).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(most).toBe(1)
  expect(runs).toBeLessThanOrEqual(4)
  for (const process of processes) await process.close()
})

test('a job scheduled every second runs', async () => {
  const ticking = openJobs({ records, bus: noBus, log })
  let runs = 0
  await ticking.start([{ name: 'tick', cron: '* * * * * *', run: async () => void runs++ }], seen, true)
  await expect.poll(() => runs).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await ticking.close()
  // At most once per minute; the test may cross a minute.
  expect(runs).toBeLessThanOrEqual(2)
})
