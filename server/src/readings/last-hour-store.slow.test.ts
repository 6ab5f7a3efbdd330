import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, start } from '#testing/scripts.ts'
import { openReadings, type Readings } from './readings.ts'

const noon = Date.UTC(2026, 9, 24, 12)
const minute = 60_000
const hour = 60 * minute

let folder: string
let readings: Readings
/** The same folder without the in-memory hour. */
let store: Readings
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-last-hour-'))
  const place = { dataDir: join(folder, 'readings'), now: () => noon, rollupRoundMs: 0 }
  readings = await openReadings(place)
  store = await openReadings({ ...place, lastHourBytes: 0 })
})
afterAll(async () => {
  await store.close()
  await readings.close()
  await rm(folder, { recursive: true, force: true })
})
let lastSignal = 0

test('D3: memory and store give the same windows, samples and newest values', { timeout: 60_000 }, async () => {
  const run = fc.record({
    at: fc.integer({ min: -70 * 60, max: 200 }),
    dtMs: fc.constantFrom(0, 1, 500, 1000, 10_000, 60_000),
    values: fc.array(fc.option(fc.oneof(fc.integer({ min: -20_000, max: 20_000 }), fc.constant(-0)), { freq: 5 }), {
      minLength: 1,
      maxLength: 60,
    }),
    together: fc.constantFrom(true, true, false),
  })
  const question = fc.record({
    from: fc.integer({ min: -hour, max: minute }),
    length: fc.integer({ min: -1, max: hour }),
    maxPoints: fc.constantFrom(1, 2, 5, 40, 1500),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { minLength: 1, maxLength: 12 }),
      fc.array(question, { minLength: 3, maxLength: 6 }),
      fc.nat({ max: 11 }),
      async (runs, questions, heldAfter) => {
        const no = ++lastSignal
        const pending: Promise<void>[] = []
        for (const [i, { at, dtMs, values, together }] of runs.entries()) {
          if (i === heldAfter) await readings.latest([no])
          const thirds = values.map((value) => (value === null ? null : value / (i % 3 === 0 ? 3 : 1000)))
          pending.push(readings.insert([{ signalNo: no, t0Ms: noon + at * 1000, dtMs, values: thirds }]))
          if (!together) await Promise.all(pending)
        }
        await Promise.all(pending)
        await readings.latest([no])
        await expect.poll(() => readings.held().series).toBe(no)
        for (const { from, length, maxPoints } of questions) {
          const span = { fromMs: noon + from, toMs: noon + from + length }
          const window = { signalNo: no, ...span, maxPoints }
          expect(await readings.window(window)).toEqual(await store.window(window))
          const samples = { signalNos: [no], ...span }
          expect((await readings.samples(samples)).series).toEqual((await store.samples(samples)).series)
        }
        expect(await readings.latest([no])).toEqual(await store.latest([no]))
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
  expect([readings.held().series, store.held().series]).toEqual([lastSignal, 0])
})

test('samples: several series, a day at most, and an answer that says where it ends when more than a day at 1 Hz would come', async () => {
  const [a, b] = [++lastSignal, ++lastSignal]
  const values = (count: number) => Array.from({ length: count }, (_, i) => i / 10)
  await readings.insert([{ signalNo: a, t0Ms: noon - 24 * hour, dtMs: 1000, values: values(86_400) }])
  await readings.insert([{ signalNo: b, t0Ms: noon - 24 * hour, dtMs: 2000, values: values(43_200) }])
  const day = { signalNos: [b, a], fromMs: noon - 24 * hour, toMs: noon }
  const first = await readings.samples(day)
  expect(first.toMs).toBe(noon - 8 * hour)
  expect([...first.series].map(([no, { x }]) => [no, x.length])).toEqual([
    [b, 28_800],
    [a, 57_600],
  ])
  const rest = await readings.samples({ ...day, fromMs: first.toMs })
  expect(rest.toMs).toBe(noon)
  expect(rest.series.get(a)?.x.length).toBe(28_800)
  expect(rest.series.get(b)?.y.at(-1)).toBe(4319.9)
  expect(await readings.samples({ ...day, signalNos: [] })).toEqual({ toMs: noon, series: new Map() })
  await expect(readings.samples({ ...day, toMs: noon + 1 })).rejects.toThrow('24 hours')

  // Forty series exceed the limit of the in-memory path.
  const many = Array.from({ length: 40 }, () => ++lastSignal)
  await readings.insert(many.map((signalNo) => ({ signalNo, t0Ms: noon - hour, dtMs: 1000, values: values(3600) })))
  await expect.poll(() => readings.held().series).toBe(lastSignal)
  const seen = new Map<number, number>()
  for (let fromMs = noon - hour; fromMs < noon;) {
    const { toMs, series } = await readings.samples({ signalNos: many, fromMs, toMs: noon })
    for (const [no, { x }] of series) seen.set(no, (seen.get(no) ?? 0) + x.length)
    expect(toMs).toBeGreaterThan(fromMs)
    fromMs = toMs
  }
  expect([...seen.values()]).toEqual(many.map(() => 3600))
})

test('D3: after kill -9 amid inserts memory is what the store has', { timeout: 60_000 }, async () => {
  const script = join(import.meta.dirname, 'last-hour.process.ts')
  const killed = join(folder, 'killed')
  const writing = start(script, killed, 'write')
  let groups = 0
  await new Promise<void>((resolve) =>
    writing.child.stdout.on('data', (part) => {
      if ((groups += String(part).length) > 40) resolve()
    }),
  )
  writing.child.kill('SIGKILL')
  await writing.ended
  const { said } = await run(script, killed, 'compare')
  const found = JSON.parse(said) as { counts: number[]; heldSeries: number[]; isSame: boolean } // printed by that process
  expect(found).toMatchObject({ heldSeries: [5, 0], isSame: true })
  expect(Math.min(...found.counts)).toBeGreaterThan(300)
})

test(
  'D3: a day of which only the end is in memory is the same as from the store alone',
  { timeout: 60_000 },
  async () => {
    const place = { dataDir: join(folder, 'readings'), rollupRoundMs: 0 }
    const no = ++lastSignal
    const held = await openReadings(place)
    const alone = await openReadings({ ...place, lastHourBytes: 0 })
    try {
      const nowMs = Math.floor(Date.now() / minute) * minute
      const signal = (t0Ms: number, count: number) => ({
        signalNo: no,
        t0Ms,
        dtMs: 1000,
        values: Array.from({ length: count }, (_, i) => ((i * 7919) % 1000) / 8),
      })
      await held.insert([signal(nowMs - 5 * hour, 5 * 3600 - 300)])
      await held.rollUp()
      await alone.rollUp()
      await held.latest([no])
      await expect.poll(() => held.held().series).toBe(1)
      // Written through both, because each process knows only its own changed minutes.
      for (const one of [held, alone]) await one.insert([signal(nowMs - 4 * minute, 200)])
      const span = { signalNo: no, fromMs: nowMs - 5 * hour - 30_500, toMs: nowMs + hour }
      for (const maxPoints of [20, 100, 200])
        expect(await held.window({ ...span, maxPoints })).toEqual(await alone.window({ ...span, maxPoints }))
      for (const stepMs of [hour, 7 * minute, 15 * minute]) {
        const edgesMs = Array.from({ length: 30 }, (_, i) => nowMs - 5 * hour + i * stepMs)
        const query = { signalNo: no, edgesMs }
        expect(await held.buckets(query)).toEqual(await alone.buckets(query))
      }
    } finally {
      await alone.close()
      await held.close()
    }
  },
)
