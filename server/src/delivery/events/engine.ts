import { setTimeout as pause } from 'node:timers/promises'
import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'
import { type Activation, watch, type Watcher } from '#delivery/scoring/activations.ts'
import { products } from '#delivery/scoring/products.ts'
import type { Readings, StoredGroup } from '#readings/readings.ts'
import type { StoredRun } from '#readings/writer.ts'
import { type Examined, examine, type Known, reportPatienceMs, type Row, type Watched } from './examine.ts'
import { triggerNo } from './judge.ts'

/** What was found around a span, and when the samples that showed it had come. */
export type Found<W extends Watched> = Examined & { watched: W; arrivedMs: number; known: Known }

export type Ports<W extends Watched> = {
  readings: Pick<Readings, 'onStored' | 'storedSince' | 'storedVersion' | 'latest' | 'samples'>
  /** Each instance on each of its markets. */
  watched: () => Promise<W[]>
  /** Rows that are not final yet. */
  unfinished: () => Promise<{ instanceId: string; market: string; startMs: number; endMs: number | null }[]>
  /** Reports of edges that were received since an instant. */
  reportedSince: (sinceMs: number) => Promise<Reported[]>
  known: (asked: readonly { watched: W; span: Span }[]) => Promise<Known[]>
  /** In one transaction with what goes out for it. */
  save: (found: readonly Found<W>[]) => Promise<void>
  progress: () => Promise<number | null>
  saveProgress: (version: number) => Promise<void>
  now: () => number
  onError: (error: unknown) => void
}

export type Reported = { instanceId: string; market: string; startMs: number; endMs: number | null }

export type Engine<W extends Watched> = {
  /** Instances or their markets have changed. */
  changed: () => void
  /** An edge has reported an activation. */
  reported: (report: Reported) => void
  /** Once a second: what has fallen silent, what is due. */
  tick: () => void
  /** What runs as far as samples tell; the rows are what counts. */
  running: () => { watched: W; activation: Activation }[]
  /** Resolves when everything that was stored before has been looked at. */
  settled: () => Promise<void>
  close: () => Promise<void>
}

/** `toMs` is the last instant that changed. */
type Range = Span & { arrivedMs: number; dueMs: number }

type Series<W> = {
  watched: W
  watcher: Watcher
  /** The newest sample that the watcher has seen: what comes later in time is live. */
  lastMs: number
  /** When its next row that is not final may become so. */
  finalMs: number
  /** When to look again at a row that runs and that the watcher, begun later, does not know of. */
  checkAtMs: number
  /** Its newest sample when it was last looked at because nothing more came. */
  checkedMs: number
  ranges: Range[]
}

const retryMs = 1000
const progressEveryMs = 5000
/** What is late comes in many pieces: they wait for each other. */
const lateWaitMs = 1000
const nearMs = 15 * minuteMs
/** Of samples that are read for one look; newest first. */
const longestMs = 6 * hourMs
/** Ranges looked at together: one question to the records for all of them. */
const atOnce = 25
const checkEveryMs = 10_000

export const openEventEngine = async <W extends Watched>(ports: Ports<W>): Promise<Engine<W>> => {
  const { readings, now } = ports
  const all = new Map<string, Series<W>>()
  let bySignal = new Map<number, { one: Series<W>; isTrigger: boolean }[]>()
  let isStale = false
  let seen = 0
  let savedAtMs = 0
  let isReady = false
  let isClosed = false
  let isHurried = false
  let round: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const addRange = (one: Series<W>, range: Range) => {
    const near = one.ranges.find((other) => range.fromMs <= other.toMs + nearMs && range.toMs >= other.fromMs - nearMs)
    if (!near) return void one.ranges.push({ ...range })
    near.fromMs = Math.min(near.fromMs, range.fromMs)
    near.toMs = Math.max(near.toMs, range.toMs)
    near.arrivedMs = Math.min(near.arrivedMs, range.arrivedMs)
    near.dueMs = Math.min(near.dueMs, range.dueMs)
  }

  /** Something began or ended: the store says what. */
  const note = (one: Series<W>, changes: readonly Activation[], atMs: number, arrivedMs: number) => {
    for (const { startMs } of changes) addRange(one, { fromMs: startMs, toMs: atMs, arrivedMs, dueMs: 0 })
  }

  /** What has been judged before all of its samples were there. */
  const lookAgain = (one: Series<W>, fromMs: number, toMs: number, arrivedMs: number) => {
    addRange(one, { fromMs, toMs, arrivedMs, dueMs: 0 })
    one.finalMs = Infinity
  }

  const follow = (one: Series<W>, { run: { t0Ms, dtMs, values }, version }: StoredRun) => {
    const arrivedMs = version / 1000
    try {
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (value === null || value === undefined) continue
        const atMs = t0Ms + i * dtMs
        note(one, one.watcher.next(atMs, value), atMs, arrivedMs)
        one.lastMs = atMs
        if (atMs >= one.finalMs) lookAgain(one, one.finalMs, atMs, arrivedMs)
      }
    } catch (error) {
      // Behind what was already called silent.
      if (!(error instanceof RangeError)) throw error
      one.watcher = watch(products[one.watched.market])
      addRange(one, { fromMs: t0Ms, toMs: t0Ms + dtMs * (values.length - 1), arrivedMs, dueMs: 0 })
    }
  }

  const stored = ({ runs, version }: StoredGroup) => {
    // An edge sends power with what asks for it: it is late when that had come before.
    const live: (() => void)[] = []
    for (const storedRun of runs) {
      const { t0Ms, dtMs, values, signalNo } = storedRun.run
      for (const { one, isTrigger } of bySignal.get(signalNo) ?? []) {
        if (t0Ms <= one.lastMs || (dtMs <= 0 && values.length > 1)) {
          const [toMs, arrivedMs] = [t0Ms + dtMs * (values.length - 1), storedRun.version / 1000]
          addRange(one, { fromMs: t0Ms, toMs, arrivedMs, dueMs: now() + lateWaitMs })
        } else if (isTrigger) live.push(() => follow(one, storedRun))
      }
    }
    for (const next of live) next()
    seen = version
    wake()
  }

  const keyOf = ({ instanceId, market }: { instanceId: string; market: string }) => `${instanceId} ${market}`

  /** What is new is followed from its newest sample on. */
  const refresh = async () => {
    isStale = false
    const found = new Map((await ports.watched()).map((watched) => [keyOf(watched), watched]))
    for (const key of all.keys()) if (!found.has(key)) all.delete(key)
    const fresh = [...found].filter(
      ([key, { nos }]) => JSON.stringify(all.get(key)?.watched.nos) !== JSON.stringify(nos),
    )
    const nos = [...new Set(fresh.flatMap(([, { market, nos: own }]) => triggerNo(market, own) ?? []))]
    const latest = new Map<number, { tMs: number }>()
    for (let i = 0; i < nos.length; i += 500)
      for (const [no, sample] of await readings.latest(nos.slice(i, i + 500))) latest.set(no, sample)
    for (const [key, watched] of fresh) {
      const lastMs = latest.get(triggerNo(watched.market, watched.nos) ?? -1)?.tMs ?? -Infinity
      const watcher = watch(products[watched.market])
      all.set(key, {
        watched,
        watcher,
        lastMs,
        finalMs: Infinity,
        checkAtMs: Infinity,
        checkedMs: -Infinity,
        ranges: [],
      })
    }
    for (const [key, watched] of found) Object.assign(all.get(key) ?? {}, { watched })
    bySignal = new Map()
    for (const one of all.values()) {
      const { market, nos: own } = one.watched
      const trigger = triggerNo(market, own)
      for (const no of [trigger, own.power, own.energy])
        if (no !== undefined) bySignal.set(no, [...(bySignal.get(no) ?? []), { one, isTrigger: no === trigger }])
    }
  }

  type Due = { one: Series<W>; range: Range }

  /** Takes what is due, the most urgent and newest first; of a long one the newest hours. */
  const takeDue = (): Due[] => {
    const atMs = isHurried ? Infinity : now()
    const due: Due[] = []
    for (const one of all.values()) for (const range of one.ranges) if (range.dueMs <= atMs) due.push({ one, range })
    due.sort((a, b) => Math.sign(a.range.dueMs) - Math.sign(b.range.dueMs) || b.range.toMs - a.range.toMs)
    return due.slice(0, atOnce).map(({ one, range }) => {
      const isLong = range.toMs - range.fromMs > longestMs
      const taken = isLong ? { ...range, fromMs: range.toMs - longestMs } : range
      if (isLong) range.toMs = taken.fromMs
      else one.ranges = one.ranges.filter((other) => other !== range)
      return { one, range: taken }
    })
  }

  const look = async (due: readonly Due[]) => {
    const asked = due.map(({ one, range }) => ({
      watched: one.watched,
      span: { fromMs: range.fromMs - hourMs, toMs: range.toMs + hourMs },
    }))
    const known = await ports.known(asked)
    const found: Found<W>[] = []
    for (const [i, { one, range }] of due.entries()) {
      const { watched } = one
      const first = known[i]
      if (!first) continue
      let last = first
      const reload = async (span: Span) => {
        const [again] = await ports.known([{ watched, span }])
        return (last = again ?? last)
      }
      const examined = await examine(watched, range, first, { readings, reload, nowMs: now() })
      found.push({ ...examined, watched, arrivedMs: range.arrivedMs, known: last })
      const running = one.watcher.running()
      const isUnwatched = ({ source, endMs, direction }: Row) =>
        source === 'telemetry' && endMs === null && running.every((activation) => activation.direction !== direction)
      if (examined.rows.some(isUnwatched)) one.checkAtMs = now() + checkEveryMs
      for (const { untilMs, isFinal } of examined.rows)
        if (!isFinal && untilMs !== null) one.finalMs = Math.min(one.finalMs, untilMs - 1000)
    }
    if (found.some(({ save, remove }) => save.length + remove.length > 0)) await ports.save(found)
  }

  /** What fails together is looked at one by one, and then comes behind the others: one that cannot be looked at holds up none of them. */
  const lookAt = async (due: readonly Due[]): Promise<void> => {
    try {
      await look(due)
    } catch (error) {
      const failed: unknown[] = []
      if (due.length === 1) {
        for (const { one, range } of due) addRange(one, { ...range, dueMs: now() + retryMs })
        failed.push(error)
      } else for (const one of due) await lookAt([one]).catch((reason: unknown) => failed.push(reason))
      if (failed.length > 0) throw failed[0]
    }
  }

  const work = async () => {
    if (isStale) await refresh()
    for (let due = takeDue(); due.length > 0; due = takeDue()) {
      await lookAt(due)
      if (isStale) await refresh()
    }
    // Reports that wait are read again after a restart.
    if ((now() - savedAtMs < progressEveryMs && !isClosed) || hasRanges(now() + lateWaitMs)) return
    savedAtMs = now()
    await ports.saveProgress(seen)
  }

  const hasRanges = (dueMs = Infinity) =>
    [...all.values()].some(({ ranges }) => ranges.some((range) => range.dueMs <= dueMs))
  const wake = () => {
    if (round || isClosed || retry || !isReady) return
    round = work()
      .catch((error: unknown) => {
        ports.onError(error)
        retry = setTimeout(() => {
          retry = undefined
          wake()
        }, retryMs)
      })
      .finally(() => (round = undefined))
  }

  const reported = (report: Reported) => {
    const one = all.get(keyOf(report))
    const dueMs = now() + reportPatienceMs
    if (one) addRange(one, { fromMs: report.startMs, toMs: report.endMs ?? report.startMs, arrivedMs: now(), dueMs })
  }

  const silence = readings.onStored(stored)
  const before = (await ports.progress()) ?? 0
  seen = Math.max(seen, before, readings.storedVersion())
  await refresh()
  if (all.size > 0)
    for await (const { signalNo, fromMs, toMs, version } of readings.storedSince(before))
      for (const { one } of bySignal.get(signalNo) ?? [])
        addRange(one, { fromMs, toMs: toMs - 1, arrivedMs: version / 1000, dueMs: 0 })
  for (const row of await ports.unfinished()) {
    const one = all.get(keyOf(row))
    if (one) addRange(one, { fromMs: row.startMs, toMs: row.endMs ?? row.startMs, arrivedMs: now(), dueMs: 0 })
  }
  for (const report of await ports.reportedSince(before / 1000 - 2 * reportPatienceMs)) reported(report)
  isReady = true
  wake()

  return {
    changed: () => {
      isStale = true
      wake()
    },
    reported,
    tick: () => {
      const nowMs = now()
      for (const one of all.values()) {
        note(one, one.watcher.until(nowMs), one.lastMs, nowMs)
        const { finalMs, lastMs } = one
        const isSilent = finalMs < Infinity && nowMs - lastMs > minuteMs && one.checkedMs !== lastMs
        if (nowMs < one.checkAtMs && !isSilent) continue
        one.checkAtMs = Infinity
        one.checkedMs = lastMs
        lookAgain(one, Math.min(finalMs, lastMs), lastMs, nowMs)
      }
      wake()
    },
    running: () =>
      [...all.values()].flatMap(({ watched, watcher }) =>
        watcher.running().map((activation) => ({ watched, activation })),
      ),
    settled: async () => {
      isHurried = true
      while (!isClosed && (round || hasRanges() || isStale)) {
        wake()
        await (round ?? pause(retryMs / 10))
      }
      isHurried = false
    },
    close: async () => {
      silence()
      isClosed = true
      clearTimeout(retry)
      await round
    },
  }
}
