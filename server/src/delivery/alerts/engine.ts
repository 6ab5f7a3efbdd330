import type { Span } from '@gridmast/contract/time.ts'
import { addRange, type FollowPorts, nearMs, openFollower, type Range } from '#delivery/follow.ts'
import type { StoredGroup } from '#readings/readings.ts'
import { follow, newState, type Rule, type Track, type Trigger, type Watched } from './alert-rules.ts'
import { batchReads, recompute, type RowsFrom, type TriggerRow } from './recompute.ts'

export type SeriesRule = Rule & { signalNo: number }

export type NewTrigger<R extends Rule> = { rule: R; trigger: Trigger; arrivedMs: number }

export type Ports<R extends SeriesRule> = FollowPorts & {
  rules: (alertIds?: readonly string[]) => Promise<R[]>
  rows: (alerts: readonly RowsFrom[]) => Promise<TriggerRow[]>
  save: (add: readonly NewTrigger<R>[], remove: readonly TriggerRow[]) => Promise<void>
}

export type Engine = {
  changed: (alertId?: string) => void
  settled: () => Promise<void>
  close: () => Promise<void>
}

type Entry<R extends Rule> = Watched & { rule: R }
type Series<R extends Rule> = { no: number; entries: Entry<R>[]; track: Track | null; ranges: Range[] }

const maxTogether = 50

export const openAlertEngine = async <R extends SeriesRule>(ports: Ports<R>): Promise<Engine> => {
  const { readings, now } = ports
  const byNo = new Map<number, Series<R>>()
  const byAlert = new Map<string, Series<R>>()
  const dirty = new Set<Series<R>>()
  const changed = new Set<string | undefined>()
  let pending: NewTrigger<R>[] = []

  const markDirty = (series: Series<R>, range: Span & { arrivedMs: number }) => {
    addRange(series.ranges, { ...range, dueMs: 0 })
    dirty.add(series)
  }

  const stored = ({ runs }: StoredGroup) => {
    for (const { run, version } of runs) {
      const series = byNo.get(run.signalNo)
      if (!series) continue
      const { t0Ms, dtMs, values } = run
      const { track, entries } = series
      const arrivedMs = version / 1000
      if (!track || dirty.has(series) || t0Ms <= track.lastMs || dtMs === 0) {
        markDirty(series, { fromMs: t0Ms, toMs: t0Ms + dtMs * (values.length - 1), arrivedMs })
        continue
      }
      const add = ({ rule }: Entry<R>, trigger: Trigger) => void pending.push({ rule, trigger, arrivedMs })
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (value !== null && value !== undefined) follow(entries, track, t0Ms + i * dtMs, value, add)
      }
    }
  }

  const watch = (rule: R) => {
    const series = byNo.get(rule.signalNo) ?? { no: rule.signalNo, entries: [], track: null, ranges: [] }
    series.entries.push({ rule, state: newState() })
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

  const sinceValid = ({ validFromMs }: R) => ({ fromMs: validFromMs, toMs: now(), arrivedMs: now() })

  const refresh = async () => {
    const changedIds = [...changed]
    const ids = changed.has(undefined) ? undefined : changedIds.filter((id) => id !== undefined)
    changed.clear()
    const rows = await ports.rules(ids).catch((error: unknown) => {
      for (const id of changedIds) changed.add(id)
      throw error
    })
    const rules = new Map(rows.map((rule) => [rule.alertId, rule]))
    for (const id of ids ?? [...byAlert.keys()]) if (!rules.has(id)) unwatch(id)
    for (const rule of rules.values()) {
      const entry = byAlert.get(rule.alertId)?.entries.find((one) => one.rule.alertId === rule.alertId)
      if (entry?.rule.validFromMs === rule.validFromMs && entry.rule.signalNo === rule.signalNo) entry.rule = rule
      else {
        unwatch(rule.alertId)
        markDirty(watch(rule), sinceValid(rule))
      }
    }
  }

  const savePending = async () => {
    if (pending.length === 0) return
    const triggers = pending
    pending = []
    await ports.save(triggers, []).catch((error: unknown) => {
      for (const { rule, trigger, arrivedMs } of triggers) {
        const series = byAlert.get(rule.alertId)
        if (series) markDirty(series, { fromMs: trigger.tMs, toMs: trigger.tMs, arrivedMs })
      }
      throw error
    })
  }

  const startOf = ({ ranges }: Series<R>): number => Math.min(...ranges.map(({ fromMs }) => fromMs))

  const next = (): Series<R>[] => {
    // Pending rows are saved first, because a recomputation compares with the stored rows.
    if (pending.length > 0 || changed.size > 0) return []
    const [first] = dirty
    const firstMs = first ? startOf(first) : 0
    return [...dirty].filter((series) => Math.abs(startOf(series) - firstMs) <= nearMs).slice(0, maxTogether)
  }

  const removeEarliest = (series: Series<R>) => {
    const fromMs = startOf(series)
    const range = series.ranges.find((one) => one.fromMs === fromMs) ?? { fromMs, toMs: fromMs, arrivedMs: now() }
    series.ranges = series.ranges.filter((other) => other !== range)
    return { series, range }
  }

  const recomputeRanges = async (all: readonly ReturnType<typeof removeEarliest>[]) => {
    const latest = await readings.latest(all.map(({ series }) => series.no))
    const { samples, rows } = batchReads(ports)
    const recomputed = await Promise.all(
      all.map(async ({ series, range }) => {
        const { no, track, entries } = series
        const horizonMs = (latest.get(no)?.tMs ?? -Infinity) + 1
        const toEnd = !track || range.toMs > track.lastMs
        const rules = entries.map(({ rule }) => rule)
        const sources = { samples: (span: Span) => samples(no, span), horizonMs, rows }
        return { series, range, ...(await recompute(rules, range, sources, toEnd)) }
      }),
    )
    const valid = recomputed.filter(({ series, range }) => {
      // Samples before this range that arrived meanwhile may be in the samples that were read but not in the rows: the earlier range is
      // recomputed first.
      const isOvertaken = series.ranges.some(({ fromMs }) => fromMs < range.fromMs)
      if (isOvertaken) markDirty(series, range)
      return !isOvertaken
    })
    const add = valid.flatMap((one) => one.add.map((row) => ({ ...row, arrivedMs: one.range.arrivedMs })))
    const remove = valid.flatMap((one) => one.remove)
    if (add.length > 0 || remove.length > 0) await ports.save(add, remove)
    for (const { series, end } of valid) {
      if (!end) continue
      series.track = end.track
      for (const { rule, state } of series.entries) Object.assign(state, end.states.get(rule.alertId))
    }
  }

  const examine = async (some: readonly Series<R>[]) => {
    const removed = some.map(removeEarliest)
    try {
      await recomputeRanges(removed)
    } catch (error) {
      // Failed series go to the end of the queue, so that they do not block others.
      for (const { series, range } of removed) {
        dirty.delete(series)
        markDirty(series, range)
      }
      throw error
    } finally {
      for (const series of some) if (series.ranges.length === 0) dirty.delete(series)
    }
  }

  const { wake, settled, close } = await openFollower<Series<R>>(ports, {
    start: async (version) => {
      for (const rule of await ports.rules()) {
        const series = watch(rule)
        // Samples may have been processed before the alert existed.
        if (rule.validFromMs >= version / 1000 - nearMs) markDirty(series, sinceValid(rule))
      }
      if (byNo.size === 0) return
      for await (const { signalNo, fromMs, toMs, version: storedVersion } of readings.storedSince(version)) {
        const series = byNo.get(signalNo)
        if (series) markDirty(series, { fromMs, toMs, arrivedMs: storedVersion / 1000 })
      }
    },
    stored,
    prepare: async () => {
      if (changed.size > 0) await refresh()
      await savePending()
    },
    next,
    examine,
    isIdle: () => pending.length === 0 && dirty.size === 0 && changed.size === 0,
  })
  return {
    changed: (alertId) => {
      changed.add(alertId)
      wake()
    },
    settled,
    close,
  }
}
