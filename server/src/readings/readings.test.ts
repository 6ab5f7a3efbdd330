import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeWorkerEngine } from '#testing/readings.ts'
import { bucketWidthMs, type Extremes, joinBuckets, mergeExtremes } from './decimate.ts'
import { openReadings, type Readings } from './readings.ts'
import type { Run } from './writer.ts'

beforeAll(closeWorkerEngine)

const noon = Date.UTC(2026, 9, 24, 12)
const hour = 3_600_000

let folder: string
let readings: Readings
let nowMs = noon
/** `npm test` runs this file again over the HTTP interface of a ClickHouse server. */
const url = process.env['TEST_CLICKHOUSE_URL']
const open = () => openReadings({ url, dataDir: join(folder, 'readings'), now: () => nowMs, rollupRoundMs: 0 })
let lastSignal = 0
const newSignal = () => ++lastSignal

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-readings-'))
  readings = await open()
})
afterAll(async () => {
  await readings.close()
  await rm(folder, { recursive: true, force: true })
})

const perSecond = (signalNo: number, t0Ms: number, values: (number | null)[]): Run => ({
  signalNo,
  t0Ms,
  dtMs: 1000,
  values,
})
const all = async (signalNos: number[], fromMs: number, toMs: number) => {
  const rows: { tMs: number; values: (number | null)[] }[] = []
  for await (const row of readings.exportRows({ signalNos, fromMs, toMs })) rows.push(row)
  return rows
}

describe('inserting', () => {
  test('D3: duplicates, overlaps and late arrivals end in one row an instant, the newest call wins', async () => {
    const no = newSignal()
    await readings.insert([perSecond(no, noon + 10_000, [11, 12, 13])])
    await readings.insert([perSecond(no, noon + 11_000, [22, 23])])
    await readings.insert([perSecond(no, noon, [1, null, 3])])
    await readings.insert([perSecond(no, noon + 10_000, [11])])
    expect(await all([no], noon, noon + hour)).toEqual([
      { tMs: noon, values: [1] },
      { tMs: noon + 2000, values: [3] },
      { tMs: noon + 10_000, values: [11] },
      { tMs: noon + 11_000, values: [22] },
      { tMs: noon + 12_000, values: [23] },
    ])
  })

  test('D3: of two values for one instant in the same group of inserts the later call wins', async () => {
    const no = newSignal()
    await Promise.all([1, 2, 3].map((value) => readings.insert([perSecond(no, noon, [value])])))
    expect((await all([no], noon, noon + 1))[0]?.values).toEqual([3])
  })

  test('D3: what was appended is there for whoever reads it next, however it is read', async () => {
    const reads: ((no: number) => Promise<unknown>)[] = [
      async (no) => (await readings.latest([no])).get(no),
      async (no) => (await readings.window({ signalNo: no, fromMs: noon, toMs: noon + hour, maxPoints: 10 })).y,
      async (no) => (await readings.samples({ signalNos: [no], fromMs: noon, toMs: noon + hour })).series.get(no)?.y,
      async (no) => (await readings.buckets({ signalNo: no, edgesMs: [noon, noon + hour] })).map(({ sum }) => sum),
      async (no) => (await all([no], noon, noon + hour)).map(({ values }) => values[0]),
    ]
    const found: unknown[] = []
    for (const read of reads) {
      const no = newSignal()
      await readings.append([perSecond(no, noon, [7])])
      found.push(await read(no))
    }
    expect(found).toEqual([{ tMs: noon, value: 7 }, [7], [7], [7], [7]])
  })

  test('numbers come back as they went in', async () => {
    const no = newSignal()
    const values = [0.1, 49.983, -1e-7, 1.0000000000000002, 123456.789, 5e-324, 1.7976931348623157e308]
    await readings.insert([perSecond(no, noon, values)])
    expect((await all([no], noon, noon + hour)).map((row) => row.values[0])).toEqual(values)
  })

  test('what the store cannot hold is refused and takes nothing else with it', async () => {
    const no = newSignal()
    const good = readings.insert([perSecond(no, noon, [1])])
    await expect(readings.insert([perSecond(no, noon, [Number.NaN])])).rejects.toThrow('neither a number nor null')
    await expect(readings.insert([perSecond(no, -5000, [1])])).rejects.toThrow('years')
    await expect(readings.insert([perSecond(1.5, noon, [1])])).rejects.toThrow('whole numbers')
    await good
    expect(await all([no], 0, noon + hour)).toHaveLength(1)
  })

  test('reopening finds everything, and newer inserts still win though the clock went back', async () => {
    const no = newSignal()
    await readings.insert([perSecond(no, noon, [1, 2])])
    await readings.close()
    nowMs = noon - 400 * 24 * hour
    readings = await open()
    await readings.insert([perSecond(no, noon, [9])])
    nowMs = noon
    expect((await all([no], noon, noon + hour)).map((row) => row.values)).toEqual([[9], [2]])
  })
})

describe('latest', () => {
  test('finds a fresh, an old and an ancient series and leaves an unknown one out', async () => {
    const [fresh, old, ancient, unknown] = [newSignal(), newSignal(), newSignal(), newSignal()]
    await readings.insert([
      perSecond(fresh, noon - 3000, [1, 2, 3]),
      perSecond(old, noon - 5 * hour, [4, 5]),
      perSecond(ancient, noon - 300 * 24 * hour, [6, 7]),
    ])
    const latest = await readings.latest([fresh, old, ancient, unknown])
    expect(latest.get(fresh)).toEqual({ tMs: noon - 1000, value: 3 })
    expect(latest.get(old)).toEqual({ tMs: noon - 5 * hour + 1000, value: 5 })
    expect(latest.get(ancient)).toEqual({ tMs: noon - 300 * 24 * hour + 1000, value: 7 })
    expect(latest.has(unknown)).toBe(false)
  })
})

describe('buckets', () => {
  test('the 25-hour and the 23-hour day have 100 and 92 quarters that hold every sample', async () => {
    for (const [from, quarters] of [
      [Date.UTC(2026, 9, 24, 22), 100],
      [Date.UTC(2026, 2, 28, 23), 92],
    ] as const) {
      const no = newSignal()
      const minutes = quarters * 15
      await readings.insert([
        { signalNo: no, t0Ms: from, dtMs: 60_000, values: Array.from({ length: minutes }, (_, i) => i) },
      ])
      const edgesMs = Array.from({ length: quarters + 1 }, (_, i) => from + i * 900_000)
      const expected = Array.from({ length: quarters }, (_, q) => ({
        count: 15,
        sum: 15 * 15 * q + 105,
        min: 15 * q,
        max: 15 * q + 14,
        first: 15 * q,
        firstMs: from + 15 * q * 60_000,
        last: 15 * q + 14,
        lastMs: from + (15 * q + 14) * 60_000,
      }))
      expect(await readings.buckets({ signalNo: no, edgesMs })).toEqual(expected)
      await readings.rollUp()
      expect(await readings.buckets({ signalNo: no, edgesMs })).toEqual(expected)
    }
  })

  test('edges that lie anywhere, empty intervals and edges out of order', async () => {
    const no = newSignal()
    await readings.insert([perSecond(no, noon, [1, 2, 3, 4])])
    const nothing = { count: 0, sum: 0, min: null, max: null, first: null, firstMs: null, last: null, lastMs: null }
    expect(
      await readings.buckets({ signalNo: no, edgesMs: [noon - 7, noon, noon + 1500, noon + 3001, noon + 9000] }),
    ).toEqual([
      nothing,
      { count: 2, sum: 3, min: 1, max: 2, first: 1, firstMs: noon, last: 2, lastMs: noon + 1000 },
      { count: 2, sum: 7, min: 3, max: 4, first: 3, firstMs: noon + 2000, last: 4, lastMs: noon + 3000 },
      nothing,
    ])
    await expect(readings.buckets({ signalNo: no, edgesMs: [noon, noon] })).rejects.toThrow('ascend')
  })
})

describe('export', () => {
  test('lines up series by instant, over a span of silence, page by page', async () => {
    const [a, b] = [newSignal(), newSignal()]
    const many = Array.from({ length: 45_000 }, (_, i) => i)
    await readings.insert([
      perSecond(a, noon, many),
      perSecond(b, noon + 1000, [7]),
      perSecond(b, noon + 100 * 24 * hour, [8]),
    ])
    const rows = await all([b, a], noon, noon + 101 * 24 * hour)
    expect(rows).toHaveLength(45_001)
    expect(rows[1]).toEqual({ tMs: noon + 1000, values: [7, 1] })
    expect(rows.at(-1)).toEqual({ tMs: noon + 100 * 24 * hour, values: [8, null] })
    expect(rows.slice(0, -1).every((row, i) => row.values[1] === i && row.tMs === noon + i * 1000)).toBe(true)
  })
})

describe('window', () => {
  test('all samples when they fit, a null inside a gap', async () => {
    const no = newSignal()
    await readings.insert([perSecond(no, noon, [1, 2, 3]), perSecond(no, noon + 60_000, [4, 5])])
    expect(await readings.window({ signalNo: no, fromMs: noon, toMs: noon + hour, maxPoints: 1500 })).toEqual({
      x: [noon, noon + 1000, noon + 2000, noon + 31_000, noon + 60_000, noon + 61_000],
      y: [1, 2, 3, null, 4, 5],
    })
  })

  test('a slow series is shown whole though the span is long', async () => {
    const no = newSignal()
    await readings.insert([
      { signalNo: no, t0Ms: noon, dtMs: 300_000, values: Array.from({ length: 288 }, (_, i) => i) },
    ])
    const { x, y } = await readings.window({ signalNo: no, fromMs: noon, toMs: noon + 24 * hour, maxPoints: 400 })
    expect(y).toEqual(Array.from({ length: 288 }, (_, i) => i))
    expect(x[287]).toBe(noon + 287 * 300_000)
  })
})

const bucketsOf = (samples: Map<number, number>, fromMs: number, toMs: number, widthMs: number): Extremes[] => {
  const inside = [...samples].filter(([at]) => at >= fromMs && at < toMs).toSorted(([a], [b]) => a - b)
  const ones = inside.map(([at, value]): Extremes => ({
    count: 1,
    min: value,
    minAtMs: at,
    max: value,
    maxAtMs: at,
    first: value,
    firstAtMs: at,
    last: value,
    lastAtMs: at,
  }))
  const groups = Map.groupBy(ones, ({ firstAtMs }) => Math.floor(firstAtMs / widthMs))
  return [...groups.values()].map((group) => group.reduce(mergeExtremes))
}

describe('roll-ups', () => {
  /** In memory (the last hour), in the store, and across their border. */
  const agesMs = [0, 100 * 60_000, 25 * hour]

  test(
    'D3: readers answer what raw answers, for shuffles, duplicates, late and changed values, roll-ups half done, asked before and after each',
    { timeout: 60_000 },
    async () => {
      const step = fc.record({
        t0: fc.integer({ min: 0, max: 40 * 60 }),
        dtMs: fc.constantFrom(1000, 500, 7000, 60_000),
        values: fc.array(fc.option(fc.integer({ min: -20, max: 20 }), { freq: 5 }), { minLength: 1, maxLength: 90 }),
        rollUp: fc.boolean(),
        ask: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 2, maxLength: 6 }),
          fc.integer({ min: 0, max: 90_000 }),
          fc.constantFrom(...agesMs),
          async (steps, cut, ageMs) => {
            const no = newSignal()
            const beginMs = noon - ageMs
            const model = new Map<number, number>()
            const expectRight = async () => {
              const [fromMs, toMs, maxPoints] = [beginMs + cut, beginMs + 3 * hour - cut, 40]
              const widthMs = bucketWidthMs(fromMs, toMs, maxPoints)
              expect(widthMs).toBeGreaterThanOrEqual(120_000)
              const expected = bucketsOf(model, fromMs, toMs, widthMs)
              const points = await readings.window({ signalNo: no, fromMs, toMs, maxPoints })
              if (expected.reduce((sum, { count }) => sum + count, 0) > maxPoints)
                expect(points).toEqual(joinBuckets(expected, widthMs, maxPoints))
              const edgesMs = Array.from({ length: 13 }, (_, i) => beginMs + i * 600_000)
              const sums = (await readings.buckets({ signalNo: no, edgesMs })).map(
                ({ count, sum, min, max, first, last }) => [count, sum, min, max, first, last],
              )
              expect(sums).toEqual(
                edgesMs.slice(0, -1).map((edge) => {
                  const inside = [...model]
                    .filter(([at]) => at >= edge && at < edge + 600_000)
                    .toSorted(([a], [b]) => a - b)
                  const values = inside.map(([, value]) => value)
                  if (values.length === 0) return [0, 0, null, null, null, null]
                  const sum = values.reduce((a, b) => a + b, 0)
                  return [values.length, sum, Math.min(...values), Math.max(...values), values[0], values.at(-1)]
                }),
              )
            }
            for (const { t0, dtMs, values, rollUp, ask } of steps) {
              await readings.insert([{ signalNo: no, t0Ms: beginMs + t0 * 1000, dtMs, values }])
              values.forEach((value, i) => value !== null && model.set(beginMs + t0 * 1000 + i * dtMs, value))
              if (ask) await expectRight()
              // A query during the recomputation of its minutes.
              if (rollUp) await Promise.all([readings.rollUp(), ask ? expectRight() : undefined])
            }
            await expectRight()
          },
        ),
        { numRuns: 12, endOnFailure: true },
      )
    },
  )

  test('a window of two weeks from roll-ups, with changes that came after them', async () => {
    const no = newSignal()
    const values = Array.from({ length: 14 * 24 * 30 }, (_, i) => ((i * 7919) % 101) - 50)
    await readings.insert([{ signalNo: no, t0Ms: noon, dtMs: 120_000, values }])
    await readings.rollUp()
    await readings.insert([{ signalNo: no, t0Ms: noon + 5 * 24 * hour, dtMs: 120_000, values: [99, -99, 99] }])
    const model = new Map(values.map((value, i) => [noon + i * 120_000, value]))
    ;[99, -99, 99].forEach((value, i) => model.set(noon + 5 * 24 * hour + i * 120_000, value))
    const [fromMs, toMs, maxPoints] = [noon + 1234, noon + 14 * 24 * hour - 1234, 500]
    const widthMs = bucketWidthMs(fromMs, toMs, maxPoints)
    const expected = joinBuckets(bucketsOf(model, fromMs, toMs, widthMs), widthMs, maxPoints)
    expect(await readings.window({ signalNo: no, fromMs, toMs, maxPoints })).toEqual(expected)
  })

  test('a restart finds the minutes that a crash left without their roll-up', async () => {
    const no = newSignal()
    await readings.insert([
      perSecond(
        no,
        noon,
        Array.from({ length: 600 }, (_, i) => i),
      ),
    ])
    await readings.close()
    readings = await open()
    await readings.rollUp()
    const edgesMs = [noon, noon + 600_000]
    expect(await readings.buckets({ signalNo: no, edgesMs })).toMatchObject([{ count: 600, sum: 179_700 }])
  })
})

test('quarantined messages are kept as text, whatever they hold', async () => {
  const payload = '{"p":[1,\t2]}\n\\N \u0000 drop table samples; --'
  await readings.quarantine([{ receivedAtMs: noon, edge: 'e', topic: 'gm/v1/e/x', reason: 'not JSON', payload }])
})

test('storage of some series is their share of all', async () => {
  const [one, other] = [7001, 7002]
  const values = Array.from({ length: 60 }, (_, i) => i)
  await readings.insert([one, other].map((signalNo) => ({ signalNo, t0Ms: noon, dtMs: 1000, values })))
  expect(await readings.storageBytes([one])).toBeGreaterThan(0)
  // The store merges parts at any time, so the sizes before and after differ.
  const share = async () => (await readings.storageBytes([one, other])) / (await readings.storageBytes([one]))
  await expect.poll(share).toBeCloseTo(2, 6)
  expect(await readings.storageBytes([])).toBe(0)
})
