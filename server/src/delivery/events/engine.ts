import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'
import { addRange, defaultRetryMs, type FollowPorts, lateWaitMs, openFollower, type Range } from '#delivery/follow.ts'
import { type Activation, watch, type Watcher } from '#delivery/scoring/activations.ts'
import { products } from '#delivery/scoring/products.ts'
import type { StoredGroup } from '#readings/readings.ts'
import { otherWritersUs } from '#readings/rollups.ts'
import type { StoredRun } from '#readings/writer.ts'
import { type Changes, examine, reportPatienceMs, type EventRow, type SpanRows, type Watched } from './examine.ts'
import { triggerNo } from './judge.ts'

export type Examined<W extends Watched> = Changes & { watched: W; arrivedMs: number; spanRows: SpanRows }

export type ActivationSpan = { instanceId: string; market: string; startMs: number; endMs: number | null }

export type Ports<W extends Watched> = FollowPorts & {
  watched: () => Promise<W[]>
  unfinished: () => Promise<ActivationSpan[]>
  reportedSince: (sinceMs: number) => Promise<ActivationSpan[]>
  spanRows: (spans: readonly { watched: W; span: Span }[]) => Promise<SpanRows[]>
  save: (examined: readonly Examined<W>[]) => Promise<void>
}

export type Engine<W extends Watched> = {
  changed: () => void
  reported: (report: ActivationSpan) => void
  tick: () => void
  running: () => { watched: W; activation: Activation }[]
  settled: () => Promise<void>
  close: () => Promise<void>
}

type Series<W> = {
  watched: W
  watcher: Watcher
  lastMs: number
  finalMs: number
  /** Next check of a running row that the watcher, started later, does not see. */
  checkAtMs: number
  checkedMs: number
  ranges: Range[]
}

const longestMs = 6 * hourMs
const maxDue = 25
const checkEveryMs = 10_000
const latestPerCall = 500

const keyOf = ({ instanceId, market }: { instanceId: string; market: string }) => `${instanceId} ${market}`

export const openEventEngine = async <W extends Watched>(ports: Ports<W>): Promise<Engine<W>> => {
  const { readings, now, retryMs = defaultRetryMs } = ports
  const all = new Map<string, Series<W>>()
  let bySignal = new Map<number, { series: Series<W>; isTrigger: boolean }[]>()
  let isStale = false

  const addChanges = (series: Series<W>, changes: readonly Activation[], toMs: number, arrivedMs: number) => {
    for (const { startMs } of changes) addRange(series.ranges, { fromMs: startMs, toMs, arrivedMs, dueMs: 0 })
  }

  const addUnfinished = (series: Series<W>, fromMs: number, toMs: number, arrivedMs: number) => {
    addRange(series.ranges, { fromMs, toMs, arrivedMs, dueMs: 0 })
    series.finalMs = Infinity
  }

  const watchRun = (series: Series<W>, { run: { t0Ms, dtMs, values }, version }: StoredRun) => {
    const arrivedMs = version / 1000
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      if (value === null || value === undefined) continue
      const atMs = t0Ms + i * dtMs
      addChanges(series, series.watcher.next(atMs, value), atMs, arrivedMs)
      series.lastMs = atMs
      if (atMs >= series.finalMs) addUnfinished(series, series.finalMs, atMs, arrivedMs)
    }
  }

  const follow = (series: Series<W>, stored: StoredRun) => {
    try {
      watchRun(series, stored)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const { t0Ms, dtMs, values } = stored.run
      const toMs = t0Ms + dtMs * (values.length - 1)
      addRange(series.ranges, { fromMs: t0Ms, toMs, arrivedMs: stored.version / 1000, dueMs: 0 })
      series.watcher = watch(products[series.watched.market])
      watchRun(series, stored)
    }
  }

  const stored = ({ runs }: StoredGroup) => {
    // An edge sends power together with its trigger; power that arrives before its trigger would count as late.
    const inOrder: { series: Series<W>; run: StoredRun }[] = []
    for (const run of runs) {
      const { t0Ms, dtMs, values, signalNo } = run.run
      for (const { series, isTrigger } of bySignal.get(signalNo) ?? []) {
        const isLate = t0Ms <= series.lastMs || (dtMs <= 0 && values.length > 1)
        const toMs = t0Ms + dtMs * (values.length - 1)
        // Late samples arrive in many pieces, which are examined together.
        const dueMs = now() + lateWaitMs
        if (isLate) addRange(series.ranges, { fromMs: t0Ms, toMs, arrivedMs: run.version / 1000, dueMs })
        else if (isTrigger) inOrder.push({ series, run })
      }
    }
    for (const { series, run } of inOrder) follow(series, run)
  }

  const readLatest = async (nos: readonly number[]) => {
    const latest = new Map<number, { tMs: number }>()
    for (let i = 0; i < nos.length; i += latestPerCall)
      for (const [no, sample] of await readings.latest(nos.slice(i, i + latestPerCall))) latest.set(no, sample)
    return latest
  }

  const refresh = async () => {
    isStale = false
    const watchedByKey = new Map((await ports.watched()).map((watched) => [keyOf(watched), watched]))
    for (const key of all.keys()) if (!watchedByKey.has(key)) all.delete(key)
    const changed = [...watchedByKey].filter(
      ([key, { nos }]) => JSON.stringify(all.get(key)?.watched.nos) !== JSON.stringify(nos),
    )
    const latest = await readLatest([
      ...new Set(changed.flatMap(([, { market, nos }]) => triggerNo(market, nos) ?? [])),
    ])
    for (const [key, watched] of changed)
      all.set(key, {
        watched,
        watcher: watch(products[watched.market]),
        lastMs: latest.get(triggerNo(watched.market, watched.nos) ?? -1)?.tMs ?? -Infinity,
        finalMs: Infinity,
        checkAtMs: Infinity,
        checkedMs: -Infinity,
        ranges: [],
      })
    bySignal = new Map()
    for (const [key, series] of all) {
      series.watched = watchedByKey.get(key) ?? series.watched
      const { market, nos } = series.watched
      const trigger = triggerNo(market, nos)
      for (const no of [trigger, nos.power, nos.energy])
        if (no !== undefined) bySignal.set(no, [...(bySignal.get(no) ?? []), { series, isTrigger: no === trigger }])
    }
  }

  type Due = { series: Series<W>; range: Range }

  const next = (atMs: number): Due[] => {
    const due: Due[] = []
    for (const series of all.values())
      for (const range of series.ranges) if (range.dueMs <= atMs) due.push({ series, range })
    due.sort((a, b) => Math.sign(a.range.dueMs) - Math.sign(b.range.dueMs) || b.range.toMs - a.range.toMs)
    return due.slice(0, maxDue).map(({ series, range }) => {
      const isLong = range.toMs - range.fromMs > longestMs
      const newest = isLong ? { ...range, fromMs: range.toMs - longestMs } : range
      if (isLong) range.toMs = newest.fromMs
      else series.ranges = series.ranges.filter((other) => other !== range)
      return { series, range: newest }
    })
  }

  const examineOne = async ({ series, range }: Due, first: SpanRows): Promise<Examined<W>> => {
    const { watched } = series
    let spanRows = first
    const reload = async (span: Span) => {
      const [reloaded] = await ports.spanRows([{ watched, span }])
      return (spanRows = reloaded ?? spanRows)
    }
    const changes = await examine(watched, range, first, { readings, reload, nowMs: now() })
    const running = series.watcher.running()
    const isUnwatched = ({ source, endMs, direction }: EventRow) =>
      source === 'telemetry' && endMs === null && running.every((activation) => activation.direction !== direction)
    if (changes.rows.some(isUnwatched)) series.checkAtMs = now() + checkEveryMs
    for (const { untilMs, is_final } of changes.rows)
      if (!is_final && untilMs !== null) series.finalMs = Math.min(series.finalMs, untilMs - 1000)
    return { ...changes, watched, arrivedMs: range.arrivedMs, spanRows }
  }

  const examineAll = async (due: readonly Due[]) => {
    const spans = due.map(({ series: { watched }, range }) => ({
      watched,
      span: { fromMs: range.fromMs - hourMs, toMs: range.toMs + hourMs },
    }))
    const spanRows = await ports.spanRows(spans)
    const examined: Examined<W>[] = []
    for (const [i, one] of due.entries()) {
      const first = spanRows[i]
      if (first) examined.push(await examineOne(one, first))
    }
    if (examined.some(({ save, remove }) => save.length + remove.length > 0)) await ports.save(examined)
  }

  const addReport = (report: ActivationSpan, dueMs: number) => {
    const { startMs, endMs } = report
    const series = all.get(keyOf(report))
    if (series) addRange(series.ranges, { fromMs: startMs, toMs: endMs ?? startMs, arrivedMs: now(), dueMs })
  }
  const reported = (report: ActivationSpan) => addReport(report, now() + reportPatienceMs)

  const { wake, settled, close } = await openFollower<Due>(ports, {
    start: async (version) => {
      await refresh()
      if (all.size > 0)
        for await (const { signalNo, fromMs, toMs, version: stored } of readings.storedSince(version))
          for (const { series } of bySignal.get(signalNo) ?? [])
            addRange(series.ranges, { fromMs, toMs: toMs - 1, arrivedMs: stored / 1000, dueMs: 0 })
      for (const row of await ports.unfinished()) addReport(row, 0)
      const reportedSinceMs = (version - otherWritersUs) / 1000 - 2 * reportPatienceMs
      for (const report of await ports.reportedSince(reportedSinceMs)) reported(report)
    },
    stored,
    prepare: async () => {
      if (!isStale) return
      const before = new Set(all.keys())
      await refresh().catch((error: unknown) => {
        isStale = true
        throw error
      })
      // An instance that moved to an edge of this partition may be in an activation.
      for (const [key, { ranges, lastMs }] of all)
        if (!before.has(key) && lastMs > -Infinity)
          addRange(ranges, { fromMs: lastMs - hourMs, toMs: lastMs, arrivedMs: now(), dueMs: 0 })
    },
    next,
    examine: async (due) => {
      try {
        await examineAll(due)
      } catch (error) {
        const [{ series, range } = {}] = due.length === 1 ? due : []
        if (series && range) addRange(series.ranges, { ...range, dueMs: now() + retryMs })
        throw error
      }
    },
    isIdle: (atMs) => !isStale && ![...all.values()].some(({ ranges }) => ranges.some(({ dueMs }) => dueMs <= atMs)),
  })

  return {
    changed: () => {
      isStale = true
      wake()
    },
    reported,
    tick: () => {
      const nowMs = now()
      for (const series of all.values()) {
        addChanges(series, series.watcher.until(nowMs), series.lastMs, nowMs)
        const { finalMs, lastMs } = series
        const isSilent = finalMs < Infinity && nowMs - lastMs > minuteMs && series.checkedMs !== lastMs
        if (nowMs < series.checkAtMs && !isSilent) continue
        series.checkAtMs = Infinity
        series.checkedMs = lastMs
        addUnfinished(series, Math.min(finalMs, lastMs), lastMs, nowMs)
      }
      wake()
    },
    running: () =>
      [...all.values()].flatMap(({ watched, watcher }) =>
        watcher.running().map((activation) => ({ watched, activation })),
      ),
    settled,
    close,
  }
}
