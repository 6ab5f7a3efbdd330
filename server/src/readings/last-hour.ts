import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs, hourMs } from '@gridmast/contract/time.ts'
import {
  bytesOf,
  countBetween,
  emptySeries,
  fill,
  type HeldSeries,
  newestOf,
  put,
  raiseFloor,
  samplesBetween,
  shrink,
} from './held-series.ts'
import {
  maxSamples,
  type Sample,
  type Samples,
  type SamplesAnswer,
  samplesPerAnswer,
  type SamplesQuery,
} from './samples.ts'
import type { Run, StoredRun } from './writer.ts'

/** The last hour of each series in memory: see last-hour.md. */
type LastHour = {
  /** Runs on disk, in order of version. */
  stored: (runs: readonly StoredRun[]) => void
  /** Runs that may or may not be on disk. */
  uncertain: (runs: readonly StoredRun[]) => void
  forgetAll: () => void
  samples: (signalNo: number, fromMs: number, toMs: number) => Samples | undefined
  samplesOf: (query: SamplesQuery) => SamplesAnswer | undefined
  latest: (signalNos: readonly number[]) => Promise<Map<number, Sample>>
  held: () => { series: number; bytes: number }
  close: () => Promise<void>
}

type Options = {
  maxBytes: number
  readSince: (signalNos: readonly number[], fromMs: number) => Promise<Map<number, Samples>>
  lookUp: (signalNos: readonly number[]) => Promise<Map<number, Sample>>
  now: () => number
  onError: (error: unknown) => void
}

/** One minute more, for the window of a request that was computed a moment ago. */
const keptMs = hourMs + minuteMs
/** An hour at 1 Hz (measured). */
const usualBytes = 34_000
/** A series read within this time is not evicted. */
const recentlyUsedMs = minuteMs
/** Series per read, a query of 15 ms. */
const readAtOnce = 8

export const openLastHour = ({ maxBytes, readSince, lookUp, now, onError }: Options): LastHour => {
  const held = new Map<number, HeldSeries & { usedAtMs: number }>()
  const queue = new Set<number>()
  /** Runs stored while the series is being read, added on top; undefined when the result is uncertain. */
  const meanwhile = new Map<number, Run[] | undefined>()
  let bytes = 0
  let shrunkAtMs = 0
  let isReading = false
  let reading: Promise<void> | undefined
  let closed = false

  const forget = (signalNo: number) => {
    const series = held.get(signalNo)
    if (series) bytes -= bytesOf(series)
    held.delete(signalNo)
  }

  const hold = (signalNo: number, series: HeldSeries) => {
    held.set(signalNo, Object.assign(series, { usedAtMs: now() }))
    bytes += bytesOf(series)
  }

  const markUsed = (signalNo: number) => {
    const series = held.get(signalNo)
    if (!series) return undefined
    series.usedAtMs = now()
    held.delete(signalNo)
    held.set(signalNo, series)
    return series
  }

  const saveMemory = () => {
    if (bytes <= maxBytes) return
    if (now() - shrunkAtMs > recentlyUsedMs) {
      shrunkAtMs = now()
      for (const series of held.values()) {
        bytes -= bytesOf(series)
        raiseFloor(series, now() - keptMs)
        shrink(series)
        bytes += bytesOf(series)
      }
    }
    for (const signalNo of held.keys()) {
      if (bytes <= maxBytes) return
      forget(signalNo)
    }
  }

  const isRoom = (isRequested: boolean) => {
    if (bytes + (queue.size + meanwhile.size + 1) * usualBytes <= maxBytes) return true
    const [first] = held.values()
    return isRequested && queue.size === 0 && first !== undefined && first.usedAtMs < now() - recentlyUsedMs
  }

  const enqueue = (signalNo: number, isRequested: boolean) => {
    if (closed || held.has(signalNo) || queue.has(signalNo) || meanwhile.has(signalNo) || !isRoom(isRequested)) return
    queue.add(signalNo)
    if (!isReading) void work()
  }

  /** Reads the wanted series with pauses: after a start it takes about a third of a core until all are in memory. */
  const work = async () => {
    isReading = true
    while (queue.size > 0 && !closed) {
      const startedAt = performance.now()
      reading = readSome([...queue].slice(0, readAtOnce))
      const restMs = await reading.then(
        () => 2 * (performance.now() - startedAt),
        (error: unknown) => {
          onError(error)
          return 10_000
        },
      )
      await pause(Math.min(restMs, 10_000), undefined, { ref: false })
    }
    isReading = false
  }

  const readSome = async (signalNos: number[]) => {
    for (const signalNo of signalNos) {
      queue.delete(signalNo)
      meanwhile.set(signalNo, [])
    }
    try {
      const fromMs = now() - keptMs
      const recent = await readSince(signalNos, fromMs)
      const silent = signalNos.filter((signalNo) => recent.get(signalNo)?.x.length === 0)
      const older = silent.length > 0 ? await lookUp(silent) : new Map<number, Sample>()
      for (const signalNo of signalNos) {
        const samples = recent.get(signalNo) ?? { x: [], y: [] }
        const isCut = samples.x.length >= maxSamples
        const last = older.get(signalNo) ?? null
        const series = emptySeries(isCut ? (samples.x[0] ?? fromMs) : fromMs, last && last.tMs < fromMs ? last : null)
        const runs = meanwhile.get(signalNo)
        if (runs && fill(series, samples) && runs.every((run) => put(series, run, fromMs))) hold(signalNo, series)
      }
      saveMemory()
    } finally {
      for (const signalNo of signalNos) meanwhile.delete(signalNo)
    }
  }

  const samplesFrom = (signalNo: number, fromMs: number) => {
    const series = markUsed(signalNo)
    if (series && series.floorMs <= fromMs) return series
    if (fromMs >= now() - hourMs) enqueue(signalNo, true)
    return undefined
  }

  return {
    stored: (runs) => {
      const keepFromMs = now() - keptMs
      for (const { run } of runs) {
        const series = held.get(run.signalNo)
        meanwhile.get(run.signalNo)?.push(run)
        if (series) {
          bytes -= bytesOf(series)
          const isHeld = put(series, run, keepFromMs)
          bytes += bytesOf(series)
          if (!isHeld) forget(run.signalNo)
        } else if (run.t0Ms + run.dtMs * run.values.length > keepFromMs) enqueue(run.signalNo, false)
      }
      saveMemory()
    },
    uncertain: (runs) => {
      for (const { run } of runs) {
        const { signalNo } = run
        forget(signalNo)
        if (meanwhile.has(signalNo)) meanwhile.set(signalNo, undefined)
      }
    },
    forgetAll: () => {
      held.clear()
      bytes = 0
      for (const signalNo of meanwhile.keys()) meanwhile.set(signalNo, undefined)
    },
    samples: (signalNo, fromMs, toMs) => {
      const series = samplesFrom(signalNo, fromMs)
      return series && samplesBetween(series, fromMs, Math.max(fromMs, toMs))
    },
    samplesOf: ({ signalNos, fromMs, toMs }) => {
      const all = signalNos.flatMap((signalNo) => samplesFrom(signalNo, fromMs) ?? [])
      if (all.length < signalNos.length) return undefined
      let endMs = Math.max(fromMs, toMs)
      while (all.reduce((count, series) => count + countBetween(series, fromMs, endMs), 0) > samplesPerAnswer)
        endMs = fromMs + Math.ceil((endMs - fromMs) / 2)
      return {
        toMs: endMs,
        series: new Map(all.map((series, i) => [signalNos[i] ?? 0, samplesBetween(series, fromMs, endMs)])),
      }
    },
    latest: async (signalNos) => {
      const latest = new Map<number, Sample>()
      const unknown: number[] = []
      for (const signalNo of signalNos) {
        const series = markUsed(signalNo)
        const sample = series && newestOf(series)
        if (sample) latest.set(signalNo, sample)
        if (series) continue
        enqueue(signalNo, true)
        unknown.push(signalNo)
      }
      const stored = unknown.length > 0 ? await lookUp(unknown) : []
      return new Map([...latest, ...stored])
    },
    held: () => ({ series: held.size, bytes }),
    close: async () => {
      closed = true
      await reading?.catch(() => {})
    },
  }
}
