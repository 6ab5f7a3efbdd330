import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openLastHour } from './last-hour.ts'
import { maxSamples, type Sample, type Samples } from './samples.ts'
import type { Run } from './writer.ts'

const noon = Date.UTC(2026, 9, 24, 12)
const hour = 3_600_000

/** Model of the store: the newest run wins. */
const openModel = () => {
  const series = new Map<number, Map<number, number>>()
  const since = (signalNo: number, fromMs: number): Samples => {
    const found = [...(series.get(signalNo) ?? [])].filter(([at]) => at >= fromMs).toSorted(([a], [b]) => a - b)
    return { x: found.map(([at]) => at), y: found.map(([, value]) => value) }
  }
  return {
    since,
    commit: ({ signalNo, t0Ms, dtMs, values }: Run) => {
      const samples = series.get(signalNo) ?? new Map<number, number>()
      values.forEach((value, i) => value !== null && samples.set(t0Ms + i * dtMs, value + 0))
      series.set(signalNo, samples)
    },
    latest: (signalNo: number): [number, Sample][] => {
      const { x, y } = since(signalNo, 0)
      return x.length > 0 ? [[signalNo, { tMs: x.at(-1) ?? 0, value: y.at(-1) ?? 0 }]] : []
    },
  }
}

const versions = () => {
  let version = 0
  return (run: Run) => ({ run, version: ++version })
}

const aRun = fc.record({
  signalNo: fc.integer({ min: 1, max: 4 }),
  // From well before the hour to a clock that runs ahead, often close together so that runs overlap.
  t0Ms: fc
    .oneof(fc.integer({ min: -90 * 60, max: 300 }), fc.integer({ min: -30, max: 30 }))
    .map((second) => noon + second * 1000),
  dtMs: fc.constantFrom(0, 1, 250, 1000, 7000, 60_000),
  values: fc.array(
    fc.option(
      fc.oneof(
        fc.integer({ min: -999_999, max: 999_999 }).map((whole) => whole / 1000),
        fc.constantFrom(-0, 1 / 3, 2_147_483.648, 1e300, 5e-324, -2_147_483.648),
      ),
      { freq: 6 },
    ),
    { minLength: 1, maxLength: 80 },
  ),
})

const pausing = () => new Promise((resolve) => setTimeout(resolve, 1))

test('D3: what is held is what is stored: late, shuffled, doubled and overlapping runs, nulls, any step, while series are read and the hour moves on', async () => {
  const step = fc.record({
    run: aRun,
    repeat: fc.boolean(),
    ask: fc.integer({ min: 1, max: 4 }),
    passMs: fc.constantFrom(0, 1000, 20 * 60_000),
    fails: fc.constantFrom(false, false, false, false, true),
  })
  const window = fc.record({
    backMs: fc.integer({ min: 0, max: hour }),
    lengthMs: fc.integer({ min: 0, max: hour }),
    isHeldBefore: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 25 }), window, async (scheduler, steps, wanted) => {
      const model = openModel()
      const stamp = versions()
      let nowMs = noon
      const lastHour = openLastHour({
        maxBytes: 10_000_000,
        readSince: async (signalNos, fromMs) => {
          await scheduler.schedule(Promise.resolve())
          const found = new Map(signalNos.map((no) => [no, model.since(no, fromMs)] as const))
          await scheduler.schedule(Promise.resolve())
          return found
        },
        lookUp: async (signalNos) => {
          await scheduler.schedule(Promise.resolve())
          return new Map(signalNos.flatMap((no) => model.latest(no)))
        },
        now: () => nowMs,
        onError: (error) => {
          throw error
        },
      })
      const all = [1, 2, 3, 4]
      const settle = async () => {
        while (lastHour.held().series < all.length) {
          for (const signalNo of all) lastHour.samples(signalNo, nowMs - 1, nowMs)
          await scheduler.waitIdle()
          await pausing()
        }
      }
      if (wanted.isHeldBefore) await settle()
      const untold: (() => void)[] = []
      const tell = () => untold.splice(0).forEach((one) => one())
      for (const { run, repeat, ask, passMs, fails } of steps) {
        for (const one of repeat ? [run, run] : [run]) {
          // A run whose insert failed may be on disk.
          model.commit(one)
          const stored = stamp(one)
          untold.push(() => (fails ? lastHour.uncertain([stored]) : lastHour.stored([stored])))
        }
        if (passMs === 0) tell()
        lastHour.samples(ask, nowMs - hour / 2, nowMs)
        if (scheduler.count() > 0) await scheduler.waitOne()
        nowMs += passMs
      }
      tell()
      await settle()
      const fromMs = nowMs - wanted.backMs
      const toMs = fromMs + wanted.lengthMs
      for (const signalNo of all) {
        const { x, y } = model.since(signalNo, fromMs)
        const inside = x.filter((at) => at < toMs).length
        expect(lastHour.samples(signalNo, fromMs, toMs)).toEqual({ x: x.slice(0, inside), y: y.slice(0, inside) })
      }
      expect(await lastHour.latest(all)).toEqual(new Map(all.flatMap((no) => model.latest(no))))
      await lastHour.close()
    }),
    { numRuns: 300 },
  )
})

const openOn = (model: ReturnType<typeof openModel>, maxBytes: number, now: () => number) => {
  let reads = 0
  const lastHour = openLastHour({
    maxBytes,
    readSince: async (signalNos, fromMs) => {
      reads++
      return new Map(signalNos.map((no) => [no, model.since(no, fromMs)]))
    },
    lookUp: async (signalNos) => new Map(signalNos.flatMap((no) => model.latest(no))),
    now,
    onError: () => {},
  })
  const stamp = versions()
  const commit = (run: Run) => {
    model.commit(run)
    lastHour.stored([stamp(run)])
  }
  return { ...lastHour, commit, reads: () => reads }
}

const perSecond = (signalNo: number, t0Ms: number, count: number): Run => ({
  signalNo,
  t0Ms,
  dtMs: 1000,
  values: Array.from({ length: count }, (_, i) => i / 8),
})

test('memory has a bound: the series that were asked for last are held, the others are answered by the store', async () => {
  let nowMs = noon
  const model = openModel()
  const lastHour = openOn(model, 350_000, () => nowMs)
  for (let no = 1; no <= 30; no++) lastHour.commit(perSecond(no, noon - hour, 3600))
  await expect.poll(() => lastHour.held().series).toBe(10)
  expect(lastHour.held().bytes).toBeLessThanOrEqual(350_000)
  const holds = (no: number) => lastHour.samples(no, nowMs - hour / 2, nowMs) !== undefined
  const firstHeld = Array.from({ length: 30 }, (_, i) => i + 1).filter(holds)
  expect(firstHeld).toHaveLength(10)

  // Within a minute no series is evicted, and reports alone do not count as use.
  const other = 30
  expect(holds(other)).toBe(false)
  const reads = lastHour.reads()
  lastHour.commit(perSecond(other, noon, 1))
  await pausing()
  expect([lastHour.reads(), holds(other)]).toEqual([reads, false])

  nowMs += 61_000
  for (const no of firstHeld.slice(1)) expect(holds(no)).toBe(true)
  expect(holds(other)).toBe(false)
  await expect.poll(() => holds(other)).toBe(true)
  expect([holds(firstHeld[0] ?? 0), firstHeld.slice(1).every(holds)]).toEqual([false, true])
  expect(lastHour.held().bytes).toBeLessThanOrEqual(350_000)
  await lastHour.close()
})

test('an hour later the room of a silent series is given to others; its newest sample stays known', async () => {
  let nowMs = noon
  const lastHour = openOn(openModel(), 350_000, () => nowMs)
  for (let no = 1; no <= 10; no++) lastHour.commit(perSecond(no, noon - hour, 3600))
  await expect.poll(() => lastHour.held().series).toBe(10)
  nowMs += 2 * hour
  for (let no = 1; no <= 9; no++) lastHour.commit(perSecond(no, nowMs - hour, 3600))
  lastHour.commit({ ...perSecond(9, nowMs - hour, 3600), values: Array.from({ length: 3600 }, () => 1 / 3) })
  expect(lastHour.held().series).toBe(10)
  expect(await lastHour.latest([10])).toEqual(new Map([[10, { tMs: noon - 1000, value: 3599 / 8 }]]))
  await lastHour.close()
})

test('of a series that is silent for hours a late sample that is newer than its newest one counts', async () => {
  const lastHour = openOn(openModel(), 10_000_000, () => noon)
  lastHour.commit(perSecond(1, noon - 9 * hour, 2))
  await lastHour.latest([1])
  await expect.poll(() => lastHour.held().series).toBe(1)
  lastHour.commit(perSecond(1, noon - 5 * hour, 3))
  lastHour.commit(perSecond(1, noon - 7 * hour, 4))
  expect(await lastHour.latest([1])).toEqual(new Map([[1, { tMs: noon - 5 * hour + 2000, value: 0.25 }]]))
  await lastHour.close()
})

test('of a series denser than ten samples a second a shorter time is held, not more memory', async () => {
  const model = openModel()
  const lastHour = openOn(model, 10_000_000, () => noon)
  const minute = (back: number): Run => ({
    signalNo: 1,
    t0Ms: noon - back * 60_000,
    dtMs: 10,
    values: Array.from({ length: 6000 }, (_, i) => i),
  })
  lastHour.commit(minute(9))
  await expect.poll(() => lastHour.held().series).toBe(1)
  for (const back of [8, 7, 6, 5, 4, 3, 2, 1]) lastHour.commit(minute(back))
  for (const phaseMs of [0, 5]) {
    const values = Array.from({ length: 20_000 }, (_, i) => -i)
    lastHour.commit({ signalNo: 1, t0Ms: noon - 200_000 + phaseMs, dtMs: 10, values })
  }
  expect(lastHour.held().bytes).toBeLessThan(maxSamples * 8 * 1.2)
  expect(lastHour.samples(1, noon - 9 * 60_000, noon)).toBeUndefined()
  const { x, y } = model.since(1, noon - 150_000)
  expect(x).toHaveLength(30_000)
  expect(lastHour.samples(1, noon - 150_000, noon)).toEqual({ x, y })
  await lastHour.close()
})

test('samples months ahead of the clock are left to the store; a process that runs for months holds on', async () => {
  let nowMs = noon
  const model = openModel()
  const lastHour = openOn(model, 10_000_000, () => nowMs)
  for (let day = 0; day < 120; day++) {
    nowMs += 24 * hour
    lastHour.commit(perSecond(1, nowMs, 2))
    lastHour.samples(1, nowMs, nowMs + 1)
    await pausing()
  }
  expect(lastHour.samples(1, nowMs, nowMs + hour)).toEqual({ x: [nowMs, nowMs + 1000], y: [0, 0.125] })
  lastHour.commit(perSecond(1, nowMs + 60 * 24 * hour, 1))
  expect(lastHour.samples(1, nowMs, nowMs + hour)).toBeUndefined()
  await lastHour.close()
})

test('the example of last-hour.md', async () => {
  const from = noon - 61 * 60_000
  const lastHour = openOn(openModel(), 10_000_000, () => noon)
  const at = (second: number, dtMs: number, ...values: (number | null)[]) =>
    lastHour.commit({ signalNo: 1, t0Ms: from + second * 1000, dtMs, values })
  at(0, 1000, 50.01, 50.02)
  await expect.poll(() => lastHour.held().series).toBe(1)
  at(1, 1000, 49.9, null, 50)
  at(-2, 2000, 48, null, 51)
  expect(lastHour.samples(1, from, noon)).toEqual({
    x: [0, 1, 2, 3].map((second) => from + second * 1000),
    y: [50.01, 49.9, 51, 50],
  })
  expect(lastHour.samples(1, from - 2000, noon)).toBeUndefined()
  await lastHour.close()
})
