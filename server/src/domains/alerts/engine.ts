import { setTimeout as pause } from 'node:timers/promises'
import type { Span } from '@gridmast/contract/time.ts'
import type { Readings, StoredGroup } from '#readings/readings.ts'
import { follow, newStanding, type Rule, type Track, type Trigger, type Watched } from './alert-rules.ts'
import { recompute, type Row } from './recompute.ts'

/** The rule of one alert on one series. */
export type SeriesRule = Rule & { signalNo: number }

/** What an alert triggered, and when the samples that did it had arrived. */
export type Arrived<R extends Rule> = { rule: R; trigger: Trigger; arrivedMs: number }

export type Ports<R extends SeriesRule> = {
  readings: Pick<Readings, 'onStored' | 'storedSince' | 'storedVersion' | 'latest' | 'samples'>
  /** Rules of these alerts, or of all; one that was removed is not among them. */
  rules: (alertIds?: readonly string[]) => Promise<R[]>
  rows: (from: readonly { alertId: string; fromMs: number }[]) => Promise<Row[]>
  /** Adds and removes rows and queues what goes out for the new ones, in one transaction. */
  save: (add: readonly Arrived<R>[], remove: readonly Row[]) => Promise<void>
  progress: () => Promise<number | null>
  saveProgress: (version: number) => Promise<void>
  now: () => number
  onError: (error: unknown) => void
}

export type Engine = {
  /** The rule of an alert was made, changed or removed; all of them without an id. */
  changed: (alertId?: string) => void
  /** Resolves when everything that was stored before has been looked at. */
  settled: () => Promise<void>
  close: () => Promise<void>
}

type Range = Span & { arrivedMs: number }
type Entry<R extends Rule> = Watched & { rule: R }
/** One series with its alerts. While it has ranges to look at again, what comes joins them; without any each sample is one step. */
type Series<R extends Rule> = { no: number; all: Entry<R>[]; track: Track | null; ranges: Range[] }

const progressEveryMs = 5000
const retryMs = 1000
const dayMs = 86_400_000
/** Ranges this near are read together. */
const nearMs = 15 * 60_000

export const openAlertEngine = async <R extends SeriesRule>(ports: Ports<R>): Promise<Engine> => {
  const { readings, now } = ports
  const series = new Map<number, Series<R>>()
  const owner = new Map<string, Series<R>>()
  const dirty = new Set<Series<R>>()
  const stale = new Set<string>()
  let isAllStale = false
  let pending: Arrived<R>[] = []
  let seen = 0
  let savedAtMs = 0
  let isClosed = false
  let isReady = false
  let round: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const addRange = (one: Series<R>, range: Range) => {
    const near = one.ranges.find((other) => range.fromMs <= other.toMs + nearMs && range.toMs >= other.fromMs - nearMs)
    if (near) {
      near.fromMs = Math.min(near.fromMs, range.fromMs)
      near.toMs = Math.max(near.toMs, range.toMs)
      near.arrivedMs = Math.min(near.arrivedMs, range.arrivedMs)
    } else one.ranges.push({ ...range })
    dirty.add(one)
  }

  const stored = ({ runs, version }: StoredGroup) => {
    for (const { run, version: runVersion } of runs) {
      const one = series.get(run.signalNo)
      if (!one) continue
      const { t0Ms, dtMs, values } = run
      const arrivedMs = runVersion / 1000
      const { track } = one
      if (!track || one.ranges.length > 0 || t0Ms <= track.lastMs || (dtMs === 0 && values.length > 1)) {
        addRange(one, { fromMs: t0Ms, toMs: t0Ms + dtMs * (values.length - 1), arrivedMs })
        continue
      }
      const tell = ({ rule }: Entry<R>, trigger: Trigger) => void pending.push({ rule, trigger, arrivedMs })
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (value !== null && value !== undefined) follow(one.all, track, t0Ms + i * dtMs, value, tell)
      }
    }
    seen = version
    wake()
  }

  const put = (rule: R, isNew: boolean) => {
    const known = series.get(rule.signalNo)
    const one = known ?? { no: rule.signalNo, all: [], track: null, ranges: [] }
    series.set(rule.signalNo, one)
    owner.set(rule.alertId, one)
    one.all.push({ rule, standing: newStanding() })
    one.track = null
    if (isNew) addRange(one, { fromMs: rule.validFromMs, toMs: now(), arrivedMs: now() })
  }

  const drop = (alertId: string) => {
    const one = owner.get(alertId)
    owner.delete(alertId)
    if (!one) return
    one.all = one.all.filter(({ rule }) => rule.alertId !== alertId)
    if (one.all.length > 0) return
    series.delete(one.no)
    dirty.delete(one)
  }

  const refresh = async () => {
    const ids = isAllStale ? undefined : [...stale]
    isAllStale = false
    stale.clear()
    const rules = new Map((await ports.rules(ids)).map((rule) => [rule.alertId, rule]))
    for (const id of ids ?? [...owner.keys()]) if (!rules.has(id)) drop(id)
    for (const rule of rules.values()) {
      const entry = owner.get(rule.alertId)?.all.find((one) => one.rule.alertId === rule.alertId)
      // Only its words or who is told have changed: it goes on.
      if (entry?.rule.validFromMs === rule.validFromMs && entry.rule.signalNo === rule.signalNo) entry.rule = rule
      else {
        drop(rule.alertId)
        put(rule, true)
      }
    }
  }

  const samplesOf = async (signalNo: number, { fromMs, toMs }: Span) => {
    const [x, y]: [number[], number[]] = [[], []]
    for (let atMs = fromMs; atMs < toMs;) {
      const answer = await readings.samples({ signalNos: [signalNo], fromMs: atMs, toMs: Math.min(toMs, atMs + dayMs) })
      const found = answer.series.get(signalNo)
      for (const tMs of found?.x ?? []) x.push(tMs)
      for (const value of found?.y ?? []) y.push(value)
      atMs = answer.toMs
    }
    return { x, y }
  }

  /** Looks at the earliest range of a series again, from the store. */
  const mend = async (one: Series<R>) => {
    const [range] = one.ranges.toSorted((a, b) => a.fromMs - b.fromMs)
    if (!range) return void dirty.delete(one)
    const { fromMs, toMs, arrivedMs } = range
    // What joins it while it is read makes it a range of its own.
    one.ranges = one.ranges.filter((other) => other !== range)
    const guard = { fromMs: Infinity, toMs: -Infinity, arrivedMs: Infinity }
    one.ranges.push(guard)
    try {
      const rules = one.all.map(({ rule }) => rule)
      const horizonMs = ((await readings.latest([one.no])).get(one.no)?.tMs ?? -Infinity) + 1
      const sources = { samples: (wanted: Span) => samplesOf(one.no, wanted), horizonMs, rows: ports.rows }
      const isNewer = !one.track || toMs > one.track.lastMs
      const { add, remove, end } = await recompute(rules, { fromMs, toMs }, sources, isNewer)
      // It was the earliest. What came before it meanwhile is in the samples that were read, maybe, and not in the rows: that goes first.
      if (one.ranges.some((other) => other.fromMs < fromMs)) {
        one.ranges.push(range)
        return
      }
      const arrived = add.map((found) => ({ ...found, arrivedMs }))
      if (arrived.length > 0 || remove.length > 0) await ports.save(arrived, remove)
      if (end) {
        one.track = end.track
        for (const entry of one.all) Object.assign(entry.standing, end.standings.get(entry.rule.alertId))
      }
    } catch (error) {
      one.ranges.push(range)
      throw error
    } finally {
      one.ranges = one.ranges.filter((other) => other !== guard)
      if (one.ranges.length === 0) dirty.delete(one)
    }
  }

  const work = async () => {
    while (!isIdle()) {
      if (stale.size > 0 || isAllStale) await refresh()
      const told = pending
      pending = []
      try {
        if (told.length > 0) await ports.save(told, [])
      } catch (error) {
        for (const { rule, trigger, arrivedMs } of told) {
          const one = owner.get(rule.alertId)
          if (one) addRange(one, { fromMs: trigger.tMs, toMs: trigger.tMs, arrivedMs })
        }
        throw error
      }
      for (const one of dirty) {
        // Rows of its own that still wait would be written over what is found now.
        if (pending.length > 0) break
        await mend(one)
      }
    }
    if (now() - savedAtMs < progressEveryMs && !isClosed) return
    savedAtMs = now()
    await ports.saveProgress(seen)
  }

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

  const silence = readings.onStored(stored)
  const before = (await ports.progress()) ?? 0
  seen = Math.max(seen, before, readings.storedVersion())
  for (const rule of await ports.rules()) {
    put(rule, false)
    // Made shortly before the process ended: samples of it may have been looked at without it.
    const one = owner.get(rule.alertId)
    if (one && rule.validFromMs >= before / 1000 - nearMs)
      addRange(one, { fromMs: rule.validFromMs, toMs: now(), arrivedMs: now() })
  }
  if (series.size > 0)
    for await (const { signalNo, fromMs, toMs, version } of readings.storedSince(before)) {
      const one = series.get(signalNo)
      if (one) addRange(one, { fromMs, toMs, arrivedMs: version / 1000 })
    }
  isReady = true
  wake()

  const isIdle = () => pending.length === 0 && dirty.size === 0 && stale.size === 0 && !isAllStale
  const settled = async () => {
    while (!isClosed && (round || !isIdle())) {
      wake()
      await (round ?? pause(retryMs / 10))
    }
  }
  return {
    changed: (alertId) => {
      if (alertId === undefined) isAllStale = true
      else stale.add(alertId)
      wake()
    },
    settled,
    close: async () => {
      silence()
      isClosed = true
      clearTimeout(retry)
      await round
    },
  }
}
