import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredGroup } from '#readings/readings.ts'
import { follow, newState, newTrack, type Trigger, type Watched } from './alert-rules.ts'
import { type NewTrigger, openAlertEngine, type Ports, type SeriesRule } from './engine.ts'
import type { TriggerRow } from './recompute.ts'

const minute = 60_000
const startMs = Date.parse('2026-10-24T21:40:00Z')
const maxSamples = 25

const openWorld = (rules: SeriesRule[], pauses: readonly number[] = [0]) => {
  let calls = 0
  const takesTime = async () => {
    for (let i = pauses[calls++ % pauses.length] ?? 0; i > 0; i--) await Promise.resolve()
  }
  let failures = 0
  const samples: { no: number; tMs: number; value: number; version: number }[] = []
  const rows = new Map<string, TriggerRow & { arrivedMs: number }>()
  const told: string[] = []
  const unexpected: unknown[] = []
  const away = new Error('away')
  const listeners = new Set<(group: StoredGroup) => void>()
  let version = startMs * 1000
  let progress: number | null = null
  const keyOf = ({ alertId, tMs }: { alertId: string; tMs: number }) => `${alertId} ${tMs}`
  const between = (nos: readonly number[], fromMs: number, toMs: number) =>
    samples
      .filter(({ no, tMs }) => nos.includes(no) && tMs >= fromMs && tMs < toMs)
      .toSorted((a, b) => a.tMs - b.tMs || a.no - b.no)
  const ports: Ports<SeriesRule> = {
    readings: {
      onStored: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      storedVersion: () => version,
      storedSince: async function* (since) {
        const newer = samples
          .filter((sample) => sample.version > since)
          .toSorted((a, b) => a.no - b.no || a.tMs - b.tMs)
        for (const { no, tMs, version: newest } of newer)
          yield { signalNo: no, fromMs: tMs, toMs: tMs + 1, version: newest }
      },
      latest: async (nos) => {
        await takesTime()
        return new Map(between(nos, -Infinity, Infinity).map(({ no, tMs, value }) => [no, { tMs, value }]))
      },
      samples: async ({ signalNos, fromMs, toMs }) => {
        await takesTime()
        const all = between(signalNos, fromMs, toMs)
        const endMs = all[maxSamples]?.tMs ?? toMs
        const series = new Map(
          signalNos.map((signalNo) => {
            const found = all.filter(({ no, tMs }) => no === signalNo && tMs < endMs)
            return [signalNo, { x: found.map(({ tMs }) => tMs), y: found.map(({ value }) => value) }]
          }),
        )
        await takesTime()
        return { toMs: endMs, series }
      },
    },
    rules: async (ids) => {
      const found = rules.filter(({ alertId }) => !ids || ids.includes(alertId))
      await takesTime()
      return found
    },
    rows: async (from) => {
      await takesTime()
      return from.flatMap(({ alertId, fromMs }) => {
        const own = [...rows.values()].filter((row) => row.alertId === alertId).toSorted((a, b) => a.tMs - b.tMs)
        const before = own.filter(({ tMs }) => tMs < fromMs).slice(-1)
        return [...before, ...own.filter(({ tMs }) => tMs >= fromMs)]
      })
    },
    save: async (add: readonly NewTrigger<SeriesRule>[], remove) => {
      await takesTime()
      // The store fails before the commit or, every other time, after it, when only the answer is lost.
      if (failures > 0 && failures-- % 2 === 1) throw away
      for (const row of remove) rows.delete(keyOf(row))
      for (const { rule, trigger, arrivedMs } of add) {
        const { customerId, alertId } = rule
        const row = { customerId, alertId, ...trigger, arrivedMs }
        if (!rows.has(keyOf(row))) told.push(keyOf(row))
        if (!rows.has(keyOf(row))) rows.set(keyOf(row), row)
      }
      if (failures > 0 && failures-- % 2 === 0) throw away
    },
    progress: async () => progress,
    saveProgress: async (reached) => void (progress = reached),
    now: () => startMs + 400 * minute,
    onError: (error) => {
      if (error !== away) unexpected.push(error)
    },
    retryMs: 0,
  }
  return {
    told,
    unexpected,
    fail: () => (failures = 2),
    rows: () =>
      [...rows.values()]
        .map(({ alertId, tMs, crossedMs, value }) => ({ alertId, tMs, crossedMs, value }))
        .toSorted((a, b) => a.alertId.localeCompare(b.alertId) || a.tMs - b.tMs),
    samples: (no: number) => between([no], -Infinity, Infinity),
    store: (t0Ms: number, dtMs: number, values: readonly (number | null)[], no = 1) => {
      version += 1_000_000
      for (const [i, value] of values.entries()) {
        if (value === null) continue
        const tMs = t0Ms + i * dtMs
        const before = samples.find((sample) => sample.no === no && sample.tMs === tMs)
        if (before) Object.assign(before, { value, version })
        else samples.push({ no, tMs, value, version })
      }
      for (const listener of listeners)
        listener({ runs: [{ run: { signalNo: no, t0Ms, dtMs, values }, version }], version })
    },
    start: async () => {
      const { readings } = ports
      const silence: (() => void)[] = []
      let isDead = false
      const alive = async <T>(work: () => Promise<T>): Promise<T> => (isDead ? new Promise<T>(() => {}) : work())
      const own: Ports<SeriesRule> = {
        ...ports,
        readings: {
          ...readings,
          onStored: (listener) => {
            silence.push(readings.onStored(listener))
            return () => {}
          },
        },
        rows: (from) => alive(() => ports.rows(from)),
        save: (add, remove) => alive(() => ports.save(add, remove)),
        saveProgress: (reached) => alive(() => ports.saveProgress(reached)),
      }
      const engine = await openAlertEngine(own)
      const kill = () => {
        isDead = true
        for (const stop of silence) stop()
      }
      return { ...engine, kill }
    },
  }
}

const rule = (alertId: string, more: Partial<SeriesRule> = {}): SeriesRule => ({
  customerId: 'c',
  alertId,
  signalNo: 1,
  type: 'power',
  criteria: 'gt',
  threshold: 40,
  startMinute: 0,
  endMinute: 1439,
  intervalMs: 0,
  validFromMs: startMs,
  ...more,
})

const expected = (rules: SeriesRule[], samplesOf: (no: number) => { tMs: number; value: number }[]) => {
  const found: ({ alertId: string } & Trigger)[] = []
  for (const no of new Set(rules.map(({ signalNo }) => signalNo))) {
    const own = rules.filter(({ signalNo }) => signalNo === no)
    const all = own.map((one): Watched => ({ rule: one, state: newState() }))
    const track = newTrack()
    for (const { tMs, value } of samplesOf(no))
      follow(all, track, tMs, value, (watched, { tMs: atMs, crossedMs, value: measured }) =>
        found.push({ alertId: watched.rule.alertId, tMs: atMs, crossedMs, value: measured }),
      )
  }
  return found.toSorted((a, b) => a.alertId.localeCompare(b.alertId) || a.tMs - b.tMs)
}

const rules: SeriesRule[] = [
  rule('above'),
  rule('above again', { intervalMs: 7 * minute }),
  rule('below', { criteria: 'lt', threshold: 25 }),
  rule('at night', { startMinute: 23 * 60 + 50, endMinute: 2 * 60 + 15, intervalMs: 11 * minute }),
  rule('consumed', { type: 'consumption', threshold: 12, intervalMs: 10 * minute }),
  rule('hardly consumed', { type: 'consumption', criteria: 'lt', threshold: 38, intervalMs: 60 * minute }),
  rule('younger', { validFromMs: startMs + 90 * minute, intervalMs: 5 * minute }),
  rule('second above', { signalNo: 2, intervalMs: 7 * minute }),
  rule('second hardly consumed', { signalNo: 2, type: 'consumption', criteria: 'lt', threshold: 38 }),
  rule('third below', { signalNo: 3, criteria: 'lt', threshold: 25 }),
]

const runs = fc.array(
  fc.record({
    no: fc.constantFrom(1, 1, 2, 3),
    at: fc.integer({ min: 0, max: 330 }),
    step: fc.integer({ min: 1, max: 9 }),
    values: fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 15, max: 60 }) }, fc.constant(null)), {
      minLength: 1,
      maxLength: 12,
    }),
  }),
  { minLength: 1, maxLength: 30 },
)
const happenings = fc.array(fc.constantFrom('go on', 'settle', 'pause', 'kill', 'fail', 'add'), { maxLength: 40 })
const pauses = fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 1, maxLength: 9 })

test('rows are a function of the stored samples, whatever the order, repetition, crashes and failures', async () => {
  await fc.assert(
    fc.asyncProperty(runs, happenings, pauses, fc.boolean(), async (arrivals, events, waits, isOrdered) => {
      const known = rules.slice(2)
      const world = openWorld(known, waits)
      let engine = await world.start()
      const inOrder = isOrdered ? arrivals.toSorted((a, b) => a.at - b.at) : arrivals
      for (const [i, { no, at, step, values }] of inOrder.entries()) {
        world.store(startMs + at * minute, step * minute, values, no)
        const event = events[i]
        if (event === 'settle') await engine.settled()
        for (let k = 0; event === 'pause' && k < 7; k++) await Promise.resolve()
        if (event === 'fail') world.fail()
        const added = rules.find((one) => !known.includes(one))
        if (event === 'add' && added) {
          known.push(added)
          engine.changed(added.alertId)
        }
        if (event === 'kill') {
          engine.kill()
          engine = await world.start()
        }
      }
      await engine.settled()
      expect(world.unexpected).toEqual([])
      expect(world.rows()).toEqual(expected(known, world.samples))
      await engine.close()
    }),
    { numRuns: 300 },
  )
})

test('a replay of earlier hours keeps the live rows', async () => {
  const world = openWorld([rule('above', { intervalMs: 10 * minute })])
  const engine = await world.start()
  const liveMs = startMs + 600 * minute
  for (let i = 0; i < 60; i++) {
    world.store(liveMs + i * minute, minute, [41])
    world.store(
      startMs + (9 - Math.floor(i / 6)) * 60 * minute + (i % 6) * 10 * minute,
      minute,
      Array.from({ length: 10 }, (_, k) => (k % 4 ? 39 : 42)),
    )
    if (i % 5 === 0) await engine.settled()
  }
  await engine.settled()
  expect(world.rows()).toEqual(expected([rule('above', { intervalMs: 10 * minute })], world.samples))
  await engine.close()
})

test('an alert that fails does not delay the others', async () => {
  const saved = new Set<string>()
  const value = { x: [startMs], y: [41] }
  const engine = await openAlertEngine<SeriesRule>({
    readings: {
      onStored: () => () => {},
      storedVersion: () => 1,
      storedSince: async function* () {},
      latest: async ([no = 0]) => new Map([[no, { tMs: startMs, value: 41 }]]),
      samples: async ({ signalNos, toMs }) => ({ toMs, series: new Map(signalNos.map((no) => [no, value])) }),
    },
    rules: async () => [rule('broken'), rule('whole', { signalNo: 2 })],
    rows: async (from) => {
      if (from.some(({ alertId }) => alertId === 'broken')) throw new Error('unreadable')
      return []
    },
    save: async (add) => add.forEach((one) => saved.add(one.rule.alertId)),
    progress: async () => null,
    saveProgress: async () => {},
    now: () => startMs + minute,
    onError: () => {},
    retryMs: 0,
  })
  await expect.poll(() => [...saved]).toEqual(['whole'])
  await engine.close()
})
