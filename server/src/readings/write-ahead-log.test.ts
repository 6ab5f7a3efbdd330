import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAhead } from './write-ahead-log.ts'
import { checkRun, type Run } from './writer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-ahead-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (value: number, t0Ms = 1_700_000_000_000): Run => ({ signalNo: 1, t0Ms, dtMs: 1000, values: [value] })
const valuesOf = (runs: readonly Run[]) => runs.flatMap(({ values }) => values)

const openStore = () => {
  const stored: Run[] = []
  const errors: unknown[] = []
  const store = {
    isAway: false,
    refuses: Number.NaN,
    stored,
    errors,
    open: (everyMs = 3_600_000) =>
      openAhead({
        folder,
        everyMs,
        onError: (error) => errors.push(error),
        insert: async (runs) => {
          await Promise.resolve()
          if (store.isAway) throw new Error('away')
          if (valuesOf(runs).includes(store.refuses)) throw new Error('refused')
          stored.push(...runs)
        },
      }),
  }
  return store
}

test('what was appended is in the store after a drain, in its order, and no longer in the log', async () => {
  const store = openStore()
  const ahead = await store.open()
  await Promise.all([1, 2, 3].map((value) => ahead.append([run(value)])))
  await ahead.append([run(4), { ...run(5.25), values: [5.25, null] }])
  expect([store.stored.length, (await readdir(folder)).length]).toEqual([0, 1])
  await ahead.drain()
  expect(valuesOf(store.stored)).toEqual([1, 2, 3, 4, 5.25, null])
  expect(await readdir(folder)).toEqual([])
  await ahead.close()
  await expect(ahead.append([run(6)])).rejects.toThrow('closed')
})

test('evenly spaced values of a series are one run; what comes again or between starts another, after it', async () => {
  const store = openStore()
  const ahead = await store.open()
  const at = (s: number) => 1_700_000_000_000 + s * 1000
  for (const [s, value] of [
    [0, 1] as const,
    [30, 2] as const,
    [60, 3] as const,
    [60, 3.5] as const,
    [61, 4] as const,
    [62, 5] as const,
    [10, 6] as const,
  ]) {
    await ahead.append([run(value, at(s))])
    await ahead.append([{ ...run(-value, at(s)), signalNo: 2, values: [-value, null], dtMs: 250 }])
  }
  await ahead.drain()
  const said = (signalNo: number) =>
    store.stored
      .filter((one) => one.signalNo === signalNo)
      .map(({ t0Ms, dtMs, values }) => [(t0Ms - at(0)) / 1000, dtMs, ...values])
  expect(said(1)).toEqual([
    [0, 30_000, 1, 2, 3],
    [60, 1000, 3.5, 4, 5],
    [10, 1000, 6],
  ])
  expect(said(2)).toHaveLength(7)
  await ahead.close()
})

test('what a charger kept for weeks and what it says now are two runs, as the store takes them', async () => {
  const store = openStore()
  const ahead = await store.open()
  const now = 1_700_000_000_000
  await ahead.append([run(1, now - 60 * 86_400_000), run(2, now), run(3, now + 3_600_000), run(4, now + 7_200_000)])
  await ahead.drain()
  expect(store.stored.map(({ dtMs, values }) => [dtMs, ...values])).toEqual([
    [1000, 1],
    [3_600_000, 2, 3, 4],
  ])
  store.stored.forEach(checkRun)
  await ahead.close()
})

test('it is stored by itself soon after', async () => {
  const store = openStore()
  const ahead = await store.open(1)
  await ahead.append([run(1)])
  await expect.poll(() => valuesOf(store.stored)).toEqual([1])
  await ahead.close()
})

test('what a process that died has left is stored at the next start; a torn line is nobody’s', async () => {
  const dead = openStore()
  const ahead = await dead.open()
  await ahead.append([run(1)])
  await ahead.append([run(2)])
  const [page = ''] = await readdir(folder)
  await appendFile(join(folder, page), '[1,1700000000000,1000,[3')
  const next = openStore()
  await (await next.open()).close()
  expect([valuesOf(next.stored), next.errors]).toEqual([[1, 2], []])
  expect(await readdir(folder)).toEqual([])
})

test('a page that cannot be read is put aside, said, and holds up nobody', async () => {
  await appendFile(join(folder, '1-000000001'), '[1,"x",1000,[1]]\n')
  await appendFile(join(folder, '2-000000001'), '[1,1700000000000,1000,[2]]\n')
  const store = openStore()
  await (await store.open()).close()
  expect([valuesOf(store.stored), store.errors.length]).toEqual([[2], 1])
  expect(await readdir(folder)).toEqual(['1-000000001.broken'])
})

test('while the store is away everything waits in its order, also over a restart', async () => {
  const store = openStore()
  store.isAway = true
  let ahead = await store.open()
  await ahead.append([run(1)])
  await expect(ahead.drain()).rejects.toThrow('away')
  await ahead.append([run(2)])
  await ahead.close()
  ahead = await store.open(1)
  await ahead.append([run(3)])
  expect(store.stored).toEqual([])
  store.isAway = false
  await expect.poll(() => valuesOf(store.stored)).toEqual([1, 2, 3])
  await ahead.close()
  expect(await readdir(folder)).toEqual([])
})

test('a page that the store never takes is put aside once it takes the next one; the rest of the page is stored', async () => {
  const store = openStore()
  const poison = -1
  store.refuses = poison
  const ahead = await store.open(0)
  const tries = async (count: number) => {
    for (let i = 0; i < count; i++) await ahead.drain().catch(() => {})
  }
  await ahead.append([run(1), { ...run(poison), signalNo: 2 }, run(3, 1_700_000_001_000)])
  await tries(20)
  await ahead.append([run(4, 1_700_000_002_000)])
  store.isAway = true
  await tries(20)
  expect([store.stored, ahead.putAside()]).toEqual([[], 0])
  store.isAway = false
  await tries(1)
  expect(valuesOf(store.stored)).toEqual([4, 1, 3])
  expect([ahead.putAside(), ahead.waits([1, 2])]).toEqual([1, false])
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.refused$/)])
  await ahead.close()
  expect((await store.open()).putAside()).toBe(1)
})

test('what the store would never take is refused at once', async () => {
  const ahead = await openStore().open()
  await expect(ahead.append([run(Number.NaN)])).rejects.toThrow('neither a number nor null')
  await expect(ahead.append([run(1, 1e15)])).rejects.toThrow('years')
  await ahead.append([run(1)])
  await ahead.close()
})
