import { setTimeout } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { instant, int, ints, rows, tsMs } from './sql.ts'
import { type Run, touchAgain } from './writer.ts'

export type Rollups = {
  touch: (run: Run, version: number) => void
  /** Minutes known to wait for their roll-up. */
  waiting: () => number
  /** Rolls up everything that waits, due or not. */
  drain: () => Promise<void>
  close: () => Promise<void>
}

export type RollupOptions = { roundMs?: number; now?: () => number; onError: (error: unknown) => void }

const minuteMs = 60_000
const roundMinutes = 2000
/** Above this a restart or a backfill is under way: the rest is found by a sweep instead of being kept in memory. */
const dirtyLimit = 100_000
const sweepEveryMs = 3_600_000
/** Another ingest process may have stopped a while before this one got ahead of it; in microseconds, as versions are. */
const sweepMarginUs = 2 * 3_600_000_000

type Dirty = { since: number; version: number; touchedAtMs: number }

/**
 * Rewrites touched minutes from raw, a bounded round about once a second. Readers need none of it to be right (see rollups.md);
 * it makes them fast.
 */
export const openRollups = async (
  client: ClickHouseClient,
  settledVersion: () => number,
  { roundMs = 1000, now = Date.now, onError }: RollupOptions,
): Promise<Rollups> => {
  const dirty = new Map<number, Map<number, Dirty>>()
  let count = 0
  let overflowFrom: number | undefined
  let savedProgress = await progress(client)
  let sweptAtMs = -Infinity
  let savedAtMs = -Infinity
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<number> | undefined

  const mark = (signalNo: number, minute: number, version: number, touchedAtMs: number) => {
    let ofSignal = dirty.get(signalNo)
    if (!ofSignal) dirty.set(signalNo, (ofSignal = new Map()))
    const entry = ofSignal.get(minute)
    if (entry) {
      entry.version = Math.max(entry.version, version)
      entry.touchedAtMs = touchedAtMs
    } else if (count < dirtyLimit) {
      ofSignal.set(minute, { since: version, version, touchedAtMs })
      count++
    } else overflowFrom = Math.min(overflowFrom ?? version, version)
  }

  const touch = ({ signalNo, t0Ms, dtMs, values }: Run, version: number) => {
    const at = now()
    let marked = -1
    for (let i = 0; i < values.length; i++) {
      const minute = Math.floor((t0Ms + dtMs * i) / minuteMs)
      if (minute === marked || values[i] === null) continue
      marked = minute
      mark(signalNo, minute, version, at)
    }
  }

  const sweep = async () => {
    const from = Math.max(0, Math.min(savedProgress, overflowFrom ?? savedProgress) - sweepMarginUs)
    overflowFrom = undefined
    await client.command({ query: touchAgain(from) })
    const found = await rows<[number, number, number]>(client, forgotten(from))
    for (const [signalNo, minute, version] of found) mark(signalNo, minute, version, 0)
    if (found.length === dirtyLimit) overflowFrom = from + sweepMarginUs
    sweptAtMs = now()
  }

  /** A minute that is still being filled waits until it rests: it would be touched again at once, and its raw rows are few. */
  const isDue = (minute: number, entry: Dirty, nowMs: number) => {
    const isOver = (minute + 1) * minuteMs <= nowMs
    return nowMs - entry.touchedAtMs >= (isOver ? 2000 : 20_000)
  }

  const pick = (all: boolean) => {
    const nowMs = now()
    const settled = settledVersion()
    const picked: { signalNo: number; minute: number; entry: Dirty; version: number }[] = []
    for (const [signalNo, minutes] of dirty)
      for (const [minute, entry] of minutes) {
        if (entry.version > settled || (!all && !isDue(minute, entry, nowMs))) continue
        picked.push({ signalNo, minute, entry, version: entry.version })
        if (picked.length === roundMinutes) return picked
      }
    return picked
  }

  const saveProgress = async () => {
    let reached = Math.min(settledVersion(), (overflowFrom ?? Infinity) - 1)
    for (const minutes of dirty.values())
      for (const { since } of minutes.values()) reached = Math.min(reached, since - 1)
    if (reached <= savedProgress) return
    await client.command({ query: `insert into gridmast.rollup_progress values ('minutes', ${int(reached)})` })
    savedProgress = reached
  }

  const runRound = async (all: boolean): Promise<number> => {
    if (count === 0 && overflowFrom !== undefined) await sweep()
    const picked = pick(all)
    if (picked.length > 0) {
      await client.command({ query: recompute(picked) })
      for (const { signalNo, minute, entry, version } of picked) {
        if (entry.version !== version) continue // touched again meanwhile
        const ofSignal = dirty.get(signalNo)
        ofSignal?.delete(minute)
        if (ofSignal?.size === 0) dirty.delete(signalNo)
        count--
      }
    }
    if (now() - savedAtMs > 10_000) {
      savedAtMs = now()
      await saveProgress()
    }
    if (now() - sweptAtMs > sweepEveryMs) await sweep()
    return picked.length
  }

  const inTurn = async (all: boolean) => {
    while (round) await round.catch(() => 0)
    round = runRound(all)
    try {
      return await round
    } finally {
      round = undefined
    }
  }

  const schedule = (ms: number) => {
    if (closed) return
    timer = globalThis.setTimeout(() => {
      inTurn(false).then(
        // With a backlog the job takes about half of the time of its connection.
        (done) => schedule(done === roundMinutes ? Math.min(100, roundMs) : roundMs),
        (error: unknown) => {
          onError(error)
          schedule(10_000)
        },
      )
    }, ms)
    timer.unref()
  }
  schedule(roundMs)

  return {
    touch,
    waiting: () => count,
    drain: async () => {
      if (sweptAtMs === -Infinity || overflowFrom !== undefined) await sweep()
      while (count > 0 || overflowFrom !== undefined) {
        if ((await inTurn(true)) === 0 && count > 0) await setTimeout(20) // an insert is still on its way
      }
      await saveProgress()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      while (round) await round.catch(() => 0)
      await saveProgress().catch(onError)
    },
  }
}

const progress = async (client: ClickHouseClient): Promise<number> => {
  const [row] = await rows<[number]>(client, `select max(version) from gridmast.rollup_progress where name = 'minutes'`)
  return row?.[0] ?? 0
}

const forgotten = (from: number) => `
  select signal_no, intDiv(toUnixTimestamp(minute), 60), intDiv(stamp, 2)
  from gridmast.minutes final where stamp >= ${int(from)} * 2 and rolled = 0 limit ${dirtyLimit}`

/** Neighbouring minutes become one span, signals with the same span one condition: few conditions, each answered by the primary key. */
const spans = (picked: { signalNo: number; minute: number }[]): Map<string, number[]> => {
  const signalsOf = new Map<string, number[]>()
  const add = (signalNo: number, from: number, to: number) => {
    const span = `ts >= ${instant(from * minuteMs)} and ts < ${instant(to * minuteMs)}`
    const signals = signalsOf.get(span)
    if (signals) signals.push(signalNo)
    else signalsOf.set(span, [signalNo])
  }
  const ordered = picked.toSorted((a, b) => a.signalNo - b.signalNo || a.minute - b.minute)
  let open: { signalNo: number; from: number; to: number } | undefined
  for (const { signalNo, minute } of ordered) {
    if (open && open.signalNo === signalNo && open.to === minute) open.to++
    else {
      if (open) add(open.signalNo, open.from, open.to)
      open = { signalNo, from: minute, to: minute + 1 }
    }
  }
  if (open) add(open.signalNo, open.from, open.to)
  return signalsOf
}

const recompute = (picked: { signalNo: number; minute: number }[]) => {
  const where = [...spans(picked)].map(([span, signals]) => `(signal_no in (${ints(signals)}) and ${span})`)
  return `
    insert into gridmast.minutes
      (signal_no, minute, stamp, rolled, count, sum, min, max, first, last, min_at_ms, max_at_ms, first_at_ms, last_at_ms)
    select signal_no, toStartOfMinute(ts) as minute, max(version) * 2 + 1, 1, count(), sum(value), min(value), max(value),
      argMin(value, ts), argMax(value, ts),
      argMin(${tsMs} % 60000, value), argMax(${tsMs} % 60000, value), min(${tsMs}) % 60000, max(${tsMs}) % 60000
    from gridmast.samples final where ${where.join(' or ')} group by signal_no, minute`
}
