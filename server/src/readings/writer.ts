import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { earliestMs, latestMs } from './sql.ts'

/** Evenly spaced values of one series; null where nothing was measured. */
export type Run = { signalNo: number; t0Ms: number; dtMs: number; values: readonly (number | null)[] }

type Writer = {
  /** Resolves when the values are on disk (fsync). Concurrent calls share an insert; the newest call wins on (signal, time). */
  insert: (runs: readonly Run[], patienceMs?: number) => Promise<void>
  settledVersion: () => number
  isIdle: () => boolean
  /** New versions are above this one. */
  raise: (version: number) => void
  close: () => Promise<void>
}

export type StoredRun = { run: Run; version: number }

/** Called synchronously: each queued run, then groups in order of version. Must not throw. */
type WriterEvents = {
  queued: (run: Run, version: number) => void
  stored: (runs: readonly StoredRun[]) => void
  failed: (runs: readonly StoredRun[]) => void
  ended?: ((seconds: number, isStored: boolean) => void) | undefined
}

type QueuedRun = StoredRun & { text: string }
type QueuedCall = {
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

export const openWriter = (
  client: ClickHouseClient,
  startVersion: number,
  events: WriterEvents,
  now?: () => number,
): Writer => {
  const version = versionClock(startVersion, now)
  let queue: QueuedCall[] = []
  let queuedSamples = 0
  let timer: NodeJS.Timeout | undefined
  let dueAtMs = Infinity
  let openedAtMs = 0
  let running: Promise<void> | undefined
  let settled = startVersion
  let closed = false

  const store = (group: QueuedCall[]) => {
    const inOrder = group.flatMap(({ runs }) => runs).toSorted(byKey)
    return client.insert({
      table: 'gridmast.runs',
      values: Readable.from([inOrder.map(({ text }) => text).join('')], { objectMode: false }),
      format: 'TabSeparated',
    })
  }

  const takeGroup = (): QueuedCall[] => {
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
    const startedMs = performance.now()
    const ended = (isStored: boolean) => events.ended?.((performance.now() - startedMs) / 1000, isStored)
    running = store(group)
      .then(
        () => {
          settled = newest.lastVersion
          ended(true)
          events.stored(group.flatMap(({ runs }) => runs))
          group.forEach((waiting) => waiting.resolve())
        },
        (error: unknown) => {
          settled = newest.lastVersion
          ended(false)
          events.failed(group.flatMap(({ runs }) => runs))
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
          events.queued(run, runVersion)
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
    raise: version.raise,
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
  return {
    next: () => (last = Math.max(last + 1, now() * 1000)),
    last: () => last,
    raise: (version: number) => void (last = Math.max(last, version)),
  }
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

const [comma, minus, point, zero] = [0x2c, 0x2d, 0x2e, 0x30]
/** Length of `-1.7976931348623157e+308` and a comma. */
const longestBytes = 25
let bytes = Buffer.allocUnsafe(16_384)

/**
 * Values as a list for the store, without brackets. Exact thousandths are written from the whole number: 16 ns per value, 65 with
 * JSON.stringify (measured). The store reads the nearest float, which is the same number.
 */
export const valueList = (values: readonly (number | null)[]): string => {
  if (values.length * longestBytes > bytes.length) bytes = Buffer.allocUnsafe(2 * values.length * longestBytes)
  let end = 0
  for (let i = 0; i < values.length; i++) {
    if (i > 0) bytes[end++] = comma
    const value = values[i] ?? null
    if (value === null) end += bytes.write('NULL', end, 'latin1')
    else {
      const thousandths = (value * 1000 + (value < 0 ? -0.5 : 0.5)) | 0
      if (thousandths / 1000 === value) end = writeThousandths(thousandths, end)
      else end += bytes.write(String(value), end, 'latin1')
    }
  }
  return bytes.toString('latin1', 0, end)
}

const writeThousandths = (thousandths: number, from: number): number => {
  let end = from
  let all = thousandths
  if (all < 0) {
    bytes[end++] = minus
    all = -all
  }
  let whole = (all / 1000) | 0
  let rest = all - whole * 1000
  end += whole < 10 ? 1 : whole < 100 ? 2 : whole < 1000 ? 3 : String(whole).length
  for (let at = end - 1; ; at--) {
    const tenth = (whole / 10) | 0
    bytes[at] = zero + whole - tenth * 10
    if (tenth === 0) break
    whole = tenth
  }
  if (rest === 0) return end
  bytes[end++] = point
  for (let unit = 100; rest > 0; unit = (unit / 10) | 0) {
    const digit = (rest / unit) | 0
    bytes[end++] = zero + digit
    rest -= digit * unit
  }
  return end
}
