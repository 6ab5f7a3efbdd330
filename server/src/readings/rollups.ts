import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { instant, int, ints, maximumAt, minimumAt, rows, tsMs } from './sql.ts'
import type { Run } from './writer.ts'

type Rollups = {
  /** All raw rows up to this version are in the roll-ups; newer minutes are read from raw. */
  rolledVersion: () => Promise<number>
  lastKnown: () => number
  lagS: () => number
  drain: () => Promise<void>
  paused: <T>(work: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

type RollupOptions = {
  settledVersion: () => number
  isShared: boolean
  roundMs?: number
  now?: () => number
  /** False while the disk is nearly full; reads do without newer roll-ups. */
  mayWrite?: () => boolean
  /** Called before `rolledVersion` advances. */
  recomputed?: (works: readonly Work[]) => void
  onError: (error: unknown) => void
}

const listedAtOnce = 50_000
/** Longest arrival time covered by a step, in µs, which keeps its list of minutes small. */
const stepUs = 60_000_000
/** Longest duration of an insert of another process, in µs: its time limit is one minute, and clocks may differ. */
export const otherWritersUs = 5 * 60_000_000

/** Keeps the roll-ups up to date. Reads are correct without them (see rollups.md), only slower. */
export const openRollups = async (client: ClickHouseClient, options: RollupOptions): Promise<Rollups> => {
  const {
    settledVersion,
    isShared,
    roundMs = 10_000,
    now = Date.now,
    mayWrite = () => true,
    recomputed,
    onError,
  } = options
  let rolled = await readProgress(client)
  let readAtMs = now()
  let savedAtMs = -Infinity
  let saved = rolled
  let running: Promise<unknown> | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const target = () => (isShared ? Math.min(settledVersion(), now() * 1000 - otherWritersUs) : settledVersion())

  const save = async () => {
    if (rolled <= saved || !mayWrite()) return
    const version = rolled
    await client.command({ query: `insert into gridmast.rollup_progress values ('minutes', ${int(version)})` })
    saved = version
    savedAtMs = now()
  }

  const step = async (upTo: number, isWaitedFor: boolean): Promise<boolean> => {
    const next = await nextVersion(client, rolled, upTo)
    if (next === null) {
      rolled = Math.max(rolled, upTo)
      return false
    }
    const end = Math.min(upTo, next + stepUs)
    let after: Minute | undefined
    do {
      const minutes = await changedMinutes(client, next, end, after)
      for (const share of shareOut(minutes, isWaitedFor ? 20_000 : 4000)) {
        if (closed || !mayWrite()) return false
        const startedAt = performance.now()
        await client.command({ query: recompute(share) })
        recomputed?.(share)
        // A backlog takes about a third of a core; charts and inserts have the rest.
        if (!isWaitedFor) await pause(Math.min(2000, 2 * (performance.now() - startedAt)))
      }
      after = minutes.length === listedAtOnce ? minutes.at(-1) : undefined
    } while (after && !closed)
    if (closed) return false
    rolled = end
    return end < upTo
  }

  const bringUp = async (isWaitedFor = false) => {
    const upTo = target()
    while (mayWrite() && rolled < upTo && (await step(upTo, isWaitedFor)));
    if (isShared || now() - savedAtMs > minuteMs) await save()
  }

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    while (running) await running.catch(() => {})
    const turn = work()
    running = turn
    try {
      return await turn
    } finally {
      running = undefined
    }
  }

  const schedule = (ms: number) => {
    if (closed || roundMs === 0) return
    timer = setTimeout(() => {
      inTurn(bringUp).then(
        () => schedule(roundMs),
        (error: unknown) => {
          onError(error)
          schedule(roundMs)
        },
      )
    }, ms)
    timer.unref()
  }
  schedule(Math.min(1000, roundMs))

  return {
    rolledVersion: async () => {
      if (isShared && now() - readAtMs > 2000) {
        readAtMs = now()
        rolled = Math.max(rolled, await readProgress(client))
      }
      return rolled
    },
    lastKnown: () => rolled,
    lagS: () => Math.max(0, target() - rolled) / 1e6,
    drain: () => inTurn(() => bringUp(true)),
    paused: inTurn,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running?.catch(() => {})
      await save().catch(onError)
    },
  }
}

type Minute = [signalNo: number, minute: number]

const readProgress = async (client: ClickHouseClient): Promise<number> => {
  const [row] = await rows<[number]>(client, `select max(version) from gridmast.rollup_progress where name = 'minutes'`)
  return row?.[0] ?? 0
}

const nextVersion = async (client: ClickHouseClient, after: number, upTo: number): Promise<number | null> => {
  const [row] = await rows<[number, number]>(
    client,
    `select min(version), count() from gridmast.samples where version > ${int(after)} and version <= ${int(upTo)}`,
  )
  return row && row[1] > 0 ? row[0] : null
}

const changedMinutes = (client: ClickHouseClient, from: number, to: number, after: Minute | undefined) =>
  rows<Minute>(
    client,
    `select signal_no, intDiv(${tsMs}, 60000) as minute from gridmast.samples
     where version >= ${int(from)} and version <= ${int(to)} ${after ? `and (signal_no, minute) > (${ints(after)})` : ''}
     group by signal_no, minute order by signal_no, minute limit ${listedAtOnce}`,
  )

type Work = { fromMinute: number; toMinute: number; signalNos: number[]; cost: number }

/** Unchanged minutes between close changed ones are recomputed too: the result is the same, and more conditions cost more. */
const bridgedMinutes = 60
/** Most of them have no samples, as a meter reports every quarter of an hour, so they cost less than changed ones. */
const bridgedShare = 1 / 8
const conditionsAtOnce = 40

/**
 * Batches of at most `queryCost` changed minutes. Close minutes become one span, and series with the same span one condition: 2,000 single
 * minutes as conditions took a minute.
 */
export const shareOut = (minutes: readonly Minute[], queryCost: number): Work[][] => {
  const works = new Map<string, Work>()
  const add = (signalNo: number, { fromMinute, toMinute, cost }: Omit<Work, 'signalNos'>) => {
    const key = `${fromMinute}-${toMinute}`
    const work = works.get(key)
    if (work && work.cost + cost <= queryCost) {
      work.signalNos.push(signalNo)
      work.cost += cost
      return
    }
    if (work) works.set(`${key} ${works.size}`, work)
    works.set(key, { fromMinute, toMinute, signalNos: [signalNo], cost })
  }
  let open: (Omit<Work, 'signalNos'> & { signalNo: number }) | undefined
  for (const [signalNo, minute] of minutes) {
    const bridged = open?.signalNo === signalNo ? minute - open.toMinute : Infinity
    const cost = 1 + bridged * bridgedShare
    if (open && bridged <= bridgedMinutes && open.cost + cost <= queryCost) {
      open.toMinute = minute + 1
      open.cost += cost
    } else {
      if (open) add(open.signalNo, open)
      open = { signalNo, fromMinute: minute, toMinute: minute + 1, cost: 1 }
    }
  }
  if (open) add(open.signalNo, open)
  const shares: Work[][] = []
  let cost = Infinity
  for (const work of works.values()) {
    cost += work.cost
    const share = shares.at(-1)
    if (share && share.length < conditionsAtOnce && cost <= queryCost) share.push(work)
    else {
      shares.push([work])
      cost = work.cost
    }
  }
  return shares
}

const recompute = (share: Work[]) => {
  const where = share.map(({ fromMinute, toMinute, signalNos }) => {
    const [from, to] = [instant(fromMinute * minuteMs), instant(toMinute * minuteMs)]
    return `(signal_no in (${ints(signalNos)}) and ts >= ${from} and ts < ${to})`
  })
  return `
    insert into gridmast.minutes
      (signal_no, minute, version, count, sum, min, max, first, last, min_at_ms, max_at_ms, first_at_ms, last_at_ms)
    select signal_no, toStartOfMinute(ts) as minute, max(version), count(), sum(value), min(value), max(value),
      argMin(value, ts), argMax(value, ts),
      ${minimumAt('value', `${tsMs} % 60000`)}, ${maximumAt('value', `${tsMs} % 60000`)}, min(${tsMs}) % 60000, max(${tsMs}) % 60000
    from gridmast.samples final where ${where.join(' or ')} group by signal_no, minute`
}

export type Recent = {
  note: (run: Run, version: number, rolledVersion: number) => void
  /** False only when no raw row in the span can be newer than the version. */
  mayHaveChanged: (signalNo: number, span: Span, sinceVersion: number) => boolean
}

type Written = Span & { firstVersion: number; lastVersion: number }

/** Writes within this time, in µs, share one span; above `maxSpans` the two oldest merge. */
const sharedUs = 60_000_000
const maxSpans = 20

/** Spans of this process without roll-ups, which save a chart the query to the store. Nothing before `startVersion` and of other processes. */
export const openRecent = (startVersion: number): Recent => {
  const written = new Map<number, Written[]>()
  return {
    note: ({ signalNo, t0Ms, dtMs, values }, version, rolledVersion) => {
      const span = {
        fromMs: t0Ms,
        toMs: t0Ms + dtMs * (values.length - 1) + 1,
        firstVersion: version,
        lastVersion: version,
      }
      const spans = (written.get(signalNo) ?? []).filter(({ lastVersion }) => lastVersion > rolledVersion)
      const newest = spans.at(-1)
      if (newest && version - newest.firstVersion < sharedUs) spans[spans.length - 1] = merged(newest, span)
      else spans.push(span)
      const [oldest, second] = spans
      if (oldest && second && spans.length > maxSpans) spans.splice(0, 2, merged(oldest, second))
      written.set(signalNo, spans)
    },
    mayHaveChanged: (signalNo, { fromMs, toMs }, sinceVersion) =>
      sinceVersion < startVersion ||
      (written.get(signalNo) ?? []).some(
        (span) => span.lastVersion > sinceVersion && span.fromMs < toMs && span.toMs > fromMs,
      ),
  }
}

const merged = (a: Written, b: Written): Written => ({
  fromMs: Math.min(a.fromMs, b.fromMs),
  toMs: Math.max(a.toMs, b.toMs),
  firstVersion: Math.min(a.firstVersion, b.firstVersion),
  lastVersion: Math.max(a.lastVersion, b.lastVersion),
})
