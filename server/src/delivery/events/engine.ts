import { setTimeout as pause } from 'node:timers/promises'
import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'
import { type Activation, watch, type Watcher } from '#delivery/scoring/activations.ts'
import { products } from '#delivery/scoring/products.ts'
import type { Readings, StoredGroup } from '#readings/readings.ts'
import type { StoredRun } from '#readings/writer.ts'
import { type Examined, examine, type Known, reportPatienceMs, type Row, type Watched } from './examine.ts'
import { triggerNo } from './judge.ts'

export type Found<W extends Watched> = Examined & { watched: W; arrivedMs: number; known: Known }

export type Ports<W extends Watched> = {
  readings: Pick<Readings, 'onStored' | 'storedSince' | 'storedVersion' | 'latest' | 'samples'>
  watched: () => Promise<W[]>
  unfinished: () => Promise<{ instanceId: string; market: string; startMs: number; endMs: number | null }[]>
  reportedSince: (sinceMs: number) => Promise<Reported[]>
  known: (asked: readonly { watched: W; span: Span }[]) => Promise<Known[]>
  save: (found: readonly Found<W>[]) => Promise<void>
  progress: () => Promise<number | null>
  saveProgress: (version: number) => Promise<void>
  now: () => number
  onError: (error: unknown) => void
}

export type Reported = { instanceId: string; market: string; startMs: number; endMs: number | null }

export type Engine<W extends Watched> = {
  changed: () => void
  reported: (report: Reported) => void
  tick: () => void
  /** Activations that run according to the samples; the stored rows are authoritative. */
  running: () => { watched: W; activation: Activation }[]
  settled: () => Promise<void>
  close: () => Promise<void>
}

type Range = Span & { arrivedMs: number; dueMs: number }

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

const retryMs = 1000
const progressEveryMs = 5000
/** Late samples arrive in many pieces, which are examined together after this wait. */
const lateWaitMs = 1000
const nearMs = 15 * minuteMs
const longestMs = 6 * hourMs
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

  const note = (one: Series<W>, changes: readonly Activation[], atMs: number, arrivedMs: number) => {
    for (const { startMs } of changes) addRange(one, { fromMs: startMs, toMs: atMs, arrivedMs, dueMs: 0 })
  }

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
      if (!(error instanceof RangeError)) throw error
      one.watcher = watch(products[one.watched.market])
      addRange(one, { fromMs: t0Ms, toMs: t0Ms + dtMs * (values.length - 1), arrivedMs, dueMs: 0 })
    }
  }

  const stored = ({ runs, version }: StoredGroup) => {
    // An edge sends power together with its trigger; power that arrives before its trigger would count as late.
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

  /** Ranges that fail together are retried one by one at the end of the queue, so that one broken range does not block the others. */
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
