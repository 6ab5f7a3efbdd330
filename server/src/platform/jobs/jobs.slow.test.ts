import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJobs, type Job, type Jobs } from './jobs.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
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

const log = pino({ level: 'silent' })

beforeAll(async () => {
  records = await openTestRecords()
  jobs = openJobs({ records, bus: noBus, log })
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
  await expect(openJobs({ records, bus: noBus, log }).kick('at-start')).resolves.toBeUndefined()
})

test('a job of an earlier version is removed', async () => {
  await jobs.close()
  const later = openJobs({ records, bus: noBus, log })
  await later.start([{ name: 'at-noon', cron: '0 12 * * *', run: async () => {} }], seen, true)
  const names = await records.system((tx) => tx.selectFrom('job').select('name').execute())
  expect(names).toEqual([{ name: 'at-noon' }])
  await later.close()
})

const long: Job<Seen> = { name: 'long', retries: 0, run: async (context) => void context.names.push('long') }

test('a run without a heartbeat for 30 s is started by another process; a request of a process that does not work waits for one that does', async () => {
  const asking = openJobs({ records, bus: noBus, log })
  await asking.start([long], seen, false)
  await asking.kick('long')
  await asking.close()
  const working = openJobs({ records, bus: noBus, log, checkEveryMs: 200 })
  await working.start([long], seen, true)
  await expect.poll(() => seen.names).toContain('long')
  const claimed = (seconds: number) =>
    records.system((tx) =>
      tx
        .updateTable('job')
        .set({ runner: newId(), heartbeat_at: new Date(Date.now() - seconds * 1000) })
        .where('name', '=', 'long')
        .execute(),
    )
  const runs = () => seen.names.filter((name) => name === 'long').length
  await expect
    .poll(() => records.system((tx) => tx.selectFrom('job').select(['due', 'runner']).execute()))
    .toEqual([{ due: false, runner: null }])
  await claimed(5)
  const before = runs()
  await working.kick('long')
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(runs()).toBe(before)
  await claimed(31)
  await expect.poll(runs).toBe(before + 1)
  await working.close()
})

test('a process with a late heartbeat starts no second run of its own; what was requested meanwhile runs afterwards', async () => {
  const ends: (() => void)[] = []
  const held: Job<Seen> = { name: 'held', run: () => new Promise<void>((resolve) => void ends.push(resolve)) }
  const working = openJobs({ records, bus: noBus, log, checkEveryMs: 50 })
  await working.start([held], seen, true)
  await working.kick('held')
  await expect.poll(() => ends.length).toBe(1)
  await records.system((tx) =>
    tx
      .updateTable('job')
      .set({ heartbeat_at: new Date(Date.now() - 31_000) })
      .where('name', '=', 'held')
      .execute(),
  )
  await working.kick('held')
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(ends.length).toBe(1)
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await working.close()
})

test('two processes run one scheduled minute once, and never at the same time', async () => {
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

test('a job on a schedule of each second runs by it', async () => {
  const ticking = openJobs({ records, bus: noBus, log })
  let runs = 0
  await ticking.start([{ name: 'tick', cron: '* * * * * *', run: async () => void runs++ }], seen, true)
  await expect.poll(() => runs).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await ticking.close()
  // At most once per minute; the test may cross a minute.
  expect(runs).toBeLessThanOrEqual(2)
})
