import { expect, test, vi } from 'vitest'
import { openEdgeReports } from './edge-reports.ts'
import { testDirectory } from './ingest.fixture.ts'
import type { EdgeReport } from './queries.ts'

const status = (codeVersion: string) => ({ v: 1 as const, online: true, codeVersion })
const open = async () => {
  const store = { isAway: false, written: new Map<string, EdgeReport>(), calls: 0 }
  const directory = testDirectory(3)
  const reports = openEdgeReports({
    log: { warn: () => {} },
    save: async (found) => {
      store.calls++
      if (store.isAway) throw new Error('connection refused')
      if (found.some(({ codeVersion }) => codeVersion?.includes('\0')))
        throw Object.assign(new Error('invalid byte sequence'), { code: '22021' })
      for (const report of found) store.written.set(report.edgeId, report)
    },
  })
  const note = async (edge: string, atMs: number, codeVersion: string | null) => {
    const entry = await directory.find(edge)
    if (entry) reports.note(entry, atMs, codeVersion === null ? null : status(codeVersion))
  }
  return { store, reports, note }
}

test('T5: a report that the store refuses does not delay the others', async () => {
  const { store, reports, note } = await open()
  await note('edge-1', 1, 'v4.4.0')
  await note('edge-2', 2, 'v4\0')
  await note('edge-3', 3, 'v4.5.0')
  await reports.flush()
  expect([...store.written.keys()]).toEqual(['id-edge-1', 'id-edge-3'])
  await reports.close()
  expect(store.calls).toBe(4)
})

test('reports wait while the store is away and are merged per edge', async () => {
  const { store, reports, note } = await open()
  store.isAway = true
  await note('edge-1', 1, 'v4.4.0')
  await expect(reports.flush()).rejects.toThrow('connection refused')
  await note('edge-1', 5, null)
  store.isAway = false
  await reports.close()
  expect(store.written.get('id-edge-1')).toMatchObject({ atMs: 5, online: true, codeVersion: 'v4.4.0' })
})

test('the first report of an edge is written within 250 ms, later ones every 5 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const { store, reports, note } = await open()
    await note('edge-1', 1, 'v4.4.0')
    await note('edge-2', 1, 'v4.4.0')
    await vi.advanceTimersByTimeAsync(250)
    expect([store.calls, [...store.written.keys()]]).toEqual([1, ['id-edge-1', 'id-edge-2']])
    await note('edge-1', 2, null)
    await vi.advanceTimersByTimeAsync(4000)
    expect(store.calls).toBe(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect([store.calls, store.written.get('id-edge-1')?.atMs]).toEqual([2, 2])
    await reports.close()
  } finally {
    vi.useRealTimers()
  }
})
