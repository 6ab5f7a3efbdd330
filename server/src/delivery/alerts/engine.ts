import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { Readings, StoredGroup } from '#readings/readings.ts'
import { follow, newStanding, type Rule, type Track, type Trigger, type Watched } from './alert-rules.ts'
import { askTogether } from './ask-together.ts'
import { type Asked, recompute, type Row } from './recompute.ts'

export type SeriesRule = Rule & { signalNo: number }

export type Arrived<R extends Rule> = { rule: R; trigger: Trigger; arrivedMs: number }

export type Ports<R extends SeriesRule> = {
  readings: Pick<Readings, 'onStored' | 'storedSince' | 'storedVersion' | 'latest' | 'samples'>
  rules: (alertIds?: readonly string[]) => Promise<R[]>
  rows: (asked: readonly Asked[]) => Promise<Row[]>
  save: (add: readonly Arrived<R>[], remove: readonly Row[]) => Promise<void>
  /** The version of the readings up to which all rows are saved. */
  progress: () => Promise<number | null>
  saveProgress: (version: number) => Promise<void>
  now: () => number
  onError: (error: unknown) => void
  retryMs?: number
}

export type Engine = {
  changed: (alertId?: string) => void
  settled: () => Promise<void>
  close: () => Promise<void>
}

type Range = Span & { arrivedMs: number }
type Entry<R extends Rule> = Watched & { rule: R }
type Series<R extends Rule> = { no: number; entries: Entry<R>[]; track: Track | null; ranges: Range[] }

const progressEveryMs = 5000
/** Distance within which ranges are read together; an alert created within it before a start is evaluated from its beginning. */
const nearMs = 15 * minuteMs
/** Series recomputed together: the cost of a store call is higher than that of the rows in its answer. */
const atOnce = 50

export const openAlertEngine = async <R extends SeriesRule>(ports: Ports<R>): Promise<Engine> => {
  const { readings, now, retryMs = 1000 } = ports
  const byNo = new Map<number, Series<R>>()
  const byAlert = new Map<string, Series<R>>()
  const dirty = new Set<Series<R>>()
  const changed = new Set<string | undefined>()
  let pending: Arrived<R>[] = []
  let seen = 0
  let savedAtMs = 0
  let working: Promise<void> | undefined
  const closing = new AbortController()

  const look = (series: Series<R>, range: Range) => {
    const { ranges } = series
    const near = ranges.find(({ fromMs, toMs }) => range.fromMs <= toMs + nearMs && range.toMs >= fromMs - nearMs)
    if (near) {
      near.fromMs = Math.min(near.fromMs, range.fromMs)
      near.toMs = Math.max(near.toMs, range.toMs)
      near.arrivedMs = Math.min(near.arrivedMs, range.arrivedMs)
    } else ranges.push({ ...range })
    dirty.add(series)
  }

  const onStored = ({ runs, version }: StoredGroup) => {
    for (const { run, version: runVersion } of runs) {
      const series = byNo.get(run.signalNo)
      if (!series) continue
      const { t0Ms, dtMs, values } = run
      const { track, entries } = series
      const arrivedMs = runVersion / 1000
      if (!track || dirty.has(series) || t0Ms <= track.lastMs || dtMs === 0) {
        look(series, { fromMs: t0Ms, toMs: t0Ms + dtMs * (values.length - 1), arrivedMs })
        continue
      }
      const tell = ({ rule }: Entry<R>, trigger: Trigger) => void pending.push({ rule, trigger, arrivedMs })
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (value !== null && value !== undefined) follow(entries, track, t0Ms + i * dtMs, value, tell)
      }
    }
    seen = version
    wake()
  }

  const watch = (rule: R) => {
    const series = byNo.get(rule.signalNo) ?? { no: rule.signalNo, entries: [], track: null, ranges: [] }
    series.entries.push({ rule, standing: newStanding() })
    series.track = null
    byNo.set(rule.signalNo, series)
    byAlert.set(rule.alertId, series)
    return series
  }

  const unwatch = (alertId: string) => {
    const series = byAlert.get(alertId)
    byAlert.delete(alertId)
    if (!series) return
    series.entries = series.entries.filter(({ rule }) => rule.alertId !== alertId)
    if (series.entries.length > 0) return
    byNo.delete(series.no)
    dirty.delete(series)
  }

  const fromItsBeginning = (rule: R): Range => ({ fromMs: rule.validFromMs, toMs: now(), arrivedMs: now() })

  const refresh = async () => {
    const asked = [...changed]
    const ids = changed.has(undefined) ? undefined : asked.filter((id) => id !== undefined)
    changed.clear()
    const found = await ports.rules(ids).catch((error: unknown) => {
      for (const id of asked) changed.add(id)
      throw error
    })
    const rules = new Map(found.map((rule) => [rule.alertId, rule]))
    for (const id of ids ?? [...byAlert.keys()]) if (!rules.has(id)) unwatch(id)
    for (const rule of rules.values()) {
      const entry = byAlert.get(rule.alertId)?.entries.find((one) => one.rule.alertId === rule.alertId)
      if (entry?.rule.validFromMs === rule.validFromMs && entry.rule.signalNo === rule.signalNo) entry.rule = rule
      else {
        unwatch(rule.alertId)
        look(watch(rule), fromItsBeginning(rule))
      }
    }
  }

  const saveRows = async () => {
    const told = pending
    pending = []
    try {
      if (told.length > 0) await ports.save(told, [])
    } catch (error) {
      for (const { rule, trigger, arrivedMs } of told) {
        const series = byAlert.get(rule.alertId)
        if (series) look(series, { fromMs: trigger.tMs, toMs: trigger.tMs, arrivedMs })
      }
      throw error
    }
  }

  const startOf = ({ ranges }: Series<R>): number => Math.min(...ranges.map(({ fromMs }) => fromMs))

  const next = (): Series<R>[] => {
    const [first] = dirty
    const firstMs = first ? startOf(first) : 0
    return [...dirty].filter((series) => Math.abs(startOf(series) - firstMs) <= nearMs).slice(0, atOnce)
  }

  const mend = async (some: readonly Series<R>[]) => {
    const taken = some.map((series) => {
      const fromMs = startOf(series)
      const range = series.ranges.find((one) => one.fromMs === fromMs) ?? { fromMs, toMs: fromMs, arrivedMs: now() }
      series.ranges = series.ranges.filter((other) => other !== range)
      return { series, range }
    })
    try {
      const latest = await readings.latest(some.map(({ no }) => no))
      const { samples, rows } = askTogether(ports)
      const found = await Promise.all(
        taken.map(async ({ series, range }) => {
          const { no, track, entries } = series
          const horizonMs = (latest.get(no)?.tMs ?? -Infinity) + 1
          const toEnd = !track || range.toMs > track.lastMs
          const rules = entries.map(({ rule }) => rule)
          const sources = { samples: (span: Span) => samples(no, span), horizonMs, rows }
          return { series, range, ...(await recompute(rules, range, sources, toEnd)) }
        }),
      )
      const sure = found.filter(({ series, range }) => {
        // Samples before this range that arrived meanwhile may be in the samples that were read but not in the rows: the earlier range is
        // recomputed first.
        const isOvertaken = series.ranges.some(({ fromMs }) => fromMs < range.fromMs)
        if (isOvertaken) look(series, range)
        return !isOvertaken
      })
      const add = sure.flatMap((one) => one.add.map((row) => ({ ...row, arrivedMs: one.range.arrivedMs })))
      const remove = sure.flatMap((one) => one.remove)
      if (add.length > 0 || remove.length > 0) await ports.save(add, remove)
      for (const { series, end } of sure) {
        if (!end) continue
        series.track = end.track
        for (const { rule, standing } of series.entries) Object.assign(standing, end.standings.get(rule.alertId))
      }
    } catch (error) {
      // Failed series go to the end of the queue, so that they do not block others.
      for (const { series, range } of taken) {
        dirty.delete(series)
        look(series, range)
      }
      throw error
    } finally {
      for (const series of some) if (series.ranges.length === 0) dirty.delete(series)
    }
  }

  const mendAll = async (some: readonly Series<R>[]) => {
    const failed: unknown[] = []
    await mend(some).catch((error: unknown) => failed.push(error))
    if (failed.length > 0 && some.length > 1) {
      failed.length = 0
      for (const series of some) await mend([series]).catch((error: unknown) => failed.push(error))
    }
    if (failed.length > 0) throw failed[0]
  }

  const isIdle = () => pending.length === 0 && dirty.size === 0 && changed.size === 0

  const work = async () => {
    while (!isIdle() && !closing.signal.aborted) {
      if (changed.size > 0) await refresh()
      await saveRows()
      // Pending rows are saved first, because a recomputation compares with the stored rows.
      while (dirty.size > 0 && pending.length === 0 && changed.size === 0 && !closing.signal.aborted)
        await mendAll(next())
    }
    if (now() - savedAtMs < progressEveryMs || !isIdle()) return
    savedAtMs = now()
    await ports.saveProgress(seen)
  }

  const workUntilDone = async () => {
    do {
      try {
        await work()
      } catch (error) {
        ports.onError(error)
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {})
      }
    } while (!isIdle() && !closing.signal.aborted)
    working = undefined
  }

  const wake = () => {
    if (!closing.signal.aborted) working ??= workUntilDone()
  }

  const start = async () => {
    const before = (await ports.progress()) ?? 0
    seen = Math.max(before, readings.storedVersion())
    for (const rule of await ports.rules()) {
      const series = watch(rule)
      // Samples may have been processed before the alert existed.
      if (rule.validFromMs >= before / 1000 - nearMs) look(series, fromItsBeginning(rule))
    }
    if (byNo.size === 0) return
    for await (const { signalNo, fromMs, toMs, version } of readings.storedSince(before)) {
      const series = byNo.get(signalNo)
      if (series) look(series, { fromMs, toMs, arrivedMs: version / 1000 })
    }
  }

  const silence = readings.onStored(onStored)
  working = start().finally(() => (working = undefined))
  await working
  wake()
  return {
    changed: (alertId) => {
      changed.add(alertId)
      wake()
    },
    settled: async () => {
      while (working) await working
    },
    close: async () => {
      silence()
      closing.abort()
      await working
    },
  }
}
