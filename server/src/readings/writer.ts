import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { earliestMs, latestMs } from './sql.ts'
import { valueList } from './value-list.ts'

/** Evenly spaced values of one series; null where nothing was measured. */
export type Run = { signalNo: number; t0Ms: number; dtMs: number; values: readonly (number | null)[] }

type Writer = {
  /** Resolves when the values are on disk (fsync). Concurrent calls share an insert; the newest call wins on (signal, time). */
  insert: (runs: readonly Run[], patienceMs?: number) => Promise<void>
  /** The version up to which every insert has ended, with or without an error. */
  settledVersion: () => number
  isIdle: () => boolean
  close: () => Promise<void>
}

export type StoredRun = { run: Run; version: number }

/** Called synchronously: each queued run, then groups in order of version. Must not throw. */
type Told = {
  queued: (run: Run, version: number) => void
  stored: (runs: readonly StoredRun[]) => void
  /** The runs may or may not be on disk. */
  failed: (runs: readonly StoredRun[]) => void
}

type QueuedRun = StoredRun & { text: string }
type Waiting = {
  runs: QueuedRun[]
  samples: number
  lastVersion: number
  resolve: () => void
  reject: (error: unknown) => void
}

/** Wait of an insert for others, unless it is large (measured: 20 ms and 20,000 rows are the best mix of rate and delay). */
const groupMs = 20
const groupSamples = 20_000
/** Callers with patience wait until this many samples: each group is a part that the store must merge. */
const worthwhileSamples = 1000
/** Limit of an insert from a backlog, which bounds memory and the time of an fsync. */
const insertSamples = 100_000

export const openWriter = (client: ClickHouseClient, startVersion: number, told: Told): Writer => {
  const version = versionClock(startVersion)
  let queue: Waiting[] = []
  let queuedSamples = 0
  let timer: NodeJS.Timeout | undefined
  let dueAtMs = Infinity
  let openedAtMs = 0
  let running: Promise<void> | undefined
  let settled = startVersion
  let closed = false

  const store = (group: Waiting[]) => {
    const inOrder = group.flatMap(({ runs }) => runs).toSorted(byKey)
    return client.insert({
      table: 'gridmast.runs',
      values: Readable.from([inOrder.map(({ text }) => text).join('')], { objectMode: false }),
      format: 'TabSeparated',
    })
  }

  const takeGroup = (): Waiting[] => {
    let samples = 0
    let count = 0
    while (count < queue.length && (count === 0 || samples < insertSamples)) samples += queue[count++]?.samples ?? 0
    queuedSamples -= samples
    return queue.splice(0, count)
  }

  const flush = () => {
    clearTimeout(timer)
    dueAtMs = Infinity
    if (running) return
    const group = takeGroup()
    const newest = group.at(-1)
    if (!newest) return
    running = store(group)
      .then(
        () => {
          settled = newest.lastVersion
          told.stored(group.flatMap(({ runs }) => runs))
          group.forEach((waiting) => waiting.resolve())
        },
        (error: unknown) => {
          settled = newest.lastVersion
          told.failed(group.flatMap(({ runs }) => runs))
          group.forEach((waiting) => waiting.reject(error))
        },
      )
      .finally(() => {
        running = undefined
        flush()
      })
  }

  const flushBy = (atMs: number) => {
    if (atMs >= dueAtMs) return
    clearTimeout(timer)
    dueAtMs = atMs
    timer = setTimeout(flush, Math.max(0, atMs - performance.now()))
  }

  return {
    insert: (runs, patienceMs = groupMs) =>
      new Promise((resolve, reject) => {
        if (closed) throw new Error('The readings store is closed')
        for (const run of runs) checkRun(run)
        let samples = 0
        const queued: QueuedRun[] = []
        for (const run of runs) {
          if (run.values.length === 0) continue
          const runVersion = version.next()
          told.queued(run, runVersion)
          queued.push({ run, version: runVersion, text: line(run, runVersion) })
          samples += run.values.length
        }
        if (samples === 0) return resolve()
        if (queue.length === 0) openedAtMs = performance.now()
        queue.push({ runs: queued, samples, lastVersion: version.last(), resolve, reject })
        queuedSamples += samples
        if (queuedSamples >= groupSamples) flush()
        else if (queuedSamples >= worthwhileSamples) flushBy(openedAtMs + groupMs)
        else flushBy(performance.now() + patienceMs)
      }),
    settledVersion: () => settled,
    isIdle: () => !running && queue.length === 0,
    close: async () => {
      closed = true
      while (running || queue.length > 0) {
        flush()
        await running
      }
    },
  }
}

/** The sort order of the store, which saves it the sorting. */
const byKey = ({ run: a }: StoredRun, { run: b }: StoredRun) => a.signalNo - b.signalNo || a.t0Ms - b.t0Ms

/** Microseconds of the wall clock, always above every earlier and every stored version. */
const versionClock = (start: number, now: () => number = Date.now) => {
  let last = start
  return { next: () => (last = Math.max(last + 1, now() * 1000)), last: () => last }
}

export const checkRun = ({ signalNo, t0Ms, dtMs, values }: Run) => {
  const endMs = t0Ms + dtMs * values.length
  const isWhole = Number.isSafeInteger(signalNo) && Number.isSafeInteger(t0Ms) && Number.isSafeInteger(dtMs)
  if (!isWhole || signalNo < 0 || signalNo >= 2 ** 32 || dtMs < 0 || dtMs >= 2 ** 32)
    throw new RangeError('A run needs whole numbers for signal, start and step')
  if (t0Ms < earliestMs || endMs > latestMs) throw new RangeError('A run lies outside the years that the store holds')
  // By index: an iterator boxes each number, a fifth of the garbage of ingest.
  for (let i = 0; i < values.length; i++)
    if (values[i] !== null && !Number.isFinite(values[i])) throw new RangeError('A value is neither a number nor null')
}

const line = ({ signalNo, t0Ms, dtMs, values }: Run, version: number): string =>
  `${signalNo}\t${t0Ms}\t${dtMs}\t${version}\t[${valueList(values)}]\n`
